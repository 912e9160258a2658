# SPDX-License-Identifier: Apache-2.0
"""The provider openid_connect of django-allauth in a Django project."""

from functools import partial

from django.urls import reverse

from kit import django_project
from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


class DjangoAllauth(SignIn):
    """A project with one app of the provider."""

    def __init__(self, registration: Registration, **options: object) -> None:
        app = {
            "provider_id": "broker",
            "name": "Broker",
            "client_id": registration.client_id,
            "secret": registration.secret,
            "settings": {"server_url": registration.issuer, **options},
        }
        self._client = django_project.start(
            registration.redirect_uri,
            "allauth.urls",
            [
                "allauth",
                "allauth.account",
                "allauth.socialaccount",
                "allauth.socialaccount.providers.openid_connect",
            ],
            ["allauth.account.middleware.AccountMiddleware"],
            AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
            SOCIALACCOUNT_PROVIDERS={"openid_connect": {"APPS": [app]}},
        )

    def begin(self) -> str:
        address = reverse("openid_connect_login", args=["broker"])
        return str(self._client.post(address, secure=True)["location"])

    def complete(self, callback: Callback) -> SignedIn:
        # Its models can be imported only in a project.
        from allauth.socialaccount.models import SocialAccount

        response = self._client.get(callback.target, secure=True)
        if response.status_code == 401:
            raise Refused(response.content)
        if response.status_code != 302 or response["location"] != "/signed-in":
            raise RuntimeError(f"the project responds with {response.status_code}")
        account = SocialAccount.objects.get()
        return SignedIn(account.uid, account.extra_data["userinfo"])


TRIALS = [
    Trial(
        client="django-allauth",
        distribution="django-allauth",
        app=App(
            "allauthplain",
            "https://allauthplain.example/oidc/broker/login/callback/",
            code_binding="nonce",
        ),
        settings="nothing: its defaults, with `code-binding` `nonce`",
        start=DjangoAllauth,
        is_refused=True,
    ),
    Trial(
        client="django-allauth",
        distribution="django-allauth",
        app=App("allauth", "https://allauth.example/oidc/broker/login/callback/"),
        settings="`oauth_pkce_enabled` in the app's `settings`",
        start=partial(DjangoAllauth, oauth_pkce_enabled=True),
    ),
]
