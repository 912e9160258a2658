# SPDX-License-Identifier: Apache-2.0
"""HTTP/2 streams that are reset as soon as they were opened (rapid reset, CVE-2023-44487)."""

import socket

from operations import http2
from operations.check import Check, Setting, require
from operations.connections import Connections
from operations.crowd import signing_in
from operations.installation import running

_NETWORK = 204
# The server allows 100 within 30 seconds.
_RESETS_OF_A_CONNECTION = 250
_ALLOWED = 100
_MEGABYTES = 64
_MEGABYTE = 1024 * 1024


def _resets(setting: Setting) -> str:
    count = setting.amount(10_000, 100_000)
    with running(setting) as made, signing_in(made) as crowd:
        crowd.require_more()
        before = made.broker.resident_bytes
        authority = f"localhost:{made.endpoint.port}"
        streams = range(1, 2 * _RESETS_OF_A_CONNECTION, 2)
        attack = http2.PREFACE + http2.settings()
        attack += b"".join(
            http2.request(each, authority, "/__/auth/jwks") + http2.reset(each) for each in streams
        )
        ended = 0
        attempts = count // _RESETS_OF_A_CONNECTION
        for _ in range(attempts):
            with Connections(made.endpoint, _NETWORK, protocols=("h2",)) as connections:
                ended += _attack(connections.open(), attack)
        growth = made.broker.resident_bytes - before
        crowd.require_more(10)
        require(ended == attempts, f"only {ended} of {attempts} connections were ended")
        require(growth <= _MEGABYTES * _MEGABYTE, f"{growth / _MEGABYTE:.0f} MB more")
        return (
            f"{count:,} resets, {ended} connections ended, {growth / _MEGABYTE:.0f} MB more; {crowd.figure}"
        )


def _attack(connection: socket.socket, attack: bytes) -> bool:
    """Sends it, and returns whether the server ended the connection."""
    try:
        connection.sendall(attack)
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


CHECKS = [
    Check(
        "HTTP/2 streams that are reset at once",
        f"each connection is ended that resets more than {_ALLOWED}, at most {_MEGABYTES} MB more, sign-ins go on",
        _resets,
    )
]
