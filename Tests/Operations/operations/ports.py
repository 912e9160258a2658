# SPDX-License-Identifier: Apache-2.0
"""Ports and addresses of this machine."""

import socket
from collections.abc import Iterator


def free_port() -> int:
    """Returns a port on which nothing listens at the moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def addresses(network: int, count: int) -> Iterator[str]:
    """Returns addresses of 127.0.0.0/8, beginning with 127.`network`.0.1."""
    for number in range(1, count + 1):
        yield f"127.{network}.{number // 250}.{number % 250 + 1}"
