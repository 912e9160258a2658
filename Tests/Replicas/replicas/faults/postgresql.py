# SPDX-License-Identifier: Apache-2.0
"""Faults of a primary of PostgreSQL with a standby that it waits for.

Something has to promote the standby and to keep the old primary away, as Patroni does. Here it is the run itself.
"""

import time
from collections.abc import Callable

from operations.check import Failed

from replicas.cluster import Cluster
from replicas.engines import POSTGRESQL_2
from replicas.fault import SERVERS, Fault
from replicas.postgresql import PostgreSQL
from replicas.server import Server

# What it takes until a primary is taken for dead.
_SECONDS_TO_NOTICE = 2
_SECONDS_CUT_OFF = 8
_SECONDS = 3


def _primary_killed(cluster: Cluster) -> None:
    primary, standby = servers(cluster)
    primary.kill()
    recover(primary, standby)


def recover(primary: PostgreSQL, standby: PostgreSQL) -> None:
    """Promotes the standby of a primary that is dead, and has that follow it."""
    time.sleep(_SECONDS_TO_NOTICE)
    standby.promote()
    time.sleep(_SECONDS)
    _rejoin(primary, standby)


def _rejoin(server: PostgreSQL, primary: PostgreSQL) -> None:
    server.copy(primary)
    server.start()
    server.attach(primary)


def _standby_killed(cluster: Cluster) -> None:
    """No server is told to go on without it, so nothing is acknowledged meanwhile."""
    primary, standby = servers(cluster)
    standby.kill()
    time.sleep(_SECONDS)
    standby.start()
    standby.attach(primary)


def _switched_over(cluster: Cluster) -> None:
    """The standby is restarted, the primary stopped and the standby promoted; then the old primary is the standby."""
    primary, standby = servers(cluster)
    standby.stop()
    standby.start()
    standby.attach(primary)
    primary.stop()
    standby.promote()
    _rejoin(primary, standby)


def _split(cluster: Cluster, with_brokers: int) -> None:
    """The primary is cut off, perhaps together with a broker, and the other one promoted."""
    primary, standby = servers(cluster)
    network = cluster.environment.network
    far = [standby.node, *(each.node for each in cluster.replicas[with_brokers:])]
    for node in far:
        network.cut(primary.node, node)
    time.sleep(_SECONDS_TO_NOTICE)
    standby.promote()
    time.sleep(_SECONDS_CUT_OFF - _SECONDS_TO_NOTICE)
    # A broker that can write to both again would; so no link to a replaced primary is healed.
    primary.kill()
    for node in far:
        network.heal(primary.node, node)
    _rejoin(primary, standby)


def servers(cluster: Cluster) -> tuple[PostgreSQL, PostgreSQL]:
    """Returns the primary and the standby."""
    return _postgresql(cluster.store.primary()), _postgresql(cluster.store.standbys()[0])


def _postgresql(server: Server) -> PostgreSQL:
    if not isinstance(server, PostgreSQL):
        raise Failed(f"{server.node.name} is no server of PostgreSQL")
    return server


def _fault(name: str, run: Callable[[Cluster], None], is_short: bool = False) -> Fault:
    engines = (POSTGRESQL_2,)
    return Fault(name, run, engines, short=engines if is_short else (), done_to=SERVERS)


FAULTS = [
    _fault("kill -9 of the primary, and the standby promoted", _primary_killed, is_short=True),
    _fault("kill -9 of the standby, back after 3 s", _standby_killed),
    _fault("rolling restart of all nodes", _switched_over),
    _fault("the primary alone for 8 s", lambda cluster: _split(cluster, 0)),
    _fault("the primary alone with a broker for 8 s", lambda cluster: _split(cluster, 1)),
]
