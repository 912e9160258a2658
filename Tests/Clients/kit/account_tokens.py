# SPDX-License-Identifier: Apache-2.0
"""The ID token of an account, and tokens that a verifier must refuse."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jwt
import requests

from kit import certificates, code_flow
from kit.accounts import ADMIN_TOKEN, PROJECT_ID, Accounts
from kit.app import App
from kit.installation import Installation
from kit.native_sign_in import SignedInAccount, sign_in
from kit.user_agent import UserAgent

_Change = Callable[[dict[str, Any]], dict[str, Any]]
# What is changed in the claims of a token that is then signed with the published key.
_CHANGES: dict[str, _Change] = {
    "another audience": lambda claims: claims | {"aud": f"{PROJECT_ID}2"},
    "another issuer": lambda claims: claims | {"iss": f"{claims['iss']}2"},
    "no subject": lambda claims: {name: claims[name] for name in claims if name != "sub"},
    "an expired one": lambda claims: claims | {"iat": claims["iat"] - 7200, "exp": int(time.time()) - 60},
    "one from the future": lambda claims: claims | {"iat": claims["iat"] + 600, "exp": claims["exp"] + 600},
}


@dataclass(frozen=True)
class AccountTokens:
    """The tokens for the verifiers, those to refuse by what is wrong with them.

    `same_claims` has the genuine token's claims and was signed here: it must pass, or the refusals prove nothing.
    `session_cookie` was made of the genuine token: a verifier of session cookies takes it, and no other token.
    """

    account: SignedInAccount
    same_claims: str
    session_cookie: str
    to_refuse: dict[str, str]


def app(algorithm: str) -> App:
    """Returns the app that has ID tokens of the broker for the audience of those of accounts."""
    return App(PROJECT_ID, "https://people.example/callback", is_public=True, algorithm=algorithm)


def obtain(installation: Installation, accounts: Accounts) -> AccountTokens:
    """Signs the user in with an account, and makes the tokens to refuse."""
    browser = UserAgent(installation.certificates.authority)
    account = sign_in(installation, browser)
    claims = jwt.decode(account.id_token, options={"verify_signature": False})
    key_id = jwt.get_unverified_header(account.id_token)["kid"]

    def signed(claims: dict[str, Any], key: str = accounts.signing_key, key_id: str = key_id) -> str:
        return jwt.encode(claims, key, accounts.algorithm, headers={"kid": key_id})

    stranger = certificates.signing_key(accounts.algorithm)
    mine = app(accounts.algorithm)
    broker_token = code_flow.sign_in(
        installation.issuer, mine.name, mine.redirect_uri, secrets.token_urlsafe(16), browser
    )
    to_refuse = {what: signed(change(claims)) for what, change in _CHANGES.items()}
    to_refuse |= {
        "an altered signature": _altered(account.id_token),
        "a stranger's signature": signed(claims, stranger),
        "a key that is not published": signed(claims, stranger, "stranger"),
        "no signature": jwt.encode(claims, "", "none", headers={"kid": key_id}),
        "an ID token of the broker": broker_token,
    }
    cookie = _session_cookie(installation, account.id_token)
    return AccountTokens(account, signed(claims), cookie, to_refuse | {"a session cookie": cookie})


def _session_cookie(installation: Installation, id_token: str) -> str:
    """Makes a session cookie of an ID token, with the token of the operator where an admin SDK has it."""
    host = f"{installation.loopback}/{ADMIN_TOKEN}"
    response = requests.post(
        f"http://{host}/identitytoolkit.googleapis.com/v1/projects/{PROJECT_ID}:createSessionCookie",
        json={"idToken": id_token, "validDuration": 1_209_600},
        headers={"Authorization": "Bearer owner"},
        timeout=10,
    )
    response.raise_for_status()
    return str(response.json()["sessionCookie"])


def _altered(token: str) -> str:
    """Returns a token with another first character of the signature."""
    signed, signature = token.rsplit(".", 1)
    return f"{signed}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
