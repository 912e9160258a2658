#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# go-oidc 2.1.0 on go-jose 2.6.0 reads no key of a JWK Set that has one key of an unknown kind. RFC 7517 section 5 says that
# implementations should ignore such keys. One key for post-quantum signatures (`AKP`), for Ed448, for an encryption with
# X25519 or of the curve secp256k1 is enough: the ID tokens that the ES256 key beside it signed are refused. A provider
# that only adds a key locks out the users of these clients.
#
# Seen with golang-github-coreos-go-oidc-dev 2.1.0-2 and golang-gopkg-square-go-jose.v2-dev 2.6.0-2 of Debian 12, Go 1.19.8.
# Prints what verifies, and fails if that changes. Needs both, with golang-go, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
dpkg-query -W golang-github-coreos-go-oidc-dev golang-gopkg-square-go-jose.v2-dev

cat >main.go <<'GO'
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"

	oidc "github.com/coreos/go-oidc"
	jose "gopkg.in/square/go-jose.v2"
)

func main() {
	private, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	signer, _ := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: private}, (&jose.SignerOptions{}).WithHeader("kid", "first"))
	signed, _ := signer.Sign([]byte(`{"iss":"https://op.example","sub":"user","aud":"app","exp":4102444800,"iat":1}`))
	token, _ := signed.CompactSerialize()
	first, _ := json.Marshal(jose.JSONWebKey{Key: private.Public(), KeyID: "first", Algorithm: "ES256", Use: "sig"})
	random := func(size int) string {
		octets := make([]byte, size)
		rand.Read(octets)
		return base64.RawURLEncoding.EncodeToString(octets)
	}
	for _, other := range [][2]string{
		{"alone", ``},
		{"with ML-DSA-44", `{"kty":"AKP","alg":"ML-DSA-44","kid":"other","pub":"` + random(1312) + `"},`},
		{"with Ed448", `{"kty":"OKP","crv":"Ed448","kid":"other","x":"` + random(57) + `"},`},
		{"with X25519", `{"kty":"OKP","crv":"X25519","use":"enc","kid":"other","x":"` + random(32) + `"},`},
		// The base point of the curve.
		{"with secp256k1", `{"kty":"EC","crv":"secp256k1","kid":"other",` +
			`"x":"eb5mfvncu6xVoGKVzocLBwKb_NstzijZWfKBWxb4F5g","y":"SDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj_sQ1Lg"},`},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"keys":[%s%s]}`, other[1], first)
		}))
		keys := oidc.NewRemoteKeySet(context.Background(), server.URL)
		verifier := oidc.NewVerifier("https://op.example", keys, &oidc.Config{ClientID: "app", SupportedSigningAlgs: []string{"ES256"}})
		_, err := verifier.Verify(context.Background(), token)
		server.Close()
		result := "verified"
		if err != nil {
			result = regexp.MustCompile(`go-jose: [^'"{]*[^ '"{]`).FindString(err.Error())
		}
		fmt.Printf("%s: %s\n", other[0], result)
	}
}
GO
GO111MODULE=off GOPATH=/usr/share/gocode go build -o verify main.go
seen=$(./verify)
printf '%s\n' "$seen"
[[ "$seen" == "alone: verified
with ML-DSA-44: go-jose: unknown json web key type
with Ed448: go-jose: unknown curve Ed448
with X25519: go-jose: unknown curve X25519
with secp256k1: go-jose: unsupported elliptic curve" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
