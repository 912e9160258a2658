# SPDX-License-Identifier: Apache-2.0
"""Targets that are measured in turn, so that what drifts in the machine drifts for all."""

from collections.abc import Callable, Sequence

from operations.check import Failed
from operations_cost import load
from operations_cost.load import Run
from operations_cost.target import Target

from store_cost.node import StoreNode

# As in most of what NOTES.md says of sign-ins: enough to check the codes.
REDEEMED = 0.1


def in_turns(
    node: StoreNode, targets: Sequence[Target], turns: int, measure: Callable[[Target], Run]
) -> dict[str, list[Run]]:
    """Measures each target once a turn, another one first each time and every second turn backwards."""
    runs: dict[str, list[Run]] = {target.name: [] for target in targets}
    for turn in range(turns):
        first = turn // 2 % len(targets)
        order = [*targets[first:], *targets[:first]]
        for target in order if turn % 2 == 0 else reversed(order):
            runs[target.name].append(measured(node, target, measure))
    return runs


def measured(node: StoreNode, target: Target, measure: Callable[[Target], Run]) -> Run:
    """Measures a target on a store that is empty."""
    node.clear()
    target.clear()
    run = measure(target)
    if run.verified == 0:
        raise Failed(f"{target.name}: no sign-in succeeded: {run.errors}\n{load.tail(target.log_file)}")
    run.require_few_errors()
    return run


def print_costs(runs: dict[str, list[Run]]) -> None:
    """Prints the processor milliseconds of a sign-in, turn by turn."""
    print("CPU ms per sign-in")
    print("turn  " + "".join(f"{name:>18}" for name in runs))
    for number, each in enumerate(zip(*runs.values(), strict=True), 1):
        print(f"{number:4}  " + "".join(f"{run.seconds_per_thousand:18.4f}" for run in each), flush=True)
