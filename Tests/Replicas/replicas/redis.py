# SPDX-License-Identifier: Apache-2.0
"""Servers of Redis, each at a node of its own, and sentinels that watch them."""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from replicas import resp
from replicas.machine import NodeProcess
from replicas.network import Node
from replicas.server import Server

PORT = 6379
# Where it listens behind a relay.
RELAYED_PORT = 6380
SENTINEL_PORT = 26379
PRIMARY_NAME = "broker"
# What SharedStore.md says of servers that sentinels watch: a primary that is alone refuses writes after ten seconds.
WATCHED = ("--min-replicas-to-write", "1", "--min-replicas-max-lag", "10")
# What it takes until sentinels take a primary for dead, and how long they wait with a second attempt.
_DOWN_MILLISECONDS = 1000
_FAILOVER_MILLISECONDS = 4000


class Redis(Server):
    """A server of Redis. It may listen at another port than that at which it is known."""

    def __init__(
        self,
        node: Node,
        directory: Path,
        primary: Node | None = None,
        options: Sequence[str] = (),
        port: int = PORT,
    ) -> None:
        data = directory / f"{node.name}.data"
        data.mkdir()
        arguments = [
            *("redis-server", "--port", str(port), "--bind", node.address, "--protected-mode", "no"),
            *("--save", "", "--appendonly", "yes", "--appendfsync", "always", "--dir", str(data)),
            *("--maxmemory-policy", "noeviction", "--daemonize", "no"),
            *("--replica-announce-ip", node.address, "--replica-announce-port", str(PORT)),
            *("--repl-diskless-sync-delay", "0"),
            *options,
        ]
        if primary is not None:
            arguments += ["--replicaof", primary.address, str(PORT)]
        super().__init__(node, NodeProcess(node, node.name, arguments, directory), port)

    def ask(self, *words: str) -> Any:
        """Sends it one command and returns the answer."""
        return resp.ask(self.node.address, self.port, *words)

    def answers(self) -> bool:
        """Whether it answers and has read its data."""
        with contextlib.suppress(OSError, resp.ServerError):
            return bool(self.ask("PING") == b"PONG")
        return False

    def follows(self) -> bool:
        """Whether it answers, and has what its primary has."""
        return self.answers() and self.field("replication", "master_link_status") == "up"

    def field(self, section: str, name: str) -> str:
        """Returns a field of its answer to INFO; empty if it has none, or does not answer while it is reconfigured."""
        with contextlib.suppress(OSError, resp.ServerError):
            for line in self.ask("INFO", section).decode().splitlines():
                key, _, value = line.partition(":")
                if key == name:
                    return str(value)
        return ""


class Sentinel:
    """One that watches the primary, and elects another one together with its like."""

    def __init__(self, node: Node, directory: Path, primary: Node) -> None:
        file = directory / f"{node.name}.conf"
        file.write_text(
            f"port {SENTINEL_PORT}\n"
            f"bind {node.address}\n"
            "protected-mode no\n"
            f'dir "{directory}"\n'
            f"sentinel announce-ip {node.address}\n"
            f"sentinel monitor {PRIMARY_NAME} {primary.address} {PORT} 2\n"
            f"sentinel down-after-milliseconds {PRIMARY_NAME} {_DOWN_MILLISECONDS}\n"
            f"sentinel failover-timeout {PRIMARY_NAME} {_FAILOVER_MILLISECONDS}\n"
        )
        self.node = node
        self.process = NodeProcess(node, node.name, ["redis-server", str(file), "--sentinel"], directory)

    def ask(self, *words: str) -> Any:
        """Sends it one command and returns the answer."""
        return resp.ask(self.node.address, SENTINEL_PORT, *words)

    def restart(self) -> None:
        """Stops it, and starts it again with what it wrote to its file."""
        self.process.__exit__(None, None, None)
        self.process.__enter__()

    def primary(self) -> str:
        """Returns the address of the primary, as it knows it; empty if it does not answer."""
        with contextlib.suppress(OSError, resp.ServerError):
            return str(self.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", PRIMARY_NAME)[0].decode())
        return ""

    def knows(self, replicas: int, sentinels: int) -> bool:
        """Whether it has found so many replicas and other sentinels."""
        with contextlib.suppress(OSError, resp.ServerError):
            found_replicas = self.ask("SENTINEL", "REPLICAS", PRIMARY_NAME)
            found_sentinels = self.ask("SENTINEL", "SENTINELS", PRIMARY_NAME)
            return len(found_replicas) == replicas and len(found_sentinels) == sentinels
        return False
