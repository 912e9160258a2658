# SPDX-License-Identifier: Apache-2.0
"""fastapi-sso's generic provider in a FastAPI app."""

from functools import partial

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi_sso.sso.base import SSOLoginError
from fastapi_sso.sso.generic import create_provider
from oauthlib.oauth2 import OAuth2Error

from kit.app import App
from kit.registration import Registration
from kit.trial import Trial
from kit.web_app import WebApp


def start(registration: Registration, *, uses_pkce: bool) -> WebApp:
    """Returns the app of fastapi-sso's documentation."""
    metadata = registration.metadata()
    provider = create_provider(
        name="broker",
        default_scope=["openid", "email", "profile"],
        discovery_document={
            "authorization_endpoint": metadata["authorization_endpoint"],
            "token_endpoint": metadata["token_endpoint"],
            "userinfo_endpoint": metadata["userinfo_endpoint"],
        },
    )
    sso = provider(registration.client_id, registration.secret, registration.redirect_uri)
    sso.uses_pkce = uses_pkce
    app = FastAPI()

    @app.get("/login")
    async def login() -> Response:
        async with sso:
            return await sso.get_login_redirect()

    @app.get("/callback")
    async def callback(request: Request) -> Response:
        async with sso:
            try:
                claims = await sso.verify_and_process(request, convert_response=False)
            except (SSOLoginError, OAuth2Error) as error:
                return Response(str(error), 403)
            if claims is None:
                return Response("no claims", 500)
            person = {"sub": claims["sub"], "claims": claims, "id_token": sso.id_token}
            return JSONResponse(person)

    return WebApp(app, registration.redirect_uri)


TRIALS = [
    Trial(
        client="fastapi-sso",
        distribution="fastapi-sso",
        app=App("fastapissoplain", "https://fastapissoplain.example/callback", code_binding="nonce"),
        settings="nothing: its defaults, with `code-binding` `nonce`",
        start=partial(start, uses_pkce=False),
        is_refused=True,
    ),
    Trial(
        client="fastapi-sso",
        distribution="fastapi-sso",
        app=App("fastapisso", "https://fastapisso.example/callback"),
        settings="`uses_pkce = True`",
        start=partial(start, uses_pkce=True),
    ),
]
