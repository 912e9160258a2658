# SPDX-License-Identifier: Apache-2.0
"""What pages and users try whom the result of a sign-in is not meant for."""

from urllib.parse import parse_qs, urlsplit

from sdk import person
from sdk.app import App, is_nothing
from sdk.browser import Browser
from sdk.check import Check, Setting, require, wait_until
from sdk.installation import API_KEY, ASKING, AUTOMATIC

# A challenge whose verifier is this text.
_VERIFIER = "a" * 43
# As `sdk.js` does it: the broker asks for the origin.
_CLAIMS = "Object.assign(document.createElement('a'), {href: values[0], referrerPolicy: 'origin'}).click()"
_CHALLENGE = "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA"


def _login(setting: Setting, attacker: Browser) -> str:
    """Signs the attacker in, and returns the login that is not claimed yet."""
    bare = f"{setting.site.origin}/bare"
    app = App(setting, attacker)
    app.leave("signInViaRedirect", AUTOMATIC, redirectUrl=bare)
    wait_until("the attacker is signed in", lambda: attacker.url.startswith(f"{bare}#oidc-broker=done"))
    return parse_qs(urlsplit(attacker.url).fragment)["login"][0]


def _ticket(setting: Setting, attacker: Browser) -> str:
    """Signs the attacker in, claims for a verifier that the attacker knows, and returns the fragment."""
    login = _login(setting, attacker)
    attacker.run(_CLAIMS, f"{setting.broker.base}/claim?login={login}&challenge={_CHALLENGE}")
    wait_until("the attacker has a ticket", lambda: "#oidc-broker=ticket" in attacker.url)
    return urlsplit(attacker.url).fragment


def _waits_for_a_redirect(setting: Setting, victim: Browser) -> None:
    """Lets the victim begin a redirect and go back."""
    app = App(setting, victim)
    app.leave("signInViaRedirect", ASKING)
    person.arrive(victim)


def _foreign_login(setting: Setting) -> None:
    with setting.browser() as attacker, setting.browser() as victim:
        login = _login(setting, attacker)
        _waits_for_a_redirect(setting, victim)
        victim.open(f"{setting.site.origin}/app#oidc-broker=done&login={login}")
        person.refusal(victim)
        require(victim.url.startswith(f"{setting.broker.base}/claim?"), f"the victim is at {victim.url}")
        # It is still the attacker's.
        url = f"{setting.broker.base}/claim?login={login}&challenge={_CHALLENGE}"
        attacker.run(_CLAIMS, url)
        wait_until("the attacker has a ticket", lambda: "#oidc-broker=ticket" in attacker.url)
        attacker.open(url)
        person.refusal(attacker)


def _login_without_a_redirect(setting: Setting) -> None:
    with setting.browser() as attacker, setting.browser() as victim:
        login = _login(setting, attacker)
        for query in (f"oidc-broker=done&login={login}", "oidc-broker=done&login=a"):
            victim.open(f"{setting.site.origin}/bare")
            app = App(setting, victim)
            victim.open(f"{setting.site.origin}/bare")
            victim.open(f"{app.url}#{query}")
            app.is_ready()
            require(is_nothing(app.first()), "a link gives an event where no redirect is pending")
            require(victim.url == app.url, f"a link made the page go to {victim.url}")
            require(app.run("return sessionStorage.length") == 0, "a link left something in the tab's storage")


def _clobbered_script(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser, f"{setting.site.origin}/clobbered")
        require(app.run("return document.currentScript?.localName") == "img", "no element has the name")
        app.open_popup("signInViaPopup", AUTOMATIC, eventId="7")
        app.signs_in(app.posted(), "signInViaPopup", "7")


def _foreign_ticket(setting: Setting) -> None:
    with setting.browser() as attacker, setting.browser() as victim:
        fragment = _ticket(setting, attacker)
        _waits_for_a_redirect(setting, victim)
        app = App(setting, victim)
        victim.open(f"{setting.site.origin}/bare")
        victim.open(f"{setting.site.origin}/app#{fragment}")
        app.is_ready()
        require(is_nothing(app.first()), "a ticket that the tab has not claimed gives an event")
        require(victim.url == f"{setting.site.origin}/app", f"the fragment is still there: {victim.url}")
        # In a tab that is claiming there is an event, and the broker refuses it.
        claim = '{"verifier": "' + "b" * 43 + '", "pending": []}'
        victim.run("sessionStorage.setItem('oidc-broker:claim', values[0])", claim)
        victim.open(f"{setting.site.origin}/bare")
        victim.open(f"{setting.site.origin}/app#{fragment}")
        app.is_ready()
        event = app.first()
        require(event["sessionId"] == "b" * 43, "the event has another verifier than the tab's")
        status, members = app.redeem(event)
        require(status == 400 and "idToken" not in members, "the ticket of another user signs in")
        # It was not used up: its owner, who has the verifier, is signed in by it once.
        status, members = app.redeem(event | {"sessionId": _VERIFIER})
        require(status == 200 and "idToken" in members, "a ticket that is sent from elsewhere is used up")
        status, _ = app.redeem(event | {"sessionId": _VERIFIER})
        require(status == 400, "a ticket can be used again")


