# SPDX-License-Identifier: Apache-2.0
"""What goes wrong at each point of a sign-in, one after the other: what is there is held until it has."""

import random
import time
from collections.abc import Callable

from operations.check import require

from replicas.cluster import Cluster, Replica
from replicas.engines import POSTGRESQL, POSTGRESQL_2, SENTINELS_2, VALKEY, Kind
from replicas.fault import Fault
from replicas.faults import postgresql, sentinels
from replicas.points import POINTS, NotReached, Point
from replicas.postgresql import PostgreSQL

# Which of those that come to the point is held, at random up to this.
_COUNT = 4
_SECONDS = 3
_SECONDS_BETWEEN = 1
_ENGINES = (VALKEY, SENTINELS_2, POSTGRESQL, POSTGRESQL_2)
# What is done at the point, with what is held there; what it returns follows when it was let go.
_Deed = Callable[[Cluster, Replica], Callable[[], None]]


def _kill_broker(cluster: Cluster, replica: Replica) -> Callable[[], None]:
    cluster.kill(replica)
    return lambda: cluster.start(replica)


def _kill_primary(cluster: Cluster, replica: Replica) -> Callable[[], None]:
    store = cluster.store
    primary, standbys = store.primary(), store.standbys()
    primary.kill()
    if store.engine.kind is Kind.SENTINELS:
        return lambda: sentinels.recover(cluster, primary)
    if standbys and isinstance(primary, PostgreSQL) and isinstance(standbys[0], PostgreSQL):
        pair = (primary, standbys[0])
        return lambda: postgresql.recover(*pair)
    return primary.start


def _cut_link(cluster: Cluster, replica: Replica) -> Callable[[], None]:
    cluster.store.cut(replica.number, replica.node)

    def mend() -> None:
        time.sleep(_SECONDS)
        cluster.store.heal(replica.number, replica.node)

    return mend


def _at_each_point(cluster: Cluster, deed: _Deed, is_dropped: bool) -> None:
    chosen = random.Random(cluster.environment.seed)
    missed = []
    for point in POINTS:
        count = chosen.randint(1, _COUNT)
        try:
            _at(point, count, cluster, deed, is_dropped)
        except NotReached as error:
            # The others are made all the same.
            cluster.history.note(str(error))
            missed.append(str(error))
        time.sleep(_SECONDS_BETWEEN)
    require(not missed, "; ".join(missed))


def _at(point: Point, count: int, cluster: Cluster, deed: _Deed, is_dropped: bool) -> None:
    replica = cluster.victim()
    with cluster.held(replica, point, count, is_dropped):
        cluster.history.note(f"{point} number {count} at replica {replica.name}")
        follow = deed(cluster, replica)
    follow()


# What a broker that was killed sent last, and what was on a link that was cut, is lost. A server that was killed may
# have sent its answer before.
FAULTS = [
    Fault(
        "kill -9 of a broker at each point",
        lambda cluster: _at_each_point(cluster, _kill_broker, is_dropped=True),
        engines=_ENGINES,
        short=(VALKEY,),
        has_points=True,
        is_alone=True,
    ),
    Fault(
        "kill -9 of the primary at each point",
        lambda cluster: _at_each_point(cluster, _kill_primary, is_dropped=False),
        engines=_ENGINES,
        short=(VALKEY,),
        has_points=True,
        is_alone=True,
    ),
    Fault(
        "a broker cut off from the store at each point, for 3 s",
        lambda cluster: _at_each_point(cluster, _cut_link, is_dropped=True),
        engines=_ENGINES,
        has_points=True,
        is_alone=True,
    ),
]
