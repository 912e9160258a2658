# SPDX-License-Identifier: Apache-2.0
"""A client with one set of settings, and what must come of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration


class Refused(Exception):
    """The library did not accept a callback or a token, or the broker what the client sent for a callback."""


@dataclass(frozen=True)
class SignedIn:
    """What a client knows of the user: the subject, the claims, the ID token if it shows that, and the refresh token.

    `is_admin` is whether the app takes the user for an admin, if it decides that by groups.
    """

    sub: str
    claims: Mapping[str, object]
    id_token: str | None = None
    refresh_token: str | None = None
    is_admin: bool | None = None


class SignIn(Protocol):
    """A client that is registered at the broker, with its own session."""

    def begin(self) -> str:
        """Begins a sign-in and returns the authorization URL, to which the client sends the browser."""

    def complete(self, callback: Callback) -> SignedIn:
        """Hands the browser's callback to the client; raises Refused if that is no sign-in."""

    def refresh(self) -> SignedIn:
        """Has the client of an app that keeps sessions refresh its tokens; raises Refused if it gets none."""
        raise NotImplementedError

    def revoke(self) -> None:
        """Has such a client revoke its refresh token."""
        raise NotImplementedError


@dataclass(frozen=True)
class Trial:
    """A client with one set of settings.

    `settings` is Markdown that names what had to be set beside the issuer and the registration. `claims` are those
    that the client asks for and shows. A client that does not compare `state` leaves it to the app. One that
    `is_refused` sends neither nonce nor PKCE, so that the broker must refuse it. One that `decides_by_group` makes admins of
    the group `staff`.
    """

    client: str
    distribution: str
    app: App
    settings: str
    start: Callable[[Registration], SignIn]
    claims: frozenset[str] = frozenset({"email", "name"})
    compares_state: bool = True
    is_refused: bool = False
    decides_by_group: bool = False
