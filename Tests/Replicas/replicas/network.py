# SPDX-License-Identifier: Apache-2.0
"""The network of a run: a namespace for each node behind a bridge, or addresses of 127.0.0.0/8 without any."""

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from replicas import isolation

_NETWORK = "10.77.0"
# It has no owner: what is sent there is lost without an answer, as behind a cable that was pulled.
_NOWHERE = "02:00:00:00:00:99"


@dataclass(frozen=True)
class Node:
    """A machine of the run: its name, its address, and its namespace if it has one."""

    name: str
    address: str
    namespace: int | None = None
    hub: int | None = None

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Has the calling thread start processes and open sockets at the node for the length of the block."""
        if self.namespace is None or self.hub is None:
            yield
            return
        isolation.set_network(self.namespace)
        try:
            yield
        finally:
            isolation.set_network(self.hub)


class Network:
    """The nodes and the links between them. The run itself is the hub: the balancer, the provider and the users."""

    hub_address: str
    has_links: bool

    def node(self, name: str) -> Node:
        """Returns the node of this name, which is made if there is none yet."""
        raise NotImplementedError

    def cut(self, one: Node, other: Node) -> None:
        """Loses everything that two nodes send each other from now on, without a word."""
        raise NotImplementedError

    def cut_one_way(self, here: Node, there: Node) -> None:
        """Loses everything that one node sends another from now on, without a word."""
        raise NotImplementedError

    def heal(self, one: Node, other: Node) -> None:
        """Mends a link, if it was cut."""
        raise NotImplementedError


class NamespaceNetwork(Network):
    """A network namespace for each node. They have no names, so that they end with the run."""

    has_links = True

    def __init__(self) -> None:
        self.hub_address = f"{_NETWORK}.1"
        self._hub = _own_namespace()
        self._nodes: dict[str, Node] = {}
        self._cut: set[tuple[Node, Node]] = set()
        _ip("link", "set", "lo", "up")
        _ip("link", "add", "bridge", "type", "bridge")
        _ip("link", "set", "bridge", "up")
        _ip("address", "add", f"{self.hub_address}/24", "dev", "bridge")

    def node(self, name: str) -> Node:
        """Returns the node of this name, which is made if there is none yet."""
        if name not in self._nodes:
            self._nodes[name] = self._make(name, len(self._nodes) + 2)
        return self._nodes[name]

    def cut(self, one: Node, other: Node) -> None:
        """Loses everything that two nodes send each other from now on, without a word."""
        self.cut_one_way(one, other)
        self.cut_one_way(other, one)

    def cut_one_way(self, here: Node, there: Node) -> None:
        """Loses everything that one node sends another from now on, without a word."""
        with here.entered():
            _ip("neighbour", "replace", there.address, "lladdr", _NOWHERE, "dev", "eth0", "nud", "permanent")
        self._cut.add((here, there))

    def heal(self, one: Node, other: Node) -> None:
        """Mends a link, if it was cut."""
        for here, there in ((one, other), (other, one)):
            if (here, there) in self._cut:
                self._cut.remove((here, there))
                with here.entered():
                    _ip("neighbour", "del", there.address, "dev", "eth0")

    def _make(self, name: str, number: int) -> Node:
        isolation.unshare(isolation.CLONE_NEWNET)
        namespace = _own_namespace()
        node = Node(name, f"{_NETWORK}.{number}", namespace, self._hub)
        isolation.set_network(self._hub)
        _ip("link", "add", f"hub{number}", "type", "veth", "peer", "name", f"node{number}")
        _ip("link", "set", f"hub{number}", "master", "bridge", "up")
        _ip("link", "set", f"node{number}", "netns", f"/proc/{os.getpid()}/fd/{namespace}")
        with node.entered():
            _ip("link", "set", "lo", "up")
            _ip("link", "set", f"node{number}", "name", "eth0")
            _ip("address", "add", f"{node.address}/24", "dev", "eth0")
            _ip("link", "set", "eth0", "up")
        return node


class LoopbackNetwork(Network):
    """Addresses of 127.0.0.0/8, where nothing but a relay can cut a link."""

    hub_address = "127.0.0.1"
    has_links = False

    def __init__(self) -> None:
        chosen = random.SystemRandom()
        self._network = f"127.{chosen.randint(100, 199)}.{chosen.randint(1, 250)}"
        self._nodes: dict[str, Node] = {}

    def node(self, name: str) -> Node:
        """Returns the node of this name, which is made if there is none yet."""
        return self._nodes.setdefault(name, Node(name, f"{self._network}.{len(self._nodes) + 2}"))


def _own_namespace() -> int:
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
