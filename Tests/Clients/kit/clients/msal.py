# SPDX-License-Identifier: Apache-2.0
"""MSAL with an issuer that is not Microsoft's."""

import json
from typing import Any

import msal

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.revocation import revoke
from kit.trial import Refused, SignedIn, SignIn, Trial


class MSAL(SignIn):
    """A sign-in of a confidential or of a public client application."""

    def __init__(self, registration: Registration) -> None:
        self._registration = registration
        self._redirect_uri = registration.redirect_uri
        self._flow: dict[str, object] = {}
        self._cache = msal.SerializableTokenCache()
        if registration.client_secret is None:
            self._client = msal.PublicClientApplication(
                registration.client_id, oidc_authority=registration.issuer, token_cache=self._cache
            )
        else:
            self._client = msal.ConfidentialClientApplication(
                registration.client_id,
                client_credential=registration.client_secret,
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
        revoke(self._registration, self._refresh_token() or "")

    def _signed_in(self, result: dict[str, Any]) -> SignedIn:
        claims = result["id_token_claims"]
        return SignedIn(claims["sub"], claims, result["id_token"], self._refresh_token())

    def _refresh_token(self) -> str | None:
        """Returns the refresh token, which MSAL shows in its cache alone."""
        kept = json.loads(self._cache.serialize()).get("RefreshToken", {})
        return next((str(entry["secret"]) for entry in kept.values()), None)


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
]
