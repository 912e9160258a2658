# SPDX-License-Identifier: Apache-2.0
"""Makes the faults and prints a line for each, then the table."""

import argparse
import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from kit.demo import demo_beside

from operations.check import Failed, LeftOut
from operations.others.programs import need

from replicas import checker, document, histories, isolation, report, schedule
from replicas.apple import Apple
from replicas.cluster import Environment
from replicas.covering import covering
from replicas.document import Document
from replicas.faults import PAIRS, SHORT, SINGLE
from replicas.network import LoopbackNetwork, NamespaceNetwork
from replicas.plants import PLANTS
from replicas.trial import Trial

# So many of the pairs are made without an option: all of them take more than an hour.
_PAIRS_AT_MOST = 40
# The copies of the executables for a table.
_BROKER_COPY = "oidc-broker"
_DEMO_COPY = "oidc-broker-demo"


def main() -> int:
    """Runs what the arguments ask for and returns the exit status."""
    given = _arguments()
    subject = report.PAIRS if given.pairs else report.SINGLE
    if given.update is not None and not document.has_markers(given.update, subject):
        print(f"run: {given.update} needs these lines:\n\n{document.markers(subject)}", file=sys.stderr)
        return 2
    written = _document(given, subject)
    trials = _chosen(given)
    if written is not None and given.only_missing:
        missing = written.missing()
        trials = [each for each in trials if (each.name, each.engine.title) in missing]
        if not trials:
            print("run: nothing is missing")
            return 0
    if not trials:
        print("run: no fault is called that", file=sys.stderr)
        return 2
    try:
        histories.check()
        for program in (("haproxy", "haproxy"), ("redis-server", "redis-server"), ("ip", "iproute2")):
            need(*program)
    except (Failed, LeftOut) as error:
        print(f"run: {error}", file=sys.stderr)
        return 2
    is_isolated = not given.without_namespaces and isolation.isolate()
    signal.signal(signal.SIGTERM, _interrupt)
    if not is_isolated:
        print("without network namespaces: processes on 127.0.0.0/8, and links that a relay cuts", flush=True)
        given.parallel = 1
    directory = Path(tempfile.mkdtemp(prefix="replicas-"))
    print(f"the seed is {given.seed}{f', and all is kept in {directory}' if given.keep else ''}", flush=True)
    is_kept = True
    try:
        environment = _environment(given, directory, is_isolated)
        if given.check_checker:
            is_good = checker.check(environment, directory)
            is_kept = given.keep or not is_good
            return int(not is_good)
        results = []
        with contextlib.closing(
            schedule.results(trials, environment, directory, given.parallel)
        ) as made:
            for each in made:
                each.print()
                results.append(each)
                if written is not None:
                    written.add(each)
                if each.folder and not (given.keep or each.broken or each.failure):
                    # The data of all servers of a run are some gigabytes.
                    shutil.rmtree(each.folder, ignore_errors=True)
        is_broken = any(each.broken or each.failure for each in results)
        is_kept = given.keep or is_broken
    except KeyboardInterrupt:
        is_kept = False
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        for copy in (_BROKER_COPY, _DEMO_COPY):
            (directory / copy).unlink(missing_ok=True)
        if not is_kept:
            shutil.rmtree(directory, ignore_errors=True)
    print(f"\n{report.table(results)}")
    return int(is_broken)


def _document(given: argparse.Namespace, subject: str) -> Document | None:
    """Returns where the rows are written. Rows of one build are of one seed, unless another one is given."""
    if given.update is None:
        return None
    build = document.build(given.broker)
    if not given.has_seed:
        before = document.seed_of(given.update, subject, build)
        given.seed = given.seed if before is None else before
    order = [(each.name, each.engine.title) for each in (PAIRS if given.pairs else SINGLE)]
    how = f", {given.parallel} at a time" if given.parallel > 1 else ""
    return Document(given.update, subject, order, build, given.seed, how)


def _environment(given: argparse.Namespace, directory: Path, is_isolated: bool) -> Environment:
    """Makes what all faults use. Apple is there where its authority can be trusted by the brokers alone."""
    network = NamespaceNetwork() if is_isolated else LoopbackNetwork()
    broker, demo = given.broker, demo_beside(given.broker)
    if given.update is not None:
        # What is built meanwhile is another build.
        broker = shutil.copy2(broker, directory / _BROKER_COPY)
        demo = shutil.copy2(demo, directory / _DEMO_COPY)
    environment = Environment(broker, demo, network, given.seed, given.plant, given.previous)
    if is_isolated:
        folder = directory / "authorities"
        folder.mkdir()
        environment = replace(environment, apple=Apple(directory))
        isolation.trust(directory / "authority.pem", folder)
    return environment


def _chosen(given: argparse.Namespace) -> list[Trial]:
    if given.plant is not None:
        return [checker.of(PLANTS[given.plant])]
    trials = PAIRS if given.pairs else SHORT if given.short else SINGLE
    if given.only is not None:
        trials = [each for each in trials if given.only in each.name]
    if given.engine is not None:
        trials = [each for each in trials if given.engine == each.engine.title]
    return covering(trials, given.at_most, given.seed) if given.pairs else trials


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/Replicas/run")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--short", action="store_true")
    form.add_argument("--pairs", action="store_true")
    parser.add_argument("--only", metavar="FAULT")
    parser.add_argument("--engine", choices=sorted({each.engine.title for each in SINGLE}))
    parser.add_argument("--at-most", type=int, default=_PAIRS_AT_MOST, metavar="N")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--parallel", type=int, choices=range(1, 4), default=1)
    parser.add_argument("--update", type=Path, metavar="FILE")
    parser.add_argument("--only-missing", action="store_true")
    parser.add_argument("--plant", choices=PLANTS, metavar="NAME", help=", ".join(PLANTS))
    parser.add_argument("--check-checker", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--without-namespaces", action="store_true")
    parser.add_argument("--previous", type=Path, metavar="BROKER")
    parser.add_argument("broker", type=Path, metavar="BROKER")
    given = parser.parse_args()
    if given.only_missing and given.update is None:
        parser.error("--only-missing needs --update")
    if given.plant is not None and given.update is not None:
        parser.error("what a broken store comes to is written nowhere: --plant does not go with --update")
    given.has_seed = given.seed is not None
    if not given.has_seed:
        given.seed = random.SystemRandom().randrange(1_000_000)
    for name in ("broker", "previous"):
        file = getattr(given, name)
        if file is None:
            continue
        setattr(given, name, file.resolve())
        if not os.access(file, os.X_OK):
            parser.error(f"{file} cannot be executed")
    if not os.access(demo_beside(given.broker), os.X_OK):
        parser.error(f"{demo_beside(given.broker)} cannot be executed")
    return given


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
