# SPDX-License-Identifier: Apache-2.0
"""Faults of a primary with two standbys, which three sentinels watch."""

import contextlib
import signal
import time
from collections.abc import Callable, Sequence

from operations.waiting import wait_until

from replicas import resp
from replicas.cluster import Cluster
from replicas.engines import SENTINELS, SENTINELS_1, SENTINELS_2, Engine
from replicas.fault import SERVERS, Fault
from replicas.network import Node
from replicas.redis import PRIMARY_NAME, Redis
from replicas.server import Server
from replicas.stores import Store

_SECONDS_TO_FAIL_OVER = 30
_SECONDS_CUT_OFF = 8
_SECONDS = 3
_ALL = (SENTINELS, SENTINELS_1, SENTINELS_2)


def _primary_killed(cluster: Cluster) -> None:
    primary = cluster.store.primary()
    primary.kill()
    recover(cluster, primary)


def recover(cluster: Cluster, primary: Server) -> None:
    """Waits for another primary in the place of one that was killed, and starts that again."""
    _wait_for_another(cluster, primary)
    primary.start()
    _wait_for_standbys(cluster)


def _standby_killed(cluster: Cluster) -> None:
    standby = cluster.store.standbys()[0]
    standby.kill()
    time.sleep(_SECONDS)
    standby.start()
    _wait_for_standbys(cluster)


def _sentinel_killed(cluster: Cluster) -> None:
    process = cluster.store.sentinels[0].process
    process.send(signal.SIGKILL)
    process.wait(_SECONDS_TO_FAIL_OVER)
    time.sleep(_SECONDS)
    process.__enter__()


def _failed_over(cluster: Cluster) -> None:
    primary = cluster.store.primary()
    _order_failover(cluster)
    _wait_for_another(cluster, primary)
    _wait_for_standbys(cluster)


def _order_failover(cluster: Cluster) -> None:
    """Tells a sentinel to promote a standby, again while it knows of none that is fit, or is at it already."""

    def is_accepted() -> bool:
        with contextlib.suppress(resp.ServerError):
            cluster.store.sentinels[0].ask("SENTINEL", "FAILOVER", PRIMARY_NAME)
            return True
        return False

    wait_until("a sentinel begins a failover", is_accepted, _SECONDS_TO_FAIL_OVER)


def _restarted(cluster: Cluster) -> None:
    """All servers and sentinels one after the other; the primary is another one by then."""
    for sentinel in cluster.store.sentinels:
        sentinel.restart()
        wait_until(f"{sentinel.node.name} answers", sentinel.primary, _SECONDS_TO_FAIL_OVER)
    for standby in cluster.store.standbys():
        _restart(cluster, standby)
    primary = cluster.store.primary()
    # The sentinels see the standbys again within a second.
    time.sleep(_SECONDS)
    _order_failover(cluster)
    _wait_for_another(cluster, primary)
    _wait_for_standbys(cluster)
    _restart(cluster, primary)


def _restart(cluster: Cluster, standby: Server) -> None:
    standby.stop()
    standby.start()
    _wait_for_standbys(cluster)


def _split(cluster: Cluster, with_brokers: int, with_standbys: int) -> None:
    """The primary and what goes with it are cut off, while the others elect another primary."""
    store, network = cluster.store, cluster.environment.network
    primary, standbys = store.primary(), store.standbys()
    brokers = [each.node for each in cluster.replicas]
    near = [
        primary.node,
        *(each.node for each in standbys[:with_standbys]),
        *brokers[:with_brokers],
    ]
    far = [
        *(each.node for each in standbys[with_standbys:]),
        *(each.node for each in store.sentinels),
        *brokers[with_brokers:],
    ]
    cuts = _cuts(near, far, brokers[:with_brokers])
    for one, other in cuts:
        network.cut(one, other)
    time.sleep(_SECONDS_CUT_OFF)
    for one, other in cuts:
        network.heal(one, other)
    _wait_for_another(cluster, primary)
    _wait_for_standbys(cluster)


def _cuts(near: Sequence[Node], far: Sequence[Node], brokers: Sequence[Node]) -> list[tuple[Node, Node]]:
    # A broker on the side of the primary still reaches the others: that is the harder case, since it may ask both.
    return [(one, other) for one in near if one not in brokers for other in far]


def _wait_for_another(cluster: Cluster, before: Server) -> None:
    wait_until(
        "the sentinels name another primary",
        lambda: all(each.primary() not in ("", before.node.address) for each in cluster.store.sentinels),
        _SECONDS_TO_FAIL_OVER,
    )


def _wait_for_standbys(cluster: Cluster) -> None:
    """Waits until all others follow the primary, which may be replaced once more meanwhile."""
    wait_until(
        "all standbys follow the primary", lambda: _all_follow(cluster.store), _SECONDS_TO_FAIL_OVER
    )


def _all_follow(store: Store) -> bool:
    primary = store.primary()
    return all(
        isinstance(each, Redis)
        and each.follows()
        and each.field("replication", "master_host") == primary.node.address
        for each in store.servers
        if each is not primary
    )


def _fault(
    name: str,
    run: Callable[[Cluster], None],
    engines: Sequence[Engine] = _ALL,
    short: Sequence[Engine] = (),
) -> Fault:
    return Fault(name, run, engines, short, done_to=SERVERS)


FAULTS = [
    _fault("kill -9 of the primary", _primary_killed, short=(SENTINELS_2,)),
    _fault("kill -9 of a standby, back after 3 s", _standby_killed, (SENTINELS_1, SENTINELS_2)),
    _fault("kill -9 of a sentinel, back after 3 s", _sentinel_killed, (SENTINELS_2,)),
    _fault("a planned failover", _failed_over, (SENTINELS_1, SENTINELS_2)),
    _fault("rolling restart of all nodes", _restarted, (SENTINELS_1, SENTINELS_2)),
    _fault("the primary alone for 8 s", lambda cluster: _split(cluster, 0, 0)),
    _fault("the primary alone with a broker for 8 s", lambda cluster: _split(cluster, 1, 0)),
    _fault("the primary with a broker and a standby for 8 s", lambda cluster: _split(cluster, 1, 1)),
]
