# SPDX-License-Identifier: Apache-2.0
"""Sign-ins by redirect, cross-site, where third parties have no cookies."""

from sdk import person
from sdk.app import App, is_nothing
from sdk.check import Check, Setting, require
from sdk.installation import API_KEY, ASKING, AUTOMATIC

_TYPES = {"signInViaRedirect": None, "reauthViaRedirect": "uid:::1", "linkViaRedirect": "uid:::2"}


def _signs_in(setting: Setting) -> None:
    with setting.browser() as browser:
        for authority, event_id in _TYPES.items():
            app = App(setting, browser, f"{setting.site.origin}/late")
            app.leave(authority, AUTOMATIC, **({"eventId": event_id} if event_id else {}))
            event = app.returned()
            pending = app.run("return page.wasPending")
            require(pending == '"true"', "the SDK would not know any more that a redirect is pending")
            require(app.run("return page.status") == "a", "FirebaseUI would not know any more that a redirect is pending")
            if authority == "linkViaRedirect":
                require(event["type"] == authority and event["eventId"] == event_id, "the event is another one")
                require(app.redeem(event)[0] == 400, "a ticket for a link signs in")
            else:
                app.signs_in(event, authority, event_id)
            app.has_no_error()
            app = App(setting, browser, app.url)
            require(is_nothing(app.first()), "after a reload the event comes again")
            require(app.run("return sessionStorage.length") == 0, "something is left in the tab's storage")


def _keeps_the_fragment(setting: Setting) -> None:
    with setting.browser() as browser:
        for fragment in ("#/settings?tab=1&back=%2Fa%20b%2B+", "#section", "##", ""):
            browser.open(f"{setting.site.origin}/bare")
            app = App(setting, browser, f"{setting.site.origin}/app/place?a=%2F&b=1{fragment}")
            app.leave("signInViaRedirect", AUTOMATIC)
            app.signs_in(app.returned(), "signInViaRedirect", None)
            require(browser.url == app.url, f"the page is at {browser.url} instead of {app.url}")


def _is_refused(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser, f"{setting.site.origin}/app#/login")
        app.leave("signInViaRedirect", ASKING)
        person.sign_in(browser, decision="deny")
        event = app.returned()
        require(event["type"] == "signInViaRedirect", f"the event is of the type {event['type']}")
        require(event["error"]["code"] == "auth/user-cancelled", f"the error is {event['error']}")


def _fails_after_the_claim(setting: Setting) -> None:
    """What the broker may answer to a claim, too."""
    with setting.browser() as browser:
        app = App(setting, browser)
        pending = f"firebase:pendingRedirect:{API_KEY}:[DEFAULT]"
        claim = {"verifier": "a", "pending": [[pending, '"true"']]}
        browser.run("sessionStorage.setItem('oidc-broker:claim', JSON.stringify(values[0]))", claim)
        browser.open(f"{setting.site.origin}/bare")
        query = "oidc-broker=error&code=auth%2Finternal-error&message=a&type=linkViaRedirect&eventId=b"
        browser.open(f"{app.url}#{query}")
        event = app.returned()
        require(event["type"] == "linkViaRedirect" and event["eventId"] == "b", "the event is another one")
        require(event["error"]["code"] == "auth/internal-error", f"the error is {event['error']}")
        require(app.run("return page.wasPending") == '"true"', "the SDK would not look for the error")


def _in_two_tabs(setting: Setting) -> None:
    with setting.browser() as browser:
        first_tab = browser.window
        first = App(setting, browser, f"{setting.site.origin}/app/first#/1")
        first.leave("signInViaRedirect", ASKING)
        person.arrive(browser)
        second_tab = browser.new_tab()
        second = App(setting, browser, f"{setting.site.origin}/app/second#/2")
        second.leave("signInViaRedirect", ASKING)
        person.arrive(browser)
        browser.switch(first_tab)
        person.sign_in(browser, person.ADA)
        browser.switch(second_tab)
        person.sign_in(browser, person.GRACE)
        grace = second.signs_in(second.returned(), "signInViaRedirect", None)
        ada = first.signs_in(first.returned(), "signInViaRedirect", None)
        require((ada["email"], grace["email"]) == (person.ADA[0], person.GRACE[0]), "the tabs got each other's people")


CHECKS = [
    Check("redirect: signs in and signs in again, once each", _signs_in),
    Check("redirect: the page gets its own fragment back", _keeps_the_fragment),
    Check("redirect: the user says no", _is_refused),
    Check("redirect: the claim ends in an error", _fails_after_the_claim),
    Check("redirect: two tabs at once", _in_two_tabs),
]
