# SPDX-License-Identifier: Apache-2.0
"""A Django project in this process, and its test client as the app to which the browser comes back."""

from collections.abc import Sequence
from urllib.parse import urlsplit

import django
from django.conf import settings
from django.core.management import call_command
from django.test import Client

_APPLICATIONS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
]
_MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]


def start(
    redirect_uri: str,
    urls: str,
    applications: Sequence[str],
    middleware: Sequence[str] = (),
    **options: object,
) -> Client:
    """Sets up the project of this process with an empty database, and returns a client of it.

    `urls` is the module with the URL patterns of the client's application; `options` are further settings.
    """
    host = urlsplit(redirect_uri).netloc
    settings.configure(
        ALLOWED_HOSTS=[host],
        CLIENT_URLS=urls,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=[*_APPLICATIONS, *applications],
        LOGIN_REDIRECT_URL="/signed-in",
        MIDDLEWARE=[*_MIDDLEWARE, *middleware],
        ROOT_URLCONF="kit.django_urls",
        SECRET_KEY="of a project that lasts for one sign-in and is never deployed",
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        USE_TZ=True,
        **options,
    )
    django.setup()
    call_command("migrate", verbosity=0)
    return Client(headers={"host": host})
