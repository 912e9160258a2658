# SPDX-License-Identifier: Apache-2.0
"""The processor time of a sign-in with eight replicas on one node, against with one.

haproxy sends each request to the next replica, so that most users start at one, come back to another and have their
code redeemed at a third. It is before a single one, too, and its own time does not count. Users come at a constant
rate: a replica that has little to do reads and writes little at a time, which costs more for each, whatever else there
is. So eight are set beside one with all of their users, and beside one that is as busy as each of them.
"""

import base64
import secrets
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from kit import certificates
from kit.ports import free_port
from operations.check import require
from operations_cost import load
from operations_cost.plan import Plan
from operations_cost.sentence import Sentence
from operations_cost.target import BROKER, Target, description, other
from replicas.balancer import haproxy
from replicas.network import LoopbackNetwork
from replicas.settings import OPERATIONS_PORT, PORT

from store_cost.brokers import on
from store_cost.node import StoreNode, store_node
from store_cost.processor_time import cost, ratio
from store_cost.sampling import sampling
from store_cost.sign_ins import sign_ins
from store_cost.turns import in_turns, measured, print_costs

_MOST = 1.1
_REPLICAS = 8
_SECONDS_BETWEEN_LOOKS = 0.25
_MANY, _ONE, _AS_BUSY = f"{_REPLICAS} replicas", "1 with all", "1 as busy"
# Executed in place of one server: the replicas are children of this process, whose whole tree is measured.
_SHELL = (
    "for address in $ADDRESSES; do "
    'SERVER_HOST=$address SERVER_OPERATIONS_HOST=$address "$0" "$@" 2>>"$LOG_FILE" & replicas="$replicas $!"; '
    'done; trap "kill $replicas" TERM; echo $$ >"$PROCESS_FILE"; wait'
)


@dataclass
class _Spread:
    """Replicas as one target, and how many users each of them signed in."""

    target: Target
    port: int
    addresses: Sequence[str]
    share: float
    signed_in: dict[str, int] = field(default_factory=dict)

    def measure(self, plan: Plan, seconds: float, total_rate: float | None = None) -> load.Run:
        """Measures them behind haproxy, at their share of a rate, or with 64 users at a time."""
        rate = None if total_rate is None else total_rate * self.share
        self.signed_in.clear()
        with (
            ExitStack() as stack,
            plan.off_the_servers_processors(),
            sampling(lambda: self._look(stack), _SECONDS_BETWEEN_LOOKS),
        ):
            run = load.alone(plan, self.target, seconds, rate)
        idle = [address for address in self.addresses if not self.signed_in.get(address)]
        require(not idle, f"{len(idle)} of {len(self.addresses)} replicas had no sign-in")
        return run

    def _look(self, stack: ExitStack) -> None:
        # callback-latency starts the replicas only while their port is free.
        if not self.target.process_file.is_file():
            return
        if not self.signed_in:
            stack.enter_context(
                haproxy(self.port, self.addresses, PORT, OPERATIONS_PORT, self.target.directory)
            )
        for address in self.addresses:
            # Not again, as that would be measured.
            if not self.signed_in.get(address):
                self.signed_in[address] = sign_ins(address, OPERATIONS_PORT)


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentences about replicas."""
    seconds = plan.amount(3, 10)
    with store_node(plan) as node:
        shared = {
            "AUTH_SEALING_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
            "AUTH_SIGNING_KEYS": certificates.signing_key("ES256"),
            "SERVER_PORT": str(PORT),
            "SERVER_OPERATIONS_PORT": str(OPERATIONS_PORT),
            **on("valkey", str(node.socket)),
        }
        many = _spread(plan, _MANY, _REPLICAS, 1, shared)
        others = (_spread(plan, _ONE, 1, 1, shared), _spread(plan, _AS_BUSY, 1, 1 / _REPLICAS, shared))
        spreads = {spread.target.name: spread for spread in (many, *others)}
        rate = measured(node, many.target, lambda _: many.measure(plan, plan.amount(2, 5))).throughput / 2
        print(f"{rate:.0f} sign-ins a second, half of what {_REPLICAS} replicas on these processors take")
        runs = in_turns(
            node,
            [spread.target for spread in spreads.values()],
            plan.amount(1, 6),
            lambda target: spreads[target.name].measure(plan, seconds, rate),
        )
    print_costs(runs)
    return [
        _sentence(runs, _ONE, f"to with 1 and all {rate:.0f} sign-ins a second"),
        _sentence(runs, _AS_BUSY, f"to with 1 as busy as each of them, {rate / _REPLICAS:.0f} a second"),
    ]


def _sentence(runs: dict[str, list[load.Run]], other: str, compared: str) -> Sentence:
    found = ratio(runs[_MANY], runs[other])
    figure = f"{found}; {cost(runs[_MANY]):.3f} to {cost(runs[other]):.3f} ms"
    title = f"CPU per sign-in with {_REPLICAS} replicas, each request at the next one, {compared}"
    return Sentence(title, _MOST, _MOST, "", found.value, figure)


def _spread(plan: Plan, name: str, count: int, share: float, variables: dict[str, str]) -> _Spread:
    network, port = LoopbackNetwork(), free_port()
    addresses = [network.node(f"replica{number}").address for number in range(count)]
    file = description("ours")
    file["base"] = f"${{SCHEME}}://127.0.0.1:{port}"
    file["environment"] |= variables | {"ADDRESSES": " ".join(addresses)}
    return _Spread(other(plan, name, file, BROKER, _SHELL), port, addresses, share)
