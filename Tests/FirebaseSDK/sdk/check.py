# SPDX-License-Identifier: Apache-2.0
"""A check, and what it may use."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeVar

from sdk.browser import Browser
from sdk.installation import Installation
from sdk.site import Site

_Value = TypeVar("_Value")
_SECONDS_TO_WAIT = 60


@dataclass(frozen=True)
class Setting:
    """The broker, the sites of apps, and the browsers of users.

    `site` is of an authorized domain, and cross-site to the broker; `other` is of a domain that is not authorized.
    """

    broker: Installation
    site: Site
    other: Site
    browser: Callable[..., AbstractContextManager[Browser]]


@dataclass(frozen=True)
class Check:
    """A check, which raises `Failed` or anything else if something does not hold.

    `needs_chromium` says whether it needs an argument or a command of Chromium.
    """

    name: str
    run: Callable[[Setting], None]
    needs_chromium: bool = False


class Failed(Exception):
    """Something does not hold."""


def require(condition: object, message: str) -> None:
    """Raises `Failed` unless a condition holds."""
    if not condition:
        raise Failed(message)


def wait_until(what: str, look: Callable[[], _Value | None], seconds: float = _SECONDS_TO_WAIT) -> _Value:
    """Returns what `look` returns as soon as that is true; raises if it takes too long."""
    end = time.monotonic() + seconds
    while True:
        value = look()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"not within {seconds:g} s: {what}")
        time.sleep(0.05)
