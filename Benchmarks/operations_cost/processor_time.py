# SPDX-License-Identifier: Apache-2.0
"""The processor time of a sign-in with an operator's means on, each and all, against all off."""

import mmap
import subprocess
from collections.abc import Sequence

from operations.check import require

from operations_cost import load
from operations_cost.metrics import Scrapes, scraping
from operations_cost.plan import Plan
from operations_cost.sentence import QuietRatio, Sentence
from operations_cost.target import TRACED_SHARE, Target, make

_MEANS = ("metrics", "access log", "audit", "limits", "tracing")
_OFF, _ALL = "off", "all"
_ALL_GOAL, _ALL_MUST, _EACH = 1.10, 1.15, 1.05
_DROPPED = b"lines were dropped"
_TRACED = b"spans were recorded"


def measure(plan: Plan) -> list[Sentence]:
    """Returns a sentence for all of them, and one for each."""
    observed = _is_observed(plan)
    variants = {_OFF: (), **{each: (each,) for each in _MEANS}, _ALL: _MEANS}
    targets = [make(plan, name, means, (), observed) for name, means in variants.items()]
    scraped = [target for target in targets if target.is_scraped]
    with plan.off_the_servers_processors(), scraping(scraped) as scrapes:
        # Many short turns: a host that is shared drifts within a minute, and some of them find it quiet.
        result = load.in_turns(
            plan, targets, rounds=plan.amount(1, 2), turns=plan.amount(2, 20), seconds=plan.amount(1, 2)
        )
    costs = {target.name: _costs(result.runs, target) for target in targets}
    _print_rounds(costs)
    for target in targets:
        _require_on(target, scrapes, observed)
    sentences = []
    for name in (_ALL, *_MEANS):
        ratio = QuietRatio(list(costs[name].values()), [costs[_OFF][number] for number in costs[name]])
        goal, must = (_ALL_GOAL, _ALL_MUST) if name == _ALL else (_EACH, _EACH)
        figure = f"{ratio}; {ratio.mean:.3f} ms"
        sentences.append(Sentence(_title(name, observed), must, goal, "", ratio.value, figure))
    return sentences


def _is_observed(plan: Plan) -> bool:
    """Whether callback-latency can serve without metrics and with a tracer, which oidc-broker cannot."""
    # A tool that does not know the command takes the word for an argument of another one.
    asked = subprocess.run([str(plan.tool), "serve-observed", "--help"], capture_output=True, text=True)
    return "--traced" in asked.stdout


def _costs(runs: Sequence[load.Run], target: Target) -> dict[int, float]:
    """Returns the processor milliseconds of a sign-in by round."""
    return {run.round: run.seconds_per_thousand for run in runs if run.target == target.name}


def _print_rounds(costs: dict[str, dict[int, float]]) -> None:
    print("CPU ms per sign-in; a sign-in is start and callback")
    print("round  " + "".join(f"{name:>12}" for name in costs))
    for number in sorted(costs[_OFF]):
        print(f"{number:5}  " + "".join(f"{each[number]:12.4f}" for each in costs.values()), flush=True)


def _require_on(target: Target, scrapes: Scrapes, observed: bool) -> None:
    """Raises if something that is on did nothing, or lost a part of it: then it cost too little."""
    if target.is_scraped:
        counted = scrapes.values(target.name, 'auth_connections{version="1.1"}')
        require(bool(counted), f"{target.name}: /metrics was never read")
    if "access log" in target.means:
        require(_has(target.log_file, b'"auth.access"'), f"{target.name}: no access log was written")
    if "audit" in target.means:
        require(_has(target.audit_file, b"callback"), f"{target.name}: no audit was written")
        require(not _has(target.audit_file, _DROPPED), f"{target.name}: lines of the audit were dropped")
    if "tracing" in target.means and observed:
        require(_has(target.log_file, _TRACED), f"{target.name}: no span was recorded")
    require(not _has(target.log_file, _DROPPED), f"{target.name}: lines of the log were dropped")


def _has(file: object, text: bytes) -> bool:
    """Whether a file, which may be large, contains a text."""
    with open(str(file), "rb") as opened:
        if opened.seek(0, 2) == 0:
            return False
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(text) >= 0


def _title(name: str, observed: bool) -> str:
    # What `oidc-broker serve` has, it has always.
    metrics = "metrics" if observed else "metrics scraped"
    tracing = f"tracing at {TRACED_SHARE:.0%}" if observed else "`traceparent` believed, no tracer"
    if name == _ALL:
        return f"CPU per sign-in with {metrics}, access log, audit, limits and {tracing}, to all off"
    named = {"metrics": metrics, "tracing": tracing}.get(name, name)
    return f"the same with {named} alone"
