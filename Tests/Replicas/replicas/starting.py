# SPDX-License-Identifier: Apache-2.0
"""The start of everything that runs for one fault."""

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from kit.ports import free_port

from operations.process import Process
from operations.waiting import wait_until
from operations.wire import Endpoint

from replicas import stores
from replicas.balancer import haproxy
from replicas.cluster import REPLICAS, SECONDS_TO_START, Cluster, Environment, Layout, Replica
from replicas.machine import NodeProcess
from replicas.network import Node
from replicas.recorder import Recorder
from replicas.relays import RunningRelay
from replicas.settings import APPLE_PROXY, OPERATIONS_PORT, PORT, RELAYED_PORT, Shared
from replicas.stores import Wanted


@contextmanager
def running(environment: Environment, layout: Layout, directory: Path) -> Iterator[Cluster]:
    """Runs everything for the length of the block."""
    network = environment.network
    wanted = Wanted(
        layout.engine,
        REPLICAS,
        has_relays=layout.has_relays or environment.plant is not None or not network.has_links,
        plant=environment.plant,
        seed=environment.seed,
        template=environment.template,
    )
    with ExitStack() as stack:
        store = stack.enter_context(stores.running(wanted, network, directory))
        port, provider_port = free_port(), free_port()
        has_accounts = layout.has_accounts(environment)
        shared = Shared(f"http://localhost:{port}", provider_port, environment.apple is not None, has_accounts)
        recorder = Recorder(provider_port, environment.apple)
        stack.callback(recorder.close)
        cluster = Cluster(
            environment=environment,
            directory=directory,
            endpoint=Endpoint("http", port),
            provider_port=provider_port,
            app_secret=shared.app_secret,
            store=store,
            recorder=recorder,
            has_accounts=has_accounts,
        )
        _start_provider(cluster, shared, stack)
        for number in range(REPLICAS):
            cluster.replicas.append(_start_replica(cluster, shared, number, layout, stack))
        addresses = [replica.node.address for replica in cluster.replicas]
        broker_port = RELAYED_PORT if layout.has_points else PORT
        stack.enter_context(haproxy(port, addresses, broker_port, OPERATIONS_PORT, directory))
        wait_until("haproxy listens", lambda: _listens(port), SECONDS_TO_START)
        for replica in cluster.replicas:
            cluster.wait_for(replica)
        yield cluster


def _start_replica(
    cluster: Cluster, shared: Shared, number: int, layout: Layout, stack: ExitStack
) -> Replica:
    environment, directory = cluster.environment, cluster.directory
    node = environment.network.node(f"broker{number + 1}")
    proxy = _record(cluster, node, number)
    variables = shared.of(node.address, environment.network.hub_address, proxy)
    variables |= cluster.store.settings(number)
    process = NodeProcess(node, node.name, [str(environment.broker), "serve"], directory, variables)
    replica = Replica(str(number + 1), node, process)
    stack.callback(_end, process)
    process.__enter__()
    if layout.has_points:
        replica.answers = RunningRelay(
            node, number, (RELAYED_PORT, PORT), ["--wire", "browser"], directory
        )
        stack.callback(replica.answers.process.__exit__, None, None, None)
        replica.answers.start()
    return replica


def _start_provider(cluster: Cluster, shared: Shared, stack: ExitStack) -> None:
    arguments = [str(cluster.environment.demo), "provider", "--automatic"]
    arguments += ["--port", str(cluster.provider_port)]
    arguments += ["--redirect-uri", f"{shared.public_url}/__/auth/handler"]
    provider = stack.enter_context(Process("provider", arguments, cluster.directory))
    stack.callback(_end, provider)
    wait_until("the provider listens", lambda: _listens(cluster.provider_port), SECONDS_TO_START)


def _record(cluster: Cluster, node: Node, number: int) -> str | None:
    """Has the recorder stand between a replica and the providers.

    In a namespace of its own the replica finds it where the provider would be. Elsewhere it is a proxy, whose address
    is returned.
    """
    has_namespace = node.namespace is not None
    with node.entered():
        listener = socket.create_server(("127.0.0.1", cluster.provider_port if has_namespace else 0))
        proxy = socket.create_server(APPLE_PROXY) if cluster.recorder.apple is not None else None
    for each in (listener, proxy):
        if each is not None:
            cluster.recorder.listen(each, str(number + 1))
    return None if has_namespace else f"127.0.0.1:{listener.getsockname()[1]}"


def _end(process: Process) -> None:
    """Ends a process that is no longer needed."""
    if process.status is None:
        process.send(signal.SIGKILL)
    process.__exit__(None, None, None)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
