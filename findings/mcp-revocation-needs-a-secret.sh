#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The authorization server of the MCP SDK for Python revokes tokens only for clients that send their secret in the form.
# RFC 7009 section 2.1 lets a public client revoke its tokens, and a confidential one authenticate as it does at the token
# endpoint; the server's own metadata names client_secret_basic in `revocation_endpoint_auth_methods_supported`. For both
# the answer is 400, "client_secret: Field required": the field has no default. Section 2.2 also says that a server ignores
# a `token_type_hint` that it does not know; here it is 400 too.
#
# Seen with mcp 2.3.0 on Python 3.11.7. Prints what each client gets, and fails if that changes. Needs Python 3.10 or later
# with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check mcp==2.3.0 starlette==1.7.0

cat >revoke.py <<'PY'
import base64

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions, RevocationOptions
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.testclient import TestClient


class Provider:
    clients, revoked = {}, set()
    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def load_access_token(self, token):
        return AccessToken(token=token, client_id=token, scopes=[])

    async def load_refresh_token(self, client, token):
        return None

    async def revoke_token(self, token):
        self.revoked.add(token.token)


issuer = "https://server.example"
routes = create_auth_routes(
    Provider(), AnyHttpUrl(issuer),
    client_registration_options=ClientRegistrationOptions(enabled=True), revocation_options=RevocationOptions(enabled=True))
browser = TestClient(Starlette(routes=routes), base_url=issuer)
metadata = browser.get("/.well-known/oauth-authorization-server").json()["revocation_endpoint_auth_methods_supported"]
print("metadata:", *metadata)
for method in ["client_secret_post", "client_secret_basic", "none"]:
    for hint in [{}, {"token_type_hint": "urn:example:session"}]:
        client = browser.post("/register", json={
            "redirect_uris": ["https://app.example/callback"], "token_endpoint_auth_method": method}).json()
        name, secret = client["client_id"], client.get("client_secret")
        form, headers = {"token": name, "client_id": name, **hint}, {}
        if method == "client_secret_post":
            form["client_secret"] = secret
        elif secret:
            headers["Authorization"] = "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()
        response = browser.post("/revoke", data=form, headers=headers)
        print(f"{method}, {'another' if hint else 'no'} hint: {response.status_code},",
              "revoked" if name in Provider.revoked else "not revoked")
PY

seen=$(venv/bin/python -W ignore revoke.py)
printf '%s\n' "$seen"
[[ "$seen" == "metadata: client_secret_post client_secret_basic
client_secret_post, no hint: 200, revoked
client_secret_post, another hint: 400, not revoked
client_secret_basic, no hint: 400, not revoked
client_secret_basic, another hint: 400, not revoked
none, no hint: 400, not revoked
none, another hint: 400, not revoked" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
