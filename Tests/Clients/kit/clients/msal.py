# SPDX-License-Identifier: Apache-2.0
"""MSAL with an issuer that is not Microsoft's."""

import json
import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jwt
import msal
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from jwt.algorithms import RSAAlgorithm

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.revocation import revoke
from kit.trial import Refused, SignedIn, SignIn, Trial

_KEY = rsa.generate_private_key(65_537, 2048)
_CERTIFICATE = {
    "private_key": _KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
    # It only names the certificate in the header of the assertions.
    "thumbprint": "0123456789abcdef0123456789abcdef01234567",
}
_PUBLIC_KEY = {**RSAAlgorithm.to_jwk(_KEY.public_key(), as_dict=True), "use": "sig", "alg": "RS256"}


class MSAL(SignIn):
    """A sign-in of a confidential or of a public client application."""

    def __init__(self, registration: Registration, credential: Mapping[str, Any] | None = None) -> None:
        self._registration = registration
        self._redirect_uri = registration.redirect_uri
        self._flow: dict[str, object] = {}
        self._cache = msal.SerializableTokenCache()
        if registration.client_secret is None and credential is None:
            self._client = msal.PublicClientApplication(
                registration.client_id, oidc_authority=registration.issuer, token_cache=self._cache
            )
        else:
            self._client = msal.ConfidentialClientApplication(
                registration.client_id,
                client_credential=credential or registration.client_secret,
                oidc_authority=registration.issuer,
                token_cache=self._cache,
            )

    def begin(self) -> str:
        self._flow = self._client.initiate_auth_code_flow(["email"], redirect_uri=self._redirect_uri)
        return str(self._flow["auth_uri"])

    def complete(self, callback: Callback) -> SignedIn:
        try:
            result = self._client.acquire_token_by_auth_code_flow(self._flow, callback.parameters)
        except ValueError as error:
            raise Refused from error
        if "error" in result:
            raise Refused(result["error"])
        return self._signed_in(result)

    def refresh(self) -> SignedIn:
        (account,) = self._client.get_accounts()
        result = self._client.acquire_token_silent_with_error(["email"], account, force_refresh=True)
        if result is None or "error" in result:
            raise Refused(result)
        return self._signed_in(result)

    def revoke(self) -> None:
        refresh_token = self._refresh_token()
        if refresh_token is None:
            raise RuntimeError("there is no refresh token")
        revoke(self._registration, refresh_token)

    def _signed_in(self, result: dict[str, Any]) -> SignedIn:
        claims = result["id_token_claims"]
        return SignedIn(claims["sub"], claims, result["id_token"], self._refresh_token())

    def _refresh_token(self) -> str | None:
        """Returns the refresh token, which MSAL shows in its cache alone."""
        kept = json.loads(self._cache.serialize()).get("RefreshToken", {})
        return next((str(entry["secret"]) for entry in kept.values()), None)


def with_assertions(registration: Registration) -> MSAL:
    """Returns an application whose own function makes an assertion for each request."""

    def assertion() -> str:
        now = int(time.time())
        client = registration.client_id
        times = {"iat": now, "exp": now + 60}
        claims = {"iss": client, "sub": client, "aud": registration.issuer, "jti": secrets.token_urlsafe(), **times}
        return jwt.encode(claims, _KEY, "RS256")

    return MSAL(registration, {"client_assertion": assertion})


def _with_key(name: str, settings: str, start: Callable[[Registration], SignIn], *, repeats_assertions: bool) -> Trial:
    public_keys = json.dumps({"keys": [_PUBLIC_KEY]})
    return Trial(
        client="MSAL with a certificate",
        distribution="msal",
        app=App(
            name,
            f"https://{name}.example/callback",
            public_keys=public_keys,
            repeats_assertions=repeats_assertions,
        ),
        settings=settings,
        start=start,
    )


TRIALS = [
    Trial(
        client="MSAL",
        distribution="msal",
        app=App("msal", "https://msal.example/callback"),
        settings="`oidc_authority`",
        start=MSAL,
    ),
    Trial(
        client="MSAL",
        distribution="msal",
        app=App("msalpublic", "http://localhost:8400/callback", is_public=True, algorithm="ES256"),
        settings="`oidc_authority`",
        start=MSAL,
    ),
    Trial(
        client="MSAL",
        distribution="msal",
        app=App("msalrefresh", "https://msalrefresh.example/callback", keeps_sessions=True),
        settings="`oidc_authority`; `force_refresh=True`; the app revokes, since MSAL cannot",
        start=MSAL,
    ),
    Trial(
        client="MSAL",
        distribution="msal",
        app=App("msalpublicrefresh", "http://localhost:8400/refreshed", is_public=True, keeps_sessions=True),
        settings="`oidc_authority`; `force_refresh=True`; the app revokes, since MSAL cannot",
        start=MSAL,
    ),
    _with_key(
        "msalcertificate",
        "`oidc_authority`; `assertion-audience` `token-endpoint`, since its assertions name that, and `assertion-reuse`, since "
        "it sends each of them for nine minutes",
        partial(MSAL, credential=_CERTIFICATE),
        repeats_assertions=True,
    ),
    _with_key(
        "msalassertion",
        "`oidc_authority`; `client_assertion`, a function that signs a new one for each request, for the issuer",
        with_assertions,
        repeats_assertions=False,
    ),
]
