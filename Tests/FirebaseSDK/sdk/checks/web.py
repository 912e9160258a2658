# SPDX-License-Identifier: Apache-2.0
"""Sign-ins of an OpenID Connect app whose requests are not plain navigations of the browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlencode, urlsplit

from sdk import front, person
from sdk.browser import Browser
from sdk.check import Check, Setting, require, wait_until
from sdk.front import Exchange, Front
from sdk.installation import APP

_PASSED_ON = ("navigate", "empty", None)
_PRELOAD = ("navigate", "document", "true")
_REGISTER = """
    const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    await navigator.serviceWorker.register(values[0]);
    await taken;
    """
_PRELOAD_FROM_NOW_ON = "await (await navigator.serviceWorker.ready).navigationPreload.enable()"
_FRAME = """
    const frame = Object.assign(document.createElement("iframe"), { src: values[0], hidden: true });
    document.body.append(frame);
    """


@contextmanager
def _fronted(setting: Setting) -> Iterator[tuple[Browser, Front]]:
    """A browser that finds the proxy at the broker's own origin."""
    with front.serve(setting.broker.origin) as shown:
        rules = f"MAP {urlsplit(setting.broker.origin).netloc} 127.0.0.1:{shown.port}, MAP *.example ~NOTFOUND"
        with setting.browser(f"--host-resolver-rules={rules}") as browser:
            yield browser, shown


def _authorize(setting: Setting, **more: str) -> str:
    parameters = {
        "client_id": APP,
        "redirect_uri": f"https://{APP}.example/callback",
        "response_type": "code",
        "scope": "openid",
        "state": "state-of-the-app",
        "nonce": "nonce-of-the-app",
        "code_challenge": "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA",
        "code_challenge_method": "S256",
        "provider": "google",
    }
    return f"{setting.broker.base}/authorize?{urlencode(parameters | more)}"


def _is_at_the_app(browser: Browser) -> dict[str, list[str]]:
    wait_until("the app", lambda: browser.url.startswith(f"https://{APP}.example/"))
    return parse_qs(urlsplit(browser.url).query)


def _sent(exchanges: list[Exchange]) -> list[tuple[object, ...]]:
    return [(exchange.status, *exchange.sent) for exchange in exchanges]


def _goes_through_a_worker(setting: Setting) -> None:
    with _fronted(setting) as (browser, shown):
        browser.open(setting.broker.origin + front.PAGE)
        browser.run(_REGISTER, front.WORKER)
        browser.run("location.assign(values[0])", _authorize(setting))
        require("code" in _is_at_the_app(browser), f"the app has no code: {browser.url}")
        for path in ("authorize", "handler"):
            found = _sent(shown.of(path))
            require(found == [(303, *_PASSED_ON)], f"{path} was asked for and answered {found}")
        shown.exchanges.clear()
        browser.open(setting.broker.origin + front.PAGE)
        browser.run(_PRELOAD_FROM_NOW_ON)
        browser.run("location.assign(values[0])", _authorize(setting))
        text = person.refusal(browser)
        require("finished or was interrupted" in text, f"the page says {text}")
        found = _sent(shown.of("handler"))
        require(found == [(303, *_PRELOAD), (400, *_PASSED_ON)], f"the callback was asked for and answered {found}")
        browser.click("#other-link")
        error = _is_at_the_app(browser).get("error")
        require(error == ["temporarily_unavailable"], f"the link leads to {browser.url}")


def _asks_in_a_frame(setting: Setting) -> None:
    with _fronted(setting) as (browser, shown):
        cases = ({}, "login_required"), ({"provider": ""}, "interaction_required")
        for number, (more, error) in enumerate(cases):
            browser.open(f"{setting.site.origin}/bare")
            browser.run(_FRAME, _authorize(setting, prompt="none", **more))
            wait_until("an answer", lambda: len(shown.of("authorize")) > number)
            last = shown.of("authorize")[number]
            require(_sent([last]) == [(303, "navigate", "iframe", None)], f"it was asked and answered {_sent([last])}")
            require(last.asked["Sec-Fetch-Site"] == "cross-site", "the frame is not of another site")
            require(f"/callback?error={error}&" in last.answered["Location"], f"it ends at {last.answered['Location']}")
            require(last.answered["Set-Cookie"] is None, "it sets a cookie")


CHECKS = [
    Check("web: a service worker passes navigations on, then has them preloaded too", _goes_through_a_worker, True),
    Check("web: prompt=none in a hidden frame", _asks_in_a_frame, True),
]
