# SPDX-License-Identifier: Apache-2.0
"""Makes the faults and prints a line for each, then the table."""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from operations.check import LeftOut
from operations.others.programs import need

from replicas import checker, isolation, report, settings, trial
from replicas.cluster import Environment
from replicas.fault import Fault
from replicas.faults import FAULTS
from replicas.network import LoopbackNetwork, NamespaceNetwork
from replicas.plants import PLANTS
from replicas.report import Result
from replicas.stores import Kind


def main() -> int:
    """Runs what the arguments ask for and returns the exit status."""
    given = _arguments()
    if given.update is not None and not report.has_markers(given.update):
        print(f"run: {given.update} needs these lines:\n\n{report.markers()}", file=sys.stderr)
        return 2
    faults = _chosen(given)
    if not faults:
        print(f"run: no fault is called {given.only}", file=sys.stderr)
        return 2
    try:
        for program in (("haproxy", "haproxy"), ("redis-server", "redis-server"), ("ip", "iproute2")):
            need(*program)
    except LeftOut as error:
        print(f"run: {error}", file=sys.stderr)
        return 2
    is_isolated = not given.without_namespaces and isolation.isolate()
    signal.signal(signal.SIGTERM, _interrupt)
    if not is_isolated:
        print("without network namespaces: processes on 127.0.0.0/8, and links that a relay cuts", flush=True)
    directory = Path(tempfile.mkdtemp(prefix="replicas-"))
    network = NamespaceNetwork() if is_isolated else LoopbackNetwork()
    environment = Environment(given.broker, network, given.seed, given.plant)
    print(f"the seed is {given.seed}", flush=True)
    is_kept = True
    try:
        if given.check_checker:
            is_kept = not checker.check(environment, directory)
            return int(is_kept)
        results = _results(faults, environment, directory)
        is_kept = any(each.broken or each.failure for each in results)
    except KeyboardInterrupt:
        is_kept = False
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        if not is_kept:
            shutil.rmtree(directory, ignore_errors=True)
    print(f"\n{report.table(results)}")
    if given.update is not None:
        report.update(given.update, results, [fault.name for fault in FAULTS])
    return int(is_kept)


def _results(faults: Sequence[Fault], environment: Environment, directory: Path) -> list[Result]:
    knows_sentinels = settings.knows_sentinels(environment.broker)
    results = []
    for fault in faults:
        if fault.store is Kind.SENTINELS and not knows_sentinels:
            made = Result(fault.name, left_out="needs sentinel, which this executable does not know")
        elif fault.store is Kind.SENTINELS and not environment.network.has_links:
            made = Result(fault.name, left_out="needs network namespaces")
        else:
            results.append(trial.run(fault, environment, directory))
            continue
        made.print()
        results.append(made)
    return results


def _chosen(given: argparse.Namespace) -> list[Fault]:
    if given.only is not None:
        return [fault for fault in FAULTS if given.only in fault.name]
    if given.plant is not None:
        return [fault for fault in FAULTS if fault.name == "none"]
    return [fault for fault in FAULTS if fault.is_short or not given.short]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/Replicas/run")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", metavar="FAULT")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--update", type=Path, metavar="FILE")
    parser.add_argument("--plant", choices=PLANTS, metavar="NAME", help=", ".join(PLANTS))
    parser.add_argument("--check-checker", action="store_true")
    parser.add_argument("--without-namespaces", action="store_true")
    parser.add_argument("broker", type=Path, metavar="BROKER")
    given = parser.parse_args()
    given.broker = given.broker.resolve()
    if not os.access(given.broker, os.X_OK):
        parser.error(f"{given.broker} cannot be executed")
    return given


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
