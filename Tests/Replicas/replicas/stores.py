# SPDX-License-Identifier: Apache-2.0
"""The store of a run: its servers, what stands in front of them, and how the brokers find it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from operations.waiting import wait_until

from replicas import postgresql, redis, relays
from replicas.engines import Engine, Kind
from replicas.network import Network, Node
from replicas.points import Point
from replicas.postgresql import PostgreSQL
from replicas.redis import PRIMARY_NAME, SENTINEL_PORT, WATCHED, Redis, Sentinel
from replicas.relays import RunningRelay
from replicas.server import SECONDS_TO_START, Server

_FIRST_RELAY_PORT = 7001
_SENTINELS = 3


@dataclass
class Store:
    """The servers, with what the brokers are told of them. The first server is the primary at the start."""

    engine: Engine
    network: Network
    servers: list[Server] = field(default_factory=list)
    sentinels: list[Sentinel] = field(default_factory=list)
    relays: list[RunningRelay] = field(default_factory=list)

    @property
    def server(self) -> Server:
        """The only server, or the primary at the start."""
        return self.servers[0]

    @property
    def redis(self) -> Redis:
        """The only server, which is one of Redis."""
        assert isinstance(self.server, Redis)
        return self.server

    def settings(self, broker: int) -> dict[str, str]:
        """Returns the settings with which a broker finds the store."""
        if self.engine.kind is Kind.SENTINELS:
            return {"AUTH_STORE_KIND": "valkey"} | sentinel_settings(
                [each.node.address for each in self.sentinels], self.engine.standbys
            )
        port = _FIRST_RELAY_PORT + broker if self.relays else self.server.port
        if self.engine.kind is Kind.POSTGRESQL:
            return {
                "AUTH_STORE_KIND": "postgresql",
                "AUTH_STORE_POSTGRESQL_CONNECTION": postgresql.connection(
                    [each.node for each in self.servers], port
                ),
            }
        return {
            "AUTH_STORE_KIND": "valkey",
            "AUTH_STORE_VALKEY_ADDRESS": f"{self.server.node.address}:{port}",
        }

    def order(self, text: str) -> None:
        """Tells all relays what to do."""
        for each in self.relays:
            each.tell(text)

    def held(
        self, broker: int, node: Node, point: Point, count: int, is_dropped: bool
    ) -> AbstractContextManager[None]:
        """Holds what comes to a point between a broker and the store for the count-th time."""
        return relays.held(self._relays_of(broker), point, count, node.address, is_dropped)

    def cut(self, broker: int, node: Node, is_one_way: bool = False) -> None:
        """Cuts the link between a broker and the primary; one way, only what the broker is sent is lost."""
        if not self.network.has_links:
            for each in self._relays_of(broker):
                each.tell("closed")
        elif is_one_way:
            self.network.cut_one_way(self.primary().node, node)
        else:
            self.network.cut(node, self.primary().node)

    def heal(self, broker: int, node: Node) -> None:
        """Mends the links between a broker and all servers."""
        if self.network.has_links:
            for each in self.servers:
                self.network.heal(node, each.node)
        else:
            for relay in self._relays_of(broker):
                relay.tell("open")

    def primary(self) -> Server:
        """Returns the primary: the server that most sentinels take for it, or that says so itself."""
        return wait_until("there is a primary", self._primary, SECONDS_TO_START)

    def _primary(self) -> Server | None:
        if self.engine.kind is Kind.SENTINELS:
            named = [each.primary() for each in self.sentinels]
            address = max(set(named), key=named.count)
            return next((each for each in self.servers if each.node.address == address), None)
        if len(self.servers) == 1:
            return self.server
        return next((each for each in self.servers if each.answers() and not each.follows()), None)

    def standbys(self) -> list[Server]:
        """Returns the servers that are not the primary."""
        primary = self.primary()
        return [each for each in self.servers if each is not primary]

    def _relays_of(self, broker: int) -> list[RunningRelay]:
        return [each for each in self.relays if each.broker in (None, broker)]


def sentinel_settings(addresses: Sequence[str], standbys: int) -> dict[str, str]:
    """Returns the settings with which a broker asks sentinels for the primary."""
    return {
        "AUTH_STORE_VALKEY_SENTINELS": ",".join(f"{address}:{SENTINEL_PORT}" for address in addresses),
        "AUTH_STORE_VALKEY_PRIMARY_NAME": PRIMARY_NAME,
        "AUTH_STORE_VALKEY_STANDBYS_TO_WAIT_FOR": str(standbys),
    }


@dataclass(frozen=True)
class Wanted:
    """What a store is made of. The template is the data of a new server of PostgreSQL."""

    engine: Engine
    brokers: int
    has_relays: bool = False
    plant: str | None = None
    seed: int = 0
    template: Path | None = None


@contextmanager
def running(wanted: Wanted, network: Network, directory: Path) -> Iterator[Store]:
    """Runs a store for the length of the block."""
    store = Store(wanted.engine, network)
    starts: dict[Kind, Callable[[_Starting], None]] = {
        Kind.VALKEY: _Starting.valkey,
        Kind.SENTINELS: _Starting.sentinels,
        Kind.POSTGRESQL: _Starting.postgresql,
    }
    with ExitStack() as stack:
        starts[wanted.engine.kind](_Starting(store, wanted, directory, stack))
        yield store


@dataclass
class _Starting:
    """The start of a store. What was started ends with the stack."""

    store: Store
    wanted: Wanted
    directory: Path
    stack: ExitStack

    def valkey(self) -> None:
        """Starts the only server."""
        server = Redis(self._node("redis", 0), self.directory)
        self._start(server)
        if self.wanted.has_relays:
            self._start_relays("redis")

    def sentinels(self) -> None:
        """Starts a primary, its standbys, and the sentinels; waits until they know each other and all servers."""
        port = redis.RELAYED_PORT if self.wanted.has_relays else redis.PORT
        for number in range(self.wanted.engine.servers):
            primary = self.store.servers[0].node if self.store.servers else None
            server = Redis(self._node("redis", number), self.directory, primary, WATCHED, port)
            self._start(server)
            if self.wanted.has_relays:
                self._start_relay(server, None, redis.PORT, "redis")
        for each in self.store.servers[1:]:
            wait_until(f"{each.node.name} follows the primary", each.follows, SECONDS_TO_START)
        for number in range(_SENTINELS):
            sentinel = Sentinel(self._node("sentinel", number), self.directory, self.store.server.node)
            self.stack.enter_context(sentinel.process)
            self.store.sentinels.append(sentinel)
        for sentinel in self.store.sentinels:
            wait_until(
                f"{sentinel.node.name} knows the others",
                partial(sentinel.knows, len(self.store.servers) - 1, _SENTINELS - 1),
                SECONDS_TO_START,
            )

    def postgresql(self) -> None:
        """Starts the only server, or a primary and a standby that it waits for."""
        assert self.wanted.template is not None
        folder = postgresql.own_folder(self.directory)
        primary = PostgreSQL(self._node("postgresql", 0), folder)
        primary.make(self.wanted.template)
        self._start(primary)
        for number in range(1, self.wanted.engine.servers):
            standby = PostgreSQL(self._node("postgresql", number), folder)
            standby.copy(primary)
            self._start(standby)
            standby.attach(primary)
        if self.wanted.has_relays:
            self._start_relays("postgresql")

    def _node(self, name: str, number: int) -> Node:
        return self.store.network.node(f"{name}{number + 1}")

    def _start(self, server: Server) -> None:
        self.stack.callback(server.end)
        server.start()
        self.store.servers.append(server)

    def _start_relays(self, wire: str) -> None:
        """Starts a relay for each broker in front of each server."""
        for server in self.store.servers:
            for broker in range(self.wanted.brokers):
                self._start_relay(server, broker, _FIRST_RELAY_PORT + broker, wire)

    def _start_relay(self, server: Server, broker: int | None, port: int, wire: str) -> None:
        options = ["--wire", wire, "--seed", str(self.wanted.seed + (broker or 0))]
        options += ["--plant", self.wanted.plant] if self.wanted.plant else []
        relay = RunningRelay(server.node, broker, (port, server.port), options, self.directory)
        self.stack.callback(relay.process.__exit__, None, None, None)
        relay.start()
        self.store.relays.append(relay)
