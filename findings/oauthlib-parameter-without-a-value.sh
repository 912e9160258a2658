#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# oauthlib 4.0.0: a provider refuses an authorization request whose query has a name without `=`, with a fatal error, of
# which the client learns nothing. RFC 6749 section 3.1 says that a server treats parameters without a value as
# omitted and ignores unrecognized ones, and a name without `=` is such a parameter (HTML form decoding). `flag=` is ignored
# as it should be.
#
# Seen with oauthlib 4.0.0 on Python 3.11.7. Prints the result of each query, and fails if that changes. Needs Python 3.10
# or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check oauthlib==4.0.0

cat >check.py <<'PY'
from types import SimpleNamespace

from oauthlib.oauth2 import OAuth2Error, RequestValidator, WebApplicationServer


class Validator(RequestValidator):
    def validate_client_id(self, client_id, request, *args, **kwargs):
        request.client = SimpleNamespace(client_id=client_id)
        return True

    def validate_redirect_uri(self, client_id, redirect_uri, request, *args, **kwargs):
        return redirect_uri == "https://app.example/callback"

    def validate_response_type(self, client_id, response_type, client, request, *args, **kwargs):
        return True

    def validate_scopes(self, client_id, scopes, client, request, *args, **kwargs):
        return True

    def is_pkce_required(self, client_id, request):
        return False

    def save_authorization_code(self, client_id, code, request, *args, **kwargs):
        pass


server = WebApplicationServer(Validator())
query = "response_type=code&client_id=app&scope=read&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback"
for more in ["", "&flag=1", "&flag=", "&flag"]:
    try:
        server.create_authorization_response(f"https://server.example/authorize?{query}{more}", scopes=["read"])
        result = "a code"
    except OAuth2Error as error:
        result = f"{type(error).__name__}: {error.description}"
    print(f"query{more}: {result}")
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "query: a code
query&flag=1: a code
query&flag=: a code
query&flag: InvalidRequestFatalError: Unable to parse query string" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
