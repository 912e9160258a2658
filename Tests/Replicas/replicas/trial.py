# SPDX-License-Identifier: Apache-2.0
"""One fault, or two at once, from the start of everything that they need to the verdict."""

import random
import resource
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from operations.check import Failed
from operations.waiting import wait_until

from replicas import starting
from replicas.cluster import Cluster, Environment, Layout
from replicas.engines import Engine
from replicas.fault import Fault
from replicas.history import ACCEPTED, REDEEMED, History
from replicas.invariants import judge
from replicas.load import people
from replicas.report import Result, result

_SECONDS_BEFORE = 2
_SECONDS_AFTER = 6
_SIGNED_IN_BEFORE = 5
# Two faults begin within so many seconds.
_SECONDS_APART = 4.0
# So long a trial takes at most. With each point it does ten things. Each may take a failover.
_SECONDS_AT_MOST, _SECONDS_AT_MOST_WITH_POINTS = 300, 420


@dataclass(frozen=True)
class Trial:
    """What is made to happen, and on which engine."""

    faults: Sequence[Fault]
    engine: Engine

    @property
    def name(self) -> str:
        """The names of the faults."""
        return " + ".join(fault.name for fault in self.faults)

    @property
    def seconds(self) -> float:
        """What it may take at most; longer means that something hangs."""
        return _SECONDS_AT_MOST_WITH_POINTS if self.layout.has_points else _SECONDS_AT_MOST

    @property
    def layout(self) -> Layout:
        """What all of the faults need."""
        layouts = [fault.layout(self.engine) for fault in self.faults]
        return Layout(
            self.engine,
            any(each.has_relays for each in layouts),
            any(each.has_points for each in layouts),
        )


def run(trial: Trial, environment: Environment, folder: Path) -> Result:
    """Has users sign in while a fault begins and ends, and judges the history, which it leaves in the folder."""
    history = None
    title = trial.engine.title
    began = time.monotonic()
    try:
        with starting.running(environment, trial.layout, folder) as running:
            history, failure = running.history, ""
            with people(running):
                time.sleep(_SECONDS_BEFORE)
                # On a busy machine the first ones take longer.
                wait_until("some sign in", partial(_says_something, history))
                history.fault_began = time.monotonic()
                failure = _make(trial, running)
                history.fault_over = time.monotonic()
                time.sleep(_SECONDS_AFTER)
            made = result(trial.name, title, judge(history, running.recorder.exchanges), history)
            made.failure = "; ".join(filter(None, (failure, *history.failures, _missing(history))))
            made.may_forget = trial.engine.may_forget
    except Exception as error:
        # Whatever it is, the others are made.
        made = Result(trial.name, title, failure=_reason(error))
    if history is not None:
        history.write(folder / "history.jsonl")
    made.folder = str(folder)
    made.seconds = time.monotonic() - began
    made.processor_seconds = _processor_seconds()
    return made


def _processor_seconds() -> float:
    """What this process and those that it started and that have ended used of a processor."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"


def _make(trial: Trial, running: Cluster) -> str:
    """Makes the faults, two of them each at a random moment; returns why one did not come about."""
    failures: list[str] = []
    if len(trial.faults) == 1:
        _attempt(partial(trial.faults[0].run, running), 0, failures)
        return "".join(failures)
    chosen = random.Random(f"{running.environment.seed} {trial.name} {trial.engine.title}")
    threads = []
    for fault in trial.faults:
        seconds = chosen.uniform(0, _SECONDS_APART)
        running.history.note(f"{fault.name}: begins {seconds:.3f} s after the fault")
        calls = (partial(fault.run, running), seconds, failures)
        threads.append(threading.Thread(target=_attempt, args=calls, daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return "; ".join(failures)


def _attempt(make: Callable[[], None], seconds: float, failures: list[str]) -> None:
    time.sleep(seconds)
    try:
        make()
    except Exception as error:
        # In its own thread no other part would see it.
        failures.append(_reason(error))


def _says_something(history: History) -> bool:
    """Whether enough users have signed in for a fault to begin."""
    return sum(each.outcome in (REDEEMED, ACCEPTED) for each in list(history.entries)) >= _SIGNED_IN_BEFORE


def _missing(history: History) -> str:
    """Why a history says nothing: no user was in between when the fault began. Empty if it says something."""
    early = sum(
        each.outcome in (REDEEMED, ACCEPTED) and each.end < history.fault_began for each in history.entries
    )
    return "" if early >= _SIGNED_IN_BEFORE else f"only {early} signed in before the fault"
