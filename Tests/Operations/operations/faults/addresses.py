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
_REQUESTS = 12


def _at_the_limit(setting: Setting) -> str:
    # A tenth of the default, so that this machine can reach the limit of each.
    limits = {"browser-per-second": 2, "browser-burst": _BURST}
    with running(setting, server={"rate-limit": limits}) as made, signing_in(made, pause=1.1) as crowd:
        head = f"GET {Person(made).start_target()} HTTP/1.1\r\nHost: localhost:{made.endpoint.port}\r\n"
        requests = (head + "\r\n").encode() * (_REQUESTS - 1) + (head + "Connection: close\r\n\r\n").encode()
        statuses: dict[int, int] = {}
        least = _REQUESTS
        began = time.monotonic()
        for source in addresses(_NETWORK, _ADDRESSES):
            with Connections(made.endpoint, _NETWORK) as connections:
                found = _statuses(connections.open(source), requests)
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


def _statuses(connection: socket.socket, requests: bytes) -> list[int]:
    """Sends pipelined requests and returns the statuses of the responses."""
    connection.sendall(requests)
    received = b""
    while piece := connection.recv(65_536):
        received += piece
    return [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]]


CHECKS = [
    Check(
        "2,000 addresses beyond the limit of browsers",
        "each is refused with 429, `auth_limits` counts every one, one more person signs in unhindered",
        _at_the_limit,
    )
]
