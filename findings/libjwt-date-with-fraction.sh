#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# libjwt 3.3.3 refuses a token whose `exp` or `nbf` has a fraction. RFC 7519 section 2 says that a NumericDate may be no
# whole number, and a library that divides milliseconds by 1,000 writes such a one. Only an integer in the sense of the
# JSON parser is a date for libjwt: also `4102444800.0` and `4.1024448e9`, which are whole, are refused as failed claims,
# like a date that has passed. The message tells neither which claim it is nor that its form is the reason.
#
# Seen with jwt-tools and libjwt14 3.3.3-1 of Debian unstable. Prints what is accepted, and fails if that changes. Needs
# Debian unstable among the sources of apt, libjansson4 and Python 3.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq jwt-tools=3.3.3-1 libjwt14=3.3.3-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >sign.py <<'PY'
import base64
import hmac
import json
import sys

key = b"k" * 32
encode = lambda octets: base64.urlsafe_b64encode(octets).rstrip(b"=")
with open("key.jwk", "w") as file:
    json.dump({"kty": "oct", "alg": "HS256", "k": encode(key).decode()}, file)
signed = encode(b'{"alg":"HS256","typ":"JWT"}') + b"." + encode(sys.argv[1].encode())
print((signed + b"." + encode(hmac.digest(key, signed, "sha256"))).decode())
PY

seen=$(
    for claims in '{"exp":4102444800}' '{"exp":4102444800.5}' '{"exp":4102444800.0}' '{"exp":4.1024448e9}' \
        '{"nbf":1700000000}' '{"nbf":1700000000.5}' '{"auth_time":1700000000.5}'; do
        result=$(LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu root/usr/bin/jwt-verify -k key.jwk "$(python3 sign.py "$claims")" 2>&1) ||
            true
        printf '%s: %s\n' "$claims" "$(grep -oE 'Verified|Failed one or more claims|Error .*' <<<"$result")"
    done
)
printf '%s\n' "$seen"
[[ "$seen" == '{"exp":4102444800}: Verified
{"exp":4102444800.5}: Failed one or more claims
{"exp":4102444800.0}: Failed one or more claims
{"exp":4.1024448e9}: Failed one or more claims
{"nbf":1700000000}: Verified
{"nbf":1700000000.5}: Failed one or more claims
{"auth_time":1700000000.5}: Verified' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
