# SPDX-License-Identifier: Apache-2.0
"""RESP2, the protocol of Redis and Valkey: enough to ask a server, and to stand between it and its clients."""

import socket
from typing import Any


class ServerError(Exception):
    """The server answered with an error."""


def encode(*words: str | bytes) -> bytes:
    """Returns a command."""
    parts = [f"*{len(words)}\r\n".encode()]
    for word in words:
        data = word.encode() if isinstance(word, str) else word
        parts.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(parts)


def read(data: bytes | bytearray, start: int = 0) -> tuple[Any, int] | None:
    """Returns the value that begins at a position and the position behind it; `None` if more is to come.

    Texts are `bytes`, lists are lists, errors are values of `ServerError`.
    """
    end = data.find(b"\r\n", start)
    if end < 0:
        return None
    kind, rest, position = data[start : start + 1], bytes(data[start + 1 : end]), end + 2
    if kind == b"+":
        return rest, position
    if kind == b"-":
        return ServerError(rest.decode(errors="replace")), position
    if kind == b":":
        return int(rest), position
    if kind == b"$":
        return _bulk(data, int(rest), position)
    if kind == b"*":
        return _list(data, int(rest), position)
    raise ValueError("that is no RESP2")


def _bulk(data: bytes | bytearray, length: int, position: int) -> tuple[Any, int] | None:
    if length < 0:
        return None, position
    if len(data) < position + length + 2:
        return None
    return bytes(data[position : position + length]), position + length + 2


def _list(data: bytes | bytearray, length: int, position: int) -> tuple[Any, int] | None:
    if length < 0:
        return None, position
    values = []
    for _ in range(length):
        item = read(data, position)
        if item is None:
            return None
        values.append(item[0])
        position = item[1]
    return values, position


def ask(address: str, port: int, *words: str, seconds: float = 2) -> Any:
    """Sends a server one command over a connection of its own and returns the answer."""
    with socket.create_connection((address, port), timeout=seconds) as connection:
        connection.sendall(encode(*words))
        data = bytearray()
        while (answer := read(data)) is None:
            received = connection.recv(65536)
            if not received:
                raise ConnectionError("the server closed the connection")
            data += received
    if isinstance(answer[0], ServerError):
        raise answer[0]
    return answer[0]
