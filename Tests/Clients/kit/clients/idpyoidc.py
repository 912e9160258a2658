# SPDX-License-Identifier: Apache-2.0
"""idpyoidc, by the three calls of its RPHandler that its documentation names."""

from collections.abc import Mapping, Sequence
from functools import partial

from idpyoidc.client.defaults import DEFAULT_KEY_DEFS
from idpyoidc.client.exception import OidcServiceError
from idpyoidc.client.rp_handler import RPHandler
from idpyoidc.exception import OidcMsgError

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.revocation import revoke
from kit.trial import Refused, SignedIn, SignIn, Trial

_PKCE = {
    "pkce": {
        "function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
        "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"},
    }
}


class Idpyoidc(SignIn):
    """A handler with one client."""

    def __init__(
        self,
        registration: Registration,
        *,
        add_ons: Mapping[str, object],
        scope: Sequence[str] = ("openid", "email", "profile"),
        **options: object,
    ) -> None:
        self._registration = registration
        self._scope = list(scope)
        self._state = ""
        self._issuer = registration.issuer
        client = {
            "client_type": "oidc",
            "issuer": registration.issuer,
            "client_id": registration.client_id,
            "client_secret": registration.secret,
            "redirect_uris": [registration.redirect_uri],
            "add_ons": add_ons,
            **options,
        }
        self._handler = RPHandler(
            client_configs={self._issuer: client}, key_conf={"key_defs": DEFAULT_KEY_DEFS}
        )

    def begin(self) -> str:
        return str(self._handler.begin(self._issuer, req_args={"scope": self._scope}))

    def complete(self, callback: Callback) -> SignedIn:
        try:
            result = self._handler.finalize(self._issuer, callback.parameters)
        except (OidcServiceError, OidcMsgError, KeyError) as error:
            raise Refused from error
        if "error" in result:
            raise Refused(result["error"])
        self._state = result["state"]
        claims = result["userinfo"].to_dict()
        kept = self._handler.get_client_from_session_key(self._state).get_context().cstate.get(self._state)
        return SignedIn(result["id_token"]["sub"], claims, result["id_token"].jwt, kept.get("refresh_token"))

    def refresh(self) -> SignedIn:
        try:
            response = self._handler.refresh_access_token(self._state)
        except (OidcServiceError, OidcMsgError) as error:
            raise Refused from error
        user_info = self._handler.get_user_info(self._state).to_dict()
        return SignedIn(user_info["sub"], user_info, refresh_token=response["refresh_token"])

    def revoke(self) -> None:
        kept = self._handler.get_client_from_session_key(self._state).get_context().cstate.get(self._state)
        revoke(self._registration, kept["refresh_token"])


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
    Trial(
        client="idpyoidc",
        distribution="idpyoidc",
        app=App("idpyoidcrefresh", "https://idpyoidcrefresh.example/callback", keeps_sessions=True),
        settings="a secret of at least 16 characters; `scope` in `req_args`; the add-on `pkce`; `client_authn_methods` with "
        "`client_secret_basic`, which its refresh does not know by itself; the app revokes",
        start=partial(
            Idpyoidc,
            add_ons=_PKCE,
            scope=["openid", "email", "profile", "offline_access"],
            client_authn_methods=["client_secret_basic"],
        ),
    ),
]
