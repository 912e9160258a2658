# SPDX-License-Identifier: Apache-2.0
"""Authlib's session for requests, which is an OAuth 2.0 client, with Authlib's validation of ID tokens."""

import json
import time
from functools import partial

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial

_KEY = ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"})


class AuthlibRequests(SignIn):
    """A session as its documentation shows it."""

    def __init__(self, registration: Registration, secret: str | ECKey, **options: str) -> None:
        self._metadata = registration.metadata()
        self._registration = registration
        self._state = ""
        self._verifier = ""
        self.session = OAuth2Session(
            registration.client_id,
            secret,
            scope="openid email profile",
            redirect_uri=registration.redirect_uri,
            **options,
        )

    def begin(self) -> str:
        self._verifier = generate_token(48)
        url, self._state = self.session.create_authorization_url(
            self._metadata["authorization_endpoint"], code_verifier=self._verifier
        )
        return str(url)

    def complete(self, callback: Callback) -> SignedIn:
        try:
            token = self.session.fetch_token(
                self._metadata["token_endpoint"],
                authorization_response=callback.url,
                grant_type="authorization_code",
                state=self._state,
                code_verifier=self._verifier,
            )
        except (OAuthError, OAuth2Error) as error:
            raise Refused from error
        keys = KeySet.import_key_set(requests.get(self._metadata["jwks_uri"], timeout=10).json())
        decoded = jwt.decode(token["id_token"], keys)
        claims = CodeIDToken(
            decoded.claims,
            decoded.header,
            {"iss": {"value": self._registration.issuer}},
            {
                "client_id": self._registration.client_id,
                "access_token": token["access_token"],
            },
        )
        claims.validate()
        user_info = self.session.get(self._metadata["userinfo_endpoint"]).json()
        return SignedIn(claims["sub"], user_info, token["id_token"])


def with_secret(registration: Registration, **options: str) -> AuthlibRequests:
    """Returns a client that authenticates by its secret."""
    return AuthlibRequests(registration, registration.secret, **options)


def with_key(registration: Registration) -> AuthlibRequests:
    """Returns a client that authenticates by a key, with assertions that live for five minutes."""
    sign_in = AuthlibRequests(
        registration, _KEY, token_endpoint_auth_method="private_key_jwt", code_challenge_method="S256"
    )
    lifetime = {"exp": int(time.time()) + 300}
    sign_in.session.register_client_auth_method(
        PrivateKeyJWT(registration.issuer, claims=lifetime, alg="ES256")
    )
    return sign_in


TRIALS = [
    Trial(
        client="Authlib, requests session",
        distribution="Authlib",
        app=App("authlibplain", "https://authlibplain.example/callback", code_binding="nonce"),
        settings="nothing: its defaults, with `code-binding` `nonce`",
        start=with_secret,
        is_refused=True,
    ),
    Trial(
        client="Authlib, requests session",
        distribution="Authlib",
        app=App("authlib", "https://authlib.example/callback"),
        settings='`code_challenge_method="S256"`, and a `code_verifier` for both calls',
        start=partial(with_secret, code_challenge_method="S256"),
    ),
    Trial(
        client="Authlib, requests session",
        distribution="Authlib",
        app=App(
            "authlibkey",
            "https://authlibkey.example/callback",
            public_keys=json.dumps(KeySet([_KEY]).as_dict(private=False)),
        ),
        settings="`private_key_jwt`, with the issuer as `token_endpoint` and an `exp` of 5 minutes in "
        '`claims`; `code_challenge_method="S256"`',
        start=with_key,
    ),
]
