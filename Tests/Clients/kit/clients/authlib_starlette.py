# SPDX-License-Identifier: Apache-2.0
"""Authlib's integration for Starlette."""

from functools import partial
from typing import Any

from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kit.app import App
from kit.registration import Registration
from kit.trial import Trial
from kit.web_app import WebApp

_PKCE = {"code_challenge_method": "S256"}
_FORM_POST = {"response_mode": "form_post"}


def start(registration: Registration, *, options: dict[str, str], parameters: dict[str, str]) -> WebApp:
    """Returns the app of Authlib's documentation, with further `client_kwargs` and parameters."""
    oauth = OAuth()
    oauth.register(
        "broker",
        client_id=registration.client_id,
        client_secret=registration.secret,
        server_metadata_url=registration.metadata_url,
        client_kwargs={"scope": "openid email profile", **options},
    )

    async def login(request: Request) -> Response:
        redirect: Response = await oauth.broker.authorize_redirect(
            request, registration.redirect_uri, **parameters
        )
        return redirect

    async def callback(request: Request) -> Response:
        try:
            token = await oauth.broker.authorize_access_token(request)
        except OAuthError as error:
            return Response(str(error), 403)
        claims = await oauth.broker.userinfo(token=token)
        person = {"sub": token["userinfo"]["sub"], "claims": claims, "id_token": token["id_token"]}
        return JSONResponse(person)

    app = Starlette(
        routes=[Route("/login", login), Route("/callback", callback, methods=["GET", "POST"])],
        middleware=[Middleware(SessionMiddleware, secret_key=registration.secret, https_only=True)],
    )
    return WebApp(app, registration.redirect_uri)


def _trial(
    name: str, settings: str, options: dict[str, str], parameters: dict[str, str], **keys: Any
) -> Trial:
    return Trial(
        client="Authlib, Starlette",
        distribution="Authlib",
        app=App(name, f"https://{name}.example/callback", **keys),
        settings=settings,
        start=partial(start, options=options, parameters=parameters),
    )


TRIALS = [
    _trial("authlibstarlette", "`code-binding` `nonce`", {}, {}, code_binding="nonce"),
    _trial("authlibpkce", '`code_challenge_method="S256"` in `client_kwargs`', _PKCE, {}),
    _trial(
        "authlibform",
        '`code_challenge_method="S256"` in `client_kwargs`; `response_mode="form_post"`',
        _PKCE,
        _FORM_POST,
        algorithm="ES256",
    ),
]
