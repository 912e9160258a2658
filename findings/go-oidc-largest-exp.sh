#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# go-oidc 2.1.0 calls a token with a very late `exp` expired. RFC 7519 section 2 has no upper limit for a NumericDate, and
# the largest 64-bit number is what some write for a token that does not end. Go counts the seconds of `time.Unix` from the
# year 1, so that from 9223371974719179008 on the number wraps around: the date is before all others, though the message
# prints a year of twelve digits. One less in that number is accepted. PyJWT 2.6.0 accepts both.
#
# Seen with golang-github-coreos-go-oidc-dev 2.1.0-2 (Go 1.19.8) and python3-jwt 2.6.0-1 of Debian 12. Prints what is
# accepted, and fails if that changes. Needs both, with golang-go and golang-gopkg-square-go-jose.v2-dev, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
dpkg-query -W golang-github-coreos-go-oidc-dev python3-jwt

cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"os"

	oidc "github.com/coreos/go-oidc"
	jose "gopkg.in/square/go-jose.v2"
)

// The signature is not what is shown.
type anyKey struct{}

func (anyKey) VerifySignature(_ context.Context, token string) ([]byte, error) {
	signed, err := jose.ParseSigned(token)
	return signed.UnsafePayloadWithoutVerification(), err
}

func main() {
	config := oidc.Config{ClientID: "app", SupportedSigningAlgs: []string{"HS256"}}
	_, err := oidc.NewVerifier("https://op.example", anyKey{}, &config).Verify(context.Background(), os.Args[1])
	fmt.Println("  go-oidc:", err)
}
GO

cat >sign.py <<'PY'
import sys
import jwt

claims = {"iss": "https://op.example", "sub": "user", "aud": "app", "iat": 1, "exp": int(sys.argv[1])}
token = jwt.encode(claims, "k" * 32, algorithm="HS256")
print(token)
try:
    jwt.decode(token, "k" * 32, algorithms=["HS256"], audience="app")
    print("  PyJWT: accepted", file=sys.stderr)
except jwt.InvalidTokenError as error:
    print("  PyJWT:", error, file=sys.stderr)
PY

GO111MODULE=off GOPATH=/usr/share/gocode go build -o verify main.go
seen=$(
    for exp in 253402300800 9223371974719179007 9223371974719179008 9223372036854775807; do
        printf '%s\n' "$exp"
        token=$(/usr/bin/python3 sign.py "$exp" 2>&3)
        ./verify "$token"
    done 3>&1
)
printf '%s\n' "$seen"
[[ "$seen" == "253402300800
  PyJWT: accepted
  go-oidc: <nil>
9223371974719179007
  PyJWT: accepted
  go-oidc: <nil>
9223371974719179008
  PyJWT: accepted
  go-oidc: oidc: token is expired (Token Expiry: 292277024627-12-06 15:30:08 +0000 UTC)
9223372036854775807
  PyJWT: accepted
  go-oidc: oidc: token is expired (Token Expiry: 292277026596-12-04 15:30:07 +0000 UTC)" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
