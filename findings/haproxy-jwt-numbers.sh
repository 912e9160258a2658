#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# HAProxy 2.6: `jwt_payload_query('$.exp','int')` reads 1.8e9 as 1. RFC 7519 section 2: a NumericDate is any JSON number, and
# RFC 8259 section 6 has exponents. Compared with the time, such a token has ended in 1970. Without `'int'`, numbers are
# written with six digits: an `exp` is rounded to 10,000 seconds, and a number as an identifier, 1.08123e+14, is the
# same for many users.
#
# Seen with Debian 12's haproxy 2.6.12-1+deb12u4. Prints what is read, and fails if that changes. Needs haproxy, openssl and
# curl.
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
    http-request set-var(txn.integer) http_auth_bearer,jwt_payload_query('\$.value','int')
    http-request set-var(txn.plain) http_auth_bearer,jwt_payload_query('\$.value')
    http-request return status 200 content-type text/plain lf-string "'int' %[var(txn.integer)], without %[var(txn.plain)]\n"
CONF
haproxy -db -f haproxy.cfg 2>/dev/null &
until [[ -S socket ]]; do sleep 0.1; done

part() { printf %s "$1" | openssl base64 -A | tr +/ -_ | tr -d =; }
seen=$(
    for value in 1800000000 1800000000.5 1800000000.0 1.8e9 18e8 108123456789012; do
        printf '%s: ' "$value"
        curl -sS --unix-socket socket -H "Authorization: Bearer $(part '{"alg":"RS256"}').$(part "{\"value\":$value}").AA" http://localhost/
    done
)
printf '%s\n' "$seen"
[[ "$seen" == "1800000000: 'int' 1800000000, without 1.8e+09
1800000000.5: 'int' 1800000000, without 1.8e+09
1800000000.0: 'int' 1800000000, without 1.8e+09
1.8e9: 'int' 1, without 1.8e+09
18e8: 'int' 18, without 1.8e+09
108123456789012: 'int' 108123456789012, without 1.08123e+14" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
