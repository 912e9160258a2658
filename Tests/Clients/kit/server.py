# SPDX-License-Identifier: Apache-2.0
"""A server program that runs as long as the kit needs it."""

import subprocess
from pathlib import Path
from types import TracebackType
from typing import IO, Self


class Server:
    """A running program. What it writes is kept, its standard output apart from its log."""

    def __init__(self, name: str, arguments: list[str], directory: Path) -> None:
        self.name = name
        self._output = directory / f"{name}.output"
        self.log_file = directory / f"{name}.log"
        self._arguments = arguments
        self._files: list[IO[bytes]] = []
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._files = [self._output.open("wb"), self.log_file.open("wb")]
        self._process = subprocess.Popen(
            self._arguments,
            stdin=subprocess.DEVNULL,
            stdout=self._files[0],
            stderr=self._files[1],
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for file in self._files:
            file.close()

    @property
    def has_ended(self) -> bool:
        """Whether the program ended by itself, which it should not."""
        return self._process is None or self._process.poll() is not None

    @property
    def output(self) -> str:
        """What the program wrote to its standard output, which may hold credentials."""
        return self._output.read_text()
