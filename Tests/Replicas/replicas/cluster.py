# SPDX-License-Identifier: Apache-2.0
"""Everything that runs for one fault: the provider, the store, the replicas, and the balancer in front of them."""

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from operations.ports import free_port
from operations.process import Process
from operations.waiting import wait_until
from operations.wire import Endpoint, get

from replicas import stores
from replicas.balancer import ANSWERED, WANTED, haproxy
from replicas.history import History, Kill
from replicas.machine import NodeProcess
from replicas.network import Network, Node
from replicas.recorder import Recorder
from replicas.settings import OPERATIONS_PORT, PORT, Shared
from replicas.stores import Kind, Store

REPLICAS = 3
_SECONDS_TO_START = 40
_SECONDS_TO_END = 45


@dataclass(frozen=True)
class Environment:
    """What all faults of a run use."""

    broker: Path
    network: Network
    seed: int
    plant: str | None = None


@dataclass
class Replica:
    """A broker at a node; its name is that by which the balancer knows it."""

    name: str
    node: Node
    process: NodeProcess

    def is_ready(self) -> bool:
        """Whether it says that it takes requests."""
        endpoint = Endpoint("http", OPERATIONS_PORT, name=self.node.address)
        try:
            return get(endpoint, "/readyz", source="").status == 200
        except OSError:
            return False

    def has_logged(self, text: str) -> bool:
        """Whether a line of its log contains a text."""
        return any(text in line for line in self.process.lines())


@dataclass
class Cluster:
    """What runs, and its history. People take it for an installation of Tests/Operations."""

    environment: Environment
    directory: Path
    endpoint: Endpoint
    provider_port: int
    app_secret: str
    store: Store
    recorder: Recorder
    replicas: list[Replica] = field(default_factory=list)
    history: History = field(default_factory=History)

    def kill(self, replica: Replica) -> None:
        """Kills a replica at once."""
        self.history.kills.append(Kill(time.monotonic(), replica.name))
        replica.process.send(signal.SIGKILL)
        replica.process.wait(_SECONDS_TO_END)

    def start(self, replica: Replica) -> None:
        """Starts a replica, and waits until it takes requests and the balancer knows it."""
        replica.process.__enter__()
        self.wait_for(replica)

    def wait_for(self, replica: Replica) -> None:
        """Waits until a replica takes requests and the balancer knows it."""
        wait_until(f"replica {replica.name} is ready", replica.is_ready, _SECONDS_TO_START)
        wait_until(
            f"the balancer knows replica {replica.name}", lambda: self._serves(replica), _SECONDS_TO_START
        )

    def stop(self, replica: Replica) -> None:
        """Tells a replica to end, and waits until it has drained."""
        replica.process.send(signal.SIGTERM)
        replica.process.wait(_SECONDS_TO_END)

    def _serves(self, replica: Replica) -> bool:
        response = get(self.endpoint, "/__/auth/jwks", {WANTED: replica.name})
        return response.status == 200 and response.fields.get(ANSWERED) == replica.name


@contextmanager
def running(environment: Environment, kind: Kind, standbys: int, directory: Path) -> Iterator[Cluster]:
    """Runs everything for the length of the block."""
    network = environment.network
    with ExitStack() as stack:
        store = stack.enter_context(
            stores.running(kind, network, directory, REPLICAS, environment.plant, environment.seed)
        )
        port, provider_port = free_port(), free_port()
        shared = Shared(f"http://localhost:{port}", provider_port)
        recorder = Recorder(provider_port)
        stack.callback(recorder.close)
        cluster = Cluster(
            environment=environment,
            directory=directory,
            endpoint=Endpoint("http", port),
            provider_port=provider_port,
            app_secret=shared.app_secret,
            store=store,
            recorder=recorder,
        )
        _start_provider(cluster, shared, stack)
        for number in range(REPLICAS):
            node = network.node(f"broker{number + 1}")
            proxy = _record(cluster, node, number)
            variables = shared.of(node.address, network.hub_address, proxy) | store.settings(number, standbys)
            process = NodeProcess(node, node.name, [str(environment.broker), "serve"], directory, variables)
            cluster.replicas.append(Replica(str(number + 1), node, process))
            stack.callback(_end, process)
            process.__enter__()
        addresses = [replica.node.address for replica in cluster.replicas]
        stack.enter_context(haproxy(port, addresses, PORT, OPERATIONS_PORT, directory))
        wait_until("haproxy listens", lambda: _listens(port), _SECONDS_TO_START)
        for replica in cluster.replicas:
            cluster.wait_for(replica)
        yield cluster


def _start_provider(cluster: Cluster, shared: Shared, stack: ExitStack) -> None:
    arguments = [str(cluster.environment.broker), "provider", "--automatic"]
    arguments += ["--port", str(cluster.provider_port)]
    arguments += ["--redirect-uri", f"{shared.public_url}/__/auth/handler"]
    provider = stack.enter_context(Process("provider", arguments, cluster.directory))
    stack.callback(_end, provider)
    wait_until("the provider listens", lambda: _listens(cluster.provider_port), _SECONDS_TO_START)


def _record(cluster: Cluster, node: Node, number: int) -> str | None:
    """Has the recorder stand between a replica and the provider.

    In a namespace of its own the replica finds it where the provider would be. Elsewhere it is a proxy, whose address
    is returned.
    """
    has_namespace = node.namespace is not None
    with node.entered():
        listener = socket.create_server(("127.0.0.1", cluster.provider_port if has_namespace else 0))
    cluster.recorder.listen(listener, str(number + 1))
    return None if has_namespace else f"127.0.0.1:{listener.getsockname()[1]}"


def _end(process: Process) -> None:
    """Ends a process that nobody waits for any more."""
    if process.status is None:
        process.send(signal.SIGKILL)
    process.__exit__(None, None, None)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
