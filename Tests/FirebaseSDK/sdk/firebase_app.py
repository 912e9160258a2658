# SPDX-License-Identifier: Apache-2.0
"""The page `site/firebase.js`, which has the Firebase SDK, seen from outside."""

from typing import Any

from sdk import person
from sdk.browser import Browser
from sdk.check import Setting, wait_until
from sdk.installation import ASKING

# The SDK's errors have a code of its own.
_OUTCOME = """
    return (async () => {{ {} }})().then(
      (value) => ({{ value: value ?? null }}), (error) => ({{ code: error.code ?? String(error) }}));
    """


class FirebaseApp:
    """The page in the window in which it was opened."""

    def __init__(self, setting: Setting, browser: Browser, path: str = "/sdk/") -> None:
        self._browser = browser
        self._window = browser.window
        self.url = f"{setting.site.origin}{path}"
        self.open()

    def open(self) -> None:
        """Loads the page, also again, and waits until the SDK knows whether a user is signed in."""
        self._browser.switch(self._window)
        # Where it has a fragment, it would not be loaded again otherwise.
        self._browser.open("about:blank")
        self._browser.open(self.url)
        self.is_ready()

    def is_ready(self) -> None:
        """Waits until the SDK knows whether a user is signed in."""
        self._browser.switch(self._window)
        wait_until("the SDK", lambda: self._browser.reads("page.isReady"))

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs the body of an asynchronous function in the page."""
        self._browser.switch(self._window)
        return self._browser.run(script, *arguments)

    def outcome(self, script: str, *arguments: Any) -> dict[str, Any]:
        """Runs the body of an asynchronous function in the page; returns its `value`, or the `code` of its error."""
        outcome: dict[str, Any] = self.run(_OUTCOME.format(script), *arguments)
        return outcome

    @property
    def uid(self) -> str | None:
        """The user who is signed in."""
        uid: str | None = self.run("return page.auth.currentUser?.uid ?? null")
        return uid

    def press(self, button: str = "popup") -> None:
        """Presses the button that signs in by a popup, or the one that links by a popup or signs in by a redirect."""
        self.run("page.said = null")
        self._browser.click(f"#{button}")

    def said(self) -> dict[str, Any]:
        """Returns what came of the popup once it is over: the `user`, or the `code` of an error."""
        said: dict[str, Any] = wait_until("the end of the sign-in", lambda: self.run("return page.said"))
        return said

    def sign_in(self) -> dict[str, Any]:
        """Signs in by a popup at the provider without pages, and returns the result."""
        self.press()
        return self.said()

    def sign_in_as(self, somebody: tuple[str, str], decision: str = "allow") -> dict[str, Any]:
        """Has a user sign in by a popup at the provider that asks, and returns what came of it."""
        self.asks(ASKING)
        before = set(self._browser.windows)
        self.press()
        opened = wait_until("a popup", lambda: [each for each in self._browser.windows if each not in before])
        self._browser.switch(opened[0])
        person.sign_in(self._browser, somebody, decision)
        return self.said()

    def asks(self, provider: str) -> None:
        """Has the buttons lead to another provider from now on."""
        self.run("page.providerId = values[0]", provider)
