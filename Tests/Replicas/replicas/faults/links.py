# SPDX-License-Identifier: Apache-2.0
"""Faults of the way between replicas and the store."""

import time

from replicas.cluster import Cluster
from replicas.fault import Fault
from replicas.stores import Kind

_SECONDS = 4


def _cut(cluster: Cluster) -> None:
    node = cluster.replicas[0].node
    cluster.store.cut(0, node)
    time.sleep(_SECONDS)
    cluster.store.heal(0, node)


def _ordered(cluster: Cluster, order: str) -> None:
    cluster.store.order(order)
    time.sleep(_SECONDS)
    cluster.store.order("open")


FAULTS = [
    Fault("a broker cut off from the store for 4 s", _cut, is_short=True),
    Fault("answers 50 ms late for 4 s", lambda cluster: _ordered(cluster, "delay 0.05"), store=Kind.RELAYS),
    Fault("answers 500 ms late for 4 s", lambda cluster: _ordered(cluster, "delay 0.5"), store=Kind.RELAYS),
    Fault(
        "connections cut in the middle of an answer for 4 s",
        lambda cluster: _ordered(cluster, "cut 0.15"),
        store=Kind.RELAYS,
    ),
]
