# SPDX-License-Identifier: Apache-2.0
"""A user who signs in, and the app that keeps them signed in."""

import base64
import hashlib
import http.client
import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

from operations.check import Failed, require

from refresh_cost.servers import CLIENT_ID, REDIRECT_URI

SIGNED_IN, KEPT = "openid email profile", "openid email profile offline_access"
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_SECONDS_TO_RESPOND = 30


class Connections:
    """A connection of each thread, which stays open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._own = threading.local()

    def send(
        self, method: str, target: str, fields: Mapping[str, str], body: str | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Sends a request, and returns the response, which was read to its end."""
        connection = getattr(self._own, "connection", None)
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_SECONDS_TO_RESPOND)
            self._own.connection = connection
        connection.request(method, target, body, dict(fields))
        response = connection.getresponse()
        return response, response.read()


@dataclass(frozen=True)
class Code:
    """A code that the app received, and what it is redeemed with."""

    text: str
    verifier: str


class Person:
    """A user with an address, a subject at the provider and an account of their own."""

    def __init__(self, number: int, connections: Connections) -> None:
        self._connections = connections
        self._subject = f"{number:021d}"
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self._fields = {"X-Forwarded-For": address}
        self._refresh_token = ""

    def sign_in(self, scope: str) -> Code:
        """Signs in with a browser, up to the code."""
        verifier = secrets.token_urlsafe(32)
        start = {
            "client_id": CLIENT_ID,
            "redirect_uri": REDIRECT_URI,
            "response_type": "code",
            "scope": scope,
            "nonce": secrets.token_urlsafe(16),
            "state": secrets.token_urlsafe(16),
            "code_challenge": _challenge(verifier),
            "code_challenge_method": "S256",
        }
        response = self._open(f"/__/auth/authorize?{urlencode(start)}", "")
        cookies = [each.split(";")[0] for each in response.headers.get_all("Set-Cookie", [])]
        asked = _query(response)
        # The provider accepts such a code from any client.
        code = f"visitor.{self._subject}.{asked.get('nonce', '')}.{asked['code_challenge']}"
        target = urlsplit(asked["redirect_uri"]).path + "?" + urlencode({"code": code, "state": asked["state"]})
        handed = _query(self._open(target, "; ".join(cookies)))
        require("code" in handed, f"the callback gave no code: {handed.get('error')}")
        return Code(handed["code"], verifier)

    def redeem(self, code: Code, is_kept: bool) -> None:
        """Redeems a code, which begins a session if the user is kept signed in."""
        answer = self._ask_for_tokens(
            {
                "grant_type": "authorization_code",
                "redirect_uri": REDIRECT_URI,
                "code": code.text,
                "code_verifier": code.verifier,
            }
        )
        require(("refresh_token" in answer) == is_kept, "a refresh token for another scope")
        self._refresh_token = answer.get("refresh_token", self._refresh_token)

    def refresh(self) -> None:
        """Refreshes the tokens of the newest session."""
        form = {"grant_type": "refresh_token", "refresh_token": self._refresh_token}
        answer = self._ask_for_tokens(form)
        require(answer["refresh_token"] != self._refresh_token, "the refresh token was not replaced")
        self._refresh_token = answer["refresh_token"]

    def _ask_for_tokens(self, form: dict[str, str]) -> dict[str, str]:
        body = urlencode(form | {"client_id": CLIENT_ID})
        response, content = self._connections.send("POST", "/__/auth/token", self._fields | _FORM, body)
        if response.status != http.client.OK:
            raise Failed(f"{form['grant_type']}: status {response.status} {content[:200]!r}")
        answer: dict[str, str] = json.loads(content)
        require("id_token" in answer, "no ID token")
        return answer

    def _open(self, target: str, cookie: str) -> http.client.HTTPResponse:
        fields = self._fields | ({"Cookie": cookie} if cookie else {})
        response, _ = self._connections.send("GET", target, fields)
        require(response.status == http.client.SEE_OTHER, f"{urlsplit(target).path}: status {response.status}")
        return response


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _query(response: http.client.HTTPResponse) -> dict[str, str]:
    query = parse_qs(urlsplit(response.headers["Location"]).query)
    return {name: values[0] for name, values in query.items()}
