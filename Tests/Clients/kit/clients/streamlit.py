# SPDX-License-Identifier: Apache-2.0
"""Streamlit's own sign-in, which is made of Authlib's: a whole app, and the page as a browser shows it."""

import json
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import streamlit
from starlette.testclient import TestClient
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial

_SCRIPT = Path(__file__).parent.parent / "streamlit_page.py"
_XSRF_COOKIE = "_streamlit_xsrf"


class Streamlit(SignIn):
    """An app with the secrets that its documentation names, and the session of a browser there."""

    def __init__(self, registration: Registration) -> None:
        auth = {
            "redirect_uri": registration.redirect_uri,
            "cookie_secret": secrets.token_urlsafe(32),
            "client_id": registration.client_id,
            "client_secret": registration.secret,
            "server_metadata_url": registration.metadata_url,
        }
        app = streamlit.App(_SCRIPT, secrets={"auth": auth})
        parts = urlsplit(registration.redirect_uri)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._stream = f"wss://{parts.netloc}/_stcore/stream"
        self._browser = TestClient(app, base_url=self._origin, follow_redirects=False)
        # The app runs as long as this process.
        self._browser.__enter__()

    def begin(self) -> str:
        login, _ = self._page()
        if login is None:
            raise RuntimeError("the page begins no sign-in")
        url = str(self._browser.get(login).headers["location"])
        prompt = parse_qs(urlsplit(url).query).get("prompt")
        if prompt != ["select_account"]:
            raise RuntimeError(f"it sends the prompt {prompt}")
        return url

    def complete(self, callback: Callback) -> SignedIn:
        response = self._browser.get(callback.target)
        if response.status_code != 302 or response.headers["location"] != "/":
            raise RuntimeError(f"the app responds with {response.status_code}")
        login, claims = self._page()
        if claims is None:
            if login is None:
                raise RuntimeError("the page shows no user, and begins no sign-in")
            raise Refused
        # The next callback is to sign the user in by itself.
        self._browser.get("/auth/logout")
        return SignedIn(claims["sub"], claims)

    def _page(self) -> tuple[str | None, dict[str, Any] | None]:
        """Loads the page; returns the path where it sends the browser to sign in, or the claims that it shows."""
        self._browser.get("/_stcore/health")
        token = self._browser.cookies[_XSRF_COOKIE]
        login: str | None = None
        claims: dict[str, Any] | None = None
        with self._browser.websocket_connect(
            self._stream, subprotocols=["streamlit", token], headers={"Origin": self._origin}
        ) as stream:
            run = BackMsg()
            run.rerun_script.SetInParent()
            stream.send_bytes(run.SerializeToString())
            while True:
                message = ForwardMsg.FromString(stream.receive_bytes())
                kind = message.WhichOneof("type")
                if kind == "auth_redirect":
                    login = message.auth_redirect.url
                elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "json":
                    claims = json.loads(message.delta.new_element.json.body)
                elif kind == "script_finished":
                    return login, claims


TRIALS = [
    Trial(
        client="Streamlit",
        distribution="streamlit",
        app=App("streamlit", "https://streamlit.example/oauth2callback"),
        settings="nothing; it sends `prompt=select_account`",
        start=Streamlit,
    ),
]
