#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Authlib 1.8.0: `PrivateKeyJWT` signs client assertions without a `kid`, though its key has one. OpenID Connect Core section
# 10.1 says that a `kid` MUST be in the header where the JWK Set of the signer has several keys, as it has while a client
# changes its key. A provider then has to try keys, or refuses the client from the day that the second key is published.
# `headers` of the constructor adds the member; `joserfc.jwt` adds it by itself for a key set, not for a key.
#
# Seen with Authlib 1.8.0 and joserfc 1.7.5 on Python 3.11.7. Prints the headers, and fails if that changes. Needs Python 3.10
# or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check authlib==1.8.0 joserfc==1.7.5 cryptography==50.0.2

cat >check.py <<'PY'
import base64
import json
from types import SimpleNamespace

from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey


def header(token):
    part = token.split(".")[0]
    return json.dumps(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))), sort_keys=True)


key = RSAKey.generate_key(2048, parameters={"kid": "second", "use": "sig", "alg": "RS256"})
client = SimpleNamespace(client_id="app", client_secret=key)
print("PrivateKeyJWT:", header(PrivateKeyJWT().sign(client, "https://server.example/token")))
print("with headers:", header(PrivateKeyJWT(headers={"kid": "second"}).sign(client, "https://server.example/token")))
print("joserfc, a key:", header(jwt.encode({"alg": "RS256"}, {"sub": "app"}, key)))
print("joserfc, a key set:", header(jwt.encode({"alg": "RS256"}, {"sub": "app"}, KeySet([key]))))
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "PrivateKeyJWT: {\"alg\": \"RS256\", \"typ\": \"JWT\"}
with headers: {\"alg\": \"RS256\", \"kid\": \"second\", \"typ\": \"JWT\"}
joserfc, a key: {\"alg\": \"RS256\", \"typ\": \"JWT\"}
joserfc, a key set: {\"alg\": \"RS256\", \"kid\": \"second\", \"typ\": \"JWT\"}" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
