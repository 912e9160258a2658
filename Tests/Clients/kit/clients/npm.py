# SPDX-License-Identifier: Apache-2.0
"""Packages of npm, in Node.js."""

from functools import partial

from kit.app import RESOURCES, App
from kit.callback import Callback
from kit.node import NodeModule
from kit.registration import Registration
from kit.trial import SignedIn, SignIn, Trial


class NodeClient(SignIn):
    """An app with its configuration by discovery, which a module of `npm/` is."""

    def __init__(self, module: str, registration: Registration) -> None:
        self._module = NodeModule(
            module,
            {
                "issuer": registration.issuer,
                "clientId": registration.client_id,
                "clientSecret": registration.client_secret,
                "redirectUri": registration.redirect_uri,
                "resource": RESOURCES["orders"],
            },
        )

    def begin(self) -> str:
        return str(self._module.call("begin"))

    def complete(self, callback: Callback) -> SignedIn:
        return SignedIn(**self._module.call("complete", callback.url))

    def refresh(self) -> SignedIn:
        return SignedIn(**self._module.call("refresh"))

    def revoke(self) -> None:
        self._module.call("revoke")


def _trial(
    package: str, app: App, settings: str, *, module: str | None = None, compares_state: bool = True
) -> Trial:
    return Trial(
        client=package,
        distribution=f"npm:{package}",
        app=app,
        settings=settings,
        start=partial(NodeClient, module or package),
        compares_state=compares_state,
    )


_OPENID_CLIENT = "`enableNonRepudiationChecks`, without which it verifies no signature"
_MSAL = "`protocolMode: 'OIDC'` and `knownAuthorities`; PKCE and nonce as arguments; the app revokes, since MSAL cannot"
_MCP = "pre-registered; the app compares `state`, and revokes. Its server takes the access tokens of an API"

TRIALS = [
    _trial(
        "openid-client",
        App("openidclient", "https://openidclient.example/callback", keeps_sessions=True),
        _OPENID_CLIENT,
    ),
    _trial(
        "openid-client",
        App(
            "openidclientpublic",
            "https://openidclient.example/public",
            is_public=True,
            algorithm="ES256",
            keeps_sessions=True,
        ),
        _OPENID_CLIENT,
    ),
    _trial(
        "oidc-client-ts",
        App("oidcclientts", "https://oidcclientts.example/callback", is_public=True, keeps_sessions=True),
        "nothing",
    ),
    _trial(
        "@openid/appauth",
        App("appauth", "https://appauth.example/callback", is_public=True, keeps_sessions=True),
        "the app compares `state`",
        module="appauth",
        compares_state=False,
    ),
    _trial(
        "@azure/msal-node",
        App("msalnode", "https://msalnode.example/callback", keeps_sessions=True),
        _MSAL,
        module="msal-node",
    ),
    _trial(
        "@modelcontextprotocol/client",
        App("mcp", "https://mcp.example/callback", is_public=True, keeps_sessions=True),
        _MCP,
        module="mcp",
        compares_state=False,
    ),
]
