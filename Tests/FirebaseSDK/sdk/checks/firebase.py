# SPDX-License-Identifier: Apache-2.0
"""The Firebase SDK for JavaScript as it is published, with its public calls alone."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from sdk import person
from sdk.browser import Browser
from sdk.check import Check, Setting, require, wait_until
from sdk.firebase_app import FirebaseApp
from sdk.installation import API_KEY, ASKING, AUTOMATIC, OTHER_API_KEY, running
from sdk.site import serve

_FORCED = "return page.auth.currentUser.getIdToken(true)"
_RELOAD = "await page.auth.currentUser.reload()"
_SIGN_IN = "return (await page.signInWithCredential(page.auth, page.credential)).user.uid"
_SIGN_IN_ELSEWHERE = "await page.signInWithCredential(page.authOfAnotherApp(values[0]), page.credential)"
_LINK = "return (await page.linkWithCredential(page.auth.currentUser, page.credential)).user.uid"


def _signed_in(setting: Setting, browser: Browser) -> tuple[FirebaseApp, str]:
    """Returns the page after a sign-in by popup, and the user's identifier."""
    app = FirebaseApp(setting, browser)
    said = app.sign_in()
    require("user" in said, f"the sign-in failed: {said}")
    uid = app.uid
    require(uid and uid == said["user"]["uid"], "the SDK does not know who is signed in")
    return app, str(uid)


def _stays(app: FirebaseApp, uid: str, when: str) -> None:
    require(app.uid == uid, f"no user is signed in any more {when}")


def _popup(setting: Setting) -> None:
    with setting.browser() as browser:
        app = FirebaseApp(setting, browser)
        version = app.run("return page.version")
        require(version == setting.site.sdk_version, f"the SDK is {version}")
        require(app.uid is None, "a user is signed in already")
        said = app.sign_in()
        require("user" in said, f"the sign-in failed: {said}")
        user = said["user"]
        require(user["email"] == person.ADA[0], f"the address is {user['email']}")
        providers = [entry["providerId"] for entry in user["providerData"]]
        require(providers == [AUTOMATIC], f"the providers are {providers}")
        wait_until("the popup is closed", lambda: len(browser.windows) == 1)
        uid = app.uid
        app.open()
        _stays(app, str(uid), "after a reload")
        require(app.run("return page.tokens")[-1] == uid, "the observer of ID tokens was told of no user")
        # Neither a frame nor a script of Google's.
        frames = app.run("return document.querySelectorAll('iframe').length")
        scripts = app.run("return [...document.scripts].map((script) => script.src).filter(Boolean)")
        foreign = [url for url in scripts if not url.startswith((setting.site.origin, setting.broker.origin))]
        require(frames == 0 and not foreign, f"{frames} frames, and scripts of others: {foreign}")


def _tokens(setting: Setting) -> None:
    with setting.browser() as browser:
        app, uid = _signed_in(setting, browser)
        before = app.run("return page.auth.currentUser.getIdToken()")
        told = app.run("return page.tokens.length")
        after = app.outcome(_FORCED)
        require(after.get("value") not in (None, before), f"there is no new token: {after.get('code')}")
        tokens = app.run("return page.tokens.slice(values[0])", told)
        require(tokens == [uid], f"the observer of ID tokens was told {len(tokens)} times of a new one")
        result = app.run("return page.auth.currentUser.getIdTokenResult()")
        require(result["claims"]["sub"] == uid, "the token is of another user")
        require(result["signInProvider"] == AUTOMATIC, f"the provider is {result['signInProvider']}")
        lifetime = result["claims"]["exp"] - result["claims"]["iat"]
        require(3600 <= lifetime <= 3605, "the token is not valid for an hour")
        require(all(result[name] for name in ("authTime", "issuedAtTime", "expirationTime")), "a time is missing")


def _outage(setting: Setting) -> None:
    with setting.browser() as browser:
        app, uid = _signed_in(setting, browser)
        setting.broker.stop()
        try:
            for call in (_RELOAD, _FORCED):
                code = app.outcome(call).get("code")
                require(code == "auth/network-request-failed", f"during an outage {call} ends in {code}")
                _stays(app, uid, "during an outage")
            app.open()
            _stays(app, uid, "after a reload of the page during an outage")
        finally:
            setting.broker.start()
        require("value" in app.outcome(_FORCED), "after an outage there is no new token")
        _stays(app, uid, "after an outage")


