# SPDX-License-Identifier: Apache-2.0
"""A user whom an app keeps signed in: it presents each refresh token at two replicas at once."""

import http.client
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from operations.check import Failed
from operations.installation import Installation
from operations.wire import Response, post

from replicas.asking import Asked, at_once, code_of, outcome_of, refresh_token_of
from replicas.cluster import REPLICAS, Cluster
from replicas.history import CALLBACK, REDEEMED, REFRESH, REFRESHED, REFUSED, SIGNED_OUT, START, TO_PROVIDER, TOKEN
from replicas.invariants import SECONDS_TO_REPEAT
from replicas.login import Visitor
from replicas.settings import SESSION_APP

_REFRESHES = 4
_SECONDS_BETWEEN = 0.5


class SessionLogin:
    """One user with a browser, and the app. Each request is entered into the history."""

    def __init__(self, number: int, cluster: Cluster, chosen: random.Random) -> None:
        self._asked = Asked(cluster.history, number)
        self._visitor = _SessionVisitor(cast(Installation, cluster))
        names = [str(each + 1) for each in range(REPLICAS)]
        self._pairs = [chosen.sample(names, 2) for _ in range(_REFRESHES)]
        self._end = 0.0

    def run(self) -> None:
        """Signs in, and has the app refresh a few times."""
        self._end = time.monotonic() + SECONDS_TO_REPEAT
        code = self._sign_in()
        token = self._until_known(TOKEN, partial(self._visitor.redeem_at, code), code) if code else None
        for replicas in self._pairs:
            if token is None:
                return
            time.sleep(_SECONDS_BETWEEN)
            token = self._refresh(token, replicas)

    def again(self) -> None:
        """Asks nothing: a code that comes again ends the session."""

    def _sign_in(self) -> str | None:
        response = self._asked.enter(
            START, None, lambda: self._visitor.open(self._visitor.start_target(), None)
        )
        if response is None or outcome_of(START, response) != TO_PROVIDER:
            return None
        try:
            callback = self._visitor.log_in(response.location)
        except (OSError, http.client.HTTPException, Failed):
            # The provider is not what is checked.
            return None
        target = callback[callback.index("/__/auth/") :]
        response = self._asked.enter(CALLBACK, None, lambda: self._visitor.open(target, None))
        return None if response is None else code_of(response)

    def _refresh(self, token: str, replicas: Sequence[str]) -> str | None:
        """Presents a refresh token until it is known what became of it, and returns the next one."""
        send = partial(self._visitor.refresh_at, token)
        successors: list[str] = []

        def present(replica: str) -> None:
            response = self._asked.enter(REFRESH, replica, partial(send, replica), token)
            if response is not None and outcome_of(REFRESH, response) == REFRESHED:
                successors.append(refresh_token_of(response))

        at_once([partial(present, each) for each in replicas])
        return successors[0] if successors else self._until_known(REFRESH, send, token)

    def _until_known(self, what: str, send: Callable[[str | None], Response], secret: str) -> str | None:
        """Asks until it is known what became of a code or a refresh token, and returns the next refresh token."""
        while time.monotonic() < self._end:
            response = self._asked.enter(what, None, partial(send, None), secret)
            outcome = "" if response is None else outcome_of(what, response)
            if response is not None and outcome in (REDEEMED, REFRESHED):
                return refresh_token_of(response)
            if outcome in (REFUSED, SIGNED_OUT):
                return None
            time.sleep(_SECONDS_BETWEEN)
        return None


class _SessionVisitor(Visitor):
    """A user at the app that stays signed in."""

    client_id = SESSION_APP
    scope = "openid offline_access"

    def refresh_at(self, token: str, replica: str | None) -> Response:
        """Presents a refresh token and returns the response, whatever it is."""
        form = {
            "grant_type": "refresh_token",
            "refresh_token": token,
            "client_id": self.client_id,
            "client_secret": self._installation.app_secret,
        }
        return post(self._endpoint, "/__/auth/token", form, self._wish(replica), self._source)
