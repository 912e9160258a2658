# SPDX-License-Identifier: Apache-2.0
"""JupyterHub with oauthenticator's GenericOAuthenticator: a whole hub, apart from its proxy."""

import asyncio
import secrets
from typing import Any

import httpx
from jupyterhub.app import JupyterHub
from jupyterhub.handlers import BaseHandler
from jupyterhub.orm import User
from oauthenticator.generic import GenericOAuthenticator
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from traitlets.config import Config

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


class JupyterHubSignIn(SignIn):
    """A hub at a port of its own, and the session of a browser there."""

    def __init__(self, registration: Registration) -> None:
        self._model: dict[str, Any] = {}
        self._loop = asyncio.new_event_loop()
        self._browser = self._loop.run_until_complete(self._serve(self._config(registration)))

    def begin(self) -> str:
        response = self._loop.run_until_complete(self._browser.get("/hub/oauth_login"))
        return response.headers["location"]

    def complete(self, callback: Callback) -> SignedIn:
        response = self._loop.run_until_complete(self._browser.get(callback.target))
        if response.status_code == 400:
            raise Refused(response.text)
        if response.status_code != 302:
            raise RuntimeError(f"the hub responds with {response.status_code}")
        state = self._model["auth_state"]
        claims = state["oauth_user"]
        user = User.find(self._hub.db, self._model["name"])
        return SignedIn(claims["sub"], claims, state["id_token"], is_admin=user.admin)

    async def _serve(self, config: Config) -> httpx.AsyncClient:
        self._hub = JupyterHub(config=config, log_level="ERROR")
        await self._hub.initialize([])
        listener, port = bind_unused_port()
        HTTPServer(self._hub.tornado_application).add_socket(listener)
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}")

    def _config(self, registration: Registration) -> Config:
        async def keep(
            authenticator: GenericOAuthenticator, handler: BaseHandler, model: dict[str, Any]
        ) -> dict[str, Any]:
            self._model = model
            return model

        config = Config()
        config.JupyterHub.authenticator_class = GenericOAuthenticator
        config.JupyterHub.cookie_secret = secrets.token_bytes(32)
        config.JupyterHub.db_url = "sqlite:///:memory:"
        config.GenericOAuthenticator.allow_all = True
        config.GenericOAuthenticator.authorize_url = f"{registration.issuer}/authorize"
        config.GenericOAuthenticator.token_url = f"{registration.issuer}/token"
        config.GenericOAuthenticator.userdata_url = f"{registration.issuer}/userinfo"
        config.GenericOAuthenticator.client_id = registration.client_id
        config.GenericOAuthenticator.client_secret = registration.secret
        config.GenericOAuthenticator.oauth_callback_url = registration.redirect_uri
        config.GenericOAuthenticator.scope = ["openid", "email", "profile"]
        config.GenericOAuthenticator.username_claim = "email"
        config.GenericOAuthenticator.manage_groups = True
        config.GenericOAuthenticator.admin_groups = {"staff"}
        config.GenericOAuthenticator.post_auth_hook = keep
        return config


TRIALS = [
    Trial(
        client="oauthenticator, GenericOAuthenticator",
        distribution="oauthenticator",
        app=App("jupyterhub", "https://jupyterhub.example/hub/oauth_callback"),
        settings="`scope` with `openid`; `username_claim`; `manage_groups` and `admin_groups`, for which it reads `groups` "
        "of UserInfo; `claims: [groups]` at the provider",
        start=JupyterHubSignIn,
        decides_by_group=True,
    ),
]
