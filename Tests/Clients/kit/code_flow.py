# SPDX-License-Identifier: Apache-2.0
"""A client of an OpenID Provider: the authorization code flow with PKCE."""

import base64
import hashlib
import secrets
from urllib.parse import urlencode

import requests

from kit.user_agent import UserAgent


def sign_in(issuer: str, client_id: str, redirect_uri: str, nonce: str, browser: UserAgent) -> str:
    """Signs the user in and returns the ID token, without a look at it."""
    return tokens(issuer, client_id, redirect_uri, browser, {"nonce": nonce})["id_token"]


def tokens(
    issuer: str,
    client_id: str,
    redirect_uri: str,
    browser: UserAgent,
    parameters: dict[str, str],
    secret: str | None = None,
) -> dict[str, str]:
    """Signs the user in with further parameters at the start, and returns the token response."""
    metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    request = {
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "response_type": "code",
        "scope": "openid email profile",
        "state": secrets.token_urlsafe(16),
        "code_challenge": challenge.decode(),
        "code_challenge_method": "S256",
    } | parameters
    callback = browser.open(f"{metadata['authorization_endpoint']}?{urlencode(request)}", redirect_uri)
    form = {
        "grant_type": "authorization_code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "code": callback.parameters["code"],
        "code_verifier": verifier,
    }
    if secret is not None:
        form["client_secret"] = secret
    response = requests.post(metadata["token_endpoint"], data=form, timeout=10)
    if not response.ok:
        raise RuntimeError(f"{issuer} responds with {response.status_code}: {response.text}")
    issued: dict[str, str] = response.json()
    return issued
