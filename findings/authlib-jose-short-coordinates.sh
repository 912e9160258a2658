#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `authlib.jose`, still in Authlib 1.8.0 (deprecated for joserfc), writes the JWK of one elliptic-curve key in 128 with a
# coordinate that is too short. RFC 7518 section 6.2.1.2 says that `x` and `y` have the full length of the curve, 32 bytes
# for P-256; Authlib leaves leading zeros out. The JWK thumbprint (RFC 7638), which is often the key id and is `jkt` in
# DPoP, then differs from that of other libraries.
#
# Seen with Authlib 1.8.0, joserfc 1.7.5 and cryptography 50.0.2 on Python 3.11.7, for a key whose `x` starts with a zero.
# Prints lengths and whether the thumbprints agree, and fails if that changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check authlib==1.8.0 joserfc==1.7.5 cryptography==50.0.2

cat >thumbprint.py <<'PY'
import base64

from authlib.jose import ECKey as AuthlibKey
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc.jwk import ECKey as JoserfcKey


def length(text):
    return len(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def both(zero):
    while True:
        key = ec.generate_private_key(ec.SECP256R1()).public_key()
        numbers = key.public_numbers()
        if (numbers.x < 2**248) == zero and numbers.y >= 2**248:
            break
    pem = key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    authlib, joserfc = AuthlibKey.import_key(pem), JoserfcKey.import_key(pem)
    print("authlib.jose x", length(authlib.as_dict()["x"]), "y", length(authlib.as_dict()["y"]))
    print("joserfc x", length(joserfc.as_dict()["x"]), "y", length(joserfc.as_dict()["y"]))
    print("thumbprints", "agree" if authlib.thumbprint() == joserfc.thumbprint() else "differ")


both(False)
print("x with a leading zero:")
both(True)
PY

seen=$(venv/bin/python -W ignore thumbprint.py)
printf '%s\n' "$seen"
[[ "$seen" == "authlib.jose x 32 y 32
joserfc x 32 y 32
thumbprints agree
x with a leading zero:
authlib.jose x 31 y 32
joserfc x 32 y 32
thumbprints differ" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
