# SPDX-License-Identifier: Apache-2.0
"""MSAL with an issuer that is not Microsoft's."""

import msal

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


class MSAL(SignIn):
    """A sign-in of a confidential or of a public client application."""

    def __init__(self, registration: Registration) -> None:
        self._redirect_uri = registration.redirect_uri
        self._flow: dict[str, object] = {}
        if registration.client_secret is None:
            self._client = msal.PublicClientApplication(
                registration.client_id, oidc_authority=registration.issuer
            )
        else:
            self._client = msal.ConfidentialClientApplication(
                registration.client_id,
                client_credential=registration.client_secret,
                oidc_authority=registration.issuer,
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
        claims = result["id_token_claims"]
        return SignedIn(claims["sub"], claims, result["id_token"])


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
]
