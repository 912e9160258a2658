# SPDX-License-Identifier: Apache-2.0
"""What stands between the brokers and the providers, and keeps every exchange of a code."""

import http.client
import http.server
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs

from replicas.apple import HOST, Apple
from replicas.history import fingerprint
from replicas.points import AFTER, BEFORE, EXCHANGE, Hold, Point

_SECONDS = 20
# No provider answers as fast as one on the same machine. In this time a replica has the callback in hand.
_SECONDS_OF_AN_EXCHANGE = 0.1
_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "proxy-connection"}


@dataclass
class Exchange:
    """A code that a broker sent the provider, and the status that it got; `None` if it got none."""

    time: float
    replica: str
    code: str
    status: int | None = None


class Recorder:
    """Passes requests on to the provider, and those for Apple to what stands for it."""

    def __init__(self, provider_port: int, apple: Apple | None) -> None:
        self.exchanges: list[Exchange] = []
        self.apple = apple
        self._provider_port = provider_port
        self._hold: Hold | None = None
        self._servers: list[_Server] = []

    def listen(self, listener: socket.socket, replica: str) -> None:
        """Serves the brokers that connect to a socket, which listens already."""
        server = _Server(listener, self, replica)
        self._servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

    @contextmanager
    def held(self, replica: str, point: Point, count: int, is_dropped: bool) -> Iterator[None]:
        """Holds the exchange that comes to a point for the count-th time while the block runs."""
        self._hold = Hold(replica, point, count)
        with self._hold.held(is_dropped):
            yield

    def passes(self, replica: str, when: str) -> bool:
        """Waits if an exchange is held at this point; returns whether it is passed on."""
        return self._hold is None or self._hold.passes(replica, Point(when, EXCHANGE))

    def close(self) -> None:
        """Serves no client any more."""
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def pass_on(
        self, method: str, target: str, body: bytes, fields: dict[str, str]
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Asks the provider and returns status, fields and body of its response."""
        connection = http.client.HTTPConnection("127.0.0.1", self._provider_port, timeout=_SECONDS)
        try:
            connection.request(method, target, body, fields)
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        finally:
            connection.close()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, listener: socket.socket, recorder: Recorder, replica: str) -> None:
        super().__init__(listener.getsockname(), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.recorder = recorder
        self.replica = replica

    def handle_error(self, request: object, client_address: object) -> None:
        """A broker that was killed is no error here."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A response is sent at once, not its head first.
    wbufsize = -1
    server: _Server
    _apple: Apple | None = None

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def do_CONNECT(self) -> None:
        """What comes through the tunnel is read like any other request."""
        apple = self.server.recorder.apple
        self.send_response_only(200)
        self.end_headers()
        self.wfile.flush()
        self.close_connection = False
        if apple is not None and self.path == f"{HOST}:443":
            self.connection = apple.context.wrap_socket(self.connection, server_side=True)
            self.rfile = self.connection.makefile("rb", self.rbufsize)
            self.wfile = self.connection.makefile("wb", self.wbufsize)
            self._apple = apple

    def log_message(self, *arguments: object) -> None:
        """Nothing is logged."""

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        exchange = self._exchange(body) if self.command == "POST" else None
        recorder, replica = self.server.recorder, self.server.replica
        if exchange is not None and not recorder.passes(replica, BEFORE):
            self.close_connection = True
            return
        status, answered, content = self._answer(body)
        if exchange is not None:
            time.sleep(_SECONDS_OF_AN_EXCHANGE)
            exchange.status = status
            if not recorder.passes(replica, AFTER):
                self.close_connection = True
                return
        self.send_response_only(status)
        for name, value in answered:
            if name.lower() not in _HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _answer(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        if self._apple is not None:
            status, content = self._apple.respond(self.path, body)
            return status, [("Content-Type", "application/json")], content
        fields = {name: value for name, value in self.headers.items() if name.lower() not in _HOP_BY_HOP}
        return self.server.recorder.pass_on(self.command, self.path, body, fields)

    def _exchange(self, body: bytes) -> Exchange | None:
        form = parse_qs(body.decode(errors="replace"))
        if form.get("grant_type") != ["authorization_code"] or "code" not in form:
            return None
        exchange = Exchange(time.monotonic(), self.server.replica, fingerprint(form["code"][0]))
        self.server.recorder.exchanges.append(exchange)
        return exchange
