# SPDX-License-Identifier: Apache-2.0
"""A check: what is done to the server, what must hold, and the figure that came of it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, auto
from pathlib import Path


class Effort(IntEnum):
    """How much is done, and so how long it takes."""

    QUICK = auto()
    FULL = auto()
    ALL = auto()


@dataclass(frozen=True)
class Setting:
    """What a check may use. What is random in a check follows from the seed."""

    executable: Path
    directory: Path
    effort: Effort
    seed: int

    def amount(self, quick: int, full: int) -> int:
        """Returns the number of connections or requests to make."""
        return quick if self.effort is Effort.QUICK else full


@dataclass(frozen=True)
class Check:
    """A check, which returns its figure, and raises `Failed` or anything else if something does not hold."""

    name: str
    expected: str
    run: Callable[[Setting], str]
    least_effort: Effort = Effort.QUICK


class Failed(Exception):
    """Something does not hold."""


class LeftOut(Exception):
    """A check cannot be made on this machine, for a reason that is printed."""


def require(condition: bool, message: str) -> None:
    """Raises `Failed` unless a condition holds."""
    if not condition:
        raise Failed(message)
