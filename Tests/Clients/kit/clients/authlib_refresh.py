# SPDX-License-Identifier: Apache-2.0
"""Authlib's session for requests, of an app that stays signed in and verifies no ID token. Debian has it, too."""

from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2 import OAuth2Error

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


class AuthlibRefresh(SignIn):
    """A session as its documentation shows it."""

    def __init__(self, registration: Registration) -> None:
        self._metadata = registration.metadata()
        self._state = ""
        self._verifier = ""
        self._session = OAuth2Session(
            registration.client_id,
            registration.secret,
            scope="openid email profile offline_access",
            redirect_uri=registration.redirect_uri,
            code_challenge_method="S256",
        )

    def begin(self) -> str:
        self._verifier = generate_token(48)
        url, self._state = self._session.create_authorization_url(
            self._metadata["authorization_endpoint"], code_verifier=self._verifier
        )
        return str(url)

    def complete(self, callback: Callback) -> SignedIn:
        try:
            self._session.fetch_token(
                self._metadata["token_endpoint"],
                authorization_response=callback.url,
                state=self._state,
                code_verifier=self._verifier,
            )
        except (OAuthError, OAuth2Error) as error:
            raise Refused from error
        return self._signed_in()

    def refresh(self) -> SignedIn:
        try:
            self._session.refresh_token(self._metadata["token_endpoint"])
        except (OAuthError, OAuth2Error) as error:
            raise Refused from error
        return self._signed_in()

    def revoke(self) -> None:
        token = self._session.token["refresh_token"]
        self._session.revoke_token(self._metadata["revocation_endpoint"], token, "refresh_token").raise_for_status()

    def _signed_in(self) -> SignedIn:
        token = self._session.token
        claims = self._session.get(self._metadata["userinfo_endpoint"]).json()
        return SignedIn(claims["sub"], claims, token["id_token"], token["refresh_token"])


TRIALS = [
    Trial(
        client="Authlib, requests session",
        distribution="Authlib",
        app=App("authlibrefresh", "https://authlibrefresh.example/callback", keeps_sessions=True),
        settings='`code_challenge_method="S256"`, and a `code_verifier` for both calls',
        start=AuthlibRefresh,
    ),
]
