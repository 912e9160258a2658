# SPDX-License-Identifier: Apache-2.0
"""What the script is, and what it puts into a page."""

import base64
import hashlib
import urllib.request
from contextlib import contextmanager
from collections.abc import Iterator
from email.message import Message

from sdk.app import App, is_nothing
from sdk.check import Check, Setting, require, wait_until
from sdk.installation import API_KEY

_LIMIT = 4096


def _fetch(url: str, method: str = "GET") -> tuple[bytes, Message]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, method=method), timeout=10) as response:
        return response.read(), response.headers


def _is_public(setting: Setting) -> None:
    text, fields = _fetch(f"{setting.broker.base}/sdk.js")
    require(0 < len(text) < _LIMIT, f"the script has {len(text)} bytes")
    require(fields["Cache-Control"] == "public, max-age=3600", f"Cache-Control is {fields['Cache-Control']}")
    require(fields["Cross-Origin-Resource-Policy"] == "cross-origin", "no page of another site may load it")
    require(fields.get_content_type() == "text/javascript", f"the type is {fields.get_content_type()}")
    nothing, same = _fetch(f"{setting.broker.base}/sdk.js", "HEAD")
    require(not nothing and same["Content-Length"] == str(len(text)), "HEAD differs from GET")


@contextmanager
def _demanding(setting: Setting, integrity: str) -> Iterator[None]:
    setting.site.integrity = integrity
    try:
        yield
    finally:
        setting.site.integrity = ""


def _has_integrity(setting: Setting) -> None:
    text, _ = _fetch(f"{setting.broker.base}/sdk.js")
    digest = base64.b64encode(hashlib.sha384(text).digest()).decode()
    wrong = base64.b64encode(hashlib.sha384(text + b" ").digest()).decode()
    with setting.browser() as browser:
        with _demanding(setting, f"sha384-{digest}"):
            require(is_nothing(App(setting, browser).first()), "a pinned script does not run")
        with _demanding(setting, f"sha384-{wrong}"):
            browser.open(f"{setting.site.origin}/app")
            require(browser.run("return window.gapi === undefined"), "a script with another hash runs")


def _answers_as_gapi(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        require(is_nothing(app.first()), "without a sign-in there is an event")
        answer = app.run("return page.supportsStorage()")
        require(answer == [{"status": "ACK", "webStorageSupport": True}], f"the answer about storage is {answer}")
        require(app.run("return page.load().then((context) => 'open' in context)"), "gapi.load gives no context")
        app.run("await page.open()")
        events = app.run("return page.events.map((events) => events.length)")
        require(events == [1, 1], f"two frames got {events} events instead of one each")
        app.has_no_error()


def _leaves_other_members(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser, f"{setting.site.origin}/foreign-gapi")
        members = app.run("return [gapi.client.of, gapi.load(), typeof gapi.iframes.getContext]")
        require(members == ["Google", "Google's", "function"], f"the members of gapi are {members}")
        require(is_nothing(app.first()), "the frame gets an event")


def _refuses_other_origins(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        same_port = setting.broker.origin.replace("127.0.0.1", "localhost")
        for origin in (setting.site.origin, same_port, "https://a.example"):
            opened = app.run(
                "return page.open(values[0]).then(() => 'opened', (error) => error.message)",
                f"{origin}/__/auth/iframe?apiKey=a",
            )
            require(origin in opened, f"a frame of {origin}: {opened}")
        require(len(app.run("return page.events")) == 1, "a frame of another origin was registered")


def _waits_for_the_claim(setting: Setting) -> None:
    setting.site.script, _ = _fetch(f"{setting.broker.base}/sdk.js")
    with setting.browser() as browser:
        before = len(setting.site.requested)
        browser.open(f"{setting.site.origin}/bare")
        browser.run("sessionStorage.setItem(`firebase:pendingRedirect:${values[0]}:[DEFAULT]`, '\"true\"')", API_KEY)
        browser.open(f"{setting.site.origin}/claiming#oidc-broker=done&login=a%2Bb%26c&fragment=%2Fplace%3Fa%3D1")

        def claims() -> list[str]:
            return [path for path in setting.site.requested[before:] if path.startswith("/__/auth/claim?")]

        claim = wait_until("a claim", claims)[0]
        stored = browser.run(
            """
            const { verifier } = JSON.parse(sessionStorage.getItem("oidc-broker:claim"));
            const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
            const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)));
            return { verifier, challenge: challenge.replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "") };
            """
        )
        require(stored["verifier"] == "-_v7" * 10 + "-_s", f"the verifier is {stored['verifier']}")
        require(claim == f"/__/auth/claim?login=a%2Bb%26c&challenge={stored['challenge']}", f"the claim is {claim}")
        wait_until("the page's script", lambda: browser.run("return window.page !== undefined"))
        # Longer than the SDK would wait for the answer to its ping.
        state = browser.run(
            """
            const later = new Promise((resolve) => setTimeout(resolve, 5500, "not opened"));
            return Promise.race([page.opened.then(() => "opened", () => "refused"), later]);
            """
        )
        require(state == "not opened", f"while a claim is under way the frame is {state}")
        require(browser.url.endswith("/claiming#/place?a=1"), f"the page is at {browser.url}")
        browser.open(f"{setting.site.origin}/bare")
        browser.open(f"{setting.site.origin}/claiming")
        wait_until("a frame", lambda: browser.run("return page.isOpen"))
        require(is_nothing(browser.run("return page.events[0][0]")), "a claim that was left gives an event")


def _frame_says_what_is_missing(setting: Setting) -> None:
    with setting.browser() as browser:
        for path in ("/__/auth/iframe", "/emulator/auth/iframe"):
            url = f"{setting.broker.origin}{path}?apiKey=a"
            _, fields = _fetch(url)
            policy = fields["Content-Security-Policy"]
            require("X-Frame-Options" not in fields and "frame-ancestors" not in policy, f"{path} cannot be framed")
            require(policy.startswith("default-src 'none'"), f"{path} may load something: {policy}")
            browser.open(f"{setting.site.origin}/bare")
            browser.console()
            browser.open(url)
            lines = [line for line in browser.console() if "favicon" not in line]
            require(len(lines) == 1 and "sdk.js" in lines[0], f"{path} writes {lines}")


CHECKS = [
    Check("the script is small, public, and may be kept for an hour", _is_public),
    Check("the script runs with its own hash and no other", _has_integrity),
    Check("the script answers as gapi does", _answers_as_gapi),
    Check("other members of gapi stay", _leaves_other_members),
    Check("a frame of another origin is refused", _refuses_other_origins),
    Check("while a claim is under way no frame opens", _waits_for_the_claim),
    Check("the frame writes to the console what is missing", _frame_says_what_is_missing, True),
]
