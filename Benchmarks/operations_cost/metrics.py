# SPDX-License-Identifier: Apache-2.0
"""Reading `/metrics` of servers again and again, as Prometheus does."""

import http.client
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from operations.wire import Endpoint, get

from operations_cost.target import Target

SECONDS_BETWEEN_SCRAPES = 5.0


class Scrapes:
    """What was read of each target: when, and the text."""

    def __init__(self) -> None:
        self.count = 0
        self._texts: dict[str, list[tuple[float, str]]] = {}

    def add(self, name: str, text: str) -> None:
        """Keeps a text."""
        self.count += 1
        self._texts.setdefault(name, []).append((time.monotonic(), text))

    def values(self, name: str, series: str) -> list[tuple[float, float]]:
        """Returns when a series had which value. One that is not there yet is 0."""
        return [(when, value(text, series)) for when, text in self._texts.get(name, [])]


def value(text: str, series: str) -> float:
    """Returns the value of a series, named with its labels."""
    for line in text.splitlines():
        name, _, figure = line.rpartition(" ")
        if name == series:
            return float(figure)
    return 0.0


@contextmanager
def scraping(targets: Sequence[Target], seconds: float = SECONDS_BETWEEN_SCRAPES) -> Iterator[Scrapes]:
    """Scrapes the targets with metrics for as long as the block runs."""
    scrapes, has_ended = Scrapes(), threading.Event()

    def scrape() -> None:
        while not has_ended.wait(seconds):
            for target in targets:
                try:
                    response = get(Endpoint("http", target.operations_port, name="127.0.0.1"), "/metrics")
                except (OSError, http.client.HTTPException):
                    # It is not running at the moment.
                    continue
                scrapes.add(target.name, response.body)

    thread = threading.Thread(target=scrape, daemon=True)
    thread.start()
    try:
        yield scrapes
    finally:
        has_ended.set()
        thread.join()
