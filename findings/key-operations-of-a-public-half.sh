#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jwcrypto 1.6.1 and joserfc 1.7.5 copy `key_ops` of a private key into its public half: a key for `sign` is published with
# `"key_ops": ["sign"]`, which RFC 7517 section 4.3 gives to computing signatures; a public key has `verify`. Both libraries
# read the member strictly, so that neither verifies a token with the key that it published itself. jwcrypto reports it as a
# failed verification. A key without `key_ops` works.
#
# Seen with jwcrypto 1.6.1, joserfc 1.7.5 and cryptography 50.0.2 on Python 3.11.7. Prints the published member and the result,
# and fails if that changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check jwcrypto==1.6.1 joserfc==1.7.5 \
    cryptography==50.0.2

cat >check.py <<'PY'
from joserfc import jwt
from joserfc.jwk import ECKey
from jwcrypto.jwk import JWK
from jwcrypto.jwt import JWT


def with_jwcrypto(members):
    key = JWK.generate(kty="EC", crv="P-256", **members)
    token = JWT(header={"alg": "ES256"}, claims={"sub": "user"})
    token.make_signed_token(key)
    public = key.export_public(as_dict=True)
    return public, lambda: JWT(jwt=token.serialize(), key=JWK(**public))


def with_joserfc(members):
    key = ECKey.generate_key("P-256", parameters=members)
    token = jwt.encode({"alg": "ES256"}, {"sub": "user"}, key)
    public = key.as_dict(private=False)
    return public, lambda: jwt.decode(token, ECKey.import_key(public))


for name, library in {"jwcrypto": with_jwcrypto, "joserfc": with_joserfc}.items():
    for members in [{}, {"key_ops": ["sign"]}]:
        public, verify = library(members)
        try:
            verify()
            result = "verified"
        except Exception as error:
            result = type(error).__name__
        print(f"{name}, published with key_ops {public.get('key_ops')}: {result}")
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "jwcrypto, published with key_ops None: verified
jwcrypto, published with key_ops ['sign']: InvalidJWSSignature
joserfc, published with key_ops None: verified
joserfc, published with key_ops ['sign']: UnsupportedKeyOperationError" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
