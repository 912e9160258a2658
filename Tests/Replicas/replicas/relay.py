# SPDX-License-Identifier: Apache-2.0
"""A program that stands between clients and a server, and does to their connections what it is told.

It takes orders as datagrams at a socket of the file system: `open`, `closed` (everything is lost without a word),
`delay SECONDS` (of answers), `cut PROBABILITY` (of ending a connection in the middle of an answer), `deaf` and `listen`
(whether connections are refused, as when the server is not there), and
`hold WHEN WHAT COUNT SOCKET [CLIENT]`: what comes to that point for the COUNT-th time waits there, and the socket is
told, until the order `release` (it is passed on) or `drop` (its connection ends).
"""

import argparse
import asyncio
import contextlib
import random
import socket
import time
from collections.abc import Callable
from pathlib import Path

from replicas.plants import PLANTS
from replicas.points import Point
from replicas.wires import BrowserWire, Part, PostgreSQLWire, RedisWire, Wire

_SECONDS_BETWEEN_LOOKS = 0.02
WIRES = ("redis", "postgresql", "browser")


class _Dropped(OSError):
    """What was held is not passed on."""


class _Hold:
    """What is held at a point until the relay is told to let go."""

    def __init__(self, point: Point, count: int, reached: str, client: str | None) -> None:
        self._point = point
        self._remaining = count
        self._reached = reached
        self._client = client
        self._released: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def release(self, is_passed_on: bool) -> None:
        """Lets go, and holds nothing more."""
        self._remaining = 0
        if not self._released.done():
            self._released.set_result(is_passed_on)

    async def at(self, point: Point, client: str) -> None:
        """Waits if this is what is held; raises if it is not passed on."""
        if point != self._point or self._remaining == 0 or self._client not in (None, client):
            return
        self._remaining -= 1
        if self._remaining > 0:
            return
        tell(Path(self._reached), "reached")
        if not await self._released:
            raise _Dropped


class Relay:
    """What is done to all connections at the moment."""

    def __init__(self, target: tuple[str, int], wire: Callable[[], Wire], seed: int) -> None:
        self._target = target
        self._wire = wire
        self._random = random.Random(seed)
        self._delay = 0.0
        self._cut = 0.0
        self._is_closed = False
        self._hold: _Hold | None = None
        self._server: asyncio.Server | None = None

    async def listen(self, address: str, port: int) -> None:
        """Takes connections."""
        self._server = await asyncio.start_server(self._serve, address, port)

    async def follow(self, text: str, address: str, port: int) -> None:
        """Does from now on what the text says."""
        if text == "deaf" and self._server is not None:
            self._server.close()
        elif text == "listen":
            await self.listen(address, port)
        else:
            self._order(text)

    def _order(self, text: str) -> None:
        word, *values = text.split(" ")
        if word == "hold":
            when, what, count, reached, *client = values
            self._hold = _Hold(Point(when, what), int(count), reached, client[0] if client else None)
        elif word in ("release", "drop"):
            if self._hold is not None:
                self._hold.release(word == "release")
            self._hold = None
        else:
            self._is_closed = word == "closed"
            self._delay = float(values[0]) if word == "delay" else 0.0
            self._cut = float(values[0]) if word == "cut" else 0.0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection until either side ends it."""
        with contextlib.suppress(OSError):
            await self._while_closed()
            far_reader, far_writer = await asyncio.open_connection(*self._target)
            client, wire = writer.get_extra_info("peername")[0], self._wire()
            ways = (
                self._requests(reader, far_writer, wire, client),
                self._answers(far_reader, writer, wire, client),
            )
            tasks = [asyncio.ensure_future(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            far_writer.close()
        writer.close()

    async def _requests(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wire: Wire, client: str
    ) -> None:
        data = bytearray()
        while received := await reader.read(65536):
            await self._while_closed()
            data += received
            for part in wire.requests(data):
                await self._at(part.before, client)
                writer.write(part.data)
                await self._at(part.after, client)

    async def _answers(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wire: Wire, client: str
    ) -> None:
        data = bytearray()
        # Answers keep their order, also those that come while a delay ends.
        delayed: asyncio.Queue[tuple[float, Part]] = asyncio.Queue()
        sending = asyncio.ensure_future(self._send(delayed, writer))
        try:
            while received := await reader.read(65536):
                await self._while_closed()
                if self._random.random() < self._cut:
                    # No answer before the one that is cut is lost: TCP would not lose it either.
                    await delayed.join()
                    writer.write(bytes(data) + received[: self._random.randrange(len(received))])
                    return
                data += received
                for part in wire.answers(data):
                    await self._at(part.before, client)
                    delayed.put_nowait((time.monotonic() + self._delay, part))
                    if part.after is not None:
                        await delayed.join()
                        await self._at(part.after, client)
            await delayed.join()
            writer.write(bytes(data))
        finally:
            sending.cancel()

    async def _send(self, delayed: asyncio.Queue[tuple[float, Part]], writer: asyncio.StreamWriter) -> None:
        while True:
            due, part = await delayed.get()
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            writer.write(part.data)
            delayed.task_done()

    async def _at(self, point: Point | None, client: str) -> None:
        if point is not None and self._hold is not None:
            await self._hold.at(point, client)

    async def _while_closed(self) -> None:
        while self._is_closed:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)


def tell(orders: Path, text: str) -> None:
    """Sends a datagram to a path, as the relay does whose orders come there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(text.encode(), str(orders))


class _Orders(asyncio.DatagramProtocol):
    def __init__(self, orders: asyncio.Queue[str]) -> None:
        self._orders = orders

    def datagram_received(self, data: bytes, addr: object) -> None:
        self._orders.put_nowait(data.decode())


async def _run(relay: Relay, address: str, port: int, path: str) -> None:
    await relay.listen(address, port)
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    receiver.bind(path)
    orders: asyncio.Queue[str] = asyncio.Queue()
    await asyncio.get_running_loop().create_datagram_endpoint(lambda: _Orders(orders), sock=receiver)
    while True:
        await relay.follow(await orders.get(), address, port)


def main() -> None:
    """Runs the relay until it is killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--wire", choices=WIRES, default=WIRES[0])
    parser.add_argument("--plant", choices=PLANTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("address")
    parser.add_argument("port", type=int)
    parser.add_argument("target_address")
    parser.add_argument("target_port", type=int)
    parser.add_argument("orders")
    given = parser.parse_args()
    plant = PLANTS.get(given.plant)
    wires: dict[str, Callable[[], Wire]] = {
        "redis": lambda: RedisWire(plant),
        "postgresql": PostgreSQLWire,
        "browser": BrowserWire,
    }
    relay = Relay((given.target_address, given.target_port), wires[given.wire], given.seed)
    asyncio.run(_run(relay, given.address, given.port, given.orders))


if __name__ == "__main__":
    main()
