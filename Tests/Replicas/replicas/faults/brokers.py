# SPDX-License-Identifier: Apache-2.0
"""Faults of a replica."""

import signal
import time
from pathlib import Path

from replicas.cluster import Cluster, Replica
from replicas.engines import POSTGRESQL, POSTGRESQL_2, SENTINELS_1, SENTINELS_2, VALKEY
from replicas.fault import BROKER, BROKERS, Fault
from replicas.history import TOKEN

_SECONDS = 3
_SECONDS_TO_HAVE_WORK = 5
_ENGINES = (VALKEY, SENTINELS_2, POSTGRESQL_2)


def _nothing(cluster: Cluster) -> None:
    time.sleep(_SECONDS)


def _killed(cluster: Cluster) -> None:
    """A replica is killed when it has a callback and a redemption in hand."""
    replica = cluster.victim()
    end = time.monotonic() + _SECONDS_TO_HAVE_WORK
    while not _has_work(cluster, replica) and time.monotonic() < end:
        time.sleep(0.001)
    cluster.kill(replica)
    time.sleep(_SECONDS)
    cluster.start(replica)


def _has_work(cluster: Cluster, replica: Replica) -> bool:
    is_exchanging = any(
        each.replica == replica.name and each.status is None for each in cluster.recorder.exchanges[-10:]
    )
    return is_exchanging and cluster.history.pending[TOKEN, replica.name] > 0


def _stopped(cluster: Cluster, seconds: float) -> None:
    process = cluster.victim().process
    process.send(signal.SIGSTOP)
    time.sleep(seconds)
    process.send(signal.SIGCONT)


def _restarted(cluster: Cluster) -> None:
    for replica in cluster.replicas:
        cluster.stop(replica)
        cluster.start(replica)


def _replaced(cluster: Cluster) -> None:
    """All replicas become the previous build, one after the other, and this one again."""
    builds: tuple[Path | None, ...] = (cluster.environment.previous, cluster.environment.broker)
    for build in builds:
        assert build is not None
        for replica in cluster.replicas:
            cluster.stop(replica)
            replica.process.becomes(build)
            cluster.start(replica)


FAULTS = [
    Fault(
        "none",
        _nothing,
        engines=(VALKEY, SENTINELS_1, POSTGRESQL, POSTGRESQL_2),
        short=(VALKEY, POSTGRESQL),
    ),
    Fault(
        "kill -9 of a broker, back after 3 s", _killed, engines=_ENGINES, short=(VALKEY,), done_to=BROKER
    ),
    Fault("a broker stopped for 3 s", lambda cluster: _stopped(cluster, 3), engines=_ENGINES, done_to=BROKER),
    Fault("a broker stopped for 30 s", lambda cluster: _stopped(cluster, 30), done_to=BROKER, is_alone=True),
    Fault(
        "rolling restart of all brokers", _restarted, engines=_ENGINES, short=(VALKEY,), done_to=BROKERS
    ),
    Fault(
        "rolling restart to the previous build, and back",
        _replaced,
        engines=(VALKEY, POSTGRESQL),
        done_to=BROKERS,
        is_alone=True,
        needs_previous=True,
    ),
]
