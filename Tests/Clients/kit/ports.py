# SPDX-License-Identifier: Apache-2.0
"""Ports for servers that have to be told theirs."""

import random
import socket
from pathlib import Path

_RANGE_OF_THE_SYSTEM = Path("/proc/sys/net/ipv4/ip_local_port_range")
# No browser refuses one of them.
_FIRST = 20_000
# What Linux begins with, unless it was told otherwise.
_FIRST_OF_THE_SYSTEM = 32_768


class _Ports:
    """Ports below those that the system gives away, beginning anywhere, each once."""

    def __init__(self) -> None:
        self._end = _FIRST_OF_THE_SYSTEM
        if _RANGE_OF_THE_SYSTEM.exists():
            self._end = max(_FIRST + 1000, int(_RANGE_OF_THE_SYSTEM.read_text().split()[0]))
        self._last = random.SystemRandom().randrange(_FIRST, self._end)

    def next(self) -> int:
        """Returns the next port."""
        self._last = self._last + 1 if self._last + 1 < self._end else _FIRST
        return self._last


_PORTS = _Ports()


def free_port() -> int:
    """Returns a port without a listener, which only a process gets that asks for its number.

    The system never chooses one of these for another server, or for a connection: it may give the
    port away a moment before the server listens there, or while it is down.
    """
    while True:
        port = _PORTS.next()
        with socket.socket() as listener:
            try:
                listener.bind(("", port))
            except OSError:
                continue
        return port
