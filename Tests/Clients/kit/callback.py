# SPDX-License-Identifier: Apache-2.0
"""The request with which the browser brings the authorization response to the app."""

from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode, urlsplit


@dataclass(frozen=True)
class Callback:
    """A GET request with the response in its query, or a POST request with it in its form."""

    url: str
    form: dict[str, str] | None = None

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the response."""
        return dict(parse_qsl(urlsplit(self.url).query)) if self.form is None else self.form

    @property
    def target(self) -> str:
        """The path and the query, for a framework that is called in process."""
        parts = urlsplit(self.url)
        return f"{parts.path}?{parts.query}" if parts.query else parts.path

    def with_state(self, state: str) -> "Callback":
        """Returns the same callback with another `state`."""
        changed = {**self.parameters, "state": state}
        if self.form is not None:
            return replace(self, form=changed)
        return replace(self, url=urlsplit(self.url)._replace(query=urlencode(changed)).geturl())
