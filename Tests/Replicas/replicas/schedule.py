# SPDX-License-Identifier: Apache-2.0
"""The trials of a run, one after the other or several at once."""

import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path

from replicas import postgresql, settings
from replicas.apart import Apart
from replicas.cluster import Environment
from replicas.engines import Kind
from replicas.report import Result
from replicas.trial import Trial

_SECONDS_BETWEEN_LOOKS = 0.1


def results(
    trials: Sequence[Trial], environment: Environment, directory: Path, at_once: int
) -> Generator[Result, None, None]:
    """Makes all trials, so many at once, and returns what came of each as soon as it is there."""
    kinds = {each.engine.kind for each in trials}
    known = {Kind.VALKEY}
    if Kind.SENTINELS in kinds and settings.knows_sentinels(environment.broker):
        known.add(Kind.SENTINELS)
    if Kind.POSTGRESQL in kinds and postgresql.is_known_to(environment.broker):
        known.add(Kind.POSTGRESQL)
        folder = directory / "template"
        folder.mkdir()
        node = environment.network.node("postgresql1")
        environment = replace(environment, template=postgresql.template(folder, environment.broker, node))
    waiting, running = list(trials), list[Apart]()
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                trial = waiting.pop(0)
                reason = _left_out(trial, environment, known)
                if reason:
                    yield Result(trial.name, trial.engine.title, left_out=reason)
                else:
                    running.append(Apart(trial, environment, directory))
            time.sleep(_SECONDS_BETWEEN_LOOKS)
            for each in list(running):
                result = each.result()
                if result is not None:
                    running.remove(each)
                    yield result
    finally:
        for each in running:
            each.end()


def _left_out(trial: Trial, environment: Environment, known: set[Kind]) -> str:
    """Why a trial cannot be made; empty if it can."""
    if trial.engine.kind not in known:
        if trial.engine.kind is Kind.SENTINELS:
            return "needs sentinels, which this executable does not know"
        return "needs PostgreSQL, and an executable that was built with its trait"
    if trial.engine.servers > 1 and not environment.network.has_links:
        return "needs network namespaces"
    if any(fault.needs_previous for fault in trial.faults) and environment.previous is None:
        return "needs --previous"
    return ""
