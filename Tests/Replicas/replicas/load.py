# SPDX-License-Identifier: Apache-2.0
"""People who begin to sign in at a steady pace, whether others are done or not."""

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from operations.check import Failed

from replicas.cluster import Cluster
from replicas.login import Login
from replicas.native import NativeLogin

_LOGINS_PER_SECOND = 10
# Every so many-th person signs in within a native app, where Apple is.
_NATIVE = 5
# A code lives for 60 seconds, in which the app insists on it, and an answer takes at most 30.
_SECONDS_TO_END = 120
_REDEEMED_AT_ONCE = 4


@contextmanager
def people(cluster: Cluster) -> Iterator[None]:
    """Has people sign in while the block runs; waits for the last one, and has everything asked once more."""
    logins: list[Login | NativeLogin] = []
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
        if thread.is_alive():
            raise Failed("a login did not end")
    with ThreadPoolExecutor(_REDEEMED_AT_ONCE) as executor:
        list(executor.map(lambda login: login.again(), logins))


def _login(number: int, cluster: Cluster, chosen: random.Random) -> Login | NativeLogin:
    apple = cluster.environment.apple
    if apple is not None and number % _NATIVE == 0:
        return NativeLogin(number, cluster, apple, chosen)
    return Login(number, cluster, chosen)
