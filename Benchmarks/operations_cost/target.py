# SPDX-License-Identifier: Apache-2.0
"""Targets of callback-latency that can be looked at while they are measured: the broker, and others."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.ports import free_port

from operations_cost.plan import Plan

_TARGETS = Path(__file__).resolve().parents[1] / "targets"
# Executed by the server, so that its process ID stays the same. The output goes to a file that outlives the run.
_SHELL = 'echo $$ >"$PROCESS_FILE"; exec "$0" "$@" 2>>"$LOG_FILE"'
_MOST = "1000000"
# What a proxy in front says. Every target is sent the same requests, whatever it believes of them.
_PROXY_FIELDS = {
    "x-forwarded-for": "${CLIENT}",
    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
}
_BEHIND_PROXY = {"SERVER_TRUSTED_PROXIES": "127.0.0.1"}
TRACED_SHARE = 0.01
BROKER = ("${OIDC_BROKER}", "serve")


@dataclass(frozen=True)
class Target:
    """A target file, and where to look while it is measured."""

    name: str
    directory: Path
    means: Sequence[str]
    operations_port: int

    @property
    def file(self) -> Path:
        """The target file."""
        return self.directory / "target.json"

    @property
    def log_file(self) -> Path:
        """What the server writes to its standard error."""
        return self.directory / "log"

    @property
    def audit_file(self) -> Path:
        """The audit."""
        return self.directory / "audit"

    @property
    def process_file(self) -> Path:
        """The file with the ID of the server's process."""
        return self.directory / "process"

    def clear(self) -> None:
        """Removes what a server left here that has ended."""
        for file in (self.process_file, self.log_file, self.audit_file):
            file.unlink(missing_ok=True)

    @property
    def is_scraped(self) -> bool:
        """Whether it has metrics to be read."""
        return "metrics" in self.means


def make(
    plan: Plan,
    name: str,
    means: Sequence[str],
    arguments: Sequence[str],
    observed: bool = False,
    environment: dict[str, str] | None = None,
    without: Sequence[str] = (),
    fields: Mapping[str, str] = _PROXY_FIELDS,
    serving: Sequence[str] = BROKER,
) -> Target:
    """Writes the file of a target.

    `observed` is the server of callback-latency, which runs the same modules and can do without metrics and with a
    tracer; otherwise the command is that of `serving`. `environment` is added, the variables `without` are taken from
    that of `ours`, and `fields` are sent with each request.
    """
    target = _new(plan, name, means)
    file = description("ours")
    variables = file["environment"] | _limits("limits" in means) | (environment or {})
    command = [*serving, *arguments]
    if observed:
        command = ["${TOOL}", "serve-observed", *arguments]
    if "metrics" in means:
        variables["SERVER_OPERATIONS_PORT"] = str(target.operations_port)
        command += ["--metrics"] if observed else []
    if "access log" in means:
        variables["SERVER_LOG_ACCESS"] = "true"
    if "audit" in means:
        variables["SERVER_LOG_AUDIT"] = str(target.audit_file)
    if "tracing" in means:
        variables |= _BEHIND_PROXY
        command += ["--traced", str(TRACED_SHARE)] if observed else []
    file["environment"] = {key: value for key, value in variables.items() if key not in without}
    for step in ("start", "callback", "redeem"):
        file[step]["headers"] = dict(fields)
    return _written(target, file, command)


def other(plan: Plan, name: str, file: dict[str, Any], command: Sequence[str], shell: str = _SHELL) -> Target:
    """Writes the file of a target that is described already, with a command of its own.

    `shell` is what executes the command, whose words are its arguments; it knows `PROCESS_FILE` and `LOG_FILE`.
    """
    return _written(_new(plan, name, ()), file, command, shell)


def description(name: str) -> dict[str, Any]:
    """Returns what a file of Benchmarks/targets says, apart from its version."""
    file: dict[str, Any] = json.loads((_TARGETS / f"{name}.json").read_text())
    file.pop("version", None)
    return file


def _new(plan: Plan, name: str, means: Sequence[str]) -> Target:
    target = Target(name, plan.directory / name.replace(" ", "-"), means, free_port())
    target.directory.mkdir()
    return target


def _written(target: Target, file: dict[str, Any], command: Sequence[str], shell: str = _SHELL) -> Target:
    file["name"] = target.name
    file["launch"] = ["sh", "-c", shell, *command]
    file["environment"] |= {"LOG_FILE": str(target.log_file), "PROCESS_FILE": str(target.process_file)}
    target.file.write_text(json.dumps(file))
    return target


def _limits(on: bool) -> dict[str, str]:
    """The rates are those that one address of a load test needs; on, every request is still counted."""
    if not on:
        return {
            "SERVER_RATE_LIMIT_BROWSER_PER_SECOND": "0",
            "SERVER_RATE_LIMIT_FAILURES_PER_SECOND": "0",
        }
    return {
        **_BEHIND_PROXY,
        "SERVER_FORWARDED": "x-forwarded-for",
        "SERVER_RATE_LIMIT_BROWSER_PER_SECOND": _MOST,
        "SERVER_RATE_LIMIT_BROWSER_BURST": _MOST,
        "SERVER_RATE_LIMIT_FAILURES_PER_SECOND": _MOST,
        "SERVER_RATE_LIMIT_FAILURES_BURST": _MOST,
        "AUTH_APP_BENCH_REQUESTS_PER_SECOND": _MOST,
    }
