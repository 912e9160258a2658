# SPDX-License-Identifier: Apache-2.0
"""The web app of `oidc-broker-demo --accounts`, with our own client and with the Firebase SDK."""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.demo import demo_beside
from webdriver import chromium

from sdk.browser import Browser
from sdk.check import require, wait_until

_ARGUMENTS = [
    # The certificates are made by the demo.
    "--ignore-certificate-errors",
    # A script of a test is no click.
    "--disable-popup-blocking",
    "--test-third-party-cookie-phaseout",
]
# The SDK for pages without modules.
_FILES = ("firebase-app-compat.js", "firebase-auth-compat.js")
_SECONDS_TO_STOP = 30
_READY = "Press Ctrl-C"
_STATE = """
    const text = (id) => document.getElementById(id).textContent;
    return { uid: text("uid"), providers: text("providers"), error: text("error"), state: text("state") };
    """
# What the SDK is asked for that the page has no button for.
_CALL = """
    const [member, id] = values;
    window.outcome = null;
    const provider = new firebase.auth.OAuthProvider(id);
    firebase.auth().currentUser[member](provider)
      .then(({ operationType, user }) => { window.outcome = `${operationType} ${user.uid}`; })
      .catch(({ code }) => { window.outcome = code; });
    """
_ASKS = "document.querySelector('#allow') !== null"
_UNLINK = "return (await firebase.auth().currentUser.unlink(values[0])).providerData.map(({ providerId }) => providerId)"


@dataclass
class _Demo:
    """The demo, and the users whom its providers know."""

    url: str
    people: list[tuple[str, str]]


@contextmanager
def _running(executable: Path, files: Sequence[Path]) -> Iterator[_Demo]:
    arguments = [argument for file in files for argument in ("--sdk", str(file))]
    command = [demo_beside(executable), "--accounts", *arguments]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = ""
            for line in process.stdout or ():
                said += line
                if _READY in line:
                    break
            url = re.search(r"https://\S+/web\b", said)
            require(url, f"the demo did not start: {said}")
            yield _Demo(url[0] if url else "", re.findall(r"(\S+@\S+), password (.+)$", said, re.MULTILINE))
        finally:
            process.terminate()
            process.wait(_SECONDS_TO_STOP)


class _Page:
    """The page of the web app in a browser."""

    def __init__(self, browser: Browser, demo: _Demo) -> None:
        self._browser = browser
        self._demo = demo
        browser.open(demo.url)
        self.client: str = wait_until("the page", lambda: browser.reads("document.getElementById('client').textContent"))

    def click(self, button: str) -> None:
        """Clicks a button by its id."""
        self._browser.click(f"#{button}")

    def call(self, member: str, provider: str) -> None:
        """Has the SDK do something with the user who is signed in."""
        self._browser.run(_CALL, member, provider)

    @property
    def outcome(self) -> Any:
        """What came of the call."""
        return wait_until("an outcome of the SDK", lambda: self._browser.reads("window.outcome"))

    def reload(self) -> None:
        """Loads the page again."""
        self._browser.open(self._demo.url)

    def unlink(self, provider: str) -> Any:
        """Has the SDK unlink a provider; returns those that are left."""
        return self._browser.run(_UNLINK, provider)

    def popup(self, begin: Callable[[], None], person: int = 0) -> None:
        """Begins something for which a user signs in in a window of its own, which closes itself."""
        page = self._browser.window
        begin()
        opened = wait_until("a popup", lambda: [each for each in self._browser.windows if each != page])
        self._browser.switch(opened[0])
        self.sign_in(person)
        self._browser.switch(page)
        wait_until("the popup is closed", lambda: len(self._browser.windows) == 1)

    def sign_in(self, person: int = 0) -> None:
        """Signs in at a provider of the demo, on whose page the browser is."""
        wait_until("the provider's page", lambda: self._browser.find("#email"))
        address, password = self._demo.people[person]
        self._browser.type("#email", address)
        self._browser.type("#password", password)
        self._browser.click("#sign-in")
        self._browser.click("#allow")
        # The click may have returned before the page is left.
        wait_until("the answer of the user", lambda: not self._browser.reads(_ASKS))
        # The mock of Apple answers by a form, which a user sends.
        if self._browser.reads("document.body.innerText.includes('Back to the app')"):
            self._browser.click("button")

    def settles(self, what: str, holds: Callable[[dict[str, str]], bool]) -> str:
        """Waits until the page shows something, and returns who is signed in."""
        seen: dict[str, str] = {}

        def look() -> bool:
            seen.update(self._browser.reads(f"(() => {{ {_STATE} }})()") or {})
            return bool(seen) and holds(seen)

        try:
            wait_until(what, look)
        finally:
            print(f"{what}: {seen}", flush=True)
        return seen["uid"]


def _signs_in(page: _Page) -> str:
    page.popup(lambda: page.click("popup-development"))
    uid = page.settles("signed in by popup", lambda seen: seen["uid"] != "")
    page.popup(lambda: page.click("link-apple"))
    linked = page.settles("linked by popup", lambda seen: "," in seen["providers"])
    require(linked == uid, "a link changed the account")
    return uid


def _sdk_goes_on(page: _Page, uid: str) -> None:
    """What the SDK does besides: re-authentication, and all of it by redirect."""
    page.popup(lambda: page.call("reauthenticateWithPopup", "oidc.demo"))
    require(page.outcome == f"reauthenticate {uid}", "the re-authentication by popup failed")
    page.popup(lambda: page.call("reauthenticateWithPopup", "oidc.demo"), person=1)
    require(page.outcome == "auth/user-mismatch", "another user re-authenticated")
    page.reload()
    page.settles("the same after a reload", lambda seen: seen["uid"] == uid)
    page.call("reauthenticateWithRedirect", "oidc.demo")
    page.sign_in()
    page.settles("re-authenticated by redirect", lambda seen: seen["uid"] == uid)
    require(page.unlink("apple.com") == ["oidc.demo"], "the provider is still linked")
    page.call("linkWithRedirect", "apple.com")
    page.sign_in()
    page.settles("linked by redirect", lambda seen: seen["uid"] == uid and "," in seen["providers"])


def main() -> int:
    """Returns the exit status: 0 if everything holds."""
    parser = argparse.ArgumentParser(prog="sdk.demo", description=__doc__)
    parser.add_argument("executable", type=Path, help="the oidc-broker executable")
    parser.add_argument("--sdk", type=Path, required=True, help="the folder with the Firebase SDK")
    arguments = parser.parse_args()
    _run(arguments.executable, [])
    _run(arguments.executable, [arguments.sdk / name for name in _FILES])
    return 0


def _run(executable: Path, files: Sequence[Path]) -> None:
    """Raises if something does not hold; without files, the page has our own client."""
    began = time.monotonic()
    with _running(executable, files) as demo, chromium([], _ARGUMENTS) as driver:
        page = _Page(Browser(driver), demo)
        print(f"the page uses {page.client}", flush=True)
        require(bool(files) == ("Firebase SDK" in page.client), "that is another client")
        uid = _signs_in(page)
        if files:
            _sdk_goes_on(page, uid)
        page.click("web-sign-out")
        page.settles("signed out", lambda seen: seen["uid"] == "")
        page.click("redirect-development")
        page.sign_in()
        again = page.settles("signed in by redirect", lambda seen: seen["uid"] != "")
        require(again == uid, "that is another account")
    client = "the Firebase SDK" if files else "our own client"
    print(f"ok      the demo's web app with {client} ({time.monotonic() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
