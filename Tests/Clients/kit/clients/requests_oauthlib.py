# SPDX-License-Identifier: Apache-2.0
"""requests-oauthlib, which is an OAuth 2.0 client: the app takes the user from UserInfo."""

from functools import partial
from typing import Any

from oauthlib.oauth2 import OAuth2Error
from requests_oauthlib import OAuth2Session

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.revocation import revoke
from kit.trial import Refused, SignedIn, SignIn, Trial


_SCOPE = ("openid", "email", "profile")


class RequestsOAuthlib(SignIn):
    """A session with the configuration that its documentation shows."""

    def __init__(self, registration: Registration, *, pkce: str | None, scope: tuple[str, ...] = _SCOPE) -> None:
        self._registration = registration
        self._metadata = registration.metadata()
        self._secret = registration.secret
        self._session = OAuth2Session(
            registration.client_id,
            redirect_uri=registration.redirect_uri,
            scope=list(scope),
            pkce=pkce,
        )

    def begin(self) -> str:
        url, _ = self._session.authorization_url(self._metadata["authorization_endpoint"])
        return str(url)

    def complete(self, callback: Callback) -> SignedIn:
        try:
            token = self._session.fetch_token(
                self._metadata["token_endpoint"],
                authorization_response=callback.url,
                client_secret=self._secret,
            )
        except OAuth2Error as error:
            raise Refused from error
        return self._signed_in(token)

    def refresh(self) -> SignedIn:
        credentials = {"client_id": self._registration.client_id, "client_secret": self._secret}
        try:
            return self._signed_in(self._session.refresh_token(self._metadata["token_endpoint"], **credentials))
        except OAuth2Error as error:
            raise Refused from error

    def revoke(self) -> None:
        revoke(self._registration, self._session.token["refresh_token"])

    def _signed_in(self, token: dict[str, Any]) -> SignedIn:
        claims = self._session.get(self._metadata["userinfo_endpoint"]).json()
        return SignedIn(claims["sub"], claims, token["id_token"], token.get("refresh_token"))


TRIALS = [
    Trial(
        client="requests-oauthlib",
        distribution="requests-oauthlib",
        app=App("oauthlibplain", "https://oauthlibplain.example/callback", code_binding="nonce"),
        settings="nothing: its defaults, with `code-binding` `nonce`",
        start=partial(RequestsOAuthlib, pkce=None),
        is_refused=True,
    ),
    Trial(
        client="requests-oauthlib",
        distribution="requests-oauthlib",
        app=App("oauthlib", "https://oauthlib.example/callback"),
        settings='`pkce="S256"`',
        start=partial(RequestsOAuthlib, pkce="S256"),
    ),
    Trial(
        client="requests-oauthlib",
        distribution="requests-oauthlib",
        app=App("oauthlibrefresh", "https://oauthlibrefresh.example/callback", keeps_sessions=True),
        settings='`pkce="S256"`; the credentials as arguments of `refresh_token`; the app revokes',
        start=partial(RequestsOAuthlib, pkce="S256", scope=(*_SCOPE, "offline_access")),
    ),
]
