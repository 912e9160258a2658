#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Authlib 1.8.0: a provider with the extension `IssuerParameter` (RFC 9207) puts `iss` into the query of the redirect URI
# also where the response is in the fragment. RFC 9207 section 2 makes `iss` a parameter of the authorization response, and
# for a fragment response all parameters are in the fragment (OAuth 2.0 Multiple Response Type Encoding Practices section
# 2). A client that reads the fragment finds no issuer, in errors neither, and the query of its page, which may be logged
# and routed by, has a parameter that it does not know.
#
# Seen with Authlib 1.8.0, joserfc 1.7.5 and Flask 3.1.3 on Python 3.11.7. Prints where `iss` is, and fails if that changes.
# Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check authlib==1.8.0 joserfc==1.7.5 flask==3.1.3 \
    cryptography==50.0.2

cat >authorize.py <<'PY'
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, grants
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Flask


class Client(ClientMixin):
    def get_client_id(self):
        return "app"

    def get_allowed_scope(self, scope):
        return scope

    def check_redirect_uri(self, uri):
        return uri == "https://app.example/callback"

    def check_endpoint_auth_method(self, method, endpoint):
        return True

    def check_response_type(self, response_type):
        return True


class Code(grants.AuthorizationCodeGrant):
    def save_authorization_code(self, code, request):
        pass


class Issuer(IssuerParameter):
    def get_issuer(self):
        return "https://server.example"


app = Flask("provider")
server = AuthorizationServer(app, query_client=lambda client_id: Client(), save_token=lambda token, request: None)
server.register_grant(Code)
server.register_grant(grants.ImplicitGrant)
server.register_extension(Issuer())
user = SimpleNamespace(get_user_id=lambda: "user")
for response_type in ["code", "token"]:
    for name, grant_user in [("consent", user), ("no consent", None)]:
        query = {"client_id": "app", "redirect_uri": "https://app.example/callback", "scope": "read", "state": "state"}
        with app.test_request_context("/authorize", query_string={**query, "response_type": response_type}):
            grant = server.get_consent_grant(end_user=user)
            response = server.create_authorization_response(grant_user=grant_user, grant=grant)
        parts = urlsplit(response.location)
        print(f"{response_type}, {name}: query", *sorted(parse_qs(parts.query)), "| fragment", *sorted(parse_qs(parts.fragment)))
PY

seen=$(venv/bin/python -W ignore authorize.py)
printf '%s\n' "$seen"
[[ "$seen" == "code, consent: query code iss state | fragment
code, no consent: query error error_description iss state | fragment
token, consent: query iss | fragment access_token expires_in scope state token_type
token, no consent: query iss | fragment error error_description state" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
