#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The Go library github.com/cli/oauth 1.0.1, which the GitHub CLI signs in with, ends a device flow at `slow_down`. RFC 8628
# section 3.5: the error is a variant of `authorization_pending`; the client MUST wait five seconds longer and go on. One
# early poll, as clocks and load make it, is the end, while the user enters the code. And section 3.2 makes `interval`
# optional, five seconds without it: a response without it, as oidc-provider 9.13.3 sends each, is "could not parse
# interval", before the code is shown.
#
# Seen with golang-github-cli-oauth-dev 1.0.1-1 of Debian 12, Go 1.19.8. Prints how each flow ends, and fails if that changes.
# Needs golang-go, and Debian 12's packages' mirror.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-github-cli-oauth-dev=1.0.1-1 >/dev/null 2>&1
dpkg -x ./*.deb root
export GO111MODULE=off GOPATH=$folder/root/usr/share/gocode GOCACHE=$folder/cache

cat >flow.go <<'GO'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/cli/oauth/device"
)

func main() {
	flows := []struct{ name, interval, first string }{
		{"interval 1, authorization_pending", `"interval":1,`, "authorization_pending"},
		{"interval 1, slow_down", `"interval":1,`, "slow_down"},
		{"no interval", "", "authorization_pending"},
	}
	for _, flow := range flows {
		polls := 0
		provider := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
			answer.Header().Set("Content-Type", "application/json")
			if request.URL.Path == "/device" {
				fmt.Fprintf(answer, `{"device_code":"device","user_code":"USER","verification_uri":"https://op.example/device",%s`+
					`"expires_in":60}`, flow.interval)
				return
			}
			polls++
			if polls == 1 {
				answer.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(answer, `{"error":"%s"}`, flow.first)
				return
			}
			fmt.Fprint(answer, `{"access_token":"access","token_type":"Bearer"}`)
		}))
		code, err := device.RequestCode(http.DefaultClient, provider.URL+"/device", "app", []string{"openid"})
		if err == nil {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			_, err = device.Wait(ctx, http.DefaultClient, provider.URL+"/token",
				device.WaitOptions{ClientID: "app", DeviceCode: code})
			cancel()
		}
		fmt.Printf("%s: %d polls, error: %v\n", flow.name, polls, err)
		provider.Close()
	}
}
GO

seen=$(nice go run flow.go)
printf '%s\n' "$seen"
[[ "$seen" == 'interval 1, authorization_pending: 2 polls, error: <nil>
interval 1, slow_down: 1 polls, error: slow_down
no interval: 0 polls, error: could not parse interval="" as integer: strconv.Atoi: parsing "": invalid syntax' ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
