# SPDX-License-Identifier: Apache-2.0
"""How often a sign-in with its redemption writes to the connection with the store, with 64 at a time."""

import re
import statistics

from operations.check import require
from operations.others.programs import need, output
from operations_cost import load
from operations_cost.plan import Plan
from operations_cost.sentence import Sentence

from store_cost.brokers import on_port, on_socket
from store_cost.node import StoreNode, store_node
from store_cost.sampling import sampling
from store_cost.turns import measured

_MOST = 1
_SECONDS_BETWEEN_LOOKS = 0.1
_SEGMENTS = re.compile(r"\bdata_segs_out:(\d+)")
_READS = "total_reads_processed"


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentence about writes."""
    program = need("ss", "iproute2")
    seconds = plan.amount(3, 10)
    written, read = [], []
    with store_node(plan) as node:
        over_port, over_socket = on_port(plan, node), on_socket(plan, node)
        for turn in range(1, plan.amount(1, 3) + 1):
            segments = _Segments(program, node)
            with plan.off_the_servers_processors(), sampling(segments.look, _SECONDS_BETWEEN_LOOKS):
                run = measured(node, over_port, lambda each: load.alone(plan, each, seconds, warm_up=0))
            require(segments.count > 0, "the broker has no connection with the store")
            written.append(segments.count / run.verified)
            before = node.figure("stats", _READS)
            run = measured(node, over_socket, lambda each: load.alone(plan, each, seconds, warm_up=0))
            read.append((node.figure("stats", _READS) - before) / run.verified)
            print(f"{turn:4}  {written[-1]:.3f} segments, {read[-1]:.3f} reads by the store", flush=True)
    value = statistics.median(written)
    figure = f"{value:.2f}; over a socket the store reads {statistics.median(read):.2f} times"
    title = "writes to the store per sign-in with its redemption, 64 at a time, over TCP"
    return [Sentence(title, _MOST, _MOST, " write", value, figure)]


class _Segments:
    """The segments with data that clients sent a node. Each is a write.

    What a node reads is no more than that: while it is busy, it reads several writes at once.
    """

    def __init__(self, program: str, node: StoreNode) -> None:
        self._question = [program, "-tinH", "state", "established", "dst", node.address]
        self._by_connection: dict[str, int] = {}

    @property
    def count(self) -> int:
        """How many there were when it was looked last."""
        return sum(self._by_connection.values())

    def look(self) -> None:
        """Reads what the kernel counted."""
        lines = iter(output(self._question).splitlines())
        # Two lines for each connection: its addresses, and what is known about it.
        for addresses, known in zip(lines, lines, strict=False):
            found = _SEGMENTS.search(known)
            if found is not None:
                self._by_connection[addresses.split()[2]] = int(found[1])
