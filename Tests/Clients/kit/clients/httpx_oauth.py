# SPDX-License-Identifier: Apache-2.0
"""The OpenID client of httpx-oauth: the app takes the user from UserInfo and compares `state` itself."""

import asyncio
import base64
import hashlib
import secrets
from functools import partial

from httpx_oauth.clients.openid import OpenID
from httpx_oauth.oauth2 import GetAccessTokenError

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


class HTTPXOAuth(SignIn):
    """An app that makes the values of PKCE, which the library only sends."""

    def __init__(self, registration: Registration, *, uses_pkce: bool) -> None:
        self._redirect_uri = registration.redirect_uri
        self._uses_pkce = uses_pkce
        self._verifier: str | None = None
        self._client = OpenID(registration.client_id, registration.secret, registration.metadata_url)

    def begin(self) -> str:
        state = secrets.token_urlsafe()
        if not self._uses_pkce:
            return asyncio.run(self._client.get_authorization_url(self._redirect_uri, state))
        self._verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(self._verifier.encode()).digest()
        return asyncio.run(
            self._client.get_authorization_url(
                self._redirect_uri,
                state,
                code_challenge=base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
                code_challenge_method="S256",
            )
        )

    def complete(self, callback: Callback) -> SignedIn:
        if "code" not in callback.parameters:
            raise Refused
        return asyncio.run(self._redeem(callback.parameters["code"]))

    async def _redeem(self, code: str) -> SignedIn:
        try:
            token = await self._client.get_access_token(code, self._redirect_uri, self._verifier)
        except GetAccessTokenError as error:
            raise Refused from error
        subject, email = await self._client.get_id_email(token["access_token"])
        return SignedIn(subject, {"email": email}, token["id_token"])


TRIALS = [
    Trial(
        client="httpx-oauth",
        distribution="httpx-oauth",
        app=App("httpxoauthplain", "https://httpxoauthplain.example/callback", code_binding="nonce"),
        settings="nothing: its defaults, with `code-binding` `nonce`",
        start=partial(HTTPXOAuth, uses_pkce=False),
        is_refused=True,
    ),
    Trial(
        client="httpx-oauth",
        distribution="httpx-oauth",
        app=App("httpxoauth", "https://httpxoauth.example/callback"),
        settings='`code_challenge`, `code_challenge_method="S256"` and `code_verifier` '
        "as arguments; the app compares `state`",
        start=partial(HTTPXOAuth, uses_pkce=True),
        claims=frozenset({"email"}),
        compares_state=False,
    ),
]
