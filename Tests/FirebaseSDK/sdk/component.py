# SPDX-License-Identifier: Apache-2.0
"""The page with the Firebase SDK, seen from outside: a component that others wrote around it."""

from typing import Any

from sdk.browser import Browser
from sdk.check import Setting, wait_until
from sdk.installation import API_KEY

_BUTTON = "#root button"
# The SDK's errors have a code of its own.
_OUTCOME = """
    return (async () => {{ {} }})().then(
      (value) => ({{ value: value ?? null }}), (error) => ({{ code: error.code ?? String(error) }}));
    """


class Component:
    """The component in the window in which it was opened."""

    def __init__(self, setting: Setting, browser: Browser, path: str = "/sdk/") -> None:
        self._browser = browser
        self._window = browser.window
        self.url = f"{setting.site.origin}{path}"
        self.open()

    def open(self) -> None:
        """Loads the page, also again, and waits until the SDK knows whether somebody is signed in."""
        self._browser.switch(self._window)
        # Where it has a fragment, it would not be loaded again otherwise.
        self._browser.open("about:blank")
        self._browser.open(self.url)
        self.is_ready()

    def is_ready(self) -> None:
        """Waits until the SDK knows whether somebody is signed in."""
        self._browser.switch(self._window)
        shown = f"bundle.isReady && document.querySelector('{_BUTTON}') !== null"
        wait_until("the SDK", lambda: self._browser.reads(shown))

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
        """The person who is signed in."""
        uid: str | None = self.run("return bundle.auth.currentUser?.uid ?? null")
        return uid

    def press(self) -> None:
        """Presses the only button, which signs in by `signInWithPopup`."""
        self.run("bundle.values.length = 0")
        self._browser.click(_BUTTON)

    def said(self) -> dict[str, Any]:
        """Returns what came of the sign-in, which the component tells once it is over."""
        result: list[dict[str, Any]] = wait_until("the end of the sign-in", lambda: self.run("return bundle.values"))
        return result[0]

    def sign_in(self) -> dict[str, Any]:
        """Signs in by a popup at the provider that needs nobody, and returns what came of it."""
        self.press()
        return self.said()

    def asks(self, provider: str) -> None:
        """Has the button lead to another provider from now on."""
        self.run(
            """
            const resolver = bundle.auth._popupRedirectResolver;
            const open = resolver._openPopup;
            resolver._openPopup = function (auth, asked, ...more) {
              asked.providerId = values[0];
              return open.call(this, auth, asked, ...more);
            };
            """,
            provider,
        )

    def redirects(self) -> None:
        """Has the button begin `signInWithRedirect`, which the bundle has no call of.

        Its two steps are those of the SDK: it notes that a redirect is pending, and leaves.
        """
        self.run(
            """
            const resolver = bundle.auth._popupRedirectResolver;
            resolver._openPopup = (auth, provider) => {
              sessionStorage.setItem(`firebase:pendingRedirect:${values[0]}:[DEFAULT]`, '"true"');
              return resolver._openRedirect(auth, provider, "signInViaRedirect");
            };
            """,
            API_KEY,
        )
