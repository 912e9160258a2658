# SPDX-License-Identifier: Apache-2.0
"""The Firebase SDK for JavaScript as it is published, in a bundle that others made."""

from sdk import person
from sdk.browser import Browser
from sdk.check import Check, Setting, require, wait_until
from sdk.component import Component
from sdk.installation import ASKING, AUTOMATIC

_FORCED = "return bundle.auth.currentUser.getIdToken(true)"
_RELOAD = "await bundle.auth.currentUser.reload()"


def _signed_in(setting: Setting, browser: Browser) -> tuple[Component, str]:
    """Returns the component after a sign-in by popup, and the person's identifier."""
    component = Component(setting, browser)
    said = component.sign_in()
    require(said["success"], f"the sign-in failed: {said['message']}")
    uid = component.uid
    require(uid and uid == said["user"]["uid"], "the SDK does not know who is signed in")
    return component, str(uid)


def _stays(component: Component, uid: str, when: str) -> None:
    require(component.uid == uid, f"nobody is signed in any more {when}")


def _popup(setting: Setting) -> None:
    with setting.browser() as browser:
        component = Component(setting, browser)
        version = component.run("return bundle.auth._getSdkClientVersion?.() ?? bundle.auth.clientVersion")
        require("11.3.1" in version, f"the bundle has the SDK {version}")
        require(component.uid is None, "somebody is signed in already")
        said = component.sign_in()
        require(said["success"], f"the sign-in failed: {said['message']}")
        user = said["user"]
        require(user["email"] == person.ADA[0], f"the address is {user['email']}")
        providers = [entry["providerId"] for entry in user["providerData"]]
        require(providers == [AUTOMATIC], f"the providers are {providers}")
        wait_until("the popup is closed", lambda: len(browser.windows) == 1)
        uid = component.uid
        component.open()
        _stays(component, str(uid), "after a reload")
        require(component.run("return bundle.tokens")[-1] == uid, "the observer of ID tokens was told of nobody")
        # Neither a frame nor a script of Google's.
        frames = component.run("return document.querySelectorAll('iframe').length")
        scripts = component.run("return [...document.scripts].map((script) => script.src).filter(Boolean)")
        foreign = [url for url in scripts if not url.startswith((setting.site.origin, setting.broker.origin))]
        require(frames == 0 and not foreign, f"{frames} frames, and scripts of others: {foreign}")


def _tokens(setting: Setting) -> None:
    with setting.browser() as browser:
        component, uid = _signed_in(setting, browser)
        before = component.run("return bundle.auth.currentUser.getIdToken()")
        told = component.run("return bundle.tokens.length")
        after = component.outcome(_FORCED)
        require(after.get("value") not in (None, before), f"there is no new token: {after.get('code')}")
        tokens = component.run("return bundle.tokens.slice(values[0])", told)
        require(tokens == [uid], f"the observer of ID tokens was told {len(tokens)} times of a new one")
        result = component.run("return bundle.auth.currentUser.getIdTokenResult()")
        require(result["claims"]["sub"] == uid, "the token is of somebody else")
        require(result["signInProvider"] == AUTOMATIC, f"the provider is {result['signInProvider']}")
        require(result["claims"]["exp"] - result["claims"]["iat"] == 3600, "the token is not valid for an hour")
        require(all(result[name] for name in ("authTime", "issuedAtTime", "expirationTime")), "a time is missing")


def _outage(setting: Setting) -> None:
    with setting.browser() as browser:
        component, uid = _signed_in(setting, browser)
        setting.broker.stop()
        try:
            for call in (_RELOAD, _FORCED):
                code = component.outcome(call).get("code")
                require(code == "auth/network-request-failed", f"during an outage {call} ends in {code}")
                _stays(component, uid, "during an outage")
            component.open()
            _stays(component, uid, "after a reload of the page during an outage")
        finally:
            setting.broker.start()
        require("value" in component.outcome(_FORCED), "after an outage there is no new token")
        _stays(component, uid, "after an outage")


def _disabled(setting: Setting) -> None:
    with setting.browser() as browser:
        component, uid = _signed_in(setting, browser)
        setting.broker.change_account("disable", uid)
        try:
            code = component.outcome(_RELOAD).get("code")
            require(code == "auth/user-disabled", f"a disabled person gets {code}")
            require(component.uid is None, "a disabled person stays signed in")
            said = component.sign_in()
            require(not said["success"] and "auth/user-disabled" in said["message"], f"a disabled person gets {said}")
        finally:
            setting.broker.change_account("enable", uid)
        require(component.sign_in()["success"] and component.uid == uid, "an enabled person cannot sign in")


def _signs_out(setting: Setting) -> None:
    with setting.browser() as browser:
        component, _ = _signed_in(setting, browser)
        component.run("await bundle.auth.signOut()")
        require(component.run("return bundle.tokens")[-1] is None, "the observer was not told")
        component.open()
        require(component.uid is None, "after a sign-out somebody is signed in")


def _is_refused(setting: Setting) -> None:
    with setting.browser() as browser:
        component = Component(setting, browser)
        component.asks(ASKING)
        before = set(browser.windows)
        component.press()
        popup = wait_until("a popup", lambda: [window for window in browser.windows if window not in before])[0]
        browser.switch(popup)
        person.sign_in(browser, decision="deny")
        said = component.said()
        require(not said["success"] and "auth/user-cancelled" in said["message"], f"the refusal becomes {said}")
        require(component.uid is None, "somebody is signed in")


def _redirect(setting: Setting) -> None:
    # On the second page the SDK runs, and waits for a frame until the page is left for the claim.
    for path in ("/sdk/?a=1#/settings", "/sdk/late?a=1#/settings"):
        with setting.browser() as browser:
            component = Component(setting, browser, path)
            component.redirects()
            loaded = component.run("return performance.timeOrigin")
            component.press()

            def is_back() -> bool:
                began = browser.reads("bundle.isReady ? performance.timeOrigin : null")
                return began not in (None, loaded) and browser.url == component.url

            wait_until("the page is there again", is_back)
            uid = component.uid
            require(uid, "the redirect signed nobody in")
            component.open()
            _stays(component, str(uid), "after a reload")
            require("value" in component.outcome(_FORCED), "there is no new token")


def _revokes_and_deletes(setting: Setting) -> None:
    with setting.browser() as browser:
        component, uid = _signed_in(setting, browser)
        # The SDK asks for Apple whatever the provider is, and this broker has no Apple.
        code = component.outcome("await bundle.auth.revokeAccessToken('a-token')").get("code")
        require(code == "auth/invalid-provider-id", f"the revocation ends in {code}")
        _stays(component, uid, "after a revocation that was refused")
        outcome = component.outcome("await bundle.auth.currentUser.delete()")
        require("value" in outcome, f"the deletion ends in {outcome.get('code')}")
        require(component.uid is None, "a deleted person stays signed in")
        require(component.sign_in()["success"], "nobody can sign in after a deletion")
        require(component.uid != uid, "the account was not deleted")


CHECKS = [
    Check("Firebase SDK: popup, and the session is kept", _popup),
    Check("Firebase SDK: tokens", _tokens),
    Check("Firebase SDK: an outage signs nobody out", _outage),
    Check("Firebase SDK: a disabled person", _disabled),
    Check("Firebase SDK: sign-out", _signs_out),
    Check("Firebase SDK: the person says no", _is_refused),
    Check("Firebase SDK: redirect", _redirect),
    Check("Firebase SDK: revocation and deletion", _revokes_and_deletes),
]
