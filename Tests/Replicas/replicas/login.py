# SPDX-License-Identifier: Apache-2.0
"""A user who signs in at several replicas, and an app that redeems each code more often than it may."""

import http.client
import random
import time
from collections.abc import Sequence
from functools import partial
from typing import cast
from urllib.parse import urlsplit

from operations.broker_configuration import REDIRECT_URI
from operations.check import Failed
from operations.installation import Installation
from operations.person import Person
from operations.wire import Response, get, post

from replicas import history as outcomes
from replicas.asking import Asked, at_once, code_of, outcome_of
from replicas.balancer import WANTED
from replicas.cluster import REPLICAS, Cluster
from replicas.history import CALLBACK, REDEEMED, REFUSED, START, TOKEN, fingerprint

# What part of the callbacks is sent twice at once.
_TWICE = 0.4
_REDEMPTIONS = 4
_SECONDS_BETWEEN_TRIES = 0.5
# A code lives for 60 seconds.
_SECONDS_OF_A_CODE = 57
# After so many refusals in a row a code is taken for used up.
_REFUSALS = 4


class Login:
    """One user who signs in with a browser. Each request is entered into the history."""

    def __init__(self, number: int, cluster: Cluster, chosen: random.Random) -> None:
        self._number = number
        self._history = cluster.history
        self._asked = Asked(cluster.history, number)
        self._visitor = Visitor(cast(Installation, cluster))
        names = [str(each + 1) for each in range(REPLICAS)]
        is_sent_twice = chosen.random() < _TWICE
        self._callbacks: Sequence[str | None] = chosen.sample(names, 2) if is_sent_twice else [None]
        self._redemptions = [*names, *chosen.choices(names, k=_REDEMPTIONS - REPLICAS)]
        # When each code came.
        self._codes: dict[str, float] = {}
        self._callback = ""

    def run(self) -> None:
        """Signs in, and has the app redeem what comes of it."""
        response = self._asked.enter(
            START, None, lambda: self._visitor.open(self._visitor.start_target(), None)
        )
        if response is None or outcome_of(START, response) != outcomes.TO_PROVIDER:
            return
        try:
            self._callback = self._visitor.log_in(response.location)
        except (OSError, http.client.HTTPException, Failed):
            # The provider is not what is checked.
            return
        at_once([partial(self._call_back, replica) for replica in self._callbacks])
        for code, received in list(self._codes.items()):
            at_once([partial(self._redeem, code, replica) for replica in self._redemptions])
            self._insist(code, received)

    def again(self) -> None:
        """Redeems each code once more, and perhaps reloads the callback, without any result."""
        for code in list(self._codes):
            self._redeem(code, None)
        if self._codes and len(self._callbacks) > 1:
            self._call_back(None)

    def _call_back(self, replica: str | None) -> None:
        parts = urlsplit(self._callback)
        response = self._asked.enter(
            CALLBACK, replica, lambda: self._visitor.open(f"{parts.path}?{parts.query}", replica)
        )
        code = code_of(response) if response is not None else None
        if code is not None:
            self._codes[code] = time.monotonic()

    def _insist(self, code: str, received: float) -> None:
        """Redeems a code until it is redeemed, as an app does that is told to try again."""
        refusals = 0
        while not self._is_redeemed(code) and refusals < _REFUSALS:
            if time.monotonic() > received + _SECONDS_OF_A_CODE:
                return
            time.sleep(_SECONDS_BETWEEN_TRIES)
            response = self._redeem(code, None)
            is_refused = response is not None and outcome_of(TOKEN, response) == REFUSED
            refusals = refusals + 1 if is_refused else 0

    def _is_redeemed(self, code: str) -> bool:
        named = fingerprint(code)
        return any(
            each.code == named and each.outcome == REDEEMED and each.login == self._number
            for each in self._history.entries
        )

    def _redeem(self, code: str, replica: str | None) -> Response | None:
        return self._asked.enter(TOKEN, replica, lambda: self._visitor.redeem_at(code, replica), code)


class Visitor(Person):
    """A user whose requests may name a replica."""

    def open(self, target: str, replica: str | None) -> Response:
        """Opens a path of the broker as a browser does that does not follow redirects."""
        fields = self._wish(replica) | ({"Cookie": self._cookie} if self._cookies else {})
        response = get(self._endpoint, target, fields, self._source)
        for cookie in response.fields.get_all("Set-Cookie", []):
            name, _, rest = cookie.partition("=")
            # Cookies that are removed are kept: the same callback is sent once more.
            if "max-age=0" not in rest.lower():
                self._cookies[name] = rest.split(";")[0]
        return response

    def redeem_at(self, code: str, replica: str | None) -> Response:
        """Redeems a code and returns the response, whatever it is."""
        form = {
            "grant_type": "authorization_code",
            "redirect_uri": REDIRECT_URI,
            "code": code,
            "code_verifier": self._verifier,
            "client_id": self.client_id,
            "client_secret": self._installation.app_secret,
        }
        return post(self._endpoint, "/__/auth/token", form, self._wish(replica), self._source)

    @staticmethod
    def _wish(replica: str | None) -> dict[str, str]:
        return {WANTED: replica} if replica else {}
