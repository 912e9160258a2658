#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Authlib 1.8.0 knows JWT access tokens (RFC 9068) of RS256 and ES256 only. `JWTBearerTokenValidator` answers invalid_token
# for PS256, ES384 and EdDSA, though the key fits and names its `alg`; it has no option for algorithms, and the error does
# not name the reason. RFC 9068 section 2.1 lets tokens be signed with any algorithm, with RS256 as the least.
# `JWTBearerTokenGenerator` takes any `alg`, and raises an error of joserfc for these at the first token.
#
# Seen with Authlib 1.8.0, joserfc 1.7.5 and cryptography 50.0.2 on Python 3.11.7. Prints the result of each algorithm, and
# fails if that changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check authlib==1.8.0 joserfc==1.7.5 cryptography==50.0.2

cat >validate.py <<'PY'
import time
from types import SimpleNamespace

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc9068 import JWTBearerTokenGenerator, JWTBearerTokenValidator
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet, OKPKey, RSAKey

keys = {
    "RS256": RSAKey.generate_key(2048),
    "PS256": RSAKey.generate_key(2048),
    "ES256": ECKey.generate_key("P-256"),
    "ES384": ECKey.generate_key("P-384"),
    "EdDSA": OKPKey.generate_key("Ed25519"),
}
issuer, audience = "https://server.example", "https://api.example"
client = SimpleNamespace(get_client_id=lambda: "app")
user = SimpleNamespace(get_user_id=lambda: "user")
for algorithm, key in keys.items():
    more = {"alg": algorithm, "use": "sig", "kid": "key"}
    private = KeySet.import_key_set({"keys": [{**key.as_dict(private=True), **more}]})
    public = KeySet.import_key_set({"keys": [{**key.as_dict(private=False), **more}]})

    class Validator(JWTBearerTokenValidator):
        def get_jwks(self):
            return public

    class Generator(JWTBearerTokenGenerator):
        def get_jwks(self):
            return private

    now = int(time.time())
    claims = {"iss": issuer, "aud": audience, "sub": "user", "client_id": "app", "scope": "read", "jti": "token"}
    claims |= {"iat": now, "exp": now + 600}
    token = jwt.encode({"alg": algorithm, "typ": "at+jwt", "kid": "key"}, claims, private, algorithms=[algorithm])
    validator = Validator(issuer, audience)
    try:
        validator.validate_token(validator.authenticate_token(token), ["read"], None)
        validated = "valid"
    except OAuth2Error as error:
        validated = error.error
    try:
        Generator(issuer, alg=algorithm).access_token_generator(client, "authorization_code", user, "read")
        generated = "generated"
    except JoseError as error:
        generated = error.error
    print(f"{algorithm}: {validated}, {generated}")
PY

seen=$(venv/bin/python -W ignore validate.py)
printf '%s\n' "$seen"
[[ "$seen" == "RS256: valid, generated
PS256: invalid_token, unsupported_algorithm
ES256: valid, generated
ES384: invalid_token, unsupported_algorithm
EdDSA: invalid_token, unsupported_algorithm" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
