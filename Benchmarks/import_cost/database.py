# SPDX-License-Identifier: Apache-2.0
"""A database of accounts as a server makes it, and the commands on it."""

import os
import socket
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kit.ports import free_port
from operations.check import Failed
from operations.process import Process
from operations.waiting import wait_until
from operations_cost.plan import Plan

# That of callback-latency, whose server opens the database later.
PROJECT = "bench-people"


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds, and the most megabytes of resident memory."""

    seconds: float
    megabytes: float


def environment(plan: Plan, database: str, further: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns the configuration of a server with accounts, as variables."""
    key = subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    port = str(free_port())
    return {
        "SERVER_HOST": "127.0.0.1",
        "SERVER_PORT": port,
        "AUTH_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "AUTH_PROVIDERS": "acme",
        "AUTH_PROVIDER_ACME_ISSUER": "https://login.acme.example",
        "AUTH_PROVIDER_ACME_CLIENT_ID": "bench",
        "AUTH_PROVIDER_ACME_CLIENT_SECRET": "bench",
        "AUTH_APPS": "bench",
        "AUTH_APP_BENCH_REDIRECT_URIS": "https://app.example.com/callback",
        "AUTH_ACCOUNTS_PROJECT_ID": PROJECT,
        "AUTH_ACCOUNTS_DATABASE": database,
        "AUTH_ACCOUNTS_SIGNING_KEYS": key,
        "AUTH_SDK_APPS": "phone",
        "AUTH_SDK_APP_PHONE_KIND": "ios",
        "AUTH_SDK_APP_PHONE_API_KEY": "bench-api-key-0123456789",
        "AUTH_SDK_APP_PHONE_NATIVE_AUDIENCES": "acme:com.example.bench",
    } | dict(further or {})


def make(plan: Plan, variables: Mapping[str, str]) -> None:
    """Has a server make the tables: commands make nothing."""
    address = ("127.0.0.1", int(variables["SERVER_PORT"]))
    with Process("server", [str(plan.broker), "serve"], plan.directory, variables) as server:
        def listens() -> bool:
            if server.status is not None:
                raise Failed("\n".join(server.lines()[-5:]))
            with socket.socket() as client:
                return client.connect_ex(address) == 0

        wait_until("the server listens", listens)


def command(plan: Plan, variables: Mapping[str, str], *arguments: str) -> Cost:
    """Runs `oidc-broker accounts`, and returns what it took."""
    output = plan.directory / "command.log"
    began = time.monotonic()
    with output.open("wb") as log:
        child = subprocess.Popen(
            [str(plan.broker), "accounts", *arguments], stdout=log, stderr=log, env=os.environ | dict(variables)
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    if child.returncode != 0:
        raise Failed(f"accounts {arguments[0]}: {output.read_text(errors='replace')[-1000:]}")
    # Linux counts kilobytes.
    return Cost(seconds, usage.ru_maxrss / 1024)


def median(costs: Sequence[Cost]) -> Cost:
    """Returns the median of the seconds, and the most memory."""
    return Cost(statistics.median(each.seconds for each in costs), max(each.megabytes for each in costs))


def sqlite(plan: Plan, name: str) -> tuple[Path, dict[str, str]]:
    """Returns the file of a new database, and the configuration of its server."""
    file = plan.directory / f"{name}.sqlite"
    variables = environment(plan, f"sqlite:{file}")
    make(plan, variables)
    return file, variables
