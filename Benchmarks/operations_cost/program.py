# SPDX-License-Identifier: Apache-2.0
"""A program that measures parts, prints their rounds and the table, and says whether every must is reached."""

import argparse
import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from operations.check import Failed, LeftOut

from operations_cost import document
from operations_cost.plan import Plan
from operations_cost.sentence import Sentence


@dataclass(frozen=True)
class Program:
    """Its name, the subject of its table, and its parts."""

    name: str
    subject: str
    description: str
    parts: Mapping[str, Callable[[Plan], list[Sentence]]]
    # The parts that have no small numbers.
    not_quick: frozenset[str] = frozenset()
    # Whether it can measure a tool of another build beside the one it is given.
    compares_previous: bool = False

    def run(self) -> int:
        """Returns the exit status: 0 if every must is reached, 1 if not, 2 if it cannot be measured like this."""
        arguments = self._arguments()
        for file in (arguments.broker, arguments.tool, arguments.previous_tool):
            if file is not None and not os.access(file, os.X_OK):
                print(f"{self.name}: {file} cannot be executed", file=sys.stderr)
                return 2
        names = arguments.only or [
            name for name in self.parts if not (arguments.quick and name in self.not_quick)
        ]
        began = time.monotonic()
        sentences: list[Sentence] = []
        failed = []
        with tempfile.TemporaryDirectory(prefix=f"{self.name}-") as directory:
            plan = Plan(
                broker=arguments.broker.resolve(),
                tool=arguments.tool.resolve(),
                server_processors=arguments.server_processors,
                own_processors=arguments.own_processors,
                directory=Path(directory),
                is_quick=arguments.quick,
                previous_tool=arguments.previous_tool and arguments.previous_tool.resolve(),
            )
            if plan.build == "debug":
                print("This is a debug build: its figures mean nothing.")
            for name in names:
                print(f"\n== {name} ({time.monotonic() - began:.0f} s)", flush=True)
                try:
                    sentences += self.parts[name](_with_folder(plan, name))
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
            document.update(self.subject, self.name, sentences, made_on)
        return 0 if not failed and all(sentence.holds for sentence in sentences) else 1

    def _arguments(self) -> argparse.Namespace:
        parser = argparse.ArgumentParser(prog=self.name, description=self.description)
        build = Path(".build/release")
        parser.add_argument(
            "--broker", type=Path, default=build / "oidc-broker", help="the oidc-broker executable"
        )
        parser.add_argument(
            "--tool", type=Path, default=build / "callback-latency", help="the callback-latency executable"
        )
        parser.set_defaults(previous_tool=None)
        if self.compares_previous:
            parser.add_argument(
                "--previous-tool", type=Path, help="callback-latency of another build, to be compared with"
            )
        parser.add_argument(
            "--only", action="append", choices=list(self.parts), help="only this part; may be repeated"
        )
        parser.add_argument("--quick", action="store_true", help="small numbers, whose figures say nothing")
        parser.add_argument(
            "--update", action="store_true", help="write the table into Benchmarks/NOTES.md"
        )
        parser.add_argument(
            "--server-processors", default="0", help="where the measured server runs, as taskset takes it"
        )
        parser.add_argument("--own-processors", default="1", help="where the load and the provider run")
        arguments = parser.parse_args()
        if arguments.update and (arguments.only or arguments.quick):
            parser.error("--update writes the whole table: neither --only nor --quick")
        return arguments


def _with_folder(plan: Plan, name: str) -> Plan:
    """Returns the plan of a part, whose targets may have the names of those of another part."""
    directory = plan.directory / name
    directory.mkdir()
    return replace(plan, directory=directory)


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
