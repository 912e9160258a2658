# SPDX-License-Identifier: Apache-2.0
"""The provider is killed while users are on their way through it, and comes back with other keys."""

import signal
import time

from operations.check import Check, Setting, require
from operations.installation import Installation, running
from operations.person import NotSignedIn, Person
from operations.waiting import wait_until
from operations.waiting_callbacks import waiting_callbacks
from operations.wire import Response

# A circuit stays open for 30 seconds at most, and keys are not asked for again for a minute.
_SECONDS_TO_RECOVER = 75
_SECONDS_TO_ANSWER = 16


def _killed(setting: Setting) -> str:
    with running(setting) as made:
        late = Person(made)
        late_callback = late.log_in(late.begin())
        waiting = waiting_callbacks(made, 8)
        made.provider.send(signal.SIGKILL)
        killed = time.monotonic()
        for each in waiting:
            _require_told(each.answer())
        _require_told(late.open_callback(late_callback))
        answered = time.monotonic() - killed
        require(answered <= _SECONDS_TO_ANSWER, f"the answers took {answered:.1f} s")
        require(made.operations("/readyz")[0] == 200, "/readyz is not 200 while a provider is down")
        require(made.operations("/healthz")[0] == 200, "/healthz is not 200 while a provider is down")
        made.start_provider()
        back = time.monotonic()
        wait_until("a sign-in, after the provider is back", lambda: _signs_in(made), _SECONDS_TO_RECOVER)
        return (
            f"{len(waiting) + 1} callbacks answered within {answered:.1f} s of the kill; "
            f"the next sign-in {time.monotonic() - back:.1f} s after it was back"
        )


def _require_told(response: Response) -> None:
    """The app is told, by a redirect without a code."""
    told = 300 <= response.status < 400 and "error=temporarily_unavailable" in response.location
    if not told:
        raise NotSignedIn("callback without a provider", response)


def _signs_in(made: Installation) -> bool:
    try:
        Person(made).sign_in()
    except NotSignedIn:
        time.sleep(0.5)
        return False
    return True


CHECKS = [
    Check(
        "the provider is killed with callbacks in progress, and comes back with other keys",
        "each callback tells the app `temporarily_unavailable`, `/readyz` stays 200, sign-ins go on by themselves",
        _killed,
    )
]
