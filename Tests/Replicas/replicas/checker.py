# SPDX-License-Identifier: Apache-2.0
"""Whether the checker notices what it is there for: rules that the store breaks one after the other."""

from dataclasses import replace
from pathlib import Path

from replicas import trial
from replicas.cluster import Environment
from replicas.faults import FAULTS
from replicas.invariants import TITLES
from replicas.plants import PLANTS


def check(environment: Environment, directory: Path) -> bool:
    """Returns whether nothing is found of a store that keeps the rules, and every broken rule is noticed."""
    nothing = next(fault for fault in FAULTS if fault.name == "none")
    whole = trial.run(nothing, environment, directory)
    is_good = not whole.broken and not whole.failure
    print("the store keeps the rules:", "nothing is broken" if is_good else "NOT AS IT SHOULD BE", flush=True)
    for plant in PLANTS.values():
        made = trial.run(nothing, replace(environment, plant=plant.name), directory, is_silent=True)
        is_noticed = any(number in made.broken for number in plant.noticed_by)
        is_good = is_good and is_noticed
        broken = ", ".join(f"{TITLES[number]} {made.verdicts[number].figure}" for number in made.broken)
        said = "noticed" if is_noticed else "NOT NOTICED"
        print(f"{plant.name}: {said}: {broken or made.failure or 'nothing is broken'}", flush=True)
    return is_good
