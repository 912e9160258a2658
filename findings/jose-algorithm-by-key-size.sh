#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command line tool `jose` 11 takes the hash of a signature from the length of an RSA key: RS256 for 2048 bits, RS384
# for 3072 and RS512 for 4096. RFC 7518 section 3.3 only wants 2048 bits or more for each of the three, and OpenID Connect
# registers RS256 where nothing is said: who gets a longer key for the same client signs tokens that a client which expects
# RS256 refuses, shown with PyJWT. A key with `alg` signs with that. jose 14 does the same.
#
# Seen with jose and libjose0 11-2+deb12u1 and python3-jwt 2.6.0-1 of Debian 12. Prints the algorithms, and fails if they
# change. Needs Debian 12 with its packages' mirror, libjansson4, and python3-jwt with python3-cryptography.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq jose=11-2+deb12u1 libjose0=11-2+deb12u1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
jose() { LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu "$folder/root/usr/bin/jose" "$@"; }

cat >verify.py <<'PY'
import jwt
from jwt.algorithms import RSAAlgorithm

token, key = (open(name).read().strip() for name in ("token", "key.jwk"))
try:
    result = jwt.decode(token, RSAAlgorithm.from_jwk(key).public_key(), algorithms=["RS256"])["sub"]
except jwt.InvalidTokenError as error:
    result = error
print(f"{jwt.get_unverified_header(token)['alg']}; PyJWT with RS256: {result}")
PY

seen=$(
    for key in '"bits":2048' '"bits":3072' '"bits":4096' '"bits":4096,"alg":"RS256"'; do
        jose jwk gen -i "{\"kty\":\"RSA\",$key}" -o key.jwk
        printf '{"sub":"user"}' | jose jws sig -I - -k key.jwk -c -o token
        printf '%s: ' "$key"
        /usr/bin/python3 verify.py
    done
)
printf '%s\n' "$seen"
[[ "$seen" == '"bits":2048: RS256; PyJWT with RS256: user
"bits":3072: RS384; PyJWT with RS256: The specified alg value is not allowed
"bits":4096: RS512; PyJWT with RS256: The specified alg value is not allowed
"bits":4096,"alg":"RS256": RS256; PyJWT with RS256: user' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
