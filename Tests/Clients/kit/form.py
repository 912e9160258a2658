# SPDX-License-Identifier: Apache-2.0
"""The form of a page, as the user submits it by its button."""

from html.parser import HTMLParser


class Form(HTMLParser):
    """Reads the heading of a page and its only form: the target, hidden fields, and the button to continue."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action: str | None = None
        self.fields: dict[str, str] = {}
        self.can_continue = False
        self.heading = ""
        self._is_in_heading = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = attributes["action"]
        elif tag == "input" and attributes.get("type") == "hidden":
            self.fields[attributes["name"]] = attributes["value"]
        elif tag == "button" and attributes.get("id") == "continue":
            self.can_continue = True
        self._is_in_heading = tag == "h1"

    def handle_endtag(self, tag: str) -> None:
        self._is_in_heading = False

    def handle_data(self, data: str) -> None:
        if self._is_in_heading:
            self.heading += data
