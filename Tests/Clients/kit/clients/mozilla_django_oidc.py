# SPDX-License-Identifier: Apache-2.0
"""mozilla-django-oidc in a Django project."""

from functools import partial

from django.contrib.auth import get_user
from django.http import HttpRequest
from django.urls import reverse

from kit import django_project
from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


def username(email: str, claims: dict[str, str]) -> str:
    """Names a user by the subject, which is the only key of an account, and not by the address."""
    return claims["sub"]


class MozillaDjangoOIDC(SignIn):
    """A project that keys its users by `sub`."""

    def __init__(self, registration: Registration, *, algorithm: str, uses_pkce: bool) -> None:
        issuer = registration.issuer
        self._client = django_project.start(
            registration.redirect_uri,
            "mozilla_django_oidc.urls",
            ["mozilla_django_oidc"],
            AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
            LOGIN_REDIRECT_URL_FAILURE="/refused",
            OIDC_OP_AUTHORIZATION_ENDPOINT=f"{issuer}/authorize",
            OIDC_OP_JWKS_ENDPOINT=f"{issuer}/jwks",
            OIDC_OP_TOKEN_ENDPOINT=f"{issuer}/token",
            OIDC_OP_USER_ENDPOINT=f"{issuer}/userinfo",
            OIDC_RP_CLIENT_ID=registration.client_id,
            OIDC_RP_CLIENT_SECRET=registration.secret,
            OIDC_RP_SIGN_ALGO=algorithm,
            OIDC_STORE_ID_TOKEN=True,
            OIDC_USERNAME_ALGO=username,
            OIDC_USE_PKCE=uses_pkce,
        )

    def begin(self) -> str:
        return str(self._client.get(reverse("oidc_authentication_init"), secure=True)["location"])

    def complete(self, callback: Callback) -> SignedIn:
        response = self._client.get(callback.target, secure=True)
        if response.status_code == 400 or response["location"] == "/refused":
            raise Refused
        if response["location"] != "/signed-in":
            raise RuntimeError(f"the project redirects to {response['location']}")
        request = HttpRequest()
        request.session = self._client.session
        user = get_user(request)
        return SignedIn(user.get_username(), {"email": user.email}, request.session["oidc_id_token"])


_SETTINGS = "`OIDC_RP_SIGN_ALGO` `{}` and `OIDC_OP_JWKS_ENDPOINT`; "

TRIALS = [
    Trial(
        client="mozilla-django-oidc",
        distribution="mozilla-django-oidc",
        app=App("mozilla", "https://mozilla.example/callback/", code_binding="nonce"),
        settings=_SETTINGS.format("RS256") + "`code-binding` `nonce`",
        start=partial(MozillaDjangoOIDC, algorithm="RS256", uses_pkce=False),
        claims=frozenset({"email"}),
    ),
    Trial(
        client="mozilla-django-oidc",
        distribution="mozilla-django-oidc",
        app=App("mozillapkce", "https://mozillapkce.example/callback/", algorithm="ES256"),
        settings=_SETTINGS.format("ES256") + "`OIDC_USE_PKCE`",
        start=partial(MozillaDjangoOIDC, algorithm="ES256", uses_pkce=True),
        claims=frozenset({"email"}),
    ),
]
