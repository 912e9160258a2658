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
from dataclasses import replace
from pathlib import Path

from operations.check import LeftOut
from operations.others.programs import need

from replicas import checker, isolation, postgresql, report, settings, trial
from replicas.apple import Apple
from replicas.cluster import Environment
from replicas.engines import Kind
from replicas.faults import PAIRS, SHORT, SINGLE
from replicas.network import LoopbackNetwork, NamespaceNetwork
from replicas.plants import PLANTS
from replicas.report import Result
from replicas.trial import Trial


def main() -> int:
    """Runs what the arguments ask for and returns the exit status."""
    given = _arguments()
    subject = report.PAIRS if given.pairs else report.SINGLE
    if given.update is not None and not report.has_markers(given.update, subject):
        print(f"run: {given.update} needs these lines:\n\n{report.markers(subject)}", file=sys.stderr)
        return 2
    trials = _chosen(given)
    if not trials:
        print("run: no fault is called that", file=sys.stderr)
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
    print(f"the seed is {given.seed}{f', and all is kept in {directory}' if given.keep else ''}", flush=True)
    is_kept = True
    try:
        environment = _environment(given, directory, is_isolated)
        if given.check_checker:
            is_good = checker.check(environment, directory)
            is_kept = given.keep or not is_good
            return int(not is_good)
        results = _results(trials, environment, directory)
        is_broken = any(each.broken or each.failure for each in results)
        is_kept = given.keep or is_broken
    except KeyboardInterrupt:
        is_kept = False
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        if not is_kept:
            shutil.rmtree(directory, ignore_errors=True)
    print(f"\n{report.table(results)}")
    if given.update is not None:
        order = [(each.name, each.engine.title) for each in (PAIRS if given.pairs else SINGLE)]
        report.update(given.update, subject, results, order)
    return int(is_broken)


def _environment(given: argparse.Namespace, directory: Path, is_isolated: bool) -> Environment:
    """Makes what all faults use. Apple is there where its authority can be trusted by the brokers alone."""
    network = NamespaceNetwork() if is_isolated else LoopbackNetwork()
    environment = Environment(given.broker, network, given.seed, given.plant, given.previous)
    if is_isolated:
        folder = directory / "authorities"
        folder.mkdir()
        environment = replace(environment, apple=Apple(directory))
        isolation.trust(directory / "authority.pem", folder)
    return environment


def _results(trials: Sequence[Trial], environment: Environment, directory: Path) -> list[Result]:
    kinds = {each.engine.kind for each in trials}
    knows_sentinels = Kind.SENTINELS in kinds and settings.knows_sentinels(environment.broker)
    knows_postgresql = Kind.POSTGRESQL in kinds and postgresql.is_known_to(environment.broker)
    if knows_postgresql:
        folder = directory / "template"
        folder.mkdir()
        node = environment.network.node("postgresql1")
        environment = replace(environment, template=postgresql.template(folder, environment.broker, node))
    results = []
    for each in trials:
        kind, reason = each.engine.kind, ""
        if kind is Kind.SENTINELS and not knows_sentinels:
            reason = "needs sentinels, which this executable does not know"
        elif kind is Kind.POSTGRESQL and not knows_postgresql:
            reason = "needs PostgreSQL, and an executable that was built with its trait"
        elif each.engine.servers > 1 and not environment.network.has_links:
            reason = "needs network namespaces"
        elif any(fault.needs_previous for fault in each.faults) and environment.previous is None:
            reason = "needs --previous"
        if reason:
            results.append(Result(each.name, each.engine.title, left_out=reason))
            results[-1].print()
        else:
            results.append(trial.run(each, environment, directory))
    return results


def _chosen(given: argparse.Namespace) -> list[Trial]:
    if given.plant is not None:
        return [checker.of(PLANTS[given.plant])]
    trials = PAIRS if given.pairs else SHORT if given.short else SINGLE
    if given.only is not None:
        trials = [each for each in trials if given.only in each.name]
    if given.engine is not None:
        trials = [each for each in trials if given.engine == each.engine.title]
    return trials


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/Replicas/run")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--short", action="store_true")
    form.add_argument("--pairs", action="store_true")
    parser.add_argument("--only", metavar="FAULT")
    parser.add_argument("--engine", choices=sorted({each.engine.title for each in SINGLE}))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--update", type=Path, metavar="FILE")
    parser.add_argument("--plant", choices=PLANTS, metavar="NAME", help=", ".join(PLANTS))
    parser.add_argument("--check-checker", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--without-namespaces", action="store_true")
    parser.add_argument("--previous", type=Path, metavar="BROKER")
    parser.add_argument("broker", type=Path, metavar="BROKER")
    given = parser.parse_args()
    for name in ("broker", "previous"):
        file = getattr(given, name)
        if file is None:
            continue
        setattr(given, name, file.resolve())
        if not os.access(file, os.X_OK):
            parser.error(f"{file} cannot be executed")
    return given


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
