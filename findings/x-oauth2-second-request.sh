#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# golang.org/x/oauth2 0.3.0 hides why a token request was refused. RFC 6749 section 5.2 has `invalid_grant` for a code that
# expired, and `invalid_client` for a wrong authentication. Without `AuthStyle`, which `Endpoint()` of a go-oidc provider
# does not set, each error of the first request, also `invalid_grant` or 503, leads to a second one with the same code and
# the secret in the body. A client registered for `client_secret_basic` alone gets `invalid_client` then, and that is what
# the caller sees; the provider sees a code used twice. 0.37.0 has the same lines. `AuthStyleInHeader` sends one request.
#
# Seen with golang-golang-x-oauth2-dev 0.3.0-1 of Debian 12, Go 1.19.8. Prints what is sent and what the caller gets, and
# fails if that changes. Needs it, with golang-go, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
dpkg-query -W golang-golang-x-oauth2-dev

cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"golang.org/x/oauth2"
)

func main() {
	var sent []string
	status, body := 0, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _, basic := r.BasicAuth()
		sent = append(sent, fmt.Sprintf("%s %s", r.FormValue("code"), map[bool]string{true: "basic", false: "post"}[basic]))
		w.Header().Set("Content-Type", "application/json")
		if !basic {
			w.WriteHeader(401)
			fmt.Fprint(w, `{"error":"invalid_client"}`)
			return
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleAutoDetect, oauth2.AuthStyleInHeader} {
		for _, answer := range []int{400, 503} {
			sent, status, body = nil, answer, map[int]string{400: `{"error":"invalid_grant"}`}[answer]
			endpoint := oauth2.Endpoint{TokenURL: server.URL, AuthStyle: style}
			config := oauth2.Config{ClientID: "app", ClientSecret: "secret", Endpoint: endpoint}
			_, err := config.Exchange(context.Background(), "code")
			fmt.Printf("AuthStyle %d, answer %d%s; sent: %s; caller: %d%s\n", style, status, body, strings.Join(sent, ", "),
				err.(*oauth2.RetrieveError).Response.StatusCode, err.(*oauth2.RetrieveError).Body)
		}
	}
}
GO

GO111MODULE=off GOPATH=/usr/share/gocode go build -o exchange main.go
seen=$(./exchange)
printf '%s\n' "$seen"
[[ "$seen" == 'AuthStyle 0, answer 400{"error":"invalid_grant"}; sent: code basic, code post; caller: 401{"error":"invalid_client"}
AuthStyle 0, answer 503; sent: code basic, code post; caller: 401{"error":"invalid_client"}
AuthStyle 2, answer 400{"error":"invalid_grant"}; sent: code basic; caller: 400{"error":"invalid_grant"}
AuthStyle 2, answer 503; sent: code basic; caller: 503' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
