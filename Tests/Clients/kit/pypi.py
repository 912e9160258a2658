# SPDX-License-Identifier: Apache-2.0
"""The libraries of PyPI, in the order of the tables: the names of modules."""

CLIENTS = [
    "authlib_requests",
    "authlib_refresh",
    "authlib_starlette",
    "requests_oauthlib",
    "flask_dance",
    "flask_appbuilder",
    "idpyoidc",
    "mozilla_django_oidc",
    "social_auth",
    "fastapi_sso",
    "httpx_oauth",
    "django_allauth",
    "msal",
    "mcp",
    "oauthenticator",
    "streamlit",
]

VERIFIERS = ["google_auth", "pyjwt", "firebase_admin"]
