#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# oauthlib 4.0.0: a provider sees one resource of an authorization request, however many it has. RFC 8707 section 2 lets a
# client send `resource` more than once, for an access token of several resources. `request.resource`, which a validator
# reads, is the last one; the others are lost without an error.
#
# Seen with oauthlib 4.0.0 on Python 3.11.7. Prints the resource that is seen, and fails if that changes.
# Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check oauthlib==4.0.0

cat >check.py <<'PY'
from types import SimpleNamespace

from oauthlib.oauth2 import RequestValidator, WebApplicationServer


class Validator(RequestValidator):
    def validate_client_id(self, client_id, request, *args, **kwargs):
        request.client = SimpleNamespace(client_id=client_id)
        return True

    def validate_redirect_uri(self, client_id, redirect_uri, request, *args, **kwargs):
        return redirect_uri == "https://app.example/callback"

    def validate_response_type(self, client_id, response_type, client, request, *args, **kwargs):
        return True

    def validate_scopes(self, client_id, scopes, client, request, *args, **kwargs):
        print("request.resource:", request.resource)
        return True

    def is_pkce_required(self, client_id, request):
        return False


server = WebApplicationServer(Validator())
query = "response_type=code&client_id=app&scope=read&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback"
resources = ["https%3A%2F%2Fone.example", "https%3A%2F%2Ftwo.example"]
for sent in [resources[:1], resources, resources[::-1]]:
    more = "".join(f"&resource={resource}" for resource in sent)
    server.validate_authorization_request(f"https://server.example/authorize?{query}{more}")
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "request.resource: https://one.example
request.resource: https://two.example
request.resource: https://one.example" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
