# SPDX-License-Identifier: Apache-2.0
"""One user who signs in, step by step."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from urllib.parse import parse_qs, urlencode, urlsplit

from kit.form import Form

from operations.broker_configuration import REDIRECT_URI
from operations.check import Failed
from operations.installation import Installation
from operations.wire import Endpoint, Response, get, post


class NotSignedIn(Failed):
    """A step of a sign-in did not lead on."""

    def __init__(self, step: str, response: Response) -> None:
        # Of what is no page, only an error is shown: it may hold a token.
        shown = Form(response.body).heading or (response.body[:200] if '"error"' in response.body else "")
        super().__init__(
            f"{step}: status {response.status} {_without_query(response.location)} {shown}".rstrip()
        )
        self.response = response


class Person:
    """A user at a browser with an address of its own, and the app that the user signs in to."""

    client_id = "web"
    scope = "openid email profile"

    def __init__(
        self,
        installation: Installation,
        source: str = "127.0.0.1",
        endpoint: Endpoint | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> None:
        self._installation = installation
        self._endpoint = endpoint or installation.endpoint
        self._source = source
        self._fields = dict(fields or {})
        self._cookies: dict[str, str] = {}
        self._verifier = ""

    def sign_in(self) -> float:
        """Signs in, checks the tokens' subject, and returns the seconds that it took."""
        start = time.monotonic()
        self.redeem(self.call_back(self.log_in(self.begin())))
        return time.monotonic() - start

    def begin(self) -> str:
        """Begins at the broker, and returns the authorization request to the provider."""
        return self._redirected("start", self._open(self.start_target()))

    def start_target(self) -> str:
        """Returns the path and query with which the app begins a sign-in."""
        self._verifier = secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self._verifier.encode()).digest()).rstrip(b"=")
        request = {
            "client_id": self.client_id,
            "redirect_uri": REDIRECT_URI,
            "response_type": "code",
            "scope": self.scope,
            "nonce": secrets.token_urlsafe(16),
            "state": secrets.token_urlsafe(16),
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        return f"/__/auth/authorize?{urlencode(request)}"

    def log_in(self, authorization_url: str) -> str:
        """Logs in at the provider, and returns the callback's URL."""
        provider = Endpoint("http", self._installation.provider_port)
        return self._redirected("login", get(provider, _target(authorization_url), source=self._source))

    def call_back(self, callback_url: str) -> str:
        """Follows the callback, and returns the code that the app receives."""
        response = self._open(_target(callback_url))
        codes = parse_qs(urlsplit(response.location).query).get("code", [])
        if response.location.split("?")[0] != REDIRECT_URI or len(codes) != 1:
            raise NotSignedIn("callback", response)
        return codes[0]

    def open_callback(self, callback_url: str) -> Response:
        """Follows the callback, wherever it leads."""
        return self._open(_target(callback_url))

    def redeem(self, code: str) -> None:
        """Redeems the code as the app does."""
        form = {
            "grant_type": "authorization_code",
            "redirect_uri": REDIRECT_URI,
            "code": code,
            "code_verifier": self._verifier,
        }
        credentials = base64.b64encode(f"{self.client_id}:{self._installation.app_secret}".encode()).decode()
        fields = self._fields | {"Authorization": f"Basic {credentials}"}
        response = post(self._endpoint, "/__/auth/token", form, fields, self._source)
        if response.status != 200 or "id_token" not in json.loads(response.body):
            raise NotSignedIn("token", response)

    def _open(self, target: str) -> Response:
        fields = self._fields | ({"Cookie": self._cookie} if self._cookies else {})
        response = get(self._endpoint, target, fields, self._source)
        for cookie in response.fields.get_all("Set-Cookie", []):
            name, _, rest = cookie.partition("=")
            value, *attributes = rest.split(";")
            if any(each.strip().lower() == "max-age=0" for each in attributes):
                self._cookies.pop(name, None)
            else:
                self._cookies[name] = value
        return response

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    @staticmethod
    def _redirected(step: str, response: Response) -> str:
        if not 300 <= response.status < 400 or not response.location or "error=" in response.location:
            raise NotSignedIn(step, response)
        return response.location


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}"


def _without_query(url: str) -> str:
    """What may be printed of a URL: its query may hold a code."""
    error = parse_qs(urlsplit(url).query).get("error", [""])[0]
    return url.split("?")[0] + (f" error={error}" if error else "")
