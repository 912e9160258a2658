# SPDX-License-Identifier: Apache-2.0
"""Sign-outs of an OpenID Connect app through the broker and the provider, and sessions that the provider ends."""

import base64
import hashlib
import json
import secrets
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from sdk.browser import Browser
from sdk.check import Check, Failed, Setting, require, wait_until
from sdk.firebase_app import FirebaseApp
from sdk.installation import APP, SIGNED_OUT
from sdk.logout_receiver import session_of
from sdk.provider import REFUSED, Provider

_CALLBACK = f"https://{APP}.example/callback"
_STATE = "state of the app"
_FORCED = "return page.auth.currentUser.getIdToken(true)"


def _follow(setting: Setting, browser: Browser, path: str, parameters: dict[str, str]) -> None:
    """Follows a link on a page of the app, which is of another site than the broker."""
    browser.open(f"{setting.site.origin}/bare")
    browser.run("location.assign(values[0])", f"{setting.broker.base}/{path}?{urlencode(parameters)}")


def _token(setting: Setting, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """The status and the members of a response of the token endpoint."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    body = urlencode({"client_id": APP} | form).encode()
    try:
        with opener.open(f"{setting.broker.base}/token", body, 30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def _sign_in(setting: Setting, browser: Browser, provider: Provider) -> dict[str, Any]:
    """Signs the user in, and returns the tokens of the app."""
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "client_id": APP,
        "redirect_uri": _CALLBACK,
        "response_type": "code",
        "scope": "openid offline_access",
        "nonce": "nonce-of-the-app",
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "provider": provider.id,
    }
    _follow(setting, browser, "authorize", asked)
    wait_until("the app", lambda: browser.url.startswith(_CALLBACK))
    answer = dict(parse_qsl(urlsplit(browser.url).query))
    require("code" in answer, f"the app gets {answer}")
    form = {
        "grant_type": "authorization_code",
        "code": answer["code"],
        "redirect_uri": _CALLBACK,
        "code_verifier": verifier,
    }
    status, tokens = _token(setting, form)
    require(status == 200, f"the code is refused: {tokens}")
    return tokens


def _sign_out(setting: Setting, browser: Browser, hint: str) -> int:
    """Signs the user out, who confirms where the broker asks; returns the number of questions."""
    asked = {"id_token_hint": hint, "post_logout_redirect_uri": SIGNED_OUT, "state": _STATE}
    _follow(setting, browser, "logout", asked)
    questions = 0

    def page() -> str | None:
        if browser.url.startswith(SIGNED_OUT):
            return "the app"
        if browser.find(f"#{REFUSED}"):
            raise Failed("the provider does not know who signs out")
        return "a question" if browser.find("form#logout") else None

    while wait_until("the app or a question", page) == "a question":
        questions += 1
        require(questions < 3, "it asks again and again")
        asking = browser.url
        browser.click("#continue")
        wait_until("the next page", lambda: browser.url != asking)
    answer = dict(parse_qsl(urlsplit(browser.url).query))
    require(answer == {"state": _STATE}, f"the app gets {answer}")
    return questions


def _refreshes(setting: Setting, tokens: dict[str, Any]) -> bool:
    """Has the app refresh its tokens once; whether it got any."""
    status, answer = _token(setting, {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]})
    require(status == 200 or answer.get("error") == "invalid_grant", f"the refresh ends in {status}: {answer}")
    return status == 200


def _hears_of(setting: Setting, tokens: dict[str, Any]) -> None:
    """Waits until the app heard that its session ended, which has no refresh any more."""
    session = session_of(tokens["id_token"])
    wait_until("a logout token", lambda: session in setting.broker.logout_receiver.sessions)
    require(not _refreshes(setting, tokens), "the session goes on")


def _in_one_step(setting: Setting) -> None:
    with setting.browser() as browser:
        signed_in = [(provider, _sign_in(setting, browser, provider)) for provider in setting.broker.providers]
        for provider, tokens in signed_in:
            require(_refreshes(setting, tokens), f"{provider.name}: there is no session before")
            before = len(provider.ended)
            questions = _sign_out(setting, browser, tokens["id_token"])
            require(questions == 0, f"{provider.name}: the user is asked {questions} times")
            require(len(provider.ended) == before + 1, f"{provider.name}: its session goes on")
            _hears_of(setting, tokens)


def _after_a_change_of_keys(setting: Setting) -> None:
    provider = setting.broker.providers[0]
    with setting.browser() as browser:
        hint = _sign_in(setting, browser, provider)["id_token"]
        before = len(provider.ended)
        setting.broker.change_signing_key()
        questions = _sign_out(setting, browser, hint)
        require(questions == 1, f"the user is asked {questions} times")
        require(len(provider.ended) == before + 1, "the session of the provider goes on")


def _is_ended_by_the_provider(setting: Setting) -> None:
    provider, other = setting.broker.providers
    with setting.browser() as browser:
        stays, ends = (_sign_in(setting, browser, each) for each in (other, provider))
        page = FirebaseApp(setting, browser)
        page.asks(provider.id)
        require("user" in page.sign_in(), "the SDK signs no user in")
        require(_refreshes(setting, ends) and "value" in page.outcome(_FORCED), "there is no refresh before")
        status = provider.end(provider.begun[-1])
        require(status == 200, f"the logout token is answered with {status}")
        _hears_of(setting, ends)
        code = page.outcome(_FORCED).get("code")
        require(code == "auth/user-token-expired" and page.uid is None, f"the SDK stays signed in: {code}")
        require(_refreshes(setting, stays), "the session of another provider ended")


CHECKS = [
    Check("sign-out: through a provider that demands its ID token, after a login of two providers", _in_one_step),
    # Firefox's driver takes the app's page, which is not there, for an error.
    Check("sign-out: with an ID token of a key that was dropped", _after_a_change_of_keys, needs_chromium=True),
    Check("sign-out: a session that the provider ends, of an app and of the SDK", _is_ended_by_the_provider),
]
