# SPDX-License-Identifier: Apache-2.0
"""The libraries of PyPI, in the order of the tables."""

from kit.clients import (
    authlib_requests,
    authlib_starlette,
    django_allauth,
    fastapi_sso,
    flask_dance,
    httpx_oauth,
    idpyoidc,
    mozilla_django_oidc,
    msal,
    oauthenticator,
    requests_oauthlib,
    social_auth,
)
from kit.trial import Trial
from kit.verifier import VerifierTrial
from kit.verifiers import firebase_admin, google_auth, pyjwt

CLIENTS: list[Trial] = [
    *authlib_requests.TRIALS,
    *authlib_starlette.TRIALS,
    *requests_oauthlib.TRIALS,
    *flask_dance.TRIALS,
    *idpyoidc.TRIALS,
    *mozilla_django_oidc.TRIALS,
    *social_auth.TRIALS,
    *fastapi_sso.TRIALS,
    *httpx_oauth.TRIALS,
    *django_allauth.TRIALS,
    *msal.TRIALS,
    *oauthenticator.TRIALS,
]

VERIFIERS: list[VerifierTrial] = [*google_auth.TRIALS, *pyjwt.TRIALS, *firebase_admin.TRIALS]
