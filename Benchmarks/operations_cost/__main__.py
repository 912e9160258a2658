# SPDX-License-Identifier: Apache-2.0
"""Measures each part, prints its rounds and the table, and says whether every must is reached."""

import argparse
import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from operations.check import Failed, LeftOut

from operations_cost import connections, document, memory, processor_time, reloads
from operations_cost.plan import Plan
from operations_cost.sentence import Sentence

_PARTS: dict[str, Callable[[Plan], list[Sentence]]] = {
    "processor-time": processor_time.measure,
    "reloads": reloads.measure,
    "reload-memory": memory.after_reloads,
    "connections": connections.measure,
    "idle": memory.idle,
}
# The number of its connections does not change.
_NOT_QUICK = "connections"


def main() -> int:
    """Returns the exit status: 0 if every must is reached, 1 if not, 2 if it cannot be measured like this."""
    arguments = _arguments()
    for file in (arguments.broker, arguments.tool):
        if not os.access(file, os.X_OK):
            print(f"operations-cost: {file} cannot be executed", file=sys.stderr)
            return 2
    names = arguments.only or [name for name in _PARTS if not (arguments.quick and name == _NOT_QUICK)]
    began = time.monotonic()
    sentences: list[Sentence] = []
    failed = []
    with tempfile.TemporaryDirectory(prefix="operations-cost-") as directory:
        plan = Plan(
            broker=arguments.broker.resolve(),
            tool=arguments.tool.resolve(),
            server_processors=arguments.server_processors,
            own_processors=arguments.own_processors,
            directory=Path(directory),
            is_quick=arguments.quick,
        )
        if plan.build == "debug":
            print("This is a debug build: its figures mean nothing.")
        for name in names:
            print(f"\n== {name} ({time.monotonic() - began:.0f} s)", flush=True)
            try:
                sentences += _PARTS[name](plan)
            except Exception as error:
                failed.append(f"{name}: {error}")
                print(f"FAILED {failed[-1]}", flush=True)
                if not isinstance(error, Failed | LeftOut):
                    traceback.print_exc()
    made_on = _made_on(plan)
    print(f"\n{document.text(sentences)}\n\n{made_on}; {time.monotonic() - began:.0f} s")
    for each in failed:
        print(f"FAILED {each}")
    if arguments.update and not failed:
        document.update(sentences, made_on)
    return 0 if not failed and all(sentence.holds for sentence in sentences) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="operations-cost", description=__doc__)
    build = Path(".build/release")
    parser.add_argument("--broker", type=Path, default=build / "oidc-broker", help="the oidc-broker executable")
    parser.add_argument("--tool", type=Path, default=build / "callback-latency", help="the callback-latency executable")
    parser.add_argument("--only", action="append", choices=list(_PARTS), help="only this part; may be repeated")
    parser.add_argument("--quick", action="store_true", help="small numbers, whose figures say nothing")
    parser.add_argument("--update", action="store_true", help="write the table into Benchmarks/NOTES.md")
    parser.add_argument("--server-processors", default="0", help="where the measured server runs, as taskset takes it")
    parser.add_argument("--own-processors", default="1", help="where the load and the provider run")
    arguments = parser.parse_args()
    if arguments.update and (arguments.only or arguments.quick):
        parser.error("--update writes the whole table: neither --only nor --quick")
    return arguments


def _made_on(plan: Plan) -> str:
    processor = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {os.cpu_count()} x {processor}, {platform.system()} "
        f"{platform.release()}, {plan.build} build"
    )


if __name__ == "__main__":
    sys.exit(main())
