# SPDX-License-Identifier: Apache-2.0
"""Waiting for something that another process does."""

import time
from collections.abc import Callable
from typing import TypeVar

from operations.check import Failed

_Value = TypeVar("_Value")
_SECONDS_BETWEEN_LOOKS = 0.02
# A guard against what never comes; how fast something has to be is a number of its own where that is looked at.
SECONDS_TO_WAIT = 60


def wait_until(what: str, look: Callable[[], _Value | None], seconds: float = SECONDS_TO_WAIT) -> _Value:
    """Returns what `look` returns as soon as that is true; raises if it takes too long."""
    end = time.monotonic() + seconds
    while True:
        value = look()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"not within {seconds:g} s: {what}")
        time.sleep(_SECONDS_BETWEEN_LOOKS)
