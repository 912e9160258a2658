#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Authlib 1.8.0: `userinfo()` of a client fails with JSONDecodeError where the UserInfo response is a JWT. OpenID Connect
# Core section 5.3.2 lets a client register for a signed response (`userinfo_signed_response_alg`), which has the type
# application/jwt. Authlib reads each response as JSON and does not look at the type, though it has the provider's keys for
# ID tokens.
#
# Seen with Authlib 1.8.0, joserfc 1.7.5 and Flask 3.1.3 on Python 3.11.7. Prints the result of each type, and fails if that
# changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check authlib==1.8.0 joserfc==1.7.5 \
    cryptography==50.0.2 flask==3.1.3 requests==2.34.2

cat >userinfo.py <<'PY'
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from authlib.integrations.flask_client import OAuth
from flask import Flask
from joserfc import jwt
from joserfc.jwk import RSAKey

key = RSAKey.generate_key(2048, parameters={"kid": "key"})


class Provider(BaseHTTPRequestHandler):
    def do_GET(self):
        issuer = f"http://127.0.0.1:{self.server.server_port}"
        claims = {"iss": issuer, "aud": "app", "sub": "user"}
        content_type, body = {
            "/json": ("application/json", json.dumps(claims)),
            "/jwt": ("application/jwt", jwt.encode({"alg": "RS256", "kid": "key"}, claims, key)),
            "/keys": ("application/json", json.dumps({"keys": [key.as_dict(private=False)]})),
        }[self.path]
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        pass


server = HTTPServer(("127.0.0.1", 0), Provider)
threading.Thread(target=server.serve_forever, daemon=True).start()
issuer = f"http://127.0.0.1:{server.server_port}"
app = Flask("client")
with app.test_request_context():
    for name in ["json", "jwt"]:
        client = OAuth(app).register(name, client_id="app", client_secret="secret", issuer=issuer, jwks_uri=f"{issuer}/keys",
                                     userinfo_endpoint=f"{issuer}/{name}")
        try:
            result = client.userinfo(token={"access_token": "token", "token_type": "Bearer"})["sub"]
        except Exception as error:
            result = type(error).__name__
        print(f"application/{name}: {result}")
PY

seen=$(venv/bin/python -W ignore userinfo.py)
printf '%s\n' "$seen"
[[ "$seen" == "application/json: user
application/jwt: JSONDecodeError" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
