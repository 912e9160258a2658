#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Redis 7.0: a script that decodes JSON with `cjson` and encodes it again changes claims that it did not touch. An empty array
# becomes an object, an integer of 16 digits or more loses the last ones and gets an exponent, and a time with
# microseconds keeps four decimals. RFC 8259 section 6: implementations agree on integers up to 2^53 - 1. A member that is
# null counts as there (`if claims.email`).
#
# Seen with Debian 12's redis-server 5:7.0.15-1~deb12u10. Prints each text before and after, and fails if that changes. Needs
# redis-server and redis-cli, and takes a socket, no port.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
redis-server --port 0 --unixsocket "$folder/socket" --dir "$folder" --save '' >"$folder/log" &
ask() { redis-cli -s "$folder/socket" "$@"; }
until [[ $(ask ping 2>/dev/null) == PONG ]]; do sleep 0.1; done
ask info server | sed -n 's/^redis_version/redis/p'

seen=$(
    for claims in '{"aud":[]}' '{"sub":9007199254740991}' '{"sub":10812345678901234}' '{"auth_time":1800000000.123456}' \
        '{"iss":"https://id.example"}' '{"email":null}'; do
        printf '%s: %s\n' "$claims" "$(ask eval 'local claims = cjson.decode(ARGV[1])
            return cjson.encode(claims) .. (claims.email and ", there is an email" or "")' 0 "$claims")"
    done
)
printf '%s\n' "$seen"
[[ "$seen" == '{"aud":[]}: {"aud":{}}
{"sub":9007199254740991}: {"sub":9.007199254741e+15}
{"sub":10812345678901234}: {"sub":1.0812345678901e+16}
{"auth_time":1800000000.123456}: {"auth_time":1800000000.1235}
{"iss":"https://id.example"}: {"iss":"https:\/\/id.example"}
{"email":null}: {"email":null}, there is an email' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
