# SPDX-License-Identifier: Apache-2.0
"""A fault: what is done to a cluster under load until it is over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from replicas.cluster import Cluster, Layout
from replicas.engines import VALKEY, Engine

# What a fault is done to. Two that are done to the same do not go together; there are several brokers, so of those
# that are done to one of them each takes another.
BROKER, BROKERS, LINK, SERVERS, RELAYS = "a broker", "all brokers", "a link", "servers", "relays"


@dataclass(frozen=True)
class Fault:
    """A fault, whose function returns when it is over, and raises `Failed` if it did not come about."""

    name: str
    run: Callable[[Cluster], None]
    engines: Sequence[Engine] = (VALKEY,)
    # Those with which it is part of the short form.
    short: Sequence[Engine] = ()
    done_to: str = ""
    has_relays: bool = False
    has_points: bool = False
    # It takes too long, or does too much by itself, to go with another one.
    is_alone: bool = False
    needs_previous: bool = False

    def layout(self, engine: Engine) -> Layout:
        """Returns what it needs to run."""
        return Layout(engine, self.has_relays or self.has_points, self.has_points)


def is_pair(one: Fault, other: Fault) -> bool:
    """Whether two faults make sense together."""
    done_to = {one.done_to, other.done_to}
    if one.is_alone or other.is_alone or "" in done_to or done_to == {BROKER, BROKERS}:
        return False
    return len(done_to) == 2 or done_to == {BROKER}
