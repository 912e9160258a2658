# SPDX-License-Identifier: Apache-2.0
"""The broker with its store in PostgreSQL, as a target of callback-latency."""

from collections.abc import Iterator
from contextlib import contextmanager

from operations.check import LeftOut
from operations_cost.plan import Plan
from operations_cost.target import Target
from replicas.network import LoopbackNetwork
from replicas.postgresql import PORT, PostgreSQL, connection, is_known_to, need, template

from store_cost.brokers import broker, on

# Beside the folder of the server, which is named after the engine.
NAME = "in postgresql"


@contextmanager
def on_postgresql(plan: Plan) -> Iterator[Target | str]:
    """Runs a server and yields the target, or why there is none."""
    try:
        need()
    except LeftOut as reason:
        yield str(reason)
        return
    if not is_known_to(plan.broker):
        yield "the broker was built without the trait PostgreSQL"
        return
    node = LoopbackNetwork().node("server")
    with plan.off_the_servers_processors():
        made = template(plan.directory, plan.broker, node)
        server = PostgreSQL(node, made.parent)
        server.start()
        try:
            yield broker(plan, NAME, on("postgresql", connection([node], PORT)))
        finally:
            server.stop()
            server.end()
