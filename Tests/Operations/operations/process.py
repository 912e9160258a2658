# SPDX-License-Identifier: Apache-2.0
"""A program that runs as long as a check needs it."""

import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from operations.check import Failed
from operations.waiting import SECONDS_TO_WAIT, wait_until

_SECONDS_TO_END = 30


class Process:
    """A running program and what it writes."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        directory: Path,
        environment: Mapping[str, str] | None = None,
        log_file: Path | None = None,
    ) -> None:
        self.name = name
        self.output_file = directory / f"{name}.output"
        self.log_file = log_file or directory / f"{name}.log"
        self._arguments = list(arguments)
        self._environment = os.environ | dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        # Appended to, so that a program which is started again does not lose what it wrote before.
        with self.output_file.open("ab") as output, self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                self._arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=log, env=self._environment
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(timeout=_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        """The ID of the process."""
        if self._process is None:
            raise Failed(f"{self.name} was not started")
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return None if self._process is None else self._process.poll()

    @property
    def output(self) -> str:
        """What it wrote to its standard output."""
        return self.output_file.read_text()

    def send(self, number: signal.Signals) -> None:
        """Sends a signal."""
        os.kill(self.pid, number)

    def wait(self, seconds: float) -> int:
        """Waits for the end and returns the exit status."""
        if self._process is None:
            raise Failed(f"{self.name} was not started")
        try:
            return self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name} did not end within {seconds:g} s") from None

    def wait_for_line(
        self, text: str, after: int = 0, seconds: float = SECONDS_TO_WAIT, level: str | None = None
    ) -> str:
        """Waits for a line of the log that contains a text, beyond the first `after` lines."""
        return wait_until(
            f"a line {'at ' + level if level else ''} with {text!r} in the log of the {self.name}",
            lambda: next((line for line in self.lines(after, level) if text in line), None),
            seconds,
        )

    def lines(self, after: int = 0, level: str | None = None) -> list[str]:
        """Returns the complete lines of the log beyond the first `after`, all or those of one level."""
        lines = self.log_file.read_bytes().decode(errors="replace").split("\n")[:-1][after:]
        return [line for line in lines if level is None or _level(line) == level]

    @property
    def resident_bytes(self) -> int:
        """The memory that it uses at the moment."""
        return self._status_bytes("VmRSS:")

    @property
    def processor_seconds(self) -> float:
        """The processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def open_files(self) -> int:
        """The number of descriptors that it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def limit(self, kind: int, value: int) -> Callable[[], None]:
        """Sets a soft limit of the running process, and returns what sets it back."""
        before, hard = resource.prlimit(self.pid, kind)
        resource.prlimit(self.pid, kind, (value, hard))
        return lambda: (resource.prlimit(self.pid, kind, (before, hard)), None)[1]

    def _status_bytes(self, name: str) -> int:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
        raise Failed(f"the {self.name} has no {name}")


def _level(line: str) -> str | None:
    try:
        return str(json.loads(line).get("level"))
    except (ValueError, AttributeError):
        return None
