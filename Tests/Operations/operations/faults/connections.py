# SPDX-License-Identifier: Apache-2.0
"""Connections that do nothing, and connections that send a byte a second."""

import socket
import ssl
import time

from operations.check import Check, Setting, require
from operations.connections import Connections, has_ended
from operations.crowd import signing_in
from operations.installation import running
from operations.waiting import wait_until

_IDLE_NETWORK = 202
_DRIPPING_NETWORK = 203
# Measured: 22 KB with the optimized build, most of it the state of TLS.
_BYTES_OF_A_CONNECTION = 64 * 1024
_SECONDS_OF_A_HEAD = 10
_SECONDS_OF_GRACE = 5
_MEGABYTE = 1024 * 1024


def _idle(setting: Setting) -> str:
    count = setting.amount(1_000, 10_000)
    with running(setting, server={"maximum-connections": count + 500, "memory-bytes": 512 * _MEGABYTE}) as made:
        with Connections(made.endpoint, _IDLE_NETWORK) as idle, signing_in(made) as crowd:
            crowd.require_more()
            before = made.broker.resident_bytes
            idle.open_idle(count, "/__/auth/jwks")
            held = made.metric("auth_connections")
            growth = made.broker.resident_bytes - before
            require(held >= count, f"only {held:.0f} connections are open")
            crowd.require_more(10)
        wait_until("the connections are gone", lambda: made.metric("auth_connections") < 10, 20)
        each = growth / count
        require(each <= _BYTES_OF_A_CONNECTION, f"{each / 1024:.0f} KB for each connection")
        return f"{held:.0f} open, {growth / _MEGABYTE:.0f} MB, {each / 1024:.0f} KB each; {crowd.figure}"


def _dripping(setting: Setting) -> str:
    count = setting.amount(1_000, 1_000)
    head = b"GET /__/auth/jwks HTTP/1.1\r\nX-Drip: "
    with (
        running(setting) as made,
        Connections(made.endpoint, _DRIPPING_NETWORK) as dripping,
        signing_in(made) as crowd,
    ):
        crowd.require_more()
        before = made.broker.resident_bytes
        opened = {}
        for _ in range(count):
            connection = dripping.open()
            opened[connection] = time.monotonic()
        growth = made.broker.resident_bytes - before
        longest, position = 0.0, 0
        while opened:
            round_began = time.monotonic()
            for connection in list(opened):
                if has_ended(connection) or not _drip(connection, head, position):
                    longest = max(longest, time.monotonic() - opened.pop(connection))
            position += 1
            oldest = min(opened.values(), default=round_began)
            limit = _SECONDS_OF_A_HEAD + _SECONDS_OF_GRACE
            require(time.monotonic() - oldest < limit, f"a head was dripped for {limit} s")
            time.sleep(max(0, round_began + 1 - time.monotonic()))
        crowd.require_more(10)
        return f"{count} heads, the last closed after {longest:.1f} s, {growth / _MEGABYTE:.0f} MB; {crowd.figure}"


def _drip(connection: socket.socket, head: bytes, position: int) -> bool:
    byte = head[position : position + 1] or b"a"
    try:
        connection.send(byte)
    except (ssl.SSLWantWriteError, BlockingIOError):
        return True
    except OSError:
        return False
    return True


CHECKS = [
    Check(
        "idle connections over TLS",
        f"all stay open, at most {_BYTES_OF_A_CONNECTION // 1024} KB each, sign-ins go on",
        _idle,
    ),
    Check(
        "1,000 heads that come a byte a second",
        f"each connection is closed within {_SECONDS_OF_A_HEAD + _SECONDS_OF_GRACE} s, sign-ins go on",
        _dripping,
    ),
]
