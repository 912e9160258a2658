# SPDX-License-Identifier: Apache-2.0
"""A browser with several windows, of one user."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any

from webdriver import Chromium, chromium

from sdk.devtools import DevTools
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


class _Profile(Chromium):
    """The windows of one profile, in a browser that has others too, which are used in turn."""

    def __init__(self, shared: "_Shared") -> None:
        super().__init__(shared.driver.base)
        self._shared = shared
        self._context = {"browserContextId": shared.devtools.command("Target.createBrowserContext")["browserContextId"]}
        self._window = self._new_window()

    def command(self, method: str, path: str, value: Any = None) -> Any:
        """Sends a command to the window of this profile that is used."""
        if path == "/window/handles":
            # A window is known to WebDriver somewhat later.
            mine = self._windows()
            return [window for window in super().command(method, path) if window in mine]
        if path == "/window/new":
            return {"handle": self._new_window()}
        if (method, path) == ("POST", "/window"):
            self._window = value["handle"]
        if self._shared.used != self._window:
            self._shared.used = ""
            super().command("POST", "/window", {"handle": self._window})
            self._shared.used = self._window
        return None if (method, path) == ("POST", "/window") else super().command(method, path, value)

    def close(self) -> None:
        """Closes its windows, and forgets what it stored."""
        self._shared.used = ""
        self._shared.devtools.command("Target.disposeBrowserContext", **self._context)

    def _new_window(self) -> str:
        window: str = self._shared.devtools.command("Target.createTarget", url="about:blank", **self._context)["targetId"]
        return window

    def _windows(self) -> set[str]:
        targets = self._shared.devtools.command("Target.getTargets")["targetInfos"]
        return {each["targetId"] for each in targets if self._context.items() <= each.items()}


class _Shared:
    """A browser for several profiles, and the window that is used."""

    def __init__(self, driver: Chromium, devtools: DevTools) -> None:
        self.driver = driver
        self.devtools = devtools
        self.used = ""


@contextmanager
def browsers() -> Iterator[Callable[..., AbstractContextManager[Browser]]]:
    """Starts Chromium, and yields what makes a new profile in it, which shares nothing with others: no cookies, storage
    and cache. With further arguments it starts a browser for them; the last argument of a name counts."""
    with chromium([], _ARGUMENTS) as driver, closing(DevTools(driver.debugger_address)) as devtools:
        shared = _Shared(driver, devtools)

        @contextmanager
        def make(*arguments: str) -> Iterator[Browser]:
            if arguments:
                with chromium([], [*_ARGUMENTS, *arguments]) as own:
                    yield Browser(own)
            else:
                with closing(_Profile(shared)) as profile:
                    yield Browser(profile)

        yield make


@contextmanager
def _firefox() -> Iterator[Browser]:
    with firefox() as driver:
        yield Browser(driver)


@contextmanager
def _firefox_browsers() -> Iterator[Callable[..., AbstractContextManager[Browser]]]:
    yield _firefox


# What starts browsers, by their name.
BROWSERS = {"chromium": browsers, "firefox": _firefox_browsers}
