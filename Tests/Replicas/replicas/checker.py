# SPDX-License-Identifier: Apache-2.0
"""Whether the checker notices what it is there for: rules that the store breaks one after the other."""

from dataclasses import replace
from pathlib import Path

from replicas import apart
from replicas.cluster import Environment
from replicas.faults import NOTHING, SINGLE
from replicas.invariants import TITLES
from replicas.plants import PLANTS, Plant
from replicas.trial import Trial


def check(environment: Environment, directory: Path) -> bool:
    """Returns whether nothing is found of a store that keeps the rules, and every broken rule is noticed."""
    whole = apart.run(NOTHING, environment, directory)
    whole.print()
    is_good = not whole.broken and not whole.failure
    print("the store keeps the rules:", "nothing is broken" if is_good else "NOT AS IT SHOULD BE", flush=True)
    for plant in PLANTS.values():
        if plant.engine.servers > 1 and not environment.network.has_links:
            print(f"{plant.name}: left out: needs network namespaces", flush=True)
            continue
        made = apart.run(of(plant), replace(environment, plant=plant.name), directory)
        is_noticed = any(made.found(number) for number in plant.noticed_by)
        is_good = is_good and is_noticed
        broken = ", ".join(f"{TITLES[number]} {made.verdicts[number].figure}" for number in TITLES if made.found(number))
        said = "noticed" if is_noticed else "NOT NOTICED"
        print(f"{plant.name}: {said}: {broken or made.failure or 'nothing is broken'}", flush=True)
    return is_good


def of(plant: Plant) -> Trial:
    """Returns what happens while a plant breaks its rule."""
    return next(
        each for each in SINGLE if each.name == plant.fault and each.engine == plant.engine
    )
