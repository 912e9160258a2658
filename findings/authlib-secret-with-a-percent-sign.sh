#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Authlib 1.8.0: its client and its provider do not agree on a client secret with `%`. RFC 6749 section 2.3.1 says that a
# client form-encodes its id and its secret before it joins them for HTTP Basic. Authlib's client joins them as they are, and
# Authlib's provider decodes `%`, but leaves `+` as it is. So `50%25` arrives as `50%`; a client that follows the RFC, which
# sends a space as `+`, is read wrongly too.
#
# Seen with Authlib 1.8.0 and joserfc 1.7.5 on Python 3.11.7. Prints what arrives, and fails if that changes. Needs Python
# 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check authlib==1.8.0 joserfc==1.7.5 \
    cryptography==50.0.2

cat >check.py <<'PY'
import base64
from urllib.parse import quote_plus

from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.util import extract_basic_authorization


def of_authlib(secret):
    _, headers, _ = ClientAuth("app", secret, "client_secret_basic").prepare("POST", "https://server.example", {}, "")
    return headers


def of_the_standard(secret):
    credentials = f"app:{quote_plus(secret)}".encode()
    return {"Authorization": f"Basic {base64.b64encode(credentials).decode()}"}


for secret in ["plain", "50%25", "two words", "one+two"]:
    for name, client in {"Authlib": of_authlib, "form encoding": of_the_standard}.items():
        print(f"{secret}, {name}: {extract_basic_authorization(client(secret))[1]}")
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "plain, Authlib: plain
plain, form encoding: plain
50%25, Authlib: 50%
50%25, form encoding: 50%25
two words, Authlib: two words
two words, form encoding: two+words
one+two, Authlib: one+two
one+two, form encoding: one+two" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
