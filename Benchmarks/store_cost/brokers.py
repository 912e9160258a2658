# SPDX-License-Identifier: Apache-2.0
"""The broker with each store, as targets of callback-latency."""

from collections.abc import Mapping, Sequence

from operations_cost.plan import Plan
from operations_cost.target import BROKER, Target, make

from store_cost.node import StoreNode

IN_MEMORY, ON_SOCKET, ON_PORT = "memory", "valkey", "valkey over tcp"
_PLACES = {"valkey": "ADDRESS", "postgresql": "CONNECTION"}


def on(store: str, where: str) -> dict[str, str]:
    """Returns the variables of a store."""
    return {"AUTH_STORE_KIND": store, f"AUTH_STORE_{store.upper()}_{_PLACES[store]}": where}


def in_memory(plan: Plan, name: str = IN_MEMORY, serving: Sequence[str] = BROKER) -> Target:
    """Returns the broker with its store in memory."""
    return broker(plan, name, {}, serving=serving)


def on_socket(plan: Plan, node: StoreNode, means: Sequence[str] = ()) -> Target:
    """Returns the broker with its store on a node, over its socket."""
    return broker(plan, ON_SOCKET, on("valkey", str(node.socket)), means)


def on_port(plan: Plan, node: StoreNode, means: Sequence[str] = ()) -> Target:
    """Returns the broker with its store on a node, over TCP."""
    return broker(plan, ON_PORT, on("valkey", node.address), means)


def broker(
    plan: Plan,
    name: str,
    environment: Mapping[str, str],
    means: Sequence[str] = (),
    serving: Sequence[str] = BROKER,
) -> Target:
    """Returns the broker with further variables. No proxy is before it."""
    return make(plan, name, means, (), environment=dict(environment), fields={}, serving=serving)
