# SPDX-License-Identifier: Apache-2.0
"""Faults of a replica."""

import signal
import time

from replicas.cluster import Cluster, Replica
from replicas.fault import Fault
from replicas.history import TOKEN

_SECONDS = 3
_SECONDS_TO_HAVE_WORK = 5


def _nothing(cluster: Cluster) -> None:
    time.sleep(_SECONDS)


def _killed(cluster: Cluster) -> None:
    """A replica is killed when it has a callback and a redemption in hand."""
    replica = cluster.replicas[0]
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


def _stopped(cluster: Cluster) -> None:
    process = cluster.replicas[0].process
    process.send(signal.SIGSTOP)
    time.sleep(_SECONDS)
    process.send(signal.SIGCONT)


def _restarted(cluster: Cluster) -> None:
    for replica in cluster.replicas:
        cluster.stop(replica)
        cluster.start(replica)


FAULTS = [
    Fault("none", _nothing, is_short=True),
    Fault("kill -9 of a broker, back after 3 s", _killed, is_short=True),
    Fault("a broker stopped for 3 s", _stopped),
    Fault("rolling restart of all brokers", _restarted, is_short=True),
]
