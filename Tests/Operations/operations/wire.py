# SPDX-License-Identifier: Apache-2.0
"""HTTP requests of a user, an app or an operator, each over a connection of its own."""

import http.client
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

_SECONDS_TO_RESPOND = 30


@dataclass(frozen=True)
class Endpoint:
    """The address of a listener on this machine."""

    scheme: str
    port: int
    context: ssl.SSLContext | None = None
    name: str = "localhost"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.name}:{self.port}"

    def connect(self, source: str, seconds: float = _SECONDS_TO_RESPOND) -> http.client.HTTPConnection:
        """Returns a connection that is not made yet, from an address of 127.0.0.0/8."""
        if self.context is not None:
            return http.client.HTTPSConnection(
                self.name, self.port, context=self.context, source_address=(source, 0), timeout=seconds
            )
        return http.client.HTTPConnection(self.name, self.port, source_address=(source, 0), timeout=seconds)


@dataclass(frozen=True)
class Response:
    """A response that was read to its end."""

    status: int
    fields: http.client.HTTPMessage
    body: str

    @property
    def location(self) -> str:
        """Where it redirects to; empty if it does not."""
        return self.fields.get("Location", "")


def get(
    endpoint: Endpoint, target: str, fields: Mapping[str, str] | None = None, source: str = "127.0.0.1"
) -> Response:
    """Sends a GET request."""
    return _request(endpoint, "GET", target, None, fields or {}, source)


def post(
    endpoint: Endpoint,
    target: str,
    form: Mapping[str, str],
    fields: Mapping[str, str],
    source: str = "127.0.0.1",
) -> Response:
    """Sends a form."""
    fields = {"Content-Type": "application/x-www-form-urlencoded", **fields}
    return _request(endpoint, "POST", target, urlencode(form), fields, source)


def _request(
    endpoint: Endpoint, method: str, target: str, body: str | None, fields: Mapping[str, str], source: str
) -> Response:
    connection = endpoint.connect(source)
    try:
        connection.request(method, target, body, dict(fields))
        return read(connection)
    finally:
        connection.close()


def read(connection: http.client.HTTPConnection) -> Response:
    """Reads the response to the request that was sent on a connection."""
    response = connection.getresponse()
    return Response(response.status, response.headers, response.read().decode(errors="replace"))
