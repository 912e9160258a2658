# SPDX-License-Identifier: Apache-2.0
"""Headless Firefox by Marionette, its own protocol: the commands of WebDriver on a socket, without geckodriver."""

import contextlib
import json
import re
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webdriver import SECONDS_TO_ANSWER, SECONDS_TO_END, Chromium

_COMMANDS = {
    "GET /url": "GetCurrentURL",
    "POST /url": "Navigate",
    "POST /elements": "FindElements",
    "POST /click": "ElementClick",
    "POST /execute/async": "ExecuteAsyncScript",
    "GET /window": "GetWindowHandle",
    "POST /window": "SwitchToWindow",
    "DELETE /window": "CloseWindow",
    "GET /window/handles": "GetWindowHandles",
    "POST /window/new": "NewWindow",
}
_PREFERENCES = {
    "marionette.port": 0,
    # Popups that no click opens are blocked, as in a browser that nobody controls.
    "dom.disable_open_during_load": True,
    # Nothing but loopback is reached.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
}


class _Firefox(Chromium):
    """Takes the commands of WebDriver over HTTP, and sends those of Marionette."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__("")
        self._connection = connection
        self._stream = connection.makefile("rb")
        self._sent = 0
        self._receive()

    def command(self, method: str, path: str, value: dict[str, Any] | None = None) -> Any:
        element = re.fullmatch("/element/(.+)(/click)", path)
        if element:
            path, value = element[2], {"id": element[1]}
        return self.send(_COMMANDS[f"{method} {path}"], value)

    def send(self, name: str, value: dict[str, Any] | None = None) -> Any:
        """Sends a command by its name, and returns its result."""
        self._sent += 1
        text = json.dumps([0, self._sent, f"WebDriver:{name}", value or {}]).encode()
        self._connection.sendall(b"%d:%b" % (len(text), text))
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{error['error']}: {error['message'][:300]}")
        return result["value"] if isinstance(result, dict) and result.keys() == {"value"} else result

    def _receive(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            if not byte:
                raise RuntimeError("Firefox ended")
            length += byte
        return json.loads(self._stream.read(int(length)))


@contextlib.contextmanager
def firefox() -> Iterator[Chromium]:
    """Starts Firefox with a new profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        profile = Path(directory)
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _PREFERENCES.items())
        (profile / "user.js").write_text("".join(lines))
        process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", directory],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            port = _port(process, profile / "MarionetteActivePort")
            with socket.create_connection(("127.0.0.1", port), SECONDS_TO_ANSWER) as connection:
                browser = _Firefox(connection)
                browser.send("NewSession")
                yield browser
        finally:
            process.terminate()
            try:
                process.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _port(process: "subprocess.Popen[bytes]", file: Path) -> int:
    """Waits for the port that the system chose, which Firefox writes to a file of the profile."""
    end = time.monotonic() + SECONDS_TO_ANSWER
    while time.monotonic() < end and process.poll() is None:
        text = file.read_text() if file.exists() else ""
        if text:
            return int(text)
        time.sleep(0.05)
    raise RuntimeError("Firefox did not start")
