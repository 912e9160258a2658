# SPDX-License-Identifier: Apache-2.0
"""A fault: what is done to a cluster under load until it is over."""

from collections.abc import Callable
from dataclasses import dataclass

from replicas.cluster import Cluster
from replicas.stores import Kind


@dataclass(frozen=True)
class Fault:
    """A fault, whose function returns when it is over, and raises `Failed` if it did not come about."""

    name: str
    run: Callable[[Cluster], None]
    is_short: bool = False
    store: Kind = Kind.DIRECT
    # The number of standbys that a broker waits for, where sentinels watch the store.
    standbys: int = 1
