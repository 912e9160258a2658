# SPDX-License-Identifier: Apache-2.0
"""How many commands a sign-in with its redemption sends to the store."""

from operations.check import require
from operations_cost import load
from operations_cost.plan import Plan
from operations_cost.sentence import Sentence

from store_cost.brokers import on_socket
from store_cost.node import Observer, store_node
from store_cost.turns import measured

_MOST = 6
# MONITOR must keep up. How many commands a sign-in has does not depend on it.
_RATE = 50


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentence about commands."""
    with store_node(plan) as node:
        target = on_socket(plan, node)

        def observed(each: load.Target) -> load.Run:
            observer = Observer(node)
            try:
                return load.alone(plan, each, plan.amount(3, 20), rate=_RATE, warm_up=0)
            finally:
                observer.end()
                observers.append(observer)

        observers: list[Observer] = []
        run = measured(node, target, observed)
    (observer,) = observers
    run.require_success()
    # Each sign-in claims its login once; those at the start and at the end are not in the measurement.
    signed_in = observer.claims
    require(run.verified <= signed_in <= run.verified + _RATE, f"{signed_in} claims, {run.verified} sign-ins")
    sent = sum(observer.commands.values())
    listed = ", ".join(f"{count} {name}" for name, count in sorted(observer.commands.items()))
    print(f"{signed_in} sign-ins: {listed}", flush=True)
    value = sent / signed_in
    most = ", ".join(name for name, count in sorted(observer.commands.items()) if count >= signed_in / 2)
    title = "commands per sign-in with its redemption"
    return [Sentence(title, _MOST, _MOST, " commands", value, f"{value:.2f}: {most}")]
