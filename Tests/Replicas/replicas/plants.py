# SPDX-License-Identifier: Apache-2.0
"""Broken rules that are planted into the store, to see whether the checker notices them."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from replicas import resp
from replicas.engines import SENTINELS_2, VALKEY, Engine

_NOTHING = b"$-1\r\n"


@dataclass(frozen=True)
class Sent:
    """A command for the server, and what its answer becomes on its way back; the client gets nothing without that."""

    command: bytes
    answer: Callable[[bytes], bytes] | None


@dataclass(frozen=True)
class Plant:
    """A broken rule: what a command of a client becomes, and which invariants notice it."""

    name: str
    noticed_by: tuple[int, ...]
    sent: Callable[[list[bytes]], list[Sent]]
    # What goes wrong meanwhile, and on which engine: some rules matter only then.
    fault: str = "none"
    engine: Engine = VALKEY


def _unchanged(words: list[bytes]) -> Sent:
    return Sent(resp.encode(*words), lambda answer: answer)


# So many milliseconds the claim of a native credential lasts at least, and no other one of these users.
_OF_A_NATIVE_CREDENTIAL = 1_200_000
_SECOND = b"1000"


def _is_claim(words: list[bytes]) -> bool:
    return words[0].upper() == b"SET" and b"NX" in words


def _is_put(words: list[bytes]) -> bool:
    return words[0].upper() == b"SET" and b"NX" not in words


def _is_take(words: list[bytes]) -> bool:
    return words[0].upper() == b"EVAL" and words[2] == b"2"


def _everybody_wins(words: list[bytes]) -> list[Sent]:
    if not _is_claim(words):
        return [_unchanged(words)]
    return [Sent(resp.encode(*words), lambda _: _NOTHING)]


def _without_nx(words: list[bytes]) -> list[Sent]:
    """The claim is written whether there is one or not, and what was there before is not looked at."""
    if not _is_claim(words):
        return [_unchanged(words)]
    kept = [word for word in words if word not in (b"NX", b"GET")]
    return [Sent(resp.encode(*kept), lambda answer: _NOTHING if answer == b"+OK\r\n" else answer)]


def _take_without_claim(words: list[bytes]) -> list[Sent]:
    if not _is_take(words):
        return [_unchanged(words)]
    return [
        Sent(
            resp.encode("GET", words[3]),
            lambda answer: b"*1\r\n:0\r\n" if answer == _NOTHING else b"*2\r\n:2\r\n" + answer,
        )
    ]


def _forgotten_takes(words: list[bytes]) -> list[Sent]:
    """The claim of a value that was taken is evicted, before the value is removed."""
    if words[0].upper() == b"UNLINK":
        return [Sent(resp.encode("PING"), lambda _: b":1\r\n")]
    if not _is_take(words):
        return [_unchanged(words)]
    return [_unchanged(words), Sent(resp.encode("UNLINK", words[4]), None)]


def _evicted_claims(words: list[bytes]) -> list[Sent]:
    if not _is_claim(words):
        return [_unchanged(words)]
    return [_unchanged(words), Sent(resp.encode("UNLINK", words[1]), None)]


def _evicted_values(words: list[bytes]) -> list[Sent]:
    if not _is_put(words):
        return [_unchanged(words)]
    return [_unchanged(words), Sent(resp.encode("UNLINK", words[1]), None)]


def _native_credentials_win(words: list[bytes]) -> list[Sent]:
    if _is_claim(words) and int(words[-1]) >= _OF_A_NATIVE_CREDENTIAL:
        return [Sent(resp.encode(*words), lambda _: _NOTHING)]
    return [_unchanged(words)]


def _short_claims(words: list[bytes]) -> list[Sent]:
    """A claim ends while what it is of is still good."""
    if not _is_claim(words):
        return [_unchanged(words)]
    return [Sent(resp.encode(*words[:-1], _SECOND), lambda answer: answer)]


def _ignored_attempts(words: list[bytes]) -> list[Sent]:
    """An attempt that asks again is taken for another one."""
    if _is_claim(words):
        return [_unchanged([*words[:2], secrets.token_bytes(len(words[2])), *words[3:]])]
    if _is_take(words):
        return [_unchanged([*words[:5], secrets.token_bytes(len(words[5])), *words[6:]])]
    return [_unchanged(words)]


def _without_waiting(words: list[bytes]) -> list[Sent]:
    """All standbys are said to have everything."""
    if words[0].upper() != b"WAIT":
        return [_unchanged(words)]
    return [Sent(resp.encode("PING"), lambda _: b":%b\r\n" % words[1])]


PLANTS = {
    plant.name: plant
    for plant in (
        Plant("everybody-wins", (3,), _everybody_wins),
        Plant("set-without-nx", (3,), _without_nx),
        Plant("take-without-claim", (1,), _take_without_claim),
        Plant("forgotten-takes", (1,), _forgotten_takes),
        Plant("evicted-claims", (3,), _evicted_claims),
        Plant("evicted-values", (2,), _evicted_values),
        Plant("native-credentials-win", (1,), _native_credentials_win),
        Plant("short-claims", (1,), _short_claims),
        Plant(
            "ignored-attempts",
            (2,),
            _ignored_attempts,
            "connections cut in the middle of an answer for 4 s",
        ),
        Plant(
            "without-waiting",
            (1,),
            _without_waiting,
            "the primary alone with a broker for 8 s",
            SENTINELS_2,
        ),
    )
}
