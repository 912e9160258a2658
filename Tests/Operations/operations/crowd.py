# SPDX-License-Identifier: Apache-2.0
"""Users who sign in again and again while something else happens."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from operations.addresses import addresses
from operations.check import Failed, require
from operations.installation import Installation
from operations.person import Person
from operations.waiting import SECONDS_TO_WAIT

# A user's address may make 20 requests a second, and a sign-in is two.
_SECONDS_BETWEEN_SIGN_INS = 0.1
_SLOWEST_SIGN_IN = 5.0
_NETWORK = 200


class Crowd:
    """What came of the sign-ins so far."""

    def __init__(self) -> None:
        self.durations: list[float] = []
        self.failures: list[str] = []
        self.has_ended = threading.Event()
        self.threads: list[threading.Thread] = []

    def stop(self) -> None:
        """Waits until all users have signed in for the last time."""
        self.has_ended.set()
        for thread in self.threads:
            thread.join()

    @property
    def figure(self) -> str:
        """How many signed in, and how long it took at most."""
        self.require_success()
        return f"{len(self.durations)} sign-ins, the slowest {max(self.durations) * 1000:.0f} ms"

    def require_success(self) -> None:
        """Raises if a user could not sign in, or none did, or it took too long."""
        failed, done = len(self.failures), len(self.durations)
        require(
            failed == 0, f"{failed} sign-ins failed beside {done}, the first: {''.join(self.failures[:1])}"
        )
        require(done > 0, "no user signed in")
        slowest = max(self.durations)
        require(slowest <= _SLOWEST_SIGN_IN, f"a sign-in took {slowest:.1f} s")

    def require_more(self, count: int = 3, since: int | None = None) -> None:
        """Waits for so many sign-ins beyond the first `since`, or all so far; raises if one fails or they stay away."""
        wanted = (len(self.durations) if since is None else since) + count
        end = time.monotonic() + SECONDS_TO_WAIT
        while len(self.durations) < wanted:
            self.require_failures_absent()
            if time.monotonic() > end:
                raise Failed(f"only {len(self.durations)} sign-ins instead of {wanted}")
            time.sleep(0.02)

    def require_failures_absent(self) -> None:
        """Raises if a user could not sign in."""
        if self.failures:
            raise Failed(f"a sign-in failed: {self.failures[0]}")


@contextmanager
def signing_in(
    installation: Installation, people: int = 1, make: Callable[[str], Person] | None = None, pause: float = 0
) -> Iterator[Crowd]:
    """Lets users sign in, each at an address of its own, for as long as the block runs."""
    crowd = Crowd()
    crowd.threads = [
        threading.Thread(
            target=_sign_in_again_and_again,
            args=(crowd, make or (lambda source: Person(installation, source)), source, pause),
            daemon=True,
        )
        for source in addresses(_NETWORK, people)
    ]
    for thread in crowd.threads:
        thread.start()
    try:
        yield crowd
    finally:
        crowd.stop()


def _sign_in_again_and_again(crowd: Crowd, make: Callable[[str], Person], source: str, pause: float) -> None:
    while not crowd.has_ended.is_set():
        try:
            crowd.durations.append(make(source).sign_in())
        except (OSError, Failed) as error:
            crowd.failures.append(f"{type(error).__name__}: {error}")
        crowd.has_ended.wait(max(pause, _SECONDS_BETWEEN_SIGN_INS))
