# SPDX-License-Identifier: Apache-2.0
"""Looking at something again and again while something else runs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def sampling(look: Callable[[], None], seconds: float) -> Iterator[None]:
    """Looks every so many seconds for as long as the block runs, and raises what that raised."""
    has_ended = threading.Event()
    raised: list[Exception] = []

    def run() -> None:
        try:
            while not has_ended.wait(seconds):
                look()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()
    if raised:
        raise raised[0]
