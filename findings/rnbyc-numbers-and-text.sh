#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `rnbyc` of Rhonabwy 1.1.11 reads no token that has a claim outside the ranges of the JSON parser Jansson, whoever asks for
# that claim. RFC 8259 lets numbers be of any size and text hold `\u0000`. An integer over 9223372036854775807, a number
# over the largest double and `\u0000` in a name or a value make the whole token an `Error parsing token`, with a signature
# that is right and before a claim is looked at; the same number with `.0` is read. libjwt 3.3.3, also on Jansson, refuses
# these tokens too. A random number of 64 bits without sign as an identifier does this to every second user.
#
# Seen with rnbyc and librhonabwy1.1 1.1.11-1, and libjansson4 2.14-2, of Debian 12. Prints what is read, and fails if that
# changes. Needs Debian 12 with its packages' mirror, libcurl3-gnutls, and Python 3.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq rnbyc=1.1.11-1 librhonabwy1.1=1.1.11-1 libjansson4=2.14-2 liborcania2.3 libyder2.0 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >sign.py <<'PY'
import base64
import hmac
import sys

encode = lambda octets: base64.urlsafe_b64encode(octets).rstrip(b"=")
signed = encode(b'{"alg":"HS256","typ":"JWT"}') + b"." + encode(sys.argv[1].encode())
print((signed + b"." + encode(hmac.digest(b"k" * 32, signed, "sha256"))).decode())
PY

seen=$(
    for claims in '{"id":9223372036854775807}' '{"id":9223372036854775808}' '{"id":9223372036854775808.0}' '{"id":1e308}' \
        '{"id":1e309}' '{"name":"a\u0001"}' '{"name":"a\u0000"}' '{"a\u0000":1}'; do
        result=$(LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu root/usr/bin/rnbyc -t "$(python3 sign.py "$claims")" \
            -W kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk 2>&1) || true
        printf '%s: %s\n' "$claims" "$(grep -oE '.*verified|Error.*|Invalid.*' <<<"$result" | head -n 1)"
    done
)
printf '%s\n' "$seen"
[[ "$seen" == '{"id":9223372036854775807}: Token signature verified
{"id":9223372036854775808}: Error parsing token
{"id":9223372036854775808.0}: Token signature verified
{"id":1e308}: Token signature verified
{"id":1e309}: Error parsing token
{"name":"a\u0001"}: Token signature verified
{"name":"a\u0000"}: Error parsing token
{"a\u0000":1}: Error parsing token' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
