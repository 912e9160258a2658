# SPDX-License-Identifier: Apache-2.0
"""A program that stands between brokers and a store, and does to their connections what it is told.

It takes orders as datagrams at a socket of the file system: `open`, `closed` (everything is lost without a word),
`delay SECONDS` (of answers), and `cut PROBABILITY` (of ending a connection in the middle of an answer).
"""

import argparse
import asyncio
import contextlib
import random
import socket
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from replicas import resp
from replicas.plants import PLANTS, Plant

_SECONDS_BETWEEN_LOOKS = 0.02


class Relay:
    """What is done to all connections at the moment."""

    def __init__(self, target: tuple[str, int], plant: Plant | None, seed: int) -> None:
        self._target = target
        self._plant = plant
        self._random = random.Random(seed)
        self._delay = 0.0
        self._cut = 0.0
        self._is_closed = False

    def order(self, text: str) -> None:
        """Does from now on what the text says."""
        word, _, value = text.partition(" ")
        self._is_closed = word == "closed"
        self._delay = float(value) if word == "delay" else 0.0
        self._cut = float(value) if word == "cut" else 0.0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection until either side ends it."""
        with contextlib.suppress(OSError):
            await self._while_closed()
            far_reader, far_writer = await asyncio.open_connection(*self._target)
            expected: deque[Callable[[bytes], bytes] | None] = deque()
            ways = (
                self._requests(reader, far_writer, expected),
                self._answers(far_reader, writer, expected),
            )
            tasks = [asyncio.ensure_future(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            far_writer.close()
        writer.close()

    async def _requests(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        expected: deque[Callable[[bytes], bytes] | None],
    ) -> None:
        data = bytearray()
        while received := await reader.read(65536):
            await self._while_closed()
            if self._plant is None:
                writer.write(received)
                continue
            data += received
            while (command := resp.read(data)) is not None:
                del data[: command[1]]
                for sent in self._plant.sent(command[0]):
                    expected.append(sent.answer)
                    writer.write(sent.command)

    async def _answers(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        expected: deque[Callable[[bytes], bytes] | None],
    ) -> None:
        data = bytearray()
        # Answers keep their order, also those that come while a delay ends.
        delayed: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = asyncio.ensure_future(self._send(delayed, writer))
        try:
            while received := await reader.read(65536):
                await self._while_closed()
                if self._random.random() < self._cut:
                    writer.write(received[: self._random.randrange(len(received))])
                    return
                if self._plant is not None:
                    data += received
                    received = self._changed(data, expected)
                delayed.put_nowait((time.monotonic() + self._delay, received))
        finally:
            sending.cancel()

    async def _send(self, delayed: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        while True:
            due, data = await delayed.get()
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            writer.write(data)

    def _changed(self, data: bytearray, expected: deque[Callable[[bytes], bytes] | None]) -> bytes:
        """Takes the complete answers away and returns what the client gets of them."""
        passed = b""
        while (answer := resp.read(data)) is not None:
            raw = bytes(data[: answer[1]])
            del data[: answer[1]]
            change = expected.popleft()
            passed += b"" if change is None else change(raw)
        return passed

    async def _while_closed(self) -> None:
        while self._is_closed:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)


def tell(orders: Path, text: str) -> None:
    """Gives the relay whose orders come to this path an order."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(text.encode(), str(orders))


class _Orders(asyncio.DatagramProtocol):
    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def datagram_received(self, data: bytes, addr: object) -> None:
        self._relay.order(data.decode())


async def _run(relay: Relay, address: str, port: int, orders: str) -> None:
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    receiver.bind(orders)
    await asyncio.get_running_loop().create_datagram_endpoint(lambda: _Orders(relay), sock=receiver)
    server = await asyncio.start_server(relay.serve, address, port)
    await server.serve_forever()


def main() -> None:
    """Runs the relay until it is killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plant", choices=PLANTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("address")
    parser.add_argument("port", type=int)
    parser.add_argument("target_address")
    parser.add_argument("target_port", type=int)
    parser.add_argument("orders")
    given = parser.parse_args()
    relay = Relay((given.target_address, given.target_port), PLANTS.get(given.plant), given.seed)
    asyncio.run(_run(relay, given.address, given.port, given.orders))


if __name__ == "__main__":
    main()
