# SPDX-License-Identifier: Apache-2.0
"""The memory of the broker over a million logins with the store on a node."""

import contextlib
import statistics
from pathlib import Path

from operations.check import require
from operations_cost import load
from operations_cost.plan import Plan
from operations_cost.sentence import Sentence
from operations_cost.target import Target

from store_cost.brokers import on_socket
from store_cost.node import store_node
from store_cost.sampling import sampling
from store_cost.sign_ins import sign_ins
from store_cost.turns import measured

_MOST_GROWTH = 1.05
_KILOBYTES_IN_MEGABYTE = 1024
# What a turn of the loop holds at the moment differs from one look to the next.
_LOOKS = 5
_SECONDS_BETWEEN_LOOKS = 1.0
# The machine may be slower for a while than in the trial.
_MARGIN = 1.4


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentence about a million logins, each redeemed."""
    few, many = plan.amount(100, 100_000), plan.amount(500, 1_000_000)
    with store_node(plan) as node:
        target = on_socket(plan, node, ("metrics",))
        trial = measured(node, target, lambda each: load.alone(plan, each, plan.amount(2, 10)))
        seconds = many / trial.throughput * _MARGIN + 2 * _LOOKS * _SECONDS_BETWEEN_LOOKS
        print(f"{trial.throughput:.0f} sign-ins a second, so {many:,} take {seconds:.0f} s", flush=True)
        looks: list[tuple[int, float]] = []

        def look() -> None:
            resident = _resident_megabytes(target)
            if resident is not None:
                looks.append((sign_ins("127.0.0.1", target.operations_port), resident))

        def driven(each: Target) -> load.Run:
            with plan.off_the_servers_processors(), sampling(look, _SECONDS_BETWEEN_LOOKS):
                return load.alone(plan, each, seconds)

        run = measured(node, target, driven)
    first, last = _after(looks, few), _after(looks, many)
    print(f"{run.verified:,} sign-ins: RSS {first:.1f} MB after {few:,}, {last:.1f} MB after {many:,}", flush=True)
    figure = f"{last / first:.3f}; {first:.1f} to {last:.1f} MB at {run.throughput:.0f} sign-ins a second"
    title = f"RSS after {many:,} sign-ins with Redis on a socket, to after {few:,}"
    return [Sentence(title, _MOST_GROWTH, _MOST_GROWTH, "", last / first, figure)]


def _after(looks: list[tuple[int, float]], count: int) -> float:
    """Returns the memory when so many had signed in."""
    found = [resident for signed_in, resident in looks if signed_in >= count][:_LOOKS]
    most = max((signed_in for signed_in, _ in looks), default=0)
    require(len(found) == _LOOKS, f"only {most:,} sign-ins, or the load ended just after {count:,}")
    return statistics.median(found)


def _resident_megabytes(target: Target) -> float | None:
    """Returns the memory of the broker; None while it does not run."""
    with contextlib.suppress(OSError, ValueError):
        status = Path(f"/proc/{int(target.process_file.read_text())}/status").read_text()
        for line in status.splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / _KILOBYTES_IN_MEGABYTE
    return None
