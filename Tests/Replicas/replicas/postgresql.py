# SPDX-License-Identifier: Apache-2.0
"""Servers of PostgreSQL, each at a node of its own: a primary, and perhaps a standby that it waits for."""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from operations.check import Failed, LeftOut
from operations.waiting import wait_until

from replicas.machine import NodeProcess
from replicas.network import Node
from replicas.server import SECONDS_TO_START, Server

PORT = 5432
USER = DATABASE = "broker"
_PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
# Those of the run's nodes, with namespaces and without.
_ADDRESSES = ("10.77.0.0/24", "127.0.0.0/8")
_SECONDS = 60


class PostgreSQL(Server):
    """A server of PostgreSQL."""

    ending = signal.SIGINT

    def __init__(self, node: Node, directory: Path) -> None:
        self._data = directory / f"{node.name}.data"
        arguments = [
            *_as_postgres("postgres", "-D", str(self._data), "-p", str(PORT)),
            *("-c", f"listen_addresses={node.address}", "-c", "unix_socket_directories="),
            *("-c", "shared_buffers=16MB", "-c", "max_connections=60", "-c", "wal_sender_timeout=3s"),
            *("-c", "wal_receiver_timeout=3s", "-c", "wal_retrieve_retry_interval=500ms"),
        ]
        super().__init__(node, NodeProcess(node, node.name, arguments, directory), PORT)

    def make(self, template: Path) -> None:
        """Gives it the data of a new server, which has a database and the tables of the store."""
        subprocess.run(["cp", "-a", str(template), str(self._data)], check=True)

    def copy(self, primary: Server) -> None:
        """Gives it the data of a primary, which it will follow."""
        shutil.rmtree(self._data, ignore_errors=True)
        source = f"host={primary.node.address} port={PORT} user={USER} application_name={self.node.name}"
        _run("pg_basebackup", "-d", source, "-D", str(self._data), "-R", "-X", "stream", "-c", "fast", "-N")

    def ask(self, statement: str, seconds: float = 10) -> str:
        """Runs a statement and returns what it answers, as psql prints it without a frame."""
        where = f"host={self.node.address} port={PORT} user={USER} dbname={DATABASE} connect_timeout=2"
        try:
            asked = subprocess.run(
                [str(_PROGRAMS[-1] / "psql"), where, "-X", "-A", "-t", "-q", "-c", statement],
                capture_output=True,
                text=True,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.node.name} does not answer: {statement}") from None
        if asked.returncode != 0:
            raise Failed(f"{self.node.name}: {asked.stderr.strip()}")
        return asked.stdout.strip()

    def answers(self) -> bool:
        """Whether it answers and has read its data."""
        return self._says("SELECT true")

    def follows(self) -> bool:
        """Whether it is a standby that receives what its primary writes."""
        return self._says("SELECT count(*) > 0 FROM pg_stat_wal_receiver WHERE status = 'streaming'")

    def attach(self, primary: "PostgreSQL") -> None:
        """Waits until it follows a primary, and has that acknowledge only what this one has, too."""
        wait_until(f"{self.node.name} follows the primary", self.follows, SECONDS_TO_START)
        # A standby that is promoted waits for no other server.
        self.wait_for("")
        primary.wait_for(self.node.name)
        named = f"application_name = '{self.node.name}' AND sync_state = 'sync'"
        wait_until(
            f"{self.node.name} is waited for",
            lambda: primary._says(f"SELECT count(*) > 0 FROM pg_stat_replication WHERE {named}"),
            SECONDS_TO_START,
        )

    def wait_for(self, standby: str) -> None:
        """Has it acknowledge only what a standby has, too; without a name what it has itself."""
        name = f'"{standby}"' if standby else ""
        self.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
        self.ask("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Makes a standby the primary, and waits until it is."""
        if self.ask("SELECT pg_promote(true, 20)", 25) != "t":
            raise Failed(f"{self.node.name} was not promoted")

    def _says(self, statement: str) -> bool:
        try:
            return self.ask(statement) == "t"
        except Failed:
            return False


def connection(nodes: Sequence[Node], port: int) -> str:
    """Returns the connection string of a broker. The relays read what passes, so it is not encrypted."""
    hosts, ports = ",".join(node.address for node in nodes), ",".join(str(port) for _ in nodes)
    return (
        f"host={hosts} port={ports} user={USER} dbname={DATABASE} sslmode=disable gssencmode=disable"
        " target_session_attrs=read-write"
    )


def own_folder(directory: Path) -> Path:
    """Returns a folder of the user that the servers run as, who can come to it, too."""
    folder = directory / "postgresql"
    folder.mkdir()
    if os.geteuid() == 0:
        for each in (directory.parent, directory):
            each.chmod(0o711)
        shutil.chown(folder, "postgres", "postgres")
    return folder


def template(directory: Path, broker: Path, node: Node) -> Path:
    """Makes the data of a new server, with a database and the tables of the store, and returns its folder."""
    folder = own_folder(directory)
    data = folder / f"{node.name}.data"
    _run("initdb", "-D", str(data), "-U", USER, "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
    with (data / "pg_hba.conf").open("a") as rules:
        for address in _ADDRESSES:
            rules.write(f"host all all {address} trust\nhost replication all {address} trust\n")
    subprocess.run(
        _as_postgres("postgres", "--single", "-D", str(data), "postgres"),
        input=f"CREATE DATABASE {DATABASE}",
        text=True,
        check=True,
        capture_output=True,
        cwd="/",
    )
    server = PostgreSQL(node, folder)
    try:
        server.start()
        schema = subprocess.run([str(broker), "store", "schema"], check=True, capture_output=True, text=True)
        server.ask(schema.stdout)
        server.stop()
    finally:
        server.end()
    return data


def need() -> None:
    """Raises if PostgreSQL is not installed."""
    if not _PROGRAMS:
        raise LeftOut("postgres of the package postgresql is not installed")


def is_known_to(broker: Path) -> bool:
    """Whether an executable was built with the trait PostgreSQL."""
    return subprocess.run([str(broker), "store", "schema"], capture_output=True, check=False).returncode == 0


def _as_postgres(program: str, *arguments: str) -> list[str]:
    """Returns a command. PostgreSQL refuses to be run by root."""
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    return [*user, str(_PROGRAMS[-1] / program), *arguments]


def _run(program: str, *arguments: str) -> None:
    ran = subprocess.run(
        _as_postgres(program, *arguments), capture_output=True, text=True, timeout=_SECONDS, cwd="/"
    )
    if ran.returncode != 0:
        raise Failed(f"{program}: {(ran.stdout + ran.stderr)[-1000:]}")
