# SPDX-License-Identifier: Apache-2.0
"""A sign-in of a native app: at the provider, then with what came of it at the broker's accounts."""

import hashlib
import secrets
from dataclasses import dataclass
from urllib.parse import urlencode

import requests

from kit import code_flow
from kit.accounts import API_KEY, NATIVE_CLIENT
from kit.installation import Installation
from kit.user_agent import UserAgent

_PATH = "identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"


@dataclass(frozen=True)
class SignedInAccount:
    """The account, and its ID token."""

    uid: str
    provider_id: str
    id_token: str


def sign_in(installation: Installation, browser: UserAgent) -> SignedInAccount:
    """Signs the user in as an SDK does."""
    raw_nonce = secrets.token_urlsafe(16)
    credential = code_flow.sign_in(
        installation.provider_issuer,
        NATIVE_CLIENT,
        f"{NATIVE_CLIENT}:/callback",
        hashlib.sha256(raw_nonce.encode()).hexdigest(),
        browser,
    )
    post_body = {"id_token": credential, "providerId": "oidc.development", "nonce": raw_nonce}
    response = requests.post(
        f"{installation.origin}/{_PATH}",
        params={"key": API_KEY},
        json={"requestUri": "http://localhost", "postBody": urlencode(post_body), "returnSecureToken": True},
        timeout=10,
    )
    if not response.ok:
        raise RuntimeError(f"the accounts respond with {response.status_code}: {response.text}")
    account = response.json()
    return SignedInAccount(account["localId"], account["providerId"], account["idToken"])
