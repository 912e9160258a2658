# SPDX-License-Identifier: Apache-2.0
"""Makes the checks, prints what came of each, and compares their list with that of the report."""

import argparse
import os
import random
import sys
import tempfile
import time
import traceback
from dataclasses import replace
from pathlib import Path

from operations import document
from operations.check import Check, Effort, Failed, LeftOut, Setting
from operations.faults import CHECKS as FAULTS
from operations.others import CHECKS as OTHERS

_CHECKS = {"faults": FAULTS, "others": OTHERS}
_WITH = {Effort.FULL: "without --quick", Effort.ALL: "with --all"}


class _Results:
    """What came of the checks so far."""

    def __init__(self) -> None:
        self.figures: dict[str, str] = {}
        self.failed: list[str] = []
        self.left_out: list[str] = []


def main() -> int:
    """Returns the exit status: 0 if everything holds."""
    arguments = _arguments()
    effort = Effort.QUICK if arguments.quick else Effort.ALL if arguments.all else Effort.FULL
    results = _Results()
    for checks in _CHECKS.values():
        for check in checks:
            if arguments.only and arguments.only not in check.name:
                continue
            if arguments.skip and arguments.skip in check.name:
                continue
            if check.least_effort > effort:
                print(f"not here  {check.name}: {_WITH[check.least_effort]}", flush=True)
                continue
            _make(check, Setting(arguments.executable.resolve(), Path(), effort, arguments.seed), results)
    if arguments.update and not results.failed:
        document.update(_CHECKS, results.figures, arguments.executable.resolve())
    elif not arguments.only:
        for line in document.differences(_CHECKS):
            results.failed.append(f"Documentation/Reports/Operations.md differs: {line}")
            print(f"FAILED    {results.failed[-1]}")
    # Where everything is installed, nothing may be left out.
    fails = bool(results.failed or (results.left_out and os.environ.get("CI") == "true"))
    print(f"{len(results.figures)} ok, {len(results.failed)} failed, {len(results.left_out)} left out")
    return 1 if fails or not results.figures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="operations", description=__doc__)
    parser.add_argument("executable", type=Path, help="the oidc-broker executable")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--quick", action="store_true", help="fewer connections, at most 8 minutes")
    effort.add_argument("--all", action="store_true", help="also testssl.sh and slowhttptest")
    parser.add_argument("--only", help="only the checks whose name contains this text")
    parser.add_argument("--skip", help="not the checks whose name contains this text")
    parser.add_argument("--seed", type=int, default=random.getrandbits(32), help="the seed of what is random")
    parser.add_argument("--update", action="store_true", help="write the figures into the report")
    return parser.parse_args()


def _make(check: Check, setting: Setting, results: _Results) -> None:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        try:
            results.figures[check.name] = check.run(replace(setting, directory=Path(directory)))
            said = f"ok        {check.name}: {results.figures[check.name]}"
        except LeftOut as reason:
            results.left_out.append(check.name)
            said = f"left out  {check.name}: {reason}"
        except Exception as error:
            results.failed.append(check.name)
            said = f"FAILED    {check.name}: {error}; seed {setting.seed}"
            if not isinstance(error, Failed):
                traceback.print_exc()
    print(f"{said} ({time.monotonic() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