def _loads_during_an_outage(setting: Setting) -> None:
    # A browser that has never loaded the script.
    with setting.browser() as browser:
        setting.broker.stop()
        try:
            app = FirebaseApp(setting, browser)
            code = app.sign_in().get("code")
            require(code == "auth/network-request-failed", f"a popup during an outage ends in {code}")
        finally:
            setting.broker.start()
        said = app.sign_in()
        require("user" in said, f"after an outage, without another load of the page, a popup ends in {said}")


def _disabled(setting: Setting) -> None:
    with setting.browser() as browser:
        app, uid = _signed_in(setting, browser)
        setting.broker.change_account("disable", uid)
        try:
            code = app.outcome(_RELOAD).get("code")
            require(code == "auth/user-disabled", f"a disabled user gets {code}")
            require(app.uid is None, "a disabled user stays signed in")
            said = app.sign_in()
            require(said.get("code") == "auth/user-disabled", f"a disabled user gets {said}")
        finally:
            setting.broker.change_account("enable", uid)
        require("user" in app.sign_in() and app.uid == uid, "an enabled user cannot sign in")


def _signs_out(setting: Setting) -> None:
    with setting.browser() as browser:
        app, _ = _signed_in(setting, browser)
        app.run("await page.auth.signOut()")
        require(app.run("return page.tokens")[-1] is None, "the observer was not told")
        app.open()
        require(app.uid is None, "after a sign-out a user is signed in")


def _is_refused(setting: Setting) -> None:
    with setting.browser() as browser:
        app = FirebaseApp(setting, browser)
        said = app.sign_in_as(person.ADA, "deny")
        require(said.get("code") == "auth/user-cancelled", f"the refusal becomes {said}")
        require(app.uid is None, "a user is signed in")


def _mistakes(setting: Setting) -> None:
    with setting.browser() as browser:
        app = FirebaseApp(setting, browser)
        app.asks("oidc.unknown")
        code = app.sign_in().get("code")
        require(code == "auth/invalid-oauth-provider", f"a popup at an unknown provider ends in {code}")
        wait_until("the popup is closed", lambda: len(browser.windows) == 1)
        loaded = app.run("return performance.timeOrigin")
        app.press("redirect")
        wait_until(
            "the page is there again",
            lambda: browser.reads("page.isReady ? performance.timeOrigin : null") not in (None, loaded),
        )
        redirected = app.run("return page.redirected")
        require(
            redirected.get("code") == "auth/invalid-oauth-provider",
            f"a redirect to an unknown provider ends in {redirected}",
        )
        require(browser.url == app.url, f"the page is at {browser.url} instead of {app.url}")


def _older_sdk(setting: Setting) -> None:
    with setting.browser() as browser:
        # As 8.6.2 begins, which does not say which page gets the result of a popup.
        query = urlencode(
            {"apiKey": API_KEY, "authType": "signInViaPopup", "providerId": AUTOMATIC, "v": "8.6.2", "eventId": "1"}
        )
        browser.open(f"{setting.broker.origin}/emulator/auth/handler?{query}")
        text = browser.run("return document.body.innerText")
        require("9.6.6" in text, f"an older SDK gets a page that says: {text}")


def _long_url(setting: Setting) -> None:
    # A popup needs the origin alone, and a redirect comes back to 8 KB.
    path = f"/sdk/?q={'%E3%81%82' * 110}#/{'a' * 6000}"
    with setting.browser() as browser:
        said = FirebaseApp(setting, browser, path).sign_in()
        require("user" in said, f"a popup of a page with a long URL ends in {said}")
    _redirects(setting, path)


def _redirect(setting: Setting) -> None:
    # On the second page the SDK runs, and waits for a frame until the page is left for the claim.
    _redirects(setting, "/sdk/?a=1#/settings", "/sdk/late?a=1#/settings")


