# SPDX-License-Identifier: Apache-2.0
"""A browser with several windows, of one person."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from webdriver import Chromium, chromium

from sdk.firefox import firefox

# What a page of one site loads of another one gets no cookies and no storage of that site's own.
_ARGUMENTS = ["--test-third-party-cookie-phaseout"]


class Browser:
    """Chromium or Firefox. A window is a handle of WebDriver; what is done is done in the one that was switched to last."""

    def __init__(self, driver: Chromium) -> None:
        self._driver = driver
        self.find = driver.find
        self.click = driver.click
        self.open = driver.open
        self._command = driver.command

    @property
    def url(self) -> str:
        """The URL in the address bar."""
        url: str = self._driver.url
        return url

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs the body of an asynchronous function in the page and returns its value; raises what it throws."""
        result = self._driver.run(script, *arguments)
        if result is None:
            raise RuntimeError("the window was closed")
        if "error" in result:
            raise RuntimeError(f"{result['error']} in {self.url}")
        return result.get("value")

    def reads(self, expression: str) -> Any:
        """Reads a value of the page; None where it has none, or is on its way to another page."""
        try:
            return (self._driver.run(f"return {expression}") or {}).get("value")
        except RuntimeError:
            return None

    def type(self, selector: str, text: str) -> None:
        """Types into a field."""
        self.run("const field = document.querySelector(values[0]); field.value = values[1];", selector, text)

    @property
    def windows(self) -> list[str]:
        """The windows that are open."""
        windows: list[str] = self._command("GET", "/window/handles")
        return windows

    @property
    def window(self) -> str:
        """The window that is used."""
        window: str = self._command("GET", "/window")
        return window

    def switch(self, window: str) -> None:
        """Uses a window."""
        self._command("POST", "/window", {"handle": window})

    def new_tab(self) -> str:
        """Opens a tab, uses it, and returns it."""
        tab: str = self._command("POST", "/window/new", {"type": "tab"})["handle"]
        self.switch(tab)
        return tab

    def close(self) -> None:
        """Closes the window that is used. Another one must be switched to."""
        self._command("DELETE", "/window")

    def console(self) -> list[str]:
        """What was written to the console since the last time."""
        return [entry["message"] for entry in self._command("POST", "/se/log", {"type": "browser"})]


@contextmanager
def browser(*arguments: str) -> Iterator[Browser]:
    """Starts Chromium with a new profile and further arguments; the last argument of a name counts."""
    with chromium([], [*_ARGUMENTS, *arguments]) as driver:
        yield Browser(driver)


@contextmanager
def _firefox() -> Iterator[Browser]:
    with firefox() as driver:
        yield Browser(driver)


# What starts a browser, by its name.
BROWSERS: dict[str, Callable[..., AbstractContextManager[Browser]]] = {"chromium": browser, "firefox": _firefox}
