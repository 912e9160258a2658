# SPDX-License-Identifier: Apache-2.0
"""A proxy in front of the broker at the same origin, with a service worker, like an app that embeds the broker."""

import http.client
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import urlsplit

# A page, and a worker that passes navigations on. It discards responses to preloads.
PAGE, WORKER = "/page", "/worker.js"
_WORKER = b"""
    oninstall = () => skipWaiting();
    onactivate = (event) => event.waitUntil(clients.claim());
    onfetch = (event) => {
      if (event.request.mode !== "navigate") return;
      event.respondWith((async () => {
        await event.preloadResponse;
        return fetch(event.request);
      })());
    };
    """
_FILES = {
    PAGE: ("text/html", b"<!DOCTYPE html><title>App</title>"),
    WORKER: ("text/javascript", _WORKER),
}


@dataclass(frozen=True)
class Exchange:
    """A request of the browser, and what the broker answered."""

    path: str
    asked: Message
    status: int
    answered: Message

    @property
    def sent(self) -> tuple[str | None, ...]:
        """What the browser says of the request: mode, destination, and whether it is a preload."""
        names = ("Sec-Fetch-Mode", "Sec-Fetch-Dest", "Service-Worker-Navigation-Preload")
        return tuple(self.asked[name] for name in names)


@dataclass
class Front:
    """Listens at a port of its own. Exchanges are in the order of the answers."""

    port: int = 0
    exchanges: list[Exchange] = field(default_factory=list)

    def of(self, path: str) -> list[Exchange]:
        """The requests that were passed on to a path of the broker."""
        return [exchange for exchange in self.exchanges if exchange.path == f"/__/auth/{path}"]


@contextmanager
def serve(broker: str) -> Iterator[Front]:
    """Passes requests on to the broker at an origin."""
    address = urlsplit(broker).netloc
    front = Front()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path in _FILES:
                kind, content = _FILES[path]
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self._end(content)
                return
            connection = http.client.HTTPConnection(address, timeout=30)
            connection.request("GET", self.path, headers=dict(self.headers.items()))
            response = connection.getresponse()
            content = response.read()
            connection.close()
            front.exchanges.append(Exchange(path, self.headers, response.status, response.headers))
            self.send_response_only(response.status)
            for name, value in response.headers.items():
                if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                    self.send_header(name, value)
            self._end(content)

        def _end(self, content: bytes) -> None:
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """The URL holds the code."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    front.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield front
    finally:
        server.shutdown()
        server.server_close()
