# SPDX-License-Identifier: Apache-2.0
"""Faults of a primary with two replicas, which three sentinels watch."""

import time
from collections.abc import Callable

from operations.waiting import wait_until

from replicas.cluster import Cluster
from replicas.fault import Fault
from replicas.redis import PRIMARY_NAME, Redis
from replicas.stores import Kind

_SECONDS_TO_FAIL_OVER = 30
_SECONDS_CUT_OFF = 8


def _primary_killed(cluster: Cluster) -> None:
    primary = cluster.store.primary()
    primary.kill()
    _wait_for_another(cluster, primary)
    primary.start()
    _wait_for_standby(primary)


def _failed_over(cluster: Cluster) -> None:
    primary = cluster.store.primary()
    cluster.store.sentinels[0].ask("SENTINEL", "FAILOVER", PRIMARY_NAME)
    _wait_for_another(cluster, primary)
    _wait_for_standby(primary)


def _split(cluster: Cluster) -> None:
    """The primary and one broker go on together, while the others elect another primary."""
    primary, network = cluster.store.primary(), cluster.environment.network
    far = [
        *(each.node for each in cluster.store.servers if each is not primary),
        *(each.node for each in cluster.store.sentinels),
        *(each.node for each in cluster.replicas[1:]),
    ]
    for node in far:
        network.cut(primary.node, node)
    time.sleep(_SECONDS_CUT_OFF)
    for node in far:
        network.heal(primary.node, node)
    _wait_for_another(cluster, primary)
    _wait_for_standby(primary)


def _wait_for_another(cluster: Cluster, before: Redis) -> None:
    wait_until(
        "the sentinels name another primary",
        lambda: all(each.primary() not in ("", before.node.address) for each in cluster.store.sentinels),
        _SECONDS_TO_FAIL_OVER,
    )


def _wait_for_standby(server: Redis) -> None:
    wait_until(f"{server.node.name} follows another primary", server.follows, _SECONDS_TO_FAIL_OVER)


def _fault(name: str, run: Callable[[Cluster], None], standbys: int) -> Fault:
    return Fault(name, run, store=Kind.SENTINELS, standbys=standbys)


FAULTS = [
    _fault("kill -9 of the primary", _primary_killed, 1),
    _fault("a planned failover", _failed_over, 1),
    _fault("the primary alone with a broker for 8 s", _split, 2),
]
