# SPDX-License-Identifier: Apache-2.0
"""The browser of the user who signs in."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import requests

from kit.callback import Callback
from kit.form import Form

_LONGEST_CHAIN = 12


@dataclass(frozen=True)
class ProviderAccount:
    """A test user of the development provider, and that provider's page for signing in."""

    issuer: str
    email: str
    password: str

    @property
    def endpoint(self) -> str:
        """Where the page is, and where its form goes."""
        return f"{self.issuer}/authorize"


class UserAgent:
    """A browser without scripts, which presses the button of a page that has one to continue.

    The provider signs its first user in without a page, unless the browser is that of another `account`.
    """

    def __init__(self, authority: Path, account: ProviderAccount | None = None) -> None:
        self._authority = authority
        self._account = account

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
                    response = self._follow(session, location)
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

    def _follow(self, session: requests.Session, location: str) -> requests.Response:
        """Loads a page; that of the provider is skipped, and its form sent, if the account is another one."""
        endpoint, _, query = location.partition("?")
        if self._account is None or endpoint != self._account.endpoint:
            return session.get(location, allow_redirects=False)
        form = {
            "authorization_request": query,
            "email": self._account.email,
            "password": self._account.password,
            "decision": "allow",
        }
        return session.post(endpoint, data=form, allow_redirects=False)


def _leads_to(url: str, redirect_uri: str) -> bool:
    """Whether a URL is the redirect URI, apart from its query."""
    return urlsplit(url)._replace(query="").geturl() == redirect_uri


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
