# SPDX-License-Identifier: Apache-2.0
"""Authlib's integration for Starlette, with one TLS context for all requests to the provider.

Configured by the environment; see Benchmarks/targets/authlib.json.
"""

import os
import ssl

from authlib.integrations.starlette_client import OAuth
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route

PUBLIC_URL = os.environ["PUBLIC_URL"]

oauth = OAuth()
oauth.register(
    "provider",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={
        "scope": "openid email profile",
        "code_challenge_method": "S256",
        "verify": ssl.create_default_context(),
    },
)


async def start(request):
    return await oauth.provider.authorize_redirect(request, PUBLIC_URL + "/callback")


async def callback(request):
    try:
        token = await oauth.provider.authorize_access_token(request)
    except Exception as error:  # A callback with any error is not accepted.
        return PlainTextResponse(type(error).__name__, status_code=401)
    person = token["userinfo"]
    request.session["person"] = {name: person.get(name) for name in ("sub", "email", "name")}
    return RedirectResponse("/me", status_code=302)


async def me(request):
    person = request.session.get("person")
    if person is None:
        return PlainTextResponse("no session", status_code=401)
    return PlainTextResponse(person["sub"])


app = Starlette(
    routes=[Route("/start", start), Route("/callback", callback), Route("/me", me)],
    middleware=[
        # One key for all workers. It only seals sessions of benchmark users on this machine.
        Middleware(SessionMiddleware, secret_key="callback-latency", https_only=PUBLIC_URL.startswith("https:"))
    ],
)
