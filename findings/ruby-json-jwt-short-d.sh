#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gems json-jwt 1.14.0 and jwt 2.5.0 write one private EC key in 256 in a form that other libraries refuse. RFC 7518
# section 6.2.2.1 says that `d` is as long as the order of the curve: 32 octets for P-256. The gems write a number without
# its leading zeros, so 31 octets or fewer. `x` and `y` keep theirs. go-jose 2.6.0 and PyJWT 2.6.0 refuse the key, Authlib
# and the gem itself take it: a key made by a deployment script works or not by chance. json-jwt 1.17.2 and jwt 3.3.0 do
# the same.
#
# Seen with ruby-json-jwt 1.14.0-2, golang-gopkg-square-go-jose.v2-dev 2.6.0-2 and python3-jwt 2.6.0-1 of Debian 12. Prints
# who takes two keys, and fails if that changes. Needs these three, with golang-go, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
dpkg-query -W ruby-json-jwt golang-gopkg-square-go-jose.v2-dev python3-jwt

cat >make.rb <<'RB'
require 'json/jwt'

short = ARGV[0] == 'short'
key = OpenSSL::PKey::EC.generate('prime256v1')
key = OpenSSL::PKey::EC.generate('prime256v1') until (key.private_key.num_bytes < 32) == short
key = JSON::JWK.new(key)
File.write('key.json', key.to_json)
octets = %i[x y d].map { |name| Base64.urlsafe_decode64(key[name]).bytesize }
puts "octets of x, y and d: #{octets.map { |size| size < 32 ? 'fewer than 32' : size }.join(', ')}"
puts "json-jwt: #{JSON::JWT.new(sub: 'user').sign(JSON::JWK.new(JSON.parse(File.read('key.json')))).alg}"
RB

cat >read.go <<'GO'
package main

import (
	"fmt"
	"os"

	jose "gopkg.in/square/go-jose.v2"
)

func main() {
	text, _ := os.ReadFile("key.json")
	var key jose.JSONWebKey
	fmt.Println("go-jose:", key.UnmarshalJSON(text))
}
GO

cat >read.py <<'PY'
from jwt.algorithms import ECAlgorithm

try:
    print("PyJWT:", ECAlgorithm.from_jwk(open("key.json").read()).key_size)
except Exception as error:
    print("PyJWT:", error.args)
PY

GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/cache go build -o read read.go
seen=$(for kind in whole short; do ruby make.rb "$kind" && ./read && /usr/bin/python3 read.py; done)
printf '%s\n' "$seen"
[[ "$seen" == "octets of x, y and d: 32, 32, 32
json-jwt: ES256
go-jose: <nil>
PyJWT: 256
octets of x, y and d: 32, 32, fewer than 32
json-jwt: ES256
go-jose: square/go-jose: invalid EC private key, wrong length for d
PyJWT: ('D should be {} bytes for curve {}', 32, 'P-256')" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
