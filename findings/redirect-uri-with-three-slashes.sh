#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The redirect URI `com.example.app:///callback` of a native app, which is valid (RFC 3986 section 3.2: the authority may be
# empty), is sent back as `com.example.app:/callback` by the providers of oauthlib and of the MCP SDK, and by Authlib: all
# take the URI apart and put it together with Python's urllib, which forgets an empty authority of schemes that it does not
# know. RFC 6749 section 3.1.2 has the response go to the registered URI; an app that compares strings does not know its own.
#
# Seen with oauthlib 4.0.0, mcp 2.3.0 and Authlib 1.8.0 on Python 3.11.7. Prints where each sends the user, and fails if that
# changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check oauthlib==4.0.0 mcp==2.3.0 authlib==1.8.0 joserfc==1.7.5

cat >check.py <<'PY'
from authlib.common.urls import add_params_to_uri as authlib
from mcp.server.auth.provider import construct_redirect_uri as mcp
from oauthlib.common import add_params_to_uri as oauthlib

for uri in ["com.example.app:/callback", "com.example.app:///callback", "com.example.app://callback"]:
    print("oauthlib", oauthlib(uri, [("code", "code")]))
    print("mcp", mcp(uri, code="code"))
    print("Authlib", authlib(uri, [("code", "code")]))
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "oauthlib com.example.app:/callback?code=code
mcp com.example.app:/callback?code=code
Authlib com.example.app:/callback?code=code
oauthlib com.example.app:/callback?code=code
mcp com.example.app:/callback?code=code
Authlib com.example.app:/callback?code=code
oauthlib com.example.app://callback?code=code
mcp com.example.app://callback?code=code
Authlib com.example.app://callback?code=code" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
