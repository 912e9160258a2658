# SPDX-License-Identifier: Apache-2.0
"""What a relay understands of what passes: the commands of a store and their answers, and the answers to browsers."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from replicas import resp
from replicas.plants import Plant
from replicas.points import AFTER, ANSWER, BEFORE, CLAIM, PUT, TAKE, Point

# With these the server goes on to send unrequested data one by one.
_BEGINS_A_STREAM = (b"SUBSCRIBE", b"PSUBSCRIBE", b"PSYNC", b"SYNC", b"MONITOR")
# The messages of PostgreSQL that come before it is ready again, and what the names of statements begin with.
_OF_A_TRANSACTION = frozenset(bytes((each,)) for each in b"123CDEINTnt")
_STATEMENT = "oidc_broker_"


@dataclass(frozen=True)
class Part:
    """A piece that is passed on at once, and the points before and after that."""

    data: bytes
    before: Point | None = None
    after: Point | None = None


class Wire:
    """One connection without a known protocol. Complete messages are taken away from the data."""

    def requests(self, data: bytearray) -> Iterator[Part]:
        """Returns the parts of what a client sent."""
        yield from _all(data)

    def answers(self, data: bytearray) -> Iterator[Part]:
        """Returns the parts of what a server sent."""
        yield from _all(data)


class RedisWire(Wire):
    """RESP2, with the rule that a plant breaks."""

    def __init__(self, plant: Plant | None) -> None:
        self._plant = plant
        self._expected: deque[tuple[str | None, Callable[[bytes], bytes] | None]] = deque()
        self._is_stream = False

    def requests(self, data: bytearray) -> Iterator[Part]:
        """Returns a part for each command."""
        while not self._is_stream and (command := resp.read(data)) is not None:
            words, raw = command[0], bytes(data[: command[1]])
            del data[: command[1]]
            self._is_stream = words[0].upper() in _BEGINS_A_STREAM
            what = _what(words)
            point = Point(BEFORE, what) if what else None
            if self._plant is None:
                self._expected.append((what, _unchanged))
                yield Part(raw, point)
                continue
            for sent in self._plant.sent(words):
                self._expected.append((what if sent.answer else None, sent.answer))
                yield Part(sent.command, point)
        if self._is_stream:
            yield from _all(data)

    def answers(self, data: bytearray) -> Iterator[Part]:
        """Returns a part for each answer."""
        while not self._is_stream and (answer := resp.read(data)) is not None:
            raw = bytes(data[: answer[1]])
            del data[: answer[1]]
            what, change = self._expected.popleft()
            if change is not None:
                yield Part(change(raw), Point(AFTER, what) if what else None)
        if self._is_stream:
            yield from _all(data)


class PostgreSQLWire(Wire):
    """The protocol of PostgreSQL without TLS, in which the broker binds statements that have names.

    What a transaction answers with is one part: half of it would say what is not committed yet.
    """

    def __init__(self) -> None:
        self._has_begun = False
        self._bound: str | None = None
        # What each message by which a server is ready again stands for; the first one ends the start.
        self._expected: deque[str | None] = deque((None,))

    def requests(self, data: bytearray) -> Iterator[Part]:
        """Returns a part for each message."""
        while (length := self._length(data, 0, self._has_begun)) is not None:
            message = bytes(data[:length])
            del data[:length]
            kind = message[:1] if self._has_begun else b""
            self._has_begun = True
            bound = _statement(message) if kind == b"B" else None
            self._bound = bound or self._bound
            if kind in (b"S", b"Q"):
                self._expected.append(self._bound)
                self._bound = None
            yield Part(message, Point(BEFORE, bound) if bound else None)

    def answers(self, data: bytearray) -> Iterator[Part]:
        """Returns a part for each transaction, and for each message outside of one."""
        end = 0
        while (length := self._length(data, end, True)) is not None:
            kind = bytes(data[end : end + 1])
            end += length
            if kind in _OF_A_TRANSACTION:
                continue
            what = self._expected.popleft() if kind == b"Z" and self._expected else None
            part = bytes(data[:end])
            del data[:end]
            end = 0
            yield Part(part, Point(AFTER, what) if what else None)

    @staticmethod
    def _length(data: bytearray, start: int, has_kind: bool) -> int | None:
        """The length of the message that begins there; `None` if more is to come."""
        ahead = 1 if has_kind else 0
        if len(data) < start + ahead + 4:
            return None
        length = ahead + int.from_bytes(data[start + ahead : start + ahead + 4])
        return length if len(data) >= start + length else None


class BrowserWire(Wire):
    """HTTP/1.1. The end of a callback is known: the redirect with a code."""

    def answers(self, data: bytearray) -> Iterator[Part]:
        """Returns what there is, once the head of a response is complete."""
        if data.startswith(b"HTTP/1.") and b"\r\n\r\n" not in data:
            return
        is_answer = data.startswith(b"HTTP/1.1 303") and b"code=" in data and b"code_challenge=" not in data
        for part in _all(data):
            yield Part(part.data, Point(BEFORE, ANSWER), Point(AFTER, ANSWER)) if is_answer else part


def _all(data: bytearray) -> Iterator[Part]:
    if data:
        raw = bytes(data)
        data.clear()
        yield Part(raw)


def _unchanged(answer: bytes) -> bytes:
    return answer


def _what(words: list[bytes]) -> str | None:
    command = words[0].upper()
    if command == b"SET":
        return CLAIM if b"NX" in words else PUT
    if command == b"EVAL" and words[2] == b"2":
        return TAKE
    # Where standbys are waited for; with five words a value is removed.
    return CLAIM if command == b"EVAL" and len(words) == 6 else None


def _statement(message: bytes) -> str | None:
    name = message[5:].split(b"\0", 2)[1].decode(errors="replace").removeprefix(_STATEMENT)
    return name if name in (CLAIM, PUT, TAKE) else None
