# SPDX-License-Identifier: Apache-2.0
"""A Starlette app in this process, to which the browser comes back."""

from urllib.parse import urlsplit

from starlette.testclient import TestClient
from starlette.types import ASGIApp

from kit.callback import Callback
from kit.trial import Refused, SignedIn, SignIn


class WebApp(SignIn):
    """An app that begins a sign-in at `/login` and responds to the callback with what it knows, as JSON.

    It responds to a callback that its library refuses with 403.
    """

    def __init__(self, app: ASGIApp, redirect_uri: str) -> None:
        parts = urlsplit(redirect_uri)
        self._client = TestClient(app, base_url=f"{parts.scheme}://{parts.netloc}", follow_redirects=False)

    def begin(self) -> str:
        return str(self._client.get("/login").headers["location"])

    def complete(self, callback: Callback) -> SignedIn:
        if callback.form is None:
            response = self._client.get(callback.target)
        else:
            response = self._client.post(callback.target, data=callback.form)
        if response.status_code == 403:
            raise Refused(response.text)
        response.raise_for_status()
        return SignedIn(**response.json())
