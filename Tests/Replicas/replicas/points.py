# SPDX-License-Identifier: Apache-2.0
"""The moments of a sign-in at which something can be made to go wrong, and what is held there until it has."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from operations.check import Failed

BEFORE, AFTER = "before", "after"
CLAIM, PUT, TAKE, EXCHANGE, ANSWER = "claim", "put", "take", "exchange", "answer"
SECONDS_TO_BE_REACHED = 20


class NotReached(Failed):
    """Nothing came to a point."""


@dataclass(frozen=True)
class Point:
    """A moment: before something is passed on, or after it was done and before its answer.

    An `ANSWER` is the redirect with which a callback ends; after it, the browser has it.
    """

    when: str
    what: str

    def __str__(self) -> str:
        return f"{self.when} {self.what}"


POINTS = [Point(when, what) for what in (CLAIM, EXCHANGE, PUT, TAKE, ANSWER) for when in (BEFORE, AFTER)]


class Hold:
    """One thing that is held at a point, in this process."""

    def __init__(self, replica: str, point: Point, count: int) -> None:
        self._replica = replica
        self._point = point
        self._remaining = count
        self._lock = threading.Lock()
        self._reached = threading.Event()
        self._released = threading.Event()
        self._is_dropped = False

    def passes(self, replica: str, point: Point) -> bool:
        """Waits if this is what is held; returns whether it is passed on."""
        with self._lock:
            if (replica, point) != (self._replica, self._point) or self._remaining == 0:
                return True
            self._remaining -= 1
            if self._remaining > 0:
                return True
        self._reached.set()
        self._released.wait(SECONDS_TO_BE_REACHED)
        return not self._is_dropped

    @contextmanager
    def held(self, is_dropped: bool) -> Iterator[None]:
        """Waits until the point is reached, and lets go at the end of the block."""
        try:
            if not self._reached.wait(SECONDS_TO_BE_REACHED):
                raise NotReached(f"nothing came {self._point} at replica {self._replica}")
            yield
        finally:
            with self._lock:
                self._remaining = 0
            self._is_dropped = is_dropped
            self._released.set()
