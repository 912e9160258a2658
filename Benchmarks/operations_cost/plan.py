# SPDX-License-Identifier: Apache-2.0
"""What is measured with, and how long."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Plan:
    """The executables, the processors, the folder of the run, and its length."""

    broker: Path
    tool: Path
    server_processors: str
    own_processors: str
    directory: Path
    is_quick: bool
    previous_tool: Path | None = None

    def amount(self, quick: int, full: int) -> int:
        """Returns a number of rounds, seconds or reloads."""
        return quick if self.is_quick else full

    @contextmanager
    def off_the_servers_processors(self) -> Iterator[None]:
        """Keeps this thread, and those that it starts, off the processors whose time is measured."""
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, numbers(self.own_processors))
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)

    @property
    def build(self) -> str:
        """The kind of the broker, from its path."""
        return next((kind for kind in ("debug", "release") if kind in self.broker.parts), "other")


def numbers(processors: str) -> set[int]:
    """Reads a list such as 0,2 or 1-3."""
    numbers: set[int] = set()
    for part in processors.split(","):
        first, _, last = part.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers
