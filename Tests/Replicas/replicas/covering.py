# SPDX-License-Identifier: Apache-2.0
"""Which pairs of faults are made where all of them would take too long."""

import random
from collections.abc import Sequence

from replicas.trial import Trial


def covering(pairs: Sequence[Trial], at_most: int, seed: int) -> list[Trial]:
    """Returns so many pairs by chance, but each fault at least once with each engine with which it is in a pair.

    Those that are needed for this come even if they are more. They keep their order.
    """
    mixed = list(pairs)
    random.Random(seed).shuffle(mixed)
    missing = {each for pair in mixed for each in _covered(pair)}
    chosen: set[int] = set()
    while missing:
        # The first of those that cover the most.
        best = max(mixed, key=lambda pair: len(_covered(pair) & missing))
        chosen.add(id(best))
        missing -= _covered(best)
    for pair in mixed:
        if len(chosen) >= at_most:
            break
        chosen.add(id(pair))
    return [pair for pair in pairs if id(pair) in chosen]


def _covered(pair: Trial) -> set[tuple[str, str]]:
    return {(fault.name, pair.engine.title) for fault in pair.faults}
