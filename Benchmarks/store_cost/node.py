# SPDX-License-Identifier: Apache-2.0
"""One node of Valkey or Redis, which listens on a socket of this machine and on a port."""

import contextlib
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kit.ports import free_port
from operations.check import require
from operations.others.programs import need
from operations.process import Process
from operations.waiting import wait_until
from operations_cost.plan import Plan
from replicas import resp

_ADDRESS = "127.0.0.1"


class StoreNode:
    """A server that keeps nothing on disk, so that no other work of it is measured."""

    def __init__(self, directory: Path) -> None:
        self.socket = directory / "store.sock"
        self.port = free_port()
        arguments = [need("redis-server", "redis-server"), "--port", str(self.port), "--bind", _ADDRESS]
        arguments += ["--unixsocket", str(self.socket), "--save", "", "--appendonly", "no"]
        arguments += ["--dir", str(directory), "--maxmemory-policy", "noeviction", "--daemonize", "no"]
        self.process = Process("store", arguments, directory)

    @property
    def address(self) -> str:
        """Where it is for those who cannot do with a socket."""
        return f"{_ADDRESS}:{self.port}"

    def ask(self, *words: str) -> Any:
        """Sends it one command and returns the answer."""
        return resp.ask(_ADDRESS, self.port, *words, seconds=30)

    def answers(self) -> bool:
        """Whether it answers."""
        with contextlib.suppress(OSError, resp.ServerError):
            return bool(self.ask("PING") == b"PONG")
        return False

    def clear(self) -> None:
        """Forgets everything, so that every measurement begins with as much."""
        self.ask("FLUSHALL", "SYNC")

    def figure(self, section: str, name: str) -> int:
        """Returns a number of its answer to INFO."""
        lines = self.ask("INFO", section).decode().splitlines()
        return int(next(line for line in lines if line.startswith(f"{name}:")).partition(":")[2])

    @property
    def version(self) -> str:
        """What it says that it is."""
        lines = self.ask("INFO", "server").decode().splitlines()
        return str(next(line for line in lines if line.startswith("redis_version:")).partition(":")[2])


@contextmanager
def store_node(plan: Plan) -> Iterator[StoreNode]:
    """Runs a node, beside the load and the provider, for the length of the block."""
    with tempfile.TemporaryDirectory(dir=plan.directory) as directory, plan.off_the_servers_processors():
        node = StoreNode(Path(directory))
        with node.process:
            wait_until("the store answers", node.answers)
            yield node


class Observer:
    """What clients send a node, as `MONITOR` tells it."""

    def __init__(self, node: StoreNode) -> None:
        self.commands: dict[str, int] = {}
        self.claims = 0
        self._connection = socket.create_connection((_ADDRESS, node.port), timeout=30)
        self._connection.sendall(resp.encode("MONITOR"))
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stops listening. What was sent before is counted."""
        self._connection.sendall(resp.encode("RESET"))
        self._thread.join(timeout=30)
        require(not self._thread.is_alive(), "the store did not end MONITOR")
        self._connection.close()

    def _read(self) -> None:
        with self._connection.makefile("rb") as lines:
            for line in lines:
                if line.startswith(b"+RESET"):
                    return
                _, _, told = line.partition(b"[")
                source, _, words = told.partition(b"] ")
                # What a script asks is not sent to it.
                if not words or source.endswith(b" lua"):
                    continue
                command = words.split()
                name = command[0].strip(b'"').decode().upper()
                self.commands[name] = self.commands.get(name, 0) + 1
                self.claims += name == "SET" and b'"NX"' in command
