#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# HAProxy 2.6: `jwt_payload_query` and `jwt_header_query` give nothing for a string with the escape `\/` or with `\u` and more
# than eight bits, and of `\u00fc` one byte of Latin-1. RFC 8259 section 7: any character may be escaped, and `\/` is `/`;
# RFC 7519 section 7.1: the payload is JSON in UTF-8. PHP's `json_encode` writes `\/` and `\u` by default, so `iss` is empty
# and does not match the issuer, and a name in a header for the upstream is no UTF-8. The same characters without escapes
# are read as they are.
#
# Seen with Debian 12's haproxy 2.6.12-1+deb12u4. Prints what is read, in hexadecimal where it is not ASCII, and fails if that
# changes. Needs haproxy, openssl, curl and python3.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
haproxy -v | sed -n 1p

cat >haproxy.cfg <<CONF
defaults
    mode http
    timeout client 5s
frontend token
    bind unix@$folder/socket
    http-request set-var(txn.read) http_auth_bearer,jwt_payload_query('\$.value')
    http-request return status 200 content-type text/plain lf-string "%[var(txn.read)]"
CONF
haproxy -db -f haproxy.cfg 2>/dev/null &
until [[ -S socket ]]; do sleep 0.1; done

part() { printf %s "$1" | openssl base64 -A | tr +/ -_ | tr -d =; }
seen=$(
    for value in 'https://id.example' 'https:\/\/id.example' 'Jürgen' 'J\u00fcrgen' '中' '\u4e2d' 'a\u0062c' 'a\"b'; do
        printf '%s: ' "$value"
        curl -sS --unix-socket socket -H "Authorization: Bearer $(part '{"alg":"RS256"}').$(part "{\"value\":\"$value\"}").AA" \
            http://localhost/ | python3 -c 'import sys; print(ascii(sys.stdin.buffer.read())[1:])'
    done
)
printf '%s\n' "$seen"
[[ "$seen" == "https://id.example: 'https://id.example'
https:\\/\\/id.example: ''
Jürgen: 'J\\xc3\\xbcrgen'
J\\u00fcrgen: 'J\\xfcrgen'
中: '\\xe4\\xb8\\xad'
\\u4e2d: ''
a\\u0062c: 'abc'
a\\\"b: 'a\"b'" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
