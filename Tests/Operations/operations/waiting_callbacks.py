# SPDX-License-Identifier: Apache-2.0
"""Users whose callbacks wait in the handler, because the provider takes connections and does not answer."""

import signal
import threading
import time

from operations.addresses import addresses
from operations.check import Failed
from operations.installation import Installation
from operations.person import Person
from operations.waiting import wait_until
from operations.wire import Response

_NETWORK = 205
_SECONDS_TO_ANSWER = 30
# A callback waits for the provider for five seconds, and the metrics are read once a second: the first reading should
# find all of them, so that the caller has most of that time left.
_SECONDS_TO_ARRIVE = 0.3


class WaitingCallback:
    """A user who comes back from the provider and waits in the callback."""

    def __init__(self, made: Installation, source: str) -> None:
        self.person = Person(made, source)
        self._callback = self.person.log_in(self.person.begin())
        self._answer: Response | Exception | None = None
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        """Sends the callback."""
        self._thread.start()

    def answer(self) -> Response:
        """Waits for the response; raises if there is none."""
        self._thread.join(_SECONDS_TO_ANSWER)
        if not isinstance(self._answer, Response):
            raise Failed(f"a callback in progress was not answered: {self._answer!r}")
        return self._answer

    def _follow(self) -> None:
        try:
            self._answer = self.person.open_callback(self._callback)
        except (OSError, Failed) as error:
            self._answer = error


def waiting_callbacks(made: Installation, count: int) -> list[WaitingCallback]:
    """Stops the provider and has so many callbacks wait for it. The caller lets the provider go on, or kills it."""
    # What the broker needs to know of the provider, it knows.
    Person(made).sign_in()
    waiting = [WaitingCallback(made, source) for source in addresses(_NETWORK, count)]
    made.provider.send(signal.SIGSTOP)
    for each in waiting:
        each.start()
    time.sleep(_SECONDS_TO_ARRIVE)
    wait_until(f"{count} callbacks wait", lambda: made.metric("auth_callbacks_in_progress") >= count)
    return waiting
