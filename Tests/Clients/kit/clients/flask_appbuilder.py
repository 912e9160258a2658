# SPDX-License-Identifier: Apache-2.0
"""Flask-AppBuilder, the framework of Superset and Airflow, with its sign-in by OAuth, which is made of Authlib's."""

import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, session
from flask_appbuilder import AppBuilder
from flask_appbuilder.exceptions import OAuthProviderUnknown
from flask_appbuilder.security.manager import AUTH_OAUTH
from flask_appbuilder.utils.legacy import get_sqla_class

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial

# A name of which the framework knows nothing.
_UNKNOWN = "broker"
_PKCE = {"code_challenge_method": "S256"}


class FlaskAppBuilder(SignIn):
    """An app with one provider, and the session of a browser there."""

    def __init__(self, registration: Registration, *, provider: str, options: Mapping[str, str]) -> None:
        self._provider = provider
        parts = urlsplit(registration.redirect_uri)
        self._base = f"{parts.scheme}://{parts.netloc}"
        self._app = app = Flask(__name__)
        app.config.update(
            AUTH_ROLES_MAPPING={"staff": ["Admin"]},
            AUTH_ROLES_SYNC_AT_LOGIN=True,
            AUTH_TYPE=AUTH_OAUTH,
            AUTH_USER_REGISTRATION=True,
            AUTH_USER_REGISTRATION_ROLE="Public",
            OAUTH_PROVIDERS=[
                {
                    "name": provider,
                    "icon": "fa-key",
                    "token_key": "access_token",
                    "remote_app": {
                        "client_id": registration.client_id,
                        "client_secret": registration.secret,
                        "server_metadata_url": registration.metadata_url,
                        "client_kwargs": {"scope": "openid email profile", **options},
                    },
                }
            ],
            SECRET_KEY=secrets.token_urlsafe(32),
            SQLALCHEMY_DATABASE_URI="sqlite://",
        )
        database = get_sqla_class()()
        self._builder = AppBuilder()
        with app.app_context():
            database.init_app(app)
            self._builder.init_app(app, database.session)
            if provider == _UNKNOWN:
                _expect_unknown(self._builder.sm)
                self._builder.sm.oauth_user_info_getter(_user_info)
        self._client = app.test_client()

    def begin(self) -> str:
        # Who is signed in already is not sent to the provider.
        self._client.get("/logout/", base_url=self._base)
        return str(self._client.get(f"/login/{self._provider}", base_url=self._base).location)

    def complete(self, callback: Callback) -> SignedIn:
        with self._client:
            response = self._client.get(callback.target, base_url=self._base)
            if response.location == "/login/":
                raise Refused
            if response.location != "/" or "_user_id" not in session:
                raise RuntimeError(f"the app redirects to {response.location}")
            identifier = session["_user_id"]
        with self._app.app_context():
            user = self._builder.sm.get_user_by_id(int(identifier))
            roles = {role.name for role in user.roles}
            subject = user.username.removeprefix(f"{self._provider}_")
            return SignedIn(subject, {"email": user.email}, is_admin="Admin" in roles)


def _expect_unknown(manager: Any) -> None:
    """Raises if the framework has code for the claims of the provider, so that the app needs none."""
    try:
        manager.get_oauth_user_info(_UNKNOWN, {})
    except OAuthProviderUnknown:
        return
    raise RuntimeError(f"it knows the provider {_UNKNOWN}")


def _user_info(manager: Any, provider: str, response: dict[str, Any]) -> dict[str, Any]:
    """The code of one's own, as the documentation shows it for a provider whose name the framework does not know."""
    claims = manager.oauth_remotes[provider].userinfo(token=response)
    return {"username": claims["sub"], "email": claims["email"], "role_keys": claims["groups"]}


_ROLES = "`AUTH_ROLES_MAPPING` for the admin by group, `claims: [groups]` at the provider"

TRIALS = [
    Trial(
        client="Flask-AppBuilder",
        distribution="Flask-AppBuilder",
        app=App("appbuilder", "https://appbuilder.example/oauth-authorized/broker"),
        settings='`code_challenge_method="S256"` in `client_kwargs`; `oauth_user_info_getter`, code of one\'s own, since '
        f"it knows no provider of the name `broker`; {_ROLES}",
        start=partial(FlaskAppBuilder, provider=_UNKNOWN, options=_PKCE),
        claims=frozenset({"email"}),
        decides_by_group=True,
    ),
    Trial(
        client="Flask-AppBuilder",
        distribution="Flask-AppBuilder",
        app=App("appbuildernamed", "https://appbuildernamed.example/oauth-authorized/auth0", code_binding="nonce"),
        settings=f"the provider is named `auth0`, whose code reads the broker's claims; `code-binding` `nonce`; {_ROLES}",
        start=partial(FlaskAppBuilder, provider="auth0", options={}),
        claims=frozenset({"email"}),
        decides_by_group=True,
    ),
]
