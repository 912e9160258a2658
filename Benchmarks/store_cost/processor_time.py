# SPDX-License-Identifier: Apache-2.0
"""The processor time of a sign-in with the store on a node, against in memory and against a peer."""

import statistics
from collections.abc import Sequence

from operations.check import require
from operations.others.programs import version
from operations_cost import load
from operations_cost.load import Run
from operations_cost.plan import Plan
from operations_cost.sentence import Ratio, Sentence, reported
from operations_cost.target import Target

from store_cost import peer, postgresql
from store_cost.brokers import IN_MEMORY, ON_PORT, ON_SOCKET, in_memory, on_port, on_socket
from store_cost.node import StoreNode, store_node
from store_cost.turns import REDEEMED, in_turns, print_costs

_MUST, _GOAL, _OF_PEER, _OF_PREVIOUS = 1.4, 1.25, 0.35, 1.02
_COMMANDS = "total_commands_processed"
_ON_NODE = (ON_SOCKET, ON_PORT, peer.NAME)
_PREVIOUS, _PRESENT = "previous tool", "tool"


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentences about processor time."""
    with store_node(plan) as node, postgresql.on_postgresql(plan) as in_postgresql:
        targets = [in_memory(plan), on_socket(plan, node), on_port(plan, node)]
        targets.append(peer.mod_auth_openidc(plan, node))
        if plan.previous_tool is not None:
            # Both serve themselves, by the same command.
            targets.append(in_memory(plan, _PREVIOUS, (str(plan.previous_tool), "serve")))
            targets.append(in_memory(plan, _PRESENT, ("${TOOL}", "serve")))
        if isinstance(in_postgresql, Target):
            targets.append(in_postgresql)
        runs = _runs(plan, node, targets)
        print_costs(runs)
        store = f"Redis {node.version}"
    sentences = [
        _sentence(
            f"CPU per sign-in with {store} on a socket, to in memory",
            *(_MUST, _GOAL, runs, ON_SOCKET, IN_MEMORY),
        ),
        _sentence(
            f"CPU per sign-in with {store} over TCP, to {version('libapache2-mod-auth-openidc')} with its cache there",
            *(_OF_PEER, _OF_PEER, runs, ON_PORT, peer.NAME),
        ),
    ]
    if plan.previous_tool is not None:
        title = "CPU per sign-in in memory, to the build before"
        sentences.append(_sentence(title, _OF_PREVIOUS, _OF_PREVIOUS, runs, _PRESENT, _PREVIOUS))
    title = "CPU per sign-in with PostgreSQL over TCP, to in memory"
    if isinstance(in_postgresql, str):
        sentences.append(reported(title, f"left out: {in_postgresql}"))
    else:
        sentences.append(reported(title, _figure(runs, postgresql.NAME, IN_MEMORY)))
    return sentences


def _runs(plan: Plan, node: StoreNode, targets: Sequence[Target]) -> dict[str, list[Run]]:
    seconds = plan.amount(2, 4)

    def measure(target: Target) -> Run:
        before = node.figure("stats", _COMMANDS)
        run = load.alone(plan, target, seconds, redeemed=REDEEMED)
        asked = node.figure("stats", _COMMANDS) - before
        # Otherwise something else was measured than the row says.
        require((asked >= run.verified) == (target.name in _ON_NODE), f"{target.name}: {asked} commands")
        return run

    return in_turns(node, targets, plan.amount(2, 10), measure)


def _sentence(
    title: str, must: float, goal: float, runs: dict[str, list[Run]], one: str, other: str
) -> Sentence:
    return Sentence(title, must, goal, "", ratio(runs[one], runs[other]).value, _figure(runs, one, other))


def _figure(runs: dict[str, list[Run]], one: str, other: str) -> str:
    return f"{ratio(runs[one], runs[other])}; {cost(runs[one]):.3f} to {cost(runs[other]):.3f} ms"


def ratio(some: Sequence[Run], others: Sequence[Run]) -> Ratio:
    """Returns the ratios of the processor time, paired by turn."""
    pairs = zip(some, others, strict=True)
    return Ratio([one.seconds_per_thousand / other.seconds_per_thousand for one, other in pairs])


def cost(runs: Sequence[Run]) -> float:
    """Returns the median of the processor milliseconds of a sign-in."""
    return statistics.median(run.seconds_per_thousand for run in runs)
