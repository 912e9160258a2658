# SPDX-License-Identifier: Apache-2.0
"""The relays of a run: what stands in front of a server, and how it is told what to do."""

import contextlib
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from operations.waiting import wait_until

from replicas import relay
from replicas.machine import NodeProcess
from replicas.network import Node
from replicas.points import SECONDS_TO_BE_REACHED, NotReached, Point

_SECONDS_TO_START = 60


class RunningRelay:
    """A relay at the node of its server, for one broker or, with `None`, for all."""

    def __init__(
        self, node: Node, broker: int | None, ports: tuple[int, int], options: Sequence[str], directory: Path
    ) -> None:
        name = f"{node.name}-relay{'' if broker is None else broker + 1}"
        self.broker = broker
        self._orders = directory / f"{name}.orders"
        arguments = [sys.executable, "-m", "replicas.relay", *options]
        for port in ports:
            arguments += [node.address, str(port)]
        self.process = NodeProcess(node, name, [*arguments, str(self._orders)], directory)

    def start(self) -> None:
        """Starts it, and waits until it takes connections and orders."""
        self.process.__enter__()
        wait_until(f"{self.process.name} takes orders", self._orders.exists, _SECONDS_TO_START)

    def tell(self, text: str) -> None:
        """Gives it an order."""
        relay.tell(self._orders, text)


@contextmanager
def held(
    relays: Sequence[RunningRelay], point: Point, count: int, client: str | None, is_dropped: bool
) -> Iterator[None]:
    """Holds what comes to a point of one of the relays for the count-th time while the block runs.

    The client is the address of the broker, for a relay that stands there for all of them.
    """
    with contextlib.ExitStack() as stack:
        receiver = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        receiver.bind(str(directory / "reached"))
        receiver.settimeout(SECONDS_TO_BE_REACHED)
        for each in relays:
            one = f" {client}" if client is not None and each.broker is None else ""
            each.tell(f"hold {point} {count} {directory / 'reached'}{one}")
        try:
            try:
                receiver.recv(64)
            except TimeoutError:
                raise NotReached(f"nothing came {point}") from None
            yield
        finally:
            for each in relays:
                each.tell("drop" if is_dropped else "release")
