# SPDX-License-Identifier: Apache-2.0
"""What is tried with an API that verifies access tokens: its own is accepted, and nothing else."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import jwt
import requests

from kit import code_flow
from kit.user_agent import UserAgent

_SECONDS_TO_START = 30
_SECONDS_TO_END = 15
_RESULT = "accepts the access token; refuses an ID token, and one for another API"
# Whether an API accepts a token, or a request without one.
Call = Callable[[str | None], bool]
# Runs an API with the public key of the access tokens, the issuer, and the identifier of the API.
Running = Callable[[jwt.PyJWK, str, str], AbstractContextManager[Call]]


def examine(running: Running) -> dict[str, str]:
    """Signs in by the environment of an executable, and calls the API; returns what the row says of the tokens."""
    issuer = os.environ["BROKER_ISSUER"]
    orders, billing = os.environ["API_IDENTIFIERS"].split()
    browser = UserAgent(os.environ["BROKER_CA_FILE"])

    def tokens(resource: str) -> dict[str, str]:
        return code_flow.tokens(
            issuer,
            os.environ["CLIENT_ID"],
            os.environ["REDIRECT_URI"],
            browser,
            {"resource": resource},
            os.environ["CLIENT_SECRET"],
        )

    mine, other = tokens(orders), tokens(billing)
    token = mine["access_token"]
    metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()
    keys = jwt.PyJWKSet.from_dict(requests.get(metadata["jwks_uri"], timeout=10).json())
    key_id = jwt.get_unverified_header(token)["kid"]
    key = next(key for key in keys.keys if key.key_id == key_id)
    calls = {
        "the token": token,
        "none": None,
        "an ID token": mine["id_token"],
        "another API's": other["access_token"],
        "an altered one": _altered(token),
    }
    with running(key, issuer, orders) as call:
        accepted = [what for what, sent in calls.items() if call(sent)]
    if accepted != ["the token"]:
        raise RuntimeError(f"it accepts {accepted}")
    with running(key, issuer, billing) as call:
        if not call(other["access_token"]):
            raise RuntimeError("the other API does not accept its own token, so the refusal proves nothing")
    return {
        "sends": "PKCE S256, `resource`",
        "sub": jwt.decode(token, options={"verify_signature": False})["sub"],
        "algorithm": jwt.get_unverified_header(mine["id_token"])["alg"],
        "result": _RESULT,
    }


@contextlib.contextmanager
def serving(command: Sequence[str], port: int, environment: Mapping[str, str] | None = None) -> Iterator[Call]:
    """Runs a program that answers with 204 what it accepts."""
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr)

    def call(token: str | None) -> bool:
        fields = {} if token is None else {"Authorization": f"Bearer {token}"}
        return requests.get(f"http://127.0.0.1:{port}/", headers=fields, timeout=5).status_code == 204

    try:
        end = time.monotonic() + _SECONDS_TO_START
        while True:
            with contextlib.suppress(requests.ConnectionError):
                call(None)
                break
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{command[0]} does not listen")
            time.sleep(0.05)
        yield call
    finally:
        process.terminate()
        process.wait(_SECONDS_TO_END)


def _altered(token: str) -> str:
    head, signature = token.rsplit(".", 1)
    return f"{head}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
