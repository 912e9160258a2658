# SPDX-License-Identifier: Apache-2.0
"""A provider whose sessions end: in a browser with its own ID token only, and by its administrator."""

import base64
import http.server
import json
import secrets
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from kit import certificates

_CLIENT, _SECRET = "broker", "secret-of-the-broker"
_LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
# The element of the page that a user sees who comes without the provider's ID token.
REFUSED = "refused"


@dataclass
class Provider:
    """Signs the user in without asking, with the session that the browser has there."""

    name: str
    issuer: str
    signs_out_at: str
    _key: Path = field(repr=False)
    # The sessions that began in a browser, and those that ended there.
    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    _codes: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    # The sessions by their ID tokens.
    _issued: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def id(self) -> str:
        """Its ID at the broker."""
        return f"oidc.{self.name}"

    @property
    def keys(self) -> dict[str, Any]:
        """The keys of the broker's configuration below `auth.provider.<name>`."""
        return {
            "id": self.id,
            "issuer": self.issuer,
            "insecure-loopback-issuer": True,
            "client-id": _CLIENT,
            "client-secret": _SECRET,
            "scopes": ["openid"],
            "back-channel-logout": True,
        }

    def end(self, session: str) -> int:
        """Ends a session as an administrator does, and returns the status of what the broker answers."""
        claims = {"sid": session, "jti": secrets.token_urlsafe(), "events": {_LOGOUT_EVENT: {}}}
        form = urlencode({"logout_token": self._sign("logout+jwt", claims)}).encode()
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(self.signs_out_at, form, 30) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            return error.code

    def metadata(self) -> dict[str, Any]:
        """Its metadata (OpenID Connect Discovery 1.0 section 3)."""
        endpoints = {"authorization": "authorize", "token": "token", "end_session": "end-session"}
        return {
            "issuer": self.issuer,
            **{f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in endpoints.items()},
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "authorization_response_iss_parameter_supported": True,
        }

    def key_set(self) -> dict[str, Any]:
        """The key that signs."""
        modulus = self._openssl("rsa", "-noout", "-modulus", "-in", str(self._key)).decode()
        number = bytes.fromhex(modulus.strip().partition("=")[2])
        return {"keys": [{"kty": "RSA", "kid": "1", "use": "sig", "n": _base64(number), "e": "AQAB"}]}

    @property
    def cookie(self) -> str:
        """The name of its cookie. Ports of one host have their cookies in common."""
        return f"session-{self.name}"

    def session(self, cookies: str) -> str:
        """Returns the session of a browser, which begins if there is none."""
        cookie = SimpleCookie(cookies).get(self.cookie)
        if cookie is not None:
            return cookie.value
        self.begun.append(secrets.token_urlsafe())
        return self.begun[-1]

    def authorize(self, asked: dict[str, str], session: str) -> str:
        """Returns where the browser goes with a code."""
        code = secrets.token_urlsafe()
        self._codes[code] = (asked["nonce"], session)
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state'], 'iss': self.issuer})}"

    def redeem(self, form: dict[str, str]) -> dict[str, Any]:
        """Returns the tokens for a code."""
        nonce, session = self._codes.pop(form["code"])
        claims = {"sub": f"ada-at-{self.name}", "nonce": nonce, "sid": session}
        token = self._sign("JWT", claims)
        self._issued[token] = session
        return {"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "expires_in": 300, "id_token": token}

    def end_session(self, asked: dict[str, str]) -> str | None:
        """Returns where the browser goes after a sign-out; None without an ID token of a session."""
        session = self._issued.get(asked.get("id_token_hint", ""))
        if session is None:
            return None
        self.ended.append(session)
        return f"{asked['post_logout_redirect_uri']}?{urlencode({'state': asked['state']})}"

    def _sign(self, type: str, claims: dict[str, Any]) -> str:
        now = int(time.time())
        all = {"iss": self.issuer, "aud": _CLIENT, "iat": now, "exp": now + 120} | claims
        parts = [{"alg": "RS256", "kid": "1", "typ": type}, all]
        text = ".".join(_base64(json.dumps(part).encode()) for part in parts)
        return f"{text}.{_base64(self._openssl('dgst', '-sha256', '-sign', str(self._key), given=text.encode()))}"

    @staticmethod
    def _openssl(*arguments: str, given: bytes = b"") -> bytes:
        return subprocess.run(["openssl", *arguments], input=given, check=True, capture_output=True).stdout


@contextmanager
def serve(name: str, broker: str) -> Iterator[Provider]:
    """Serves a provider at a free port; `broker` is the URL below which the broker's paths are."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            asked = dict(parse_qsl(url.query))
            if url.path == "/.well-known/openid-configuration":
                self._send_json(provider.metadata())
            elif url.path == "/keys":
                self._send_json(provider.key_set())
            elif url.path == "/authorize":
                session = provider.session(self.headers["Cookie"] or "")
                self._redirect(provider.authorize(asked, session), session)
            elif url.path == "/end-session" and (target := provider.end_session(asked)):
                self._redirect(target, "; Max-Age=0")
            else:
                self._send(400, "text/html", f"<!DOCTYPE html><p id='{REFUSED}'>Who signs out?</p>".encode())

        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._send_json(provider.redeem(dict(parse_qsl(form))))

        def _redirect(self, target: str, cookie: str) -> None:
            self.send_response_only(303)
            self.send_header("Location", target)
            self.send_header("Set-Cookie", f"{provider.cookie}={cookie}")
            self._end(b"")

        def _send_json(self, value: dict[str, Any]) -> None:
            self._send(200, "application/json", json.dumps(value).encode())

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self.send_response_only(status)
            self.send_header("Content-Type", kind)
            self._end(content)

        def _end(self, content: bytes) -> None:
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """The URL holds the code."""

    with tempfile.TemporaryDirectory() as directory:
        key = Path(directory) / "key.pem"
        key.write_text(certificates.signing_key("RS256"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        issuer = f"http://127.0.0.1:{server.server_address[1]}"
        provider = Provider(name, issuer, f"{broker}/notifications/{name}", key)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield provider
        finally:
            server.shutdown()
            server.server_close()


def _base64(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
