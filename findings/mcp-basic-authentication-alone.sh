#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The MCP SDK for Python: the token endpoint refuses a client that authenticates with HTTP Basic alone. RFC 6749 section 2.3.1
# puts the client id into the header, and section 4.1.3 wants `client_id` in the form only of clients that do not
# authenticate; the metadata names client_secret_basic. Here the form has to name the client too ("Missing client_id"), and
# the scheme has to be written `Basic`, though RFC 9110 section 11.1 compares schemes without case. Clients that send the id
# once, as Authlib's, cannot redeem a code.
#
# Seen with mcp 2.3.0, starlette 1.7.0 and Authlib 1.8.0 on Python 3.11.7. Prints the answers to a wrong code, which a client
# gets that was authenticated, and fails if they change. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check mcp==2.3.0 starlette==1.7.0 authlib==1.8.0 joserfc==1.7.5

cat >check.py <<'PY'
from authlib.oauth2.auth import ClientAuth
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.testclient import TestClient


class Provider:
    clients = {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def load_authorization_code(self, client, code):
        return None


issuer = "https://server.example"
options = ClientRegistrationOptions(enabled=True)
routes = create_auth_routes(Provider(), AnyHttpUrl(issuer), client_registration_options=options)
browser = TestClient(Starlette(routes=routes), base_url=issuer)
callback = "https://app.example/callback"
client = browser.post("/register", json={
    "redirect_uris": [callback], "token_endpoint_auth_method": "client_secret_basic"}).json()
basic = ClientAuth(client["client_id"], client["client_secret"]).prepare("POST", issuer, {}, "")[1]["Authorization"]
form = {"grant_type": "authorization_code", "code": "none", "code_verifier": "v" * 43, "redirect_uri": callback}
for name, more, header in [
    ("Basic and client_id", {"client_id": client["client_id"]}, basic),
    ("Basic", {}, basic),
    ("basic and client_id", {"client_id": client["client_id"]}, basic.replace("Basic", "basic")),
]:
    response = browser.post("/token", data={**form, **more}, headers={"Authorization": header})
    print(f"{name}: {response.status_code} {response.json()['error']}: {response.json()['error_description']}")
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "Basic and client_id: 400 invalid_grant: authorization code does not exist
Basic: 401 invalid_client: Missing client_id
basic and client_id: 401 invalid_client: Missing or invalid Basic authentication in Authorization header" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
