# SPDX-License-Identifier: Apache-2.0
"""Faults of the way between replicas and the store."""

import time

from replicas.cluster import Cluster
from replicas.engines import POSTGRESQL, POSTGRESQL_2, SENTINELS_2, VALKEY
from replicas.fault import LINK, RELAYS, Fault

_SECONDS = 4
_ALL = (VALKEY, SENTINELS_2, POSTGRESQL, POSTGRESQL_2)


def _cut(cluster: Cluster, is_one_way: bool) -> None:
    replica = cluster.replicas[0]
    cluster.store.cut(replica.number, replica.node, is_one_way)
    time.sleep(_SECONDS)
    cluster.store.heal(replica.number, replica.node)


def _ordered(cluster: Cluster, order: str) -> None:
    cluster.store.order(order)
    time.sleep(_SECONDS)
    cluster.store.order("open")


def _late(cluster: Cluster, seconds: float) -> None:
    _ordered(cluster, f"delay {seconds}")
    # It is over when the last answer has come.
    time.sleep(seconds)


def _delay(text: str, seconds: float, is_alone: bool = False) -> Fault:
    return Fault(
        f"answers {text} late for 4 s",
        lambda cluster: _late(cluster, seconds),
        engines=_ALL,
        done_to=RELAYS,
        has_relays=True,
        is_alone=is_alone,
    )


FAULTS = [
    Fault(
        "a broker cut off from the store for 4 s",
        lambda cluster: _cut(cluster, is_one_way=False),
        engines=_ALL,
        short=(VALKEY,),
        done_to=LINK,
    ),
    Fault(
        "answers to a broker lost for 4 s",
        lambda cluster: _cut(cluster, is_one_way=True),
        engines=_ALL,
        done_to=LINK,
    ),
    _delay("50 ms", 0.05),
    _delay("500 ms", 0.5),
    _delay("5 s", 5, is_alone=True),
    Fault(
        "connections cut in the middle of an answer for 4 s",
        lambda cluster: _ordered(cluster, "cut 0.15"),
        engines=_ALL,
        done_to=RELAYS,
        has_relays=True,
    ),
]
