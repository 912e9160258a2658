# SPDX-License-Identifier: Apache-2.0
"""What WebDriver has no command for: profiles of their own in one browser, by the Chrome DevTools Protocol."""

import json
import secrets
import socket
import struct
import urllib.request
from typing import Any

_SECONDS_TO_ANSWER = 60


class DevTools:
    """The connection to a browser as a whole: JSON in text frames of a WebSocket (RFC 6455)."""

    def __init__(self, address: str) -> None:
        """`address` is the host and the port where the browser listens."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://{address}/json/version", timeout=_SECONDS_TO_ANSWER) as response:
            url: str = json.load(response)["webSocketDebuggerUrl"]
        path = url.removeprefix("ws://").partition("/")[2]
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), _SECONDS_TO_ANSWER)
        self._received = self._socket.makefile("rb")
        self._number = 0
        upgrade = (
            f"GET /{path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self._socket.sendall(upgrade.encode())
        status = self._received.readline()
        if b" 101 " not in status:
            raise RuntimeError(f"the browser answers {status!r}")
        while self._received.readline().strip():
            pass

    def close(self) -> None:
        """Closes the connection."""
        self._received.close()
        self._socket.close()

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends a command and returns its result. Events of the browser are left out."""
        self._number += 1
        self._send(json.dumps({"id": self._number, "method": method, "params": parameters}).encode())
        while True:
            message = json.loads(self._receive())
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                result: dict[str, Any] = message["result"]
                return result

    def _send(self, text: bytes) -> None:
        # All commands here are short; what a client sends is masked.
        mask = secrets.token_bytes(4)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(text))
        self._socket.sendall(struct.pack(">BBH", 0x81, 0xFE, len(text)) + mask + masked)

    def _receive(self) -> bytes:
        _, length = self._read(2)
        if length == 126:
            (length,) = struct.unpack(">H", self._read(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._read(8))
        return self._read(length)

    def _read(self, length: int) -> bytes:
        data = self._received.read(length)
        if len(data) < length:
            raise RuntimeError("the browser has closed the connection")
        return data
