#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Authlib 1.8.0 cannot register a native app with a private-use URI scheme in the form that RFC 8252 section 7.1 gives: one
# slash after the scheme, `com.example.app:/oauth2redirect/example-provider`, as there is no naming authority.
# `ClientMetadataClaims` (RFC 7591) wants a host name in every redirect URI: invalid_claim. Two slashes, which make the first
# part of the path a host, pass.
#
# Seen with Authlib 1.8.0 and joserfc 1.7.5 on Python 3.11.7. Prints the result of each URI, and fails if that changes. Needs
# Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check authlib==1.8.0 joserfc==1.7.5 cryptography==50.0.2

cat >register.py <<'PY'
from authlib.oauth2.rfc7591 import ClientMetadataClaims

for uri in [
    "https://app.example/callback",
    "http://127.0.0.1:49152/callback",
    "com.example.app:/oauth2redirect/example-provider",
    "com.example.app://oauth2redirect/example-provider",
]:
    try:
        ClientMetadataClaims({"redirect_uris": [uri]}, {}).validate()
        result = "valid"
    except Exception as error:
        result = str(error)
    print(f"{uri}: {result}")
PY

seen=$(venv/bin/python -W ignore register.py)
printf '%s\n' "$seen"
[[ "$seen" == "https://app.example/callback: valid
http://127.0.0.1:49152/callback: valid
com.example.app:/oauth2redirect/example-provider: invalid_claim: Invalid claim: 'redirect_uris'
com.example.app://oauth2redirect/example-provider: valid" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
