#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# PyJWT 2.15.1 does not know the fully specified algorithm `Ed25519` of RFC 9864, which deprecates `EdDSA`: a JWK that names
# it is left out of a `PyJWKSet` without a word, and a token with it cannot be verified. joserfc and jwcrypto write and read
# both names, so that two Python libraries of today do not understand each other with the key of one and the same document.
#
# Seen with PyJWT 2.15.1, joserfc 1.7.5, jwcrypto 1.6.1 and cryptography 50.0.2 on Python 3.11.7. Prints which library reads
# which name, and fails if that changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check pyjwt==2.15.1 joserfc==1.7.5 \
    jwcrypto==1.6.1 cryptography==50.0.2

cat >check.py <<'PY'
import json

import jwt as pyjwt
from joserfc import jwt as joserfc
from joserfc.jwk import KeySet, OKPKey
from jwcrypto.jwk import JWKSet
from jwcrypto.jwt import JWT


def with_pyjwt(document, token, name):
    key = pyjwt.PyJWKSet.from_dict(document)["key"]
    pyjwt.decode(token, key, algorithms=[name])


def with_joserfc(document, token, name):
    joserfc.decode(token, KeySet.import_key_set(document), algorithms=[name])


def with_jwcrypto(document, token, name):
    JWT(jwt=token, key=JWKSet.from_json(json.dumps(document)), algs=[name])


key = OKPKey.generate_key("Ed25519")
other = {**OKPKey.generate_key("Ed25519").as_dict(private=False), "alg": "EdDSA", "kid": "other"}
for name in ["EdDSA", "Ed25519"]:
    document = {"keys": [{**key.as_dict(private=False), "alg": name, "kid": "key"}, other]}
    token = joserfc.encode({"alg": name, "kid": "key"}, {"sub": "user"}, key, algorithms=[name])
    for library, read in {"PyJWT": with_pyjwt, "joserfc": with_joserfc, "jwcrypto": with_jwcrypto}.items():
        try:
            read(document, token, name)
            result = "valid"
        except Exception as error:
            result = f"{type(error).__name__} {error}"
        print(f"{name}, {library}: {result}")
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "EdDSA, PyJWT: valid
EdDSA, joserfc: valid
EdDSA, jwcrypto: valid
Ed25519, PyJWT: KeyError 'keyset has no key for kid: key'
Ed25519, joserfc: valid
Ed25519, jwcrypto: valid" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
