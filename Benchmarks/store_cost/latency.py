# SPDX-License-Identifier: Apache-2.0
"""How long the callback of one user takes with the store on a node, against in memory."""

import os
import socket
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from operations.check import require
from operations_cost import load
from operations_cost.plan import Plan, numbers
from operations_cost.sentence import Sentence
from replicas import resp

from store_cost.brokers import IN_MEMORY, ON_SOCKET, in_memory, on_socket
from store_cost.node import StoreNode, store_node
from store_cost.turns import measured

_ROUND_TRIPS = 2
_FURTHER_MILLISECONDS = 0.1


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentence about callbacks of one user."""
    seconds = plan.amount(1, 5)
    medians: dict[str, list[float]] = {IN_MEMORY: [], ON_SOCKET: []}
    round_trips, added = [], []
    with store_node(plan) as node:
        targets = [in_memory(plan), on_socket(plan, node)]
        for turn in range(plan.amount(2, 10)):
            round_trips.append(_round_trip(plan, node))
            found = {}
            for target in targets if turn % 2 == 0 else targets[::-1]:
                run = measured(node, target, lambda target: load.alone(plan, target, seconds, users=1))
                found[target.name] = run.medians["callback"]
            for name, value in found.items():
                medians[name].append(value)
            added.append(found[ON_SOCKET] - found[IN_MEMORY])
            shown = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
            print(f"{turn + 1:4}  callback p50 {shown}, round trip {round_trips[-1]:.3f} ms", flush=True)
    trip, value = statistics.median(round_trips), statistics.median(added)
    bound = round(_ROUND_TRIPS * trip + _FURTHER_MILLISECONDS, 3)
    figure = (
        f"{value:.3f} ms ({min(added):.3f}..{max(added):.3f}); {statistics.median(medians[ON_SOCKET]):.3f} to "
        f"{statistics.median(medians[IN_MEMORY]):.3f} ms, round trip {trip:.3f} ms"
    )
    title = "callback p50 of one user with Redis on a socket, above in memory; two round trips and 0.1 ms"
    return [Sentence(title, bound, bound, " ms", value, figure)]


def _round_trip(plan: Plan, node: StoreNode) -> float:
    """Returns how long a PING takes from the processors of the server in half of all cases, in milliseconds."""
    question, answer = resp.encode("PING"), b"+PONG\r\n"
    taken = []
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, numbers(plan.server_processors))
    try:
        with _awake(plan), socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(node.socket))
            for _ in range(plan.amount(500, 10_000)):
                began = time.perf_counter_ns()
                connection.sendall(question)
                received = connection.recv(64)
                taken.append(time.perf_counter_ns() - began)
                require(received == answer, f"the store answers PING with {received!r}")
    finally:
        os.sched_setaffinity(0, before)
    return statistics.median(taken) / 1_000_000


@contextmanager
def _awake(plan: Plan) -> Iterator[None]:
    """Keeps the processors from idling, as callback-latency does while it measures."""
    idling = ["nice", "-n", "19", "chrt", "--idle", "0", "taskset", "-c"]
    with ExitStack() as companions:
        for number in numbers(plan.server_processors) | numbers(plan.own_processors):
            process = subprocess.Popen(
                [*idling, str(number), str(plan.tool), "stay-awake"], stdin=subprocess.PIPE
            )
            # Its input ends with the block, and it with that.
            companions.enter_context(process)
        yield
