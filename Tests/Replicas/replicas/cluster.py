# SPDX-License-Identifier: Apache-2.0
"""Everything that runs for one fault: the provider, the store, the replicas, and the balancer in front of them."""

import http.client
import signal
import threading
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from operations.waiting import wait_until
from operations.wire import Endpoint, get

from replicas import relays
from replicas.apple import Apple
from replicas.balancer import ANSWERED, WANTED
from replicas.engines import Engine, Kind
from replicas.history import History, Kill
from replicas.machine import NodeProcess
from replicas.network import Network, Node
from replicas.points import ANSWER, EXCHANGE, Point
from replicas.recorder import Recorder
from replicas.relays import RunningRelay
from replicas.settings import OPERATIONS_PORT
from replicas.stores import Store

REPLICAS = 3
SECONDS_TO_START = 90
_SECONDS_TO_END = 45
_SECONDS_TO_BE_DEAF = 0.02


@dataclass(frozen=True)
class Environment:
    """What all faults of a run use."""

    broker: Path
    # The executable with the provider.
    demo: Path
    network: Network
    seed: int
    plant: str | None = None
    # A build that writes the previous formats.
    previous: Path | None = None
    apple: Apple | None = None
    # The data of a new server of PostgreSQL; `None` if the brokers do not know it.
    template: Path | None = None


@dataclass(frozen=True)
class Layout:
    """What a fault needs to run: the engine, and whether relays stand in front of the servers and of the brokers."""

    engine: Engine
    has_relays: bool = False
    has_points: bool = False

    def has_accounts(self, environment: Environment) -> bool:
        """Whether the replicas share accounts. The previous build may not know them so."""
        return self.engine.kind is Kind.POSTGRESQL and environment.previous is None


@dataclass
class Replica:
    """A broker at a node; its name is that by which the balancer knows it."""

    name: str
    node: Node
    process: NodeProcess
    # What stands between it and the balancer, if points are held.
    answers: RunningRelay | None = None

    @property
    def number(self) -> int:
        """Its place among the replicas, from 0."""
        return int(self.name) - 1

    def is_ready(self) -> bool:
        """Whether it says that it takes requests."""
        endpoint = Endpoint("http", OPERATIONS_PORT, name=self.node.address)
        try:
            return get(endpoint, "/readyz", source="").status == 200
        except (OSError, http.client.HTTPException):
            return False

    def has_logged(self, text: str) -> bool:
        """Whether a line of its log contains a text."""
        return any(text in line for line in self.process.lines())


@dataclass
class Cluster:
    """What runs, and its history. Users take it for an installation of Tests/Operations."""

    environment: Environment
    directory: Path
    endpoint: Endpoint
    provider_port: int
    app_secret: str
    store: Store
    recorder: Recorder
    has_accounts: bool
    replicas: list[Replica] = field(default_factory=list)
    history: History = field(default_factory=History)
    _victims: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def victim(self) -> Replica:
        """Returns the replica to which the next fault happens: another one for each."""
        with self._lock:
            self._victims += 1
            return self.replicas[(self._victims - 1) % len(self.replicas)]

    def held(
        self, replica: Replica, point: Point, count: int, is_dropped: bool
    ) -> AbstractContextManager[None]:
        """Holds what comes to a point at a replica for the count-th time while the block runs."""
        if point.what == EXCHANGE:
            return self.recorder.held(replica.name, point, count, is_dropped)
        if point.what == ANSWER:
            assert replica.answers is not None
            return relays.held([replica.answers], point, count, None, is_dropped)
        return self.store.held(replica.number, replica.node, point, count, is_dropped)

    def kill(self, replica: Replica) -> None:
        """Kills a replica at once."""
        if replica.answers is not None:
            # Who comes now is refused, as by the machine of a process that is gone.
            replica.answers.tell("deaf")
            time.sleep(_SECONDS_TO_BE_DEAF)
        began = time.monotonic()
        replica.process.send(signal.SIGKILL)
        replica.process.wait(_SECONDS_TO_END)
        self.history.kills.append(Kill(began, time.monotonic(), replica.name))

    def start(self, replica: Replica) -> None:
        """Starts a replica, and waits until it takes requests and the balancer knows it."""
        replica.process.__enter__()
        if replica.answers is not None:
            wait_until(f"replica {replica.name} is ready", replica.is_ready, SECONDS_TO_START)
            replica.answers.tell("listen")
        self.wait_for(replica)

    def wait_for(self, replica: Replica) -> None:
        """Waits until a replica takes requests and the balancer knows it."""
        wait_until(f"replica {replica.name} is ready", replica.is_ready, SECONDS_TO_START)
        wait_until(
            f"the balancer knows replica {replica.name}", lambda: self._serves(replica), SECONDS_TO_START
        )

    def stop(self, replica: Replica) -> None:
        """Tells a replica to end, and waits until it has drained."""
        replica.process.send(signal.SIGTERM)
        replica.process.wait(_SECONDS_TO_END)

    def _serves(self, replica: Replica) -> bool:
        try:
            response = get(self.endpoint, "/__/auth/jwks", {WANTED: replica.name})
        except (OSError, http.client.HTTPException):
            return False
        return response.status == 200 and response.fields.get(ANSWERED) == replica.name