def _own_ticket(setting: Setting) -> None:
    """The same way, without a victim: what is refused above is refused for its verifier alone."""
    with setting.browser() as attacker:
        ticket = parse_qs(_ticket(setting, attacker))["ticket"][0]
        event = {"urlResponse": f"{setting.broker.base}/handler?ticket={ticket}", "sessionId": _VERIFIER}
        status, members = App(setting, attacker).redeem(event)
        require(status == 200 and "idToken" in members, f"the owner of a ticket is refused: {members}")


def _other_types(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        for kind in ("signInViaPopup", "signInWithRedirect", "unknown", "signInViaRedirect2", ""):
            browser.run("sessionStorage.setItem('oidc-broker:claim', '{\"verifier\": \"a\", \"pending\": []}')")
            browser.open(f"{setting.site.origin}/bare")
            browser.open(f"{setting.site.origin}/app#oidc-broker=ticket&ticket=a&type={kind}")
            app.is_ready()
            require(is_nothing(app.first()), f"a redirect ended in an event of the type '{kind}'")


def _other_errors(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        for code in ("auth/user-disabled", "auth/user-cancelled2", "user-cancelled", "auth/", ""):
            browser.open(f"{setting.site.origin}/bare")
            browser.open(f"{setting.site.origin}/app#oidc-broker=error&code={code}&type=signInViaRedirect")
            app.is_ready()
            require(is_nothing(app.first()), f"a fragment gives the error '{code}'")


def _other_pages_post(setting: Setting) -> None:
    event = {"type": "signInViaPopup", "eventId": "7", "urlResponse": "https://a.example"}
    forged = {"type": "authEvent", "authEvent": event}
    with setting.browser() as browser:
        app = App(setting, browser)
        for origin in (setting.other.origin, setting.site.origin):
            _post(setting, browser, app, f"{origin}/bare", forged)
        # The broker's own pages post what belongs to popups, and nothing else.
        page = f"{setting.broker.base}/iframe"
        for kind in ("signInViaRedirect", "linkViaRedirect", "unknown", None):
            _post(setting, browser, app, page, forged | {"authEvent": {"type": kind}})
        for message in ("authEvent", None, {"type": "authEvent"}, {"type": "other", "authEvent": event}):
            _post(setting, browser, app, page, message)
        require(len(app.run("return page.events[0]")) == 1, "an event was forged")
        _post(setting, browser, app, page, forged)
        require(app.posted()["eventId"] == "7", "a page of the broker cannot post an event")
        app.has_no_error()


def _post(setting: Setting, browser: Browser, app: App, url: str, message: object) -> None:
    """Posts a message from a window that the app has opened, and waits until it has arrived."""
    app.run("window.arrived = new Promise((resolve) => addEventListener('message', resolve, { once: true }))")
    before = set(browser.windows)
    app.run("page.next = values[0]", url)
    browser.click("#popup")
    popup = wait_until("a window", lambda: [window for window in browser.windows if window not in before])[0]
    browser.switch(popup)
    wait_until("its page", lambda: browser.url == url)
    browser.run("opener.postMessage(values[0], '*')", message)
    app.run("await window.arrived; page.popup.close()")


def _unauthorized_origin(setting: Setting) -> None:
    with setting.browser() as browser:
        # No page of another domain is sent anything.
        for authority, provider in (("signInViaPopup", AUTOMATIC), ("signInViaRedirect", AUTOMATIC)):
            app = App(setting, browser, f"{setting.other.origin}/app")
            url = app.run("return page.handler(...values)", authority, provider, {"eventId": "8"})
            browser.open(url)
            person.refusal(browser)
            require(browser.url.startswith(setting.broker.origin), f"the browser is at {browser.url}")
        # One that names an authorized page gets nothing, although it is the opener.
        app = App(setting, browser, f"{setting.other.origin}/app")
        opener = browser.window
        parameters = {"eventId": "9", "redirectUrl": f"{setting.site.origin}/app"}
        popup = app.open_popup("signInViaPopup", ASKING, **parameters)
        browser.switch(popup)
        person.sign_in(browser)
        wait_until("the end", lambda: browser.run("return document.querySelector('#closable')?.checkVisibility()"))
        browser.switch(opener)
        require(is_nothing(app.first()), "a page of an unauthorized domain got the event")


def _unknown_key(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        url = app.run("return page.handler('signInViaPopup', values[0], { eventId: '1' })", AUTOMATIC)
        browser.open(url.replace(API_KEY, f"{API_KEY}0"))
        person.refusal(browser)
        browser.open(url)
        wait_until("the end", lambda: browser.find("#closable"))


CHECKS = [
    Check("attack: a foreign login", _foreign_login),
    Check("attack: a login where no redirect is pending", _login_without_a_redirect),
    Check("attack: an element with the name of the script", _clobbered_script),
    Check("attack: a foreign ticket", _foreign_ticket),
    Check("attack: none where the ticket is one's own", _own_ticket),
    Check("attack: a ticket of another type than those of redirects", _other_types),
    Check("attack: an error that the broker has not", _other_errors),
    Check("attack: pages that post forged events", _other_pages_post),
    Check("attack: an unauthorized domain", _unauthorized_origin),
    Check("attack: an unknown API key", _unknown_key),
]