def _redirects(setting: Setting, *paths: str) -> None:
    for path in paths:
        with setting.browser() as browser:
            app = FirebaseApp(setting, browser, path)
            loaded = app.run("return performance.timeOrigin")
            app.press("redirect")

            def is_back() -> bool:
                began = browser.reads("page.isReady ? performance.timeOrigin : null")
                return began not in (None, loaded) and browser.url == app.url

            wait_until("the page is there again", is_back)
            uid = app.uid
            require(uid, "the redirect signed no user in")
            redirected = app.run("return page.redirected")
            require((redirected.get("user") or {}).get("uid") == uid, f"the result of the redirect is {redirected}")
            app.open()
            _stays(app, str(uid), "after a reload")
            require("value" in app.outcome(_FORCED), "there is no new token")


def _revokes_and_deletes(setting: Setting) -> None:
    with setting.browser() as browser:
        app, uid = _signed_in(setting, browser)
        # The SDK asks for Apple whatever the provider is, and this broker has no Apple.
        code = app.outcome("await page.revokeAccessToken(page.auth, 'a-token')").get("code")
        require(code == "auth/invalid-provider-id", f"the revocation ends in {code}")
        _stays(app, uid, "after a revocation that was refused")
        outcome = app.outcome("await page.auth.currentUser.delete()")
        require("value" in outcome, f"the deletion ends in {outcome.get('code')}")
        require(app.uid is None, "a deleted user stays signed in")
        require("user" in app.sign_in(), "a sign-in after a deletion fails")
        require(app.uid != uid, "the account was not deleted")


@contextmanager
def _one_account_for_an_address(setting: Setting) -> Iterator[Setting]:
    with (
        tempfile.TemporaryDirectory() as directory,
        running(setting.broker.executable, Path(directory), "unique") as broker,
        serve("localhost", broker.origin, setting.site.sdk) as site,
    ):
        yield replace(setting, broker=broker, site=site)


def _credential_of_an_error(setting: Setting) -> None:
    """`GoogleAuthProvider.credentialFromError` has the ID token alone, which works once, and at this app alone."""
    with _one_account_for_an_address(setting) as setting, setting.browser() as browser:
        app = FirebaseApp(setting, browser)
        uid = _uid(app, person.ADA)
        app.run("await page.auth.signOut()")
        app.asks(AUTOMATIC)
        code = app.sign_in().get("code")
        require(code == "auth/account-exists-with-different-credential", f"the same address ends in {code}")
        require(_uid(app, person.ADA) == uid, "the account is another one")
        _works_once(app, _LINK, uid)
        require(_uid(app, person.GRACE) != uid, "two users have the same account")
        app.asks(AUTOMATIC)
        app.press("link")
        code = app.said().get("code")
        require(code == "auth/credential-already-in-use", f"an identity of another user ends in {code}")
        _works_once(app, _SIGN_IN, uid)


def _uid(app: FirebaseApp, somebody: tuple[str, str]) -> str:
    """Signs a user in with the provider that asks, and returns the identifier of the account."""
    said = app.sign_in_as(somebody)
    require("user" in said, f"the sign-in ends in {said}")
    return str(said["user"]["uid"])


def _works_once(app: FirebaseApp, use: str, uid: str) -> None:
    elsewhere = app.outcome(_SIGN_IN_ELSEWHERE, OTHER_API_KEY).get("code")
    require(elsewhere == "auth/missing-or-invalid-nonce", f"at another app the credential ends in {elsewhere}")
    outcome = app.outcome(use)
    require(outcome.get("value") == uid, f"the credential ends in {outcome}")
    again = app.outcome(_SIGN_IN).get("code")
    require(again == "auth/invalid-credential", f"for the second time the credential ends in {again}")


CHECKS = [
    Check("Firebase SDK: popup, and the session is kept", _popup),
    Check("Firebase SDK: tokens", _tokens),
    Check("Firebase SDK: an outage signs no user out", _outage),
    Check("Firebase SDK: a page that was loaded during an outage", _loads_during_an_outage),
    Check("Firebase SDK: a disabled user", _disabled),
    Check("Firebase SDK: sign-out", _signs_out),
    Check("Firebase SDK: the user says no", _is_refused),
    Check("Firebase SDK: redirect", _redirect),
    Check("Firebase SDK: a page with a long URL", _long_url),
    Check("Firebase SDK: a credential of an error is used once, at its app", _credential_of_an_error),
    Check("Firebase SDK: the app is told of mistakes of the start", _mistakes),
    Check("Firebase SDK: an older one is told so", _older_sdk),
    Check("Firebase SDK: revocation and deletion", _revokes_and_deletes),
]
