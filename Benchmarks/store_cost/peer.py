# SPDX-License-Identifier: Apache-2.0
"""mod_auth_openidc with its cache in Redis, as a target of callback-latency."""

from pathlib import Path

from operations.check import LeftOut
from operations_cost.plan import Plan
from operations_cost.target import Target, description, other

from store_cost.node import StoreNode

NAME = "mod_auth_openidc"


def mod_auth_openidc(plan: Plan, node: StoreNode) -> Target:
    """Returns the peer of Benchmarks/targets with its cache on a node, which it reaches over TCP only.

    Raises if it is not installed.
    """
    file = description(NAME)
    for path in file["requires"]:
        if not Path(path).exists():
            raise LeftOut(f"{path} is missing: Benchmarks/peers/setup apache")
    file["environment"]["REDIS_SERVER"] = node.address
    return other(plan, NAME, file, [*file["launch"], "-D", "REDIS"])
