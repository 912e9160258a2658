#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# google-auth 2.59.1: `id_token.verify_token` takes an `aud` claim that is an array, or refuses it, by the format of the keys.
# RFC 7519 section 4.1.3 and OpenID Connect Core section 2 say that `aud` is an array in the general case, of one member
# too. With a JWK Set at `certs_url` the token is valid; with certificates or PEM keys by key id, which is the format of
# Google's and Firebase's own endpoints, the array as a whole is looked for in the list of audiences: "Token has wrong
# audience ['app'], expected one of ['app']".
#
# Seen with google-auth 2.59.1, PyJWT 2.15.1 and cryptography 50.0.2 on Python 3.11.7. Prints the results, and fails if they
# change. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check google-auth==2.59.1 pyjwt==2.15.1 \
    cryptography==50.0.2

cat >verify.py <<'PY'
import json
import time
from types import SimpleNamespace

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.oauth2 import id_token

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
pem = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
jwk = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
documents = {
    "by key id": {"key": pem.decode()},
    "JWK Set": {"keys": [{**jwk, "kid": "key", "use": "sig", "alg": "RS256"}]},
}
for name, document in documents.items():
    def get(url, method):
        return SimpleNamespace(status=200, data=json.dumps(document).encode())

    for audience in ["app", ["app"], ["app", "other"]]:
        now = int(time.time()) - 5
        claims = {"iss": "https://server.example", "sub": "user", "aud": audience, "iat": now, "exp": now + 600}
        token = jwt.encode(claims, key, "RS256", headers={"kid": "key"})
        try:
            id_token.verify_token(token, get, audience="app", certs_url="https://server.example/keys")
            result = "valid"
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        print(f"{name}, {json.dumps(audience)}: {result}")
PY

seen=$(venv/bin/python verify.py)
printf '%s\n' "$seen"
[[ "$seen" == "by key id, \"app\": valid
by key id, [\"app\"]: InvalidValue: Token has wrong audience ['app'], expected one of ['app']
by key id, [\"app\", \"other\"]: InvalidValue: Token has wrong audience ['app', 'other'], expected one of ['app']
JWK Set, \"app\": valid
JWK Set, [\"app\"]: valid
JWK Set, [\"app\", \"other\"]: valid" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
