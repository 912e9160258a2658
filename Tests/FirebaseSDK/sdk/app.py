# SPDX-License-Identifier: Apache-2.0
"""The page `site/gapi.js`, seen from outside."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from sdk.browser import Browser
from sdk.check import Setting, require, wait_until

SENTINEL = "auth/no-auth-event"
# Whatever else was under way has had its turn after this.
_TURNS = "for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve));"


class App:
    """The page in the window in which it was opened."""

    def __init__(self, setting: Setting, browser: Browser, url: str | None = None) -> None:
        self._broker = setting.broker
        self._browser = browser
        self._window = browser.window
        self.url = url or f"{setting.site.origin}/app"
        browser.open(self.url)
        self.is_ready()

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs the body of an asynchronous function in the page."""
        self._browser.switch(self._window)
        return self._browser.run(script, *arguments)

    def is_ready(self) -> None:
        """Waits until the page has its frame."""
        wait_until("the page has a frame", lambda: self._reads("page.isOpen"))

    def first(self) -> dict[str, Any]:
        """Returns the event that the frame got at first: never more than one comes by itself."""
        wait_until("an event", lambda: self._reads("page.events[0]?.length"))
        events = self.run(_TURNS + "return page.events[0]")
        require(len(events) == 1, f"{len(events)} events instead of one: {_types(events)}")
        return events[0]

    def posted(self) -> dict[str, Any]:
        """Returns the event that a popup posted after the first one, alone."""
        wait_until("an event of a popup", lambda: (self._reads("page.events[0]?.length") or 0) > 1)
        events = self.run(_TURNS + "return page.events[0]")
        require(len(events) == 2, f"{len(events)} events instead of two: {_types(events)}")
        return events[1]

    def open_popup(self, authority: str, provider: str, **parameters: str) -> str:
        """Opens a popup as the SDK does, and returns its window, which is used then."""
        before = set(self._browser.windows)
        self.run("page.next = page.handler(...values)", authority, provider, parameters)
        self._browser.click("#popup")

        def opened() -> list[str]:
            return [window for window in self._browser.windows if window not in before]

        # A popup without a user action may be closed before it is seen.
        wait_until("a popup", lambda: opened() or (self._reads("page.events[0]?.length") or 0) > 1)
        found = opened()
        return found[0] if found else ""

    def leave(self, authority: str, provider: str, **parameters: str) -> None:
        """Goes to the handler as the SDK does."""
        self.run("page.next = page.handler(...values)", authority, provider, parameters)
        self._browser.click("#leave")

    def returned(self) -> dict[str, Any]:
        """Waits until a redirect came back to the page, and returns the event with which it did."""

        def is_back() -> bool:
            return bool(self._reads("page.isOpen")) and self._browser.url == self.url

        wait_until("the page is there again", is_back)
        return self.first()

    def redeem(self, event: dict[str, Any], **more: Any) -> tuple[int, dict[str, Any]]:
        """Sends an event as the SDK does, and returns the status and the members of the response."""
        result = self.run("return page.redeem(...values)", event, more)
        return result["status"], result["body"]

    def signs_in(self, event: dict[str, Any], authority: str, event_id: str | None) -> dict[str, Any]:
        """Requires that an event is of a sign-in and can be used once; returns the members of the response."""
        require(event["type"] == authority, f"the event is of the type {event['type']}")
        require(event.get("eventId") == event_id, f"the event has the ID {event.get('eventId')}")
        require(not event.get("error"), f"the event has an error: {event.get('error')}")
        parts = urlsplit(event["urlResponse"])
        handler = f"{parts.scheme}://{parts.netloc}{parts.path}"
        require(handler == f"{self._broker.base}/handler", f"urlResponse is at {handler}")
        require(list(parse_qs(parts.query)) == ["ticket"], "urlResponse has other parameters than a ticket")
        status, members = self.redeem(event)
        require(status == 200 and "idToken" in members, f"the event signs no user in: {status} {members}")
        status, again = self.redeem(event)
        require(status == 400 and "idToken" not in again, f"the event can be used again: {status}")
        return members

    def has_no_error(self) -> None:
        """Requires that no error reached the window, and that it has no frame."""
        errors = self.run(_TURNS + "return page.errors")
        require(not errors, f"errors in the page: {errors}")
        frames = self.run("return document.querySelectorAll('iframe').length")
        require(frames == 0, f"{frames} frames in the page")

    def _reads(self, expression: str) -> Any:
        self._browser.switch(self._window)
        return self._browser.reads(expression)


def is_nothing(event: dict[str, Any]) -> bool:
    """Whether an event says that no redirect is under way."""
    return event["type"] == "unknown" and event["error"]["code"] == SENTINEL


def _types(events: list[dict[str, Any]]) -> str:
    return ", ".join(str(event["type"]) for event in events)
