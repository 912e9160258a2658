# SPDX-License-Identifier: Apache-2.0
"""The store of a run: one server, one server behind a relay for each broker, or a primary that sentinels watch."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum, auto
from functools import partial
from pathlib import Path

from operations.waiting import wait_until

from replicas import relay
from replicas.machine import NodeProcess
from replicas.network import Network, Node
from replicas.redis import PORT, PRIMARY_NAME, SENTINEL_PORT, WATCHED, Redis, Sentinel

_FIRST_RELAY_PORT = 7001
_SECONDS_TO_START = 20
_SERVERS = 3


class Kind(Enum):
    """How the brokers reach the store."""

    DIRECT = auto()
    RELAYS = auto()
    SENTINELS = auto()


class Store:
    """The servers, with what the brokers are told of them. The first server is the primary at the start."""

    def __init__(self, kind: Kind, network: Network, servers: Sequence[Redis]) -> None:
        self.kind = kind
        self.servers = list(servers)
        self.sentinels: list[Sentinel] = []
        self._network = network
        self._orders: list[Path] = []

    @property
    def server(self) -> Redis:
        """The only server, or the primary at the start."""
        return self.servers[0]

    def settings(self, broker: int, standbys: int) -> dict[str, str]:
        """Returns the settings with which a broker finds the store."""
        settings = {"AUTH_STORE_KIND": "valkey"}
        if self.kind is Kind.SENTINELS:
            return settings | sentinel_settings([each.node.address for each in self.sentinels], standbys)
        port = _FIRST_RELAY_PORT + broker if self.kind is Kind.RELAYS else PORT
        return settings | {"AUTH_STORE_VALKEY_ADDRESS": f"{self.server.node.address}:{port}"}

    def order(self, text: str) -> None:
        """Tells all relays what to do."""
        for orders in self._orders:
            relay.tell(orders, text)

    def cut(self, broker: int, node: Node) -> None:
        """Cuts the link between a broker and the only server."""
        if self._network.has_links:
            self._network.cut(node, self.server.node)
        else:
            relay.tell(self._orders[broker], "closed")

    def heal(self, broker: int, node: Node) -> None:
        """Mends that link."""
        if self._network.has_links:
            self._network.heal(node, self.server.node)
        else:
            relay.tell(self._orders[broker], "open")

    def primary(self) -> Redis:
        """Returns the server that most sentinels take for the primary."""
        named = [each.primary() for each in self.sentinels]
        address = max(set(named), key=named.count)
        return next(each for each in self.servers if each.node.address == address)

    def start_relays(
        self, stack: ExitStack, directory: Path, brokers: int, plant: str | None, seed: int
    ) -> None:
        """Starts a relay for each broker, beside the server."""
        for number in range(brokers):
            orders = directory / f"relay{number + 1}.orders"
            node, port = self.server.node, _FIRST_RELAY_PORT + number
            arguments = [sys.executable, "-m", "replicas.relay", "--seed", str(seed + number)]
            arguments += ["--plant", plant] if plant else []
            arguments += [node.address, str(port), node.address, str(PORT), str(orders)]
            stack.enter_context(NodeProcess(node, f"relay{number + 1}", arguments, directory))
            self._orders.append(orders)
        for orders in self._orders:
            wait_until("the relay takes orders", orders.exists, _SECONDS_TO_START)

    def start_sentinels(self, stack: ExitStack, directory: Path) -> None:
        """Starts the sentinels and waits until they know each other and all servers."""
        for number in range(_SERVERS):
            node = self._network.node(f"sentinel{number + 1}")
            sentinel = Sentinel(node, directory, self.server.node)
            stack.enter_context(sentinel.process)
            self.sentinels.append(sentinel)
        for sentinel in self.sentinels:
            wait_until(
                f"{sentinel.node.name} knows the others",
                partial(sentinel.knows, len(self.servers) - 1, _SERVERS - 1),
                _SECONDS_TO_START,
            )


def sentinel_settings(addresses: Sequence[str], standbys: int) -> dict[str, str]:
    """Returns the settings with which a broker asks sentinels for the primary."""
    return {
        "AUTH_STORE_VALKEY_SENTINELS": ",".join(f"{address}:{SENTINEL_PORT}" for address in addresses),
        "AUTH_STORE_VALKEY_PRIMARY_NAME": PRIMARY_NAME,
        "AUTH_STORE_VALKEY_STANDBYS_TO_WAIT_FOR": str(standbys),
    }


@contextmanager
def running(
    kind: Kind, network: Network, directory: Path, brokers: int, plant: str | None, seed: int
) -> Iterator[Store]:
    """Runs a store for the length of the block."""
    with ExitStack() as stack:
        if plant is not None or (kind is Kind.DIRECT and not network.has_links):
            kind = Kind.RELAYS
        servers: list[Redis] = []
        for number in range(_SERVERS if kind is Kind.SENTINELS else 1):
            primary = servers[0].node if servers else None
            options = WATCHED if kind is Kind.SENTINELS else ()
            server = Redis(network.node(f"redis{number + 1}"), directory, primary, options)
            stack.callback(server.process.__exit__, None, None, None)
            server.start()
            servers.append(server)
        store = Store(kind, network, servers)
        if kind is Kind.SENTINELS:
            for server in servers[1:]:
                wait_until(
                    f"{server.node.name} follows the primary",
                    server.follows,
                    _SECONDS_TO_START,
                )
            store.start_sentinels(stack, directory)
        elif kind is Kind.RELAYS:
            store.start_relays(stack, directory, brokers, plant, seed)
        yield store
