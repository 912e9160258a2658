#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# joserfc 1.7.5 refuses a whole JWK Set for one key on a curve that it does not know, with a KeyError, which is none of its own
# errors. RFC 7517 section 5 says that implementations SHOULD ignore keys that they do not understand or whose values are out
# of the supported range. A key of an unknown type (`kty`) is left out as it should be. RFC 7518 section 6.2.1.1
# expects more curves to be registered: a provider that adds a key of one ends all sign-ins, with the keys from before too.
#
# Seen with joserfc 1.7.5 and cryptography 50.0.2 on Python 3.11.7. Prints what is left of each set, and fails if that
# changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check joserfc==1.7.5 cryptography==50.0.2

cat >check.py <<'PY'
import base64

from cryptography.hazmat.primitives.asymmetric import ec
from joserfc.jwk import KeySet, RSAKey

known = {**RSAKey.generate_key(2048).as_dict(private=False), "kid": "known", "use": "sig", "alg": "RS256"}
point = ec.generate_private_key(ec.BrainpoolP256R1()).public_key().public_numbers()
x, y = (base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=") for number in (point.x, point.y))
others = {
    "nothing": [],
    "a key of type AKP": [{"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA", "kid": "other"}],
    "a key of curve brainpoolP256r1": [{"kty": "EC", "crv": "brainpoolP256r1", "x": x, "y": y, "kid": "other"}],
}
for name, keys in others.items():
    try:
        result = " ".join(key.kid for key in KeySet.import_key_set({"keys": [*keys, known]}).keys)
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(f"with {name}: {result}")
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "with nothing: known
with a key of type AKP: known
with a key of curve brainpoolP256r1: KeyError: 'brainpoolP256r1'" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
