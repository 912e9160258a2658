# SPDX-License-Identifier: Apache-2.0
"""The backend OpenIdConnectAuth of social-auth-core, in a Django project with social-auth-app-django."""

from functools import partial

from django.urls import reverse

from kit import django_project
from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


class SocialAuth(SignIn):
    """A project with the generic backend `oidc`."""

    def __init__(self, registration: Registration, **options: object) -> None:
        self._client = django_project.start(
            registration.redirect_uri,
            "social_django.urls",
            ["social_django"],
            ["social_django.middleware.SocialAuthExceptionMiddleware"],
            AUTHENTICATION_BACKENDS=["social_core.backends.open_id_connect.OpenIdConnectAuth"],
            SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=registration.issuer,
            SOCIAL_AUTH_OIDC_KEY=registration.client_id,
            SOCIAL_AUTH_OIDC_SECRET=registration.secret,
            **options,
        )

    def begin(self) -> str:
        response = self._client.post(reverse("social:begin", args=["oidc"]), secure=True)
        return str(response["location"])

    def complete(self, callback: Callback) -> SignedIn:
        # Its models can be imported only in a project.
        from social_django.models import UserSocialAuth

        response = self._client.get(callback.target, secure=True)
        if response.status_code in (400, 403):
            raise Refused(response.content)
        if response.status_code != 302 or response["location"] != "/signed-in":
            raise RuntimeError(f"the project responds with {response.status_code}")
        account = UserSocialAuth.objects.get()
        claims = {"email": account.user.email, "name": account.user.get_full_name()}
        return SignedIn(account.uid, claims, account.extra_data["id_token"])


TRIALS = [
    Trial(
        client="social-auth-core",
        distribution="social-auth-core",
        app=App("socialauth", "https://socialauth.example/complete/oidc/", code_binding="nonce"),
        settings="`code-binding` `nonce`",
        start=SocialAuth,
    ),
    Trial(
        client="social-auth-core",
        distribution="social-auth-core",
        app=App("socialauthpkce", "https://socialauthpkce.example/complete/oidc/", algorithm="ES256"),
        settings="`SOCIAL_AUTH_OIDC_USE_PKCE`; `SOCIAL_AUTH_OIDC_JWT_ALGORITHMS` `ES256`",
        start=partial(
            SocialAuth,
            SOCIAL_AUTH_OIDC_USE_PKCE=True,
            SOCIAL_AUTH_OIDC_JWT_ALGORITHMS=["ES256"],
        ),
    ),
]
