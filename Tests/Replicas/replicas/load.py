# SPDX-License-Identifier: Apache-2.0
"""Users who begin to sign in at a steady pace, whether others are done or not."""

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from replicas.cluster import Cluster
from replicas.login import Login
from replicas.native import NativeLogin
from replicas.session import SessionLogin

_LOGINS_PER_SECOND = 10
# Every so many-th user signs in within a native app, where Apple is.
_NATIVE = 5
# And one of so many is kept signed in by an app, where there are accounts. All are one user at the provider, whose account
# has at most 20 sessions.
_SESSION = 10
# A code lives for 60 seconds, in which the app insists on it, and an answer takes at most 30.
_SECONDS_TO_END = 100
# Everything is asked once more by so many at once, and within so many seconds: a store that is still away answers late.
_ASKED_AT_ONCE = 4
_SECONDS_TO_ASK_AGAIN = 60

_Person = Login | NativeLogin | SessionLogin


@contextmanager
def people(cluster: Cluster) -> Iterator[None]:
    """Has users sign in while the block runs; waits for the last one, and has everything asked once more."""
    logins: list[_Person] = []
    threads: list[threading.Thread] = []
    has_ended = threading.Event()
    chosen = random.Random(cluster.environment.seed)

    def begin_logins() -> None:
        due = time.monotonic()
        while not has_ended.is_set():
            login = _login(len(logins) + 1, cluster, chosen)
            logins.append(login)
            threads.append(threading.Thread(target=login.run, daemon=True))
            threads[-1].start()
            due += chosen.uniform(0.5, 1.5) / _LOGINS_PER_SECOND
            has_ended.wait(max(0.0, due - time.monotonic()))

    cluster.history.load_began = time.monotonic()
    beginning = threading.Thread(target=begin_logins, daemon=True)
    beginning.start()
    try:
        yield
    finally:
        has_ended.set()
        beginning.join()
        cluster.history.load_ended = time.monotonic()
    end = time.monotonic() + _SECONDS_TO_END
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    living = sum(thread.is_alive() for thread in threads)
    if living:
        cluster.history.failures.append(f"{living} of {len(threads)} people did not come to an end")
    end = time.monotonic() + _SECONDS_TO_ASK_AGAIN
    with ThreadPoolExecutor(_ASKED_AT_ONCE) as executor:
        asked = sum(executor.map(lambda login: _asked_again(login, end), logins))
    if asked < len(logins):
        cluster.history.failures.append(f"{len(logins) - asked} of {len(logins)} people did not ask once more")


def _asked_again(login: _Person, end: float) -> bool:
    """Has everything of a login asked once more, if there is time; returns whether there was."""
    if time.monotonic() >= end:
        return False
    login.again()
    return True


def _login(number: int, cluster: Cluster, chosen: random.Random) -> _Person:
    if cluster.has_accounts and number % _SESSION == 1:
        return SessionLogin(number, cluster, chosen)
    apple = cluster.environment.apple
    if apple is not None and number % _NATIVE == 0:
        return NativeLogin(number, cluster, apple, chosen)
    return Login(number, cluster, chosen)
