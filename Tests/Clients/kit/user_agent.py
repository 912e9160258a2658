# SPDX-License-Identifier: Apache-2.0
"""The browser of the user who signs in."""

from pathlib import Path
from urllib.parse import urljoin, urlsplit

import requests

from kit.callback import Callback
from kit.form import Form

_LONGEST_CHAIN = 12


class UserAgent:
    """A browser without scripts, which presses the button of a page that has one to continue."""

    def __init__(self, authority: Path) -> None:
        self._authority = authority

    def open(self, authorization_url: str, redirect_uri: str) -> Callback:
        """Signs in, beginning at an authorization URL, and returns the request that would go to the app."""
        with requests.Session() as session:
            session.trust_env = False
            session.verify = str(self._authority)
            response = session.get(authorization_url, allow_redirects=False)
            for _ in range(_LONGEST_CHAIN):
                if response.is_redirect:
                    location = urljoin(response.url, response.headers["location"])
                    if _leads_to(location, redirect_uri):
                        return Callback(location)
                    response = session.get(location, allow_redirects=False)
                    continue
                form = Form(response.text)
                if form.action is None or not form.can_continue:
                    raise RuntimeError(f"{response.status_code} without a way on: {form.heading}")
                action = urljoin(response.url, form.action)
                if _leads_to(action, redirect_uri):
                    return Callback(action, form.fields)
                headers = {"Origin": _origin(response.url), "Sec-Fetch-Site": "same-origin"}
                response = session.post(action, data=form.fields, headers=headers, allow_redirects=False)
        raise RuntimeError(f"more than {_LONGEST_CHAIN} steps, the last to {response.url}")


def _leads_to(url: str, redirect_uri: str) -> bool:
    """Whether a URL is the redirect URI, apart from its query."""
    return urlsplit(url)._replace(query="").geturl() == redirect_uri


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
