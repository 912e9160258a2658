# SPDX-License-Identifier: Apache-2.0
"""A person who signs in at several replicas, and an app that redeems each code more often than it may."""

import http.client
import random
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast
from urllib.parse import parse_qs, urlsplit

from operations.broker_configuration import REDIRECT_URI
from operations.check import Failed
from operations.installation import Installation
from operations.person import Person
from operations.wire import Response, get, post

from replicas import history as outcomes
from replicas.balancer import ANSWERED, BALANCER, WANTED
from replicas.cluster import REPLICAS, Cluster
from replicas.history import CALLBACK, REDEEMED, REFUSED, START, TOKEN, WITH_CODE, Entry, fingerprint

# What part of the callbacks is sent twice at once.
_TWICE = 0.4
_REDEMPTIONS = 4
_SECONDS_BETWEEN_TRIES = 0.5
# A code lives for 60 seconds.
_SECONDS_OF_A_CODE = 57
# After so many refusals in a row nobody believes any more that a code is good.
_REFUSALS = 4


class Login:
    """One person, one login. Each request is entered into the history."""

    def __init__(self, number: int, cluster: Cluster, chosen: random.Random) -> None:
        self._number = number
        self._history = cluster.history
        self._visitor = _Visitor(cast(Installation, cluster))
        names = [str(each + 1) for each in range(REPLICAS)]
        is_sent_twice = chosen.random() < _TWICE
        self._callbacks: Sequence[str | None] = chosen.sample(names, 2) if is_sent_twice else [None]
        self._redemptions = [*names, *chosen.choices(names, k=_REDEMPTIONS - REPLICAS)]
        # When each code came.
        self._codes: dict[str, float] = {}

    def run(self) -> None:
        """Signs in, and has the app redeem what comes of it."""
        response = self._enter(START, None, lambda: self._visitor.open(self._visitor.start_target(), None))
        if response is None or _outcome(START, response) != outcomes.TO_PROVIDER:
            return
        try:
            callback = self._visitor.log_in(response.location)
        except (OSError, http.client.HTTPException, Failed):
            # The provider is not what is checked.
            return
        _at_once([partial(self._call_back, callback, replica) for replica in self._callbacks])
        for code, received in list(self._codes.items()):
            _at_once([partial(self._redeem, code, replica) for replica in self._redemptions])
            self._insist(code, received)

    def redeem_again(self) -> None:
        """Redeems each code once more."""
        for code in self._codes:
            self._redeem(code, None)

    def _call_back(self, callback: str, replica: str | None) -> None:
        parts = urlsplit(callback)
        response = self._enter(
            CALLBACK, replica, lambda: self._visitor.open(f"{parts.path}?{parts.query}", replica)
        )
        code = _code(response) if response is not None else None
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
            is_refused = response is not None and _outcome(TOKEN, response) == REFUSED
            refusals = refusals + 1 if is_refused else 0

    def _is_redeemed(self, code: str) -> bool:
        named = fingerprint(code)
        return any(
            each.code == named and each.outcome == REDEEMED and each.login == self._number
            for each in self._history.entries
        )

    def _redeem(self, code: str, replica: str | None) -> Response | None:
        return self._enter(TOKEN, replica, lambda: self._visitor.redeem_at(code, replica), code)

    def _enter(
        self, what: str, replica: str | None, send: Callable[[], Response], code: str = ""
    ) -> Response | None:
        begin = time.monotonic()
        response, answered = None, replica or ""
        self._history.pending[what, replica] += 1
        try:
            response = send()
        except (OSError, http.client.HTTPException) as error:
            outcome = f"no answer: {type(error).__name__}"
        else:
            outcome = _outcome(what, response)
            answered = response.fields.get(ANSWERED) or ""
            code = _code(response) or code
        finally:
            self._history.pending[what, replica] -= 1
        self._history.entries.append(
            Entry(
                begin,
                time.monotonic(),
                self._number,
                what,
                answered,
                outcome,
                fingerprint(code) if code else "",
            )
        )
        return response


class _Visitor(Person):
    """A person whose requests may name a replica."""

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
            "client_id": "web",
            "client_secret": self._installation.app_secret,
        }
        return post(self._endpoint, "/__/auth/token", form, self._wish(replica), self._source)

    @staticmethod
    def _wish(replica: str | None) -> dict[str, str]:
        return {WANTED: replica} if replica else {}


def _outcome(what: str, response: Response) -> str:
    if BALANCER in response.fields:
        return f"balancer {response.status}"
    if what == TOKEN:
        return f"token {response.status}"
    if not 300 <= response.status < 400:
        return f"page {response.status}"
    errors = parse_qs(urlsplit(response.location).query).get("error", [])
    if errors:
        return f"redirect with error {errors[0]}"
    if what == START:
        return outcomes.TO_PROVIDER
    return WITH_CODE if _code(response) else "redirect elsewhere"


def _code(response: Response) -> str | None:
    """Returns the code with which a response leads back to the app."""
    if response.location.split("?")[0] != REDIRECT_URI:
        return None
    codes = parse_qs(urlsplit(response.location).query).get("code", [])
    return codes[0] if len(codes) == 1 else None


def _at_once(calls: Sequence[Callable[[], object]]) -> None:
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
