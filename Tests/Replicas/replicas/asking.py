# SPDX-License-Identifier: Apache-2.0
"""How requests are made that the history keeps, and what their responses come to."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Sequence
from urllib.parse import parse_qs, urlsplit

from operations.broker_configuration import REDIRECT_URI
from operations.wire import Response

from replicas import history as outcomes
from replicas.balancer import ANSWERED, BALANCER
from replicas.history import (
    CREDENTIAL,
    REFRESH,
    REFRESHED,
    START,
    TOKEN,
    WITH_CODE,
    Entry,
    History,
    fingerprint,
)


class Asked:
    """The requests of one login."""

    def __init__(self, history: History, login: int) -> None:
        self._history = history
        self._login = login

    def enter(
        self, what: str, replica: str | None, send: Callable[[], Response], code: str = ""
    ) -> Response | None:
        """Makes a request, enters it into the history, and returns the response; `None` if there is none."""
        begin = time.monotonic()
        response, answered, successor = None, replica or "", ""
        self._history.pending[what, replica] += 1
        try:
            response = send()
        except (OSError, http.client.HTTPException) as error:
            outcome = f"no answer: {type(error).__name__}"
        else:
            outcome = outcome_of(what, response)
            answered = response.fields.get(ANSWERED) or ""
            code = code_of(response) or code
            successor = fingerprint(refresh_token_of(response)) if outcome == REFRESHED else ""
        finally:
            self._history.pending[what, replica] -= 1
        named = fingerprint(code) if code else ""
        end = time.monotonic()
        self._history.entries.append(Entry(begin, end, self._login, what, answered, outcome, named, successor))
        return response


def outcome_of(what: str, response: Response) -> str:
    """Returns what came of a request."""
    if BALANCER in response.fields:
        return f"balancer {response.status}"
    if what in (TOKEN, CREDENTIAL, REFRESH):
        return f"{what} {response.status}"
    if not 300 <= response.status < 400:
        return f"page {response.status}"
    errors = parse_qs(urlsplit(response.location).query).get("error", [])
    if errors:
        return f"redirect with error {errors[0]}"
    if what == START:
        return outcomes.TO_PROVIDER
    return WITH_CODE if code_of(response) else "redirect elsewhere"


def code_of(response: Response) -> str | None:
    """Returns the code with which a response leads back to the app."""
    if response.location.split("?")[0] != REDIRECT_URI:
        return None
    codes = parse_qs(urlsplit(response.location).query).get("code", [])
    return codes[0] if len(codes) == 1 else None


def refresh_token_of(response: Response) -> str:
    """Returns the refresh token of a response with tokens."""
    return str(json.loads(response.body)["refresh_token"])


def at_once(calls: Sequence[Callable[[], object]]) -> None:
    """Makes calls in threads of their own, and waits for them."""
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
