# SPDX-License-Identifier: Apache-2.0
"""idpyoidc, by the three calls of its RPHandler that its documentation names."""

from collections.abc import Mapping
from functools import partial

from idpyoidc.client.defaults import DEFAULT_KEY_DEFS
from idpyoidc.client.exception import OidcServiceError
from idpyoidc.client.rp_handler import RPHandler
from idpyoidc.exception import OidcMsgError

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial

_PKCE = {
    "pkce": {
        "function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
        "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"},
    }
}


class Idpyoidc(SignIn):
    """A handler with one client."""

    def __init__(self, registration: Registration, *, add_ons: Mapping[str, object]) -> None:
        self._issuer = registration.issuer
        client = {
            "client_type": "oidc",
            "issuer": registration.issuer,
            "client_id": registration.client_id,
            "client_secret": registration.secret,
            "redirect_uris": [registration.redirect_uri],
            "add_ons": add_ons,
        }
        self._handler = RPHandler(
            client_configs={self._issuer: client}, key_conf={"key_defs": DEFAULT_KEY_DEFS}
        )

    def begin(self) -> str:
        scope = ["openid", "email", "profile"]
        return str(self._handler.begin(self._issuer, req_args={"scope": scope}))

    def complete(self, callback: Callback) -> SignedIn:
        try:
            result = self._handler.finalize(self._issuer, callback.parameters)
        except (OidcServiceError, OidcMsgError, KeyError) as error:
            raise Refused from error
        if "error" in result:
            raise Refused(result["error"])
        claims = result["userinfo"].to_dict()
        return SignedIn(result["id_token"]["sub"], claims, result["id_token"].jwt)


TRIALS = [
    Trial(
        client="idpyoidc",
        distribution="idpyoidc",
        app=App("idpyoidc", "https://idpyoidc.example/callback", code_binding="nonce"),
        settings="a secret of at least 16 characters; `scope` in `req_args`; `code-binding` `nonce`",
        start=partial(Idpyoidc, add_ons={}),
    ),
    Trial(
        client="idpyoidc",
        distribution="idpyoidc",
        app=App("idpyoidcpkce", "https://idpyoidcpkce.example/callback", algorithm="ES256"),
        settings="a secret of at least 16 characters; `scope` in `req_args`; the add-on `pkce`",
        start=partial(Idpyoidc, add_ons=_PKCE),
    ),
]
