# SPDX-License-Identifier: Apache-2.0
"""openid-client of npm, in Node.js."""

from kit.app import App
from kit.callback import Callback
from kit.node import NodeModule
from kit.registration import Registration
from kit.trial import SignedIn, SignIn, Trial


class OpenIDClient(SignIn):
    """An app with its configuration by discovery."""

    def __init__(self, registration: Registration) -> None:
        self._module = NodeModule(
            "openid-client",
            {
                "issuer": registration.issuer,
                "clientId": registration.client_id,
                "clientSecret": registration.client_secret,
                "redirectUri": registration.redirect_uri,
            },
        )

    def begin(self) -> str:
        return str(self._module.call("begin"))

    def complete(self, callback: Callback) -> SignedIn:
        return SignedIn(**self._module.call("complete", callback.url))


def _trial(app: App) -> Trial:
    return Trial(
        client="openid-client",
        distribution="npm:openid-client",
        app=app,
        settings="`enableNonRepudiationChecks`, without which it verifies no signature",
        start=OpenIDClient,
    )


TRIALS = [
    _trial(App("openidclient", "https://openidclient.example/callback")),
    _trial(App("openidclientpublic", "https://openidclient.example/public", is_public=True, algorithm="ES256")),
]
