# SPDX-License-Identifier: Apache-2.0
"""Sign-ins in a popup."""

from typing import Any

from sdk import person
from sdk.app import App, is_nothing
from sdk.browser import Browser
from sdk.check import Check, Setting, require, wait_until
from sdk.installation import ASKING, AUTOMATIC

_TYPES = ("signInViaPopup", "reauthViaPopup")


def _signs_in(setting: Setting) -> None:
    with setting.browser() as browser:
        for number, authority in enumerate(_TYPES):
            app = App(setting, browser)
            require(is_nothing(app.first()), "before the popup there is an event")
            app.open_popup(authority, AUTOMATIC, eventId=f"90108011{number}")
            app.signs_in(app.posted(), authority, f"90108011{number}")
            wait_until("the popup is closed", lambda: len(browser.windows) == 1)
            app.has_no_error()


def _event_of_grace(setting: Setting, browser: Browser, authority: str, event_id: str) -> tuple[App, dict[str, Any]]:
    app = App(setting, browser)
    browser.switch(app.open_popup(authority, ASKING, eventId=event_id))
    person.sign_in(browser, person.GRACE)
    return app, app.posted()


def _links(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        app.open_popup("signInViaPopup", AUTOMATIC, eventId="1")
        token = app.signs_in(app.posted(), "signInViaPopup", "1")["idToken"]
        # A user with her own account, so that nothing is linked in the end.
        app, event = _event_of_grace(setting, browser, "signInViaPopup", "2")
        app.signs_in(event, "signInViaPopup", "2")
        app, event = _event_of_grace(setting, browser, "linkViaPopup", "3")
        status, members = app.redeem(event)
        require(status == 400 and "idToken" not in members, "a ticket for a link signs in")
        # That used nothing up, but the link does, although the identity is another account's.
        status, members = app.redeem(event, idToken=token)
        code = members.get("errorMessage")
        require(status == 200 and code == "FEDERATED_USER_ID_ALREADY_LINKED", f"the link ends in {status} {members}")
        status, members = app.redeem(event, idToken=token)
        require(status == 400 and "idToken" not in members, "a ticket for a link can be used again")


def _is_refused(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        popup = app.open_popup("signInViaPopup", ASKING, eventId="3")
        browser.switch(popup)
        person.sign_in(browser, decision="deny")
        event = app.posted()
        require(event["error"]["code"] == "auth/user-cancelled", f"the error is {event['error']}")
        require(event["eventId"] == "3" and not event.get("urlResponse"), "the event is that of a sign-in")


def _says_that_it_may_be_closed(browser: Browser) -> None:
    wait_until(
        "the popup says that it may be closed",
        lambda: browser.run("return document.querySelector('#closable')?.checkVisibility() ?? false"),
    )
    require(browser.run("return document.querySelector('#waiting').hidden"), "the popup still says that it waits")


def _opener_is_closed(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        opener = browser.window
        popup = app.open_popup("signInViaPopup", ASKING, eventId="4")
        browser.switch(opener)
        browser.close()
        browser.switch(popup)
        person.sign_in(browser)
        _says_that_it_may_be_closed(browser)


def _opener_is_elsewhere(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        opener = browser.window
        popup = app.open_popup("signInViaPopup", ASKING, eventId="5")
        # As a page does it: what the address bar leads to would be no opener any more.
        app.run("location.assign(values[0])", f"{setting.other.origin}/bare")
        wait_until("the other page", lambda: browser.find("#bare"))
        browser.run("window.received = 0; addEventListener('message', () => window.received++)")
        browser.switch(popup)
        person.sign_in(browser)
        _says_that_it_may_be_closed(browser)
        browser.switch(opener)
        require(browser.run("return window.received") == 0, "a page of another origin got the event")


def _has_no_opener(setting: Setting) -> None:
    with setting.browser() as browser:
        app = App(setting, browser)
        url = app.run("return page.handler('signInViaPopup', values[0], { eventId: '6' })", AUTOMATIC)
        browser.new_tab()
        browser.open(url)
        _says_that_it_may_be_closed(browser)


CHECKS = [
    Check("popup: signs in and signs in again, once each", _signs_in),
    Check("popup: a ticket for a link signs no user in", _links),
    Check("popup: the user says no", _is_refused),
    Check("popup: the opener was closed", _opener_is_closed),
    Check("popup: the opener shows another site", _opener_is_elsewhere),
    Check("popup: there is no opener", _has_no_opener),
]
