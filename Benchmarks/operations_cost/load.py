# SPDX-License-Identifier: Apache-2.0
"""Loads of callback-latency, and what it measured."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from operations.check import Failed, require

from operations_cost.plan import Plan
from operations_cost.target import Target

# The fields that a proxy would send are in the load; a target that refuses one sign-in in so many is not measured.
_SIGN_INS_FOR_EACH_ERROR = 10_000


@dataclass(frozen=True)
class Run:
    """One measurement."""

    target: str
    round: int
    verified: int
    errors: dict[str, int]
    seconds_per_thousand: float
    latencies: dict[str, float]
    medians: dict[str, float]
    throughput: float

    def require_success(self) -> None:
        """Raises if a sign-in failed."""
        require(not self.errors, f"{self.target}: sign-ins failed: {_listed(self.errors)}")

    def require_few_errors(self) -> None:
        """Raises if sign-ins failed so often that the figures are of something else."""
        failed = sum(self.errors.values())
        require(
            failed * _SIGN_INS_FOR_EACH_ERROR <= self.verified,
            f"{self.target}: {failed} sign-ins failed beside {self.verified}: {_listed(self.errors)}",
        )


@dataclass(frozen=True)
class Result:
    """What a command of callback-latency measured."""

    runs: Sequence[Run]
    machine: dict[str, Any]


def in_turns(plan: Plan, targets: Sequence[Target], rounds: int, turns: int, seconds: float) -> Result:
    """Lets all targets run, and measures each in turn with the others; another one begins each time."""
    arguments = ["--only", "sign-in", "--algorithm", "rs256", "--ours", targets[0].name]
    arguments += ["--quiet", str(plan.amount(0, 5))]
    arguments += ["--rounds", str(rounds), "--turns", str(turns), "--duration", str(seconds), "--warm-up", "0.5"]
    result = _measured(plan, "table", targets, arguments)
    for target in targets:
        made = sum(run.target == target.name for run in result.runs)
        require(made == rounds * turns, f"{target.name} was measured {made} times:\n{tail(target.log_file)}")
    for run in result.runs:
        run.require_few_errors()
    return result


def alone(
    plan: Plan,
    target: Target,
    seconds: float,
    rate: float | None = None,
    users: int = 64,
    redeemed: float = 1,
    warm_up: float = 3,
) -> Run:
    """Measures one target, which is started anew; with a rate as an open loop."""
    arguments = ["--algorithm", "rs256", "--duration", str(seconds), "--warm-up", str(warm_up)]
    arguments += ["--redeem", str(redeemed)]
    if rate is None:
        arguments += ["--concurrency", str(users)]
    else:
        # As many as are under way if one stall lasts a quarter of a second.
        arguments += ["--rate", f"{rate:.0f}", "--concurrency", "512"]
    return _measured(plan, "run", [target], arguments).runs[0]


def of_accounts(
    plan: Plan, target: Target, operation: str, seconds: float, rate: float | None = None
) -> Run:
    """Measures one operation on the accounts of a target, which is started anew.

    A rate is that of the sign-ins of `mixed`, beside which one user looks up.
    """
    arguments = ["--part", "accounts", "--operation", operation, "--duration", str(seconds), "--warm-up", "1"]
    if rate is not None:
        arguments += ["--rate", str(rate), "--concurrency", "1"]
    return _measured(plan, "run", [target], arguments).runs[0]


def _measured(plan: Plan, command: str, targets: Sequence[Target], arguments: Sequence[str]) -> Result:
    json_file = plan.directory / "result.json"
    json_file.unlink(missing_ok=True)
    words = [str(plan.tool), command, *(word for target in targets for word in ("--target", str(target.file)))]
    words += ["--broker", str(plan.broker), "--no-checks", "--no-progress", "--json", str(json_file), *arguments]
    words += ["--target-processors", plan.server_processors, "--own-processors", plan.own_processors]
    run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # The status says whether every figure may be relied on; that is looked at here.
    if not json_file.is_file():
        logs = "".join(tail(target.log_file) for target in targets)
        raise Failed(f"callback-latency {command}: status {run.returncode}\n{run.stdout[-2000:]}\n{logs}")
    result = json.loads(json_file.read_text())
    return Result([_run(each) for each in result["runs"]], result["machine"])


def _run(measured: dict[str, Any]) -> Run:
    usage = measured.get("usage")
    require(usage is not None, f"{measured['target']}: no processor time was measured: {measured['errors']}")
    return Run(
        target=measured["target"],
        round=measured["round"],
        verified=measured["verified"],
        errors=measured["errors"],
        seconds_per_thousand=usage["secondsPerThousand"],
        latencies={part: latency["p99"] for part, latency in measured["latencies"].items()},
        medians={part: latency["p50"] for part, latency in measured["latencies"].items()},
        throughput=measured["throughput"],
    )


def _listed(errors: dict[str, int]) -> str:
    return ", ".join(f"{count} x {kind}" for kind, count in errors.items())


def tail(file: Path) -> str:
    """Returns the last lines of a file; nothing if it is not there."""
    return "\n".join(file.read_text(errors="replace").splitlines()[-10:]) if file.is_file() else ""
