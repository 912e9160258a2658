# SPDX-License-Identifier: Apache-2.0
"""Two thousand addresses ask for as much as they may, and for more."""

import socket
import time

from operations.addresses import addresses
from operations.check import Check, Setting, require
from operations.connections import Connections
from operations.crowd import signing_in
from operations.installation import running
from operations.person import Person

_NETWORK = 207
_ADDRESSES = 2_000
_BURST = 4
_REQUESTS = 8


def _at_the_limit(setting: Setting) -> str:
    # A tenth of the default, so that this machine can reach the limit of each.
    limits = {"browser-per-second": 2, "browser-burst": _BURST}
    with running(setting, server={"rate-limit": limits}) as made, signing_in(made, pause=1.1) as crowd:
        fields = f"Host: localhost:{made.endpoint.port}\r\nConnection: close\r\n"
        request = f"GET {Person(made).start_target()} HTTP/1.1\r\n{fields}\r\n".encode()
        statuses: dict[int, int] = {}
        least = _REQUESTS
        began = time.monotonic()
        for source in addresses(_NETWORK, _ADDRESSES):
            found = []
            for _ in range(_REQUESTS):
                # Each on a connection of its own: one that was refused is not read for a while.
                with Connections(made.endpoint, _NETWORK) as connections:
                    found.append(_status(connections.open(source), request))
            for status in found:
                statuses[status] = statuses.get(status, 0) + 1
            least = min(least, found.count(429))
        seconds = time.monotonic() - began
        crowd.require_more(2)
        counted = made.metric("auth_limits_total", limit="browser")
        refused = statuses.pop(429, 0)
        require(least > 0, "an address was never refused")
        require(set(statuses) <= {302, 303}, f"other statuses: {statuses}")
        require(counted == refused, f"auth_limits counts {counted:.0f} instead of {refused}")
        return (
            f"{_ADDRESSES * _REQUESTS:,} requests in {seconds:.0f} s, {refused:,} refused with 429, each address at "
            f"least {least} times; {crowd.figure}"
        )


def _status(connection: socket.socket, request: bytes) -> int:
    """Sends a request and returns the status of the response."""
    connection.sendall(request)
    received = b""
    while piece := connection.recv(65_536):
        received += piece
    return int(received[9:12])


CHECKS = [
    Check(
        "2,000 addresses beyond the limit of browsers",
        "each is refused with 429, `auth_limits` counts every one, one more person signs in unhindered",
        _at_the_limit,
    )
]
