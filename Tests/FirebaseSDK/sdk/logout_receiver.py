# SPDX-License-Identifier: Apache-2.0
"""Where the OpenID Connect app hears that its sessions ended."""

import base64
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs


@dataclass
class LogoutReceiver:
    """Listens at a port of its own. It verifies nothing: others do that with the broker's logout tokens."""

    url: str = ""
    sessions: list[str] = field(default_factory=list)


@contextmanager
def serve() -> Iterator[LogoutReceiver]:
    """Takes logout tokens, and keeps the sessions that they name."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            receiver.sessions.append(session_of(form["logout_token"][0]))
            self.send_response_only(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """What comes is kept."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = LogoutReceiver(f"http://127.0.0.1:{server.server_address[1]}/logout")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


def session_of(token: str) -> str:
    """Returns the `sid` of an ID token or a logout token."""
    payload = token.split(".")[1]
    claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return str(claims["sid"])
