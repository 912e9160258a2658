# SPDX-License-Identifier: Apache-2.0
"""One fault, from the start of everything that it needs to the verdict."""

import tempfile
import time
from pathlib import Path

from operations.check import Failed

from replicas import cluster
from replicas.cluster import Environment
from replicas.fault import Fault
from replicas.history import REDEEMED, History
from replicas.invariants import judge
from replicas.load import people
from replicas.report import Result, result

_SECONDS_BEFORE = 2
_SECONDS_AFTER = 6
_SIGNED_IN_BEFORE = 5


def run(fault: Fault, environment: Environment, directory: Path, is_silent: bool = False) -> Result:
    """Has people sign in while a fault begins and ends, and judges the history; prints what came of it."""
    folder = Path(tempfile.mkdtemp(dir=directory))
    history = None
    try:
        with cluster.running(environment, fault.store, fault.standbys, folder) as running:
            history, failure = running.history, ""
            with people(running):
                time.sleep(_SECONDS_BEFORE)
                history.fault_began = time.monotonic()
                try:
                    fault.run(running)
                except Failed as error:
                    failure = str(error)
                history.fault_over = time.monotonic()
                time.sleep(_SECONDS_AFTER)
            made = result(fault.name, judge(history, running.recorder.exchanges), history)
            made.failure = failure or _missing(history)
    except Failed as error:
        made = Result(fault.name, failure=str(error))
    if history is not None:
        history.write(folder / "history.jsonl")
    if is_silent:
        return made
    made.print()
    if made.broken or made.failure:
        print(f"    the history and the logs are in {folder}", flush=True)
    return made


def _missing(history: History) -> str:
    """Why a history says nothing: nobody was in between when the fault began. Empty if it says something."""
    early = sum(each.outcome == REDEEMED and each.end < history.fault_began for each in history.entries)
    return "" if early >= _SIGNED_IN_BEFORE else f"only {early} signed in before the fault"
