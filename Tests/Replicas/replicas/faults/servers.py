# SPDX-License-Identifier: Apache-2.0
"""Faults of the only server of the store."""

import time

from operations.check import require

from replicas.cluster import Cluster
from replicas.engines import POSTGRESQL, VALKEY
from replicas.fault import SERVERS, Fault

_SECONDS = 3
_BOTH = (VALKEY, POSTGRESQL)


def _stopped(cluster: Cluster, seconds: float) -> None:
    cluster.store.server.pause()
    time.sleep(seconds)
    cluster.store.server.resume()


def _away(cluster: Cluster, seconds: float) -> None:
    cluster.store.server.kill()
    time.sleep(seconds)
    cluster.store.server.start()


def _restarted(cluster: Cluster) -> None:
    cluster.store.server.stop()
    cluster.store.server.start()


def _full(cluster: Cluster) -> None:
    server = cluster.store.redis
    before = server.ask("CONFIG", "GET", "maxmemory")[1].decode()
    server.ask("CONFIG", "SET", "maxmemory", "1")
    time.sleep(_SECONDS)
    server.ask("CONFIG", "SET", "maxmemory", before)


def _evicts(cluster: Cluster) -> None:
    """The server may evict what lives from now on, and new connections have to notice that."""
    server = cluster.store.redis
    server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    server.ask("CLIENT", "KILL", "TYPE", "normal")
    cut, due = time.monotonic(), time.monotonic() + _SECONDS
    # What was under way has ended after a second.
    time.sleep(1)
    since = time.monotonic()
    time.sleep(max(0.0, due - time.monotonic()))
    refused = [each for each in cluster.replicas if each.has_logged("maxmemory-policy is allkeys-lru")]
    ended = _sign_ins(cluster, since)
    server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    require(bool(refused), "no broker reports that the server evicts")
    require(ended == 0, f"{ended} codes were redeemed {since - cut:.0f} s after the server began to evict")


def _sign_ins(cluster: Cluster, since: float) -> int:
    return sum(each.outcome == "token 200" and each.end > since for each in list(cluster.history.entries))


FAULTS = [
    Fault(
        "the store stopped for 3 s",
        lambda cluster: _stopped(cluster, 3),
        engines=_BOTH,
        short=(VALKEY,),
        done_to=SERVERS,
    ),
    Fault("the store stopped for 30 s", lambda cluster: _stopped(cluster, 30), engines=_BOTH, is_alone=True),
    Fault(
        "kill -9 of the store, back within 2 s",
        lambda cluster: _away(cluster, 1),
        engines=_BOTH,
        short=(POSTGRESQL,),
        done_to=SERVERS,
    ),
    Fault(
        "the store away for 8 s",
        lambda cluster: _away(cluster, 8),
        engines=_BOTH,
        short=(VALKEY,),
        done_to=SERVERS,
    ),
    Fault("restart of the store", _restarted, engines=_BOTH, done_to=SERVERS),
    Fault("the store full for 3 s", _full, short=(VALKEY,), done_to=SERVERS),
    Fault("the store evicts for 3 s", _evicts, done_to=SERVERS),
]
