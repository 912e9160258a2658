# SPDX-License-Identifier: Apache-2.0
"""Connections in large numbers, from as many addresses as the limit for each address asks for."""

import http.client
import resource
import socket
import ssl
from collections.abc import Sequence
from typing import Self

from operations.addresses import addresses
from operations.wire import Endpoint

# The server allows 256.
_CONNECTIONS_OF_AN_ADDRESS = 200
_SECONDS = 20


class Connections:
    """Open connections with TLS, if the endpoint has it. They are closed at the end of the block."""

    def __init__(self, endpoint: Endpoint, network: int, protocols: Sequence[str] = ("http/1.1",)) -> None:
        self._endpoint = endpoint
        self._network = network
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # Who attacks does not verify certificates.
        self._context.check_hostname = False
        self._context.verify_mode = ssl.CERT_NONE
        self._context.set_alpn_protocols(list(protocols))
        self.sockets: list[socket.socket] = []

    def __enter__(self) -> Self:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return self

    def __exit__(self, *error: object) -> None:
        for each in self.sockets:
            each.close()

    def open(self, source: str | None = None, tls: bool = True) -> socket.socket:
        """Opens one more connection."""
        number = len(self.sockets) // _CONNECTIONS_OF_AN_ADDRESS + 1
        address = source or list(addresses(self._network, number))[-1]
        connection = socket.create_connection(
            ("127.0.0.1", self._endpoint.port), timeout=_SECONDS, source_address=(address, 0)
        )
        # Otherwise a request waits until the end of the handshake was acknowledged.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls and self._endpoint.context is not None:
            connection = self._context.wrap_socket(connection)
        self.sockets.append(connection)
        return connection

    def open_idle(self, count: int, path: str) -> None:
        """Opens connections that make one request each: one without any would soon be closed."""
        request = f"GET {path} HTTP/1.1\r\nHost: localhost:{self._endpoint.port}\r\n\r\n".encode()
        for _ in range(count):
            connection = self.open()
            connection.sendall(request)
            response = http.client.HTTPResponse(connection)
            response.begin()
            response.read()


def has_ended(connection: socket.socket) -> bool:
    """Whether the server has closed a connection, on which it sends nothing."""
    connection.setblocking(False)
    try:
        return connection.recv(4096) == b""
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True
