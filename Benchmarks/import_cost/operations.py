# SPDX-License-Identifier: Apache-2.0
"""What operations on accounts cost: with many imported users beside them and with few, and beside an import."""

import os
from pathlib import Path

from operations.check import Failed, require
from operations_cost import load
from operations_cost.plan import Plan
from operations_cost.sentence import Ratio, Sentence
from operations_cost.target import BROKER, Target, description, other

from import_cost import database, users

_FEW = 1000
_MOST = 1.1
_OPERATIONS = ("lookup", "refresh", "known")
# The server opens a copy of the database that was filled before.
_SHELL = (
    'install -m 600 "$FILLED" "$(printf %s "$AUTH_ACCOUNTS_DATABASE" | cut -c8-)"; '
    'echo $$ >"$PROCESS_FILE"; exec "$0" "$@" 2>>"$LOG_FILE"'
)
# What is imported meanwhile may run on any processor.
_IMPORTING = (
    'install -m 600 "$FILLED" "$(printf %s "$AUTH_ACCOUNTS_DATABASE" | cut -c8-)"; '
    '(taskset -c "$ALL" "$0" accounts import "$USERS" --issuer "$ISSUER" >"$IMPORT_LOG" 2>&1; : >"$ENDED") & '
    'echo $$ >"$PROCESS_FILE"; exec "$0" "$@" 2>>"$LOG_FILE"'
)
_RATE = 20
_MOST_MILLISECONDS = 250


def measure(plan: Plan) -> list[Sentence]:
    """Returns a sentence for each operation."""
    many = plan.amount(2 * _FEW, 1_000_000)
    few_users, many_users = (_target(plan, count) for count in (_FEW, many))
    sentences = []
    for operation in _OPERATIONS:
        # About 10,000 of each operation.
        seconds, turns = plan.amount(1, 4), plan.amount(1, 6)
        pairs = []
        for turn in range(turns):
            order = [few_users, many_users] if turn % 2 == 0 else [many_users, few_users]
            runs = {target.name: load.of_accounts(plan, target, operation, seconds) for target in order}
            require(all(run.verified > 0 for run in runs.values()), f"{operation}: nothing succeeded")
            pairs.append((runs[few_users.name].seconds_per_thousand, runs[many_users.name].seconds_per_thousand))
        ratio = Ratio([with_many / with_few for with_few, with_many in pairs])
        few, most = (sorted(each)[len(each) // 2] for each in zip(*pairs, strict=True))
        title = f"CPU per {operation} with {many:,} users, to with {_FEW:,}"
        sentences.append(Sentence(title, _MOST, _MOST, "", ratio.value, f"{ratio}; {most:.3f} to {few:.3f} ms"))
    return sentences


def beside(plan: Plan) -> list[Sentence]:
    """Returns the sentence about sign-ins while users are imported into the same database."""
    count = plan.amount(2 * _FEW, 1_000_000)
    file, ended, log = (plan.directory / name for name in ("users.json", "ended", "import.log"))
    users.make(file, count)
    target = _target(
        plan,
        _FEW,
        _IMPORTING,
        {
            "USERS": str(file),
            "ISSUER": users.ISSUER,
            "ENDED": str(ended),
            "IMPORT_LOG": str(log),
            "ALL": ",".join(str(each) for each in sorted(os.sched_getaffinity(0))),
        },
    )
    run = load.of_accounts(plan, target, "mixed", plan.amount(1, 20), _RATE)
    run.require_success()
    if ended.exists() and not plan.is_quick:
        raise Failed(f"the import ended before the sign-ins did:\n{load.tail(log)}")
    p99 = run.latencies["known"]
    title = f"p99 of {_RATE} sign-ins a second beside an import into SQLite"
    return [Sentence(title, _MOST_MILLISECONDS, _MOST_MILLISECONDS, " ms", p99, f"{p99:.1f} ms")]


def _target(plan: Plan, count: int, shell: str = _SHELL, further: dict[str, str] | None = None) -> Target:
    file = plan.directory / f"users-{count}.json"
    users.make(file, count)
    filled, variables = database.sqlite(plan, f"users-{count}")
    database.command(plan, variables, "import", str(file), "--issuer", users.ISSUER)
    file.unlink()
    # The last one that closes it leaves everything in the file.
    require(not Path(f"{filled}-wal").exists(), "the database was not closed")
    target = description("ours")
    target["environment"] |= {"FILLED": str(filled)} | (further or {})
    return other(plan, f"{count} users", target, BROKER, shell)
