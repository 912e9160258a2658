# SPDX-License-Identifier: Apache-2.0
"""Whether the invariants judge made-up histories as they should. This takes no time, so every run begins with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from operations.check import require

from replicas.history import (
    ACCEPTED,
    CALLBACK,
    CREDENTIAL,
    REDEEMED,
    REFRESH,
    REFRESHED,
    REFUSED,
    SIGNED_OUT,
    START,
    TO_PROVIDER,
    TOKEN,
    WITH_CODE,
    Entry,
    History,
    Kill,
)
from replicas.invariants import judge
from replicas.recorder import Exchange


@dataclass(frozen=True)
class _Case:
    """A history, and the figure that one invariant must come to."""

    name: str
    invariant: int
    figure: str
    entries: Sequence[Entry]
    kills: Sequence[Kill] = ()
    exchanges: Sequence[Exchange] = ()


def _asked(
    what: str, outcome: str, seconds: float = 0.1, begin: float = 1, code: str = "", successor: str = ""
) -> Entry:
    return Entry(begin, begin + seconds, 1, what, "1", outcome, code, successor)


def _refreshed(successor: str) -> Entry:
    return _asked(REFRESH, REFRESHED, code="r", successor=successor)


# A fault is over at 0 in all of them.
_CODE = _asked(CALLBACK, WITH_CODE, code="c")
_CASES = [
    _Case(
        "a code that is redeemed twice",
        1,
        "**1 of 2**",
        [_asked(TOKEN, REDEEMED, code="c"), _asked(TOKEN, REDEEMED, code="c")],
    ),
    _Case(
        "a login with two codes that are redeemed",
        1,
        "**1 of 3**",
        [_asked(TOKEN, REDEEMED, code="c"), _asked(TOKEN, REDEEMED, code="d")],
    ),
    _Case(
        "a native credential that is accepted twice",
        1,
        "**1 of 1**",
        [_asked(CREDENTIAL, ACCEPTED, code="n"), _asked(CREDENTIAL, ACCEPTED, code="n")],
    ),
    _Case("a code that is redeemed", 2, "0 of 1", [_CODE, _asked(TOKEN, REDEEMED, code="c")]),
    _Case("a code that is refused", 2, "**1 of 1**", [_CODE, _asked(TOKEN, REFUSED, code="c")]),
    _Case(
        "a code that is redeemed when its time is over",
        2,
        "**1 of 1**",
        [_CODE, _asked(TOKEN, REDEEMED, begin=62, code="c")],
    ),
    _Case(
        "a code that a killed replica had in hand",
        2,
        "0 of 1 (1 killed)",
        [_CODE, _asked(TOKEN, "no answer: ConnectionError", code="c")],
        [Kill(1.05, 1.06, "1")],
    ),
    _Case(
        "a code that a balancer had to leave with a replica",
        2,
        "**1 of 1**",
        [_CODE, _asked(TOKEN, "balancer 504", 18, code="c")],
    ),
    _Case("a code of a provider twice", 3, "**1 of 1**", [], exchanges=[Exchange(1, "1", "p")] * 2),
    _Case("the start of a sign-in", 4, "0 of 1", [_asked(START, TO_PROVIDER)]),
    _Case("an answer after 21 seconds", 4, "**1 of 1**", [_asked(START, TO_PROVIDER, 21)]),
    *(
        _Case(f"a balancer's {each} in time", 4, "0 of 1 (1 by the balancer)", [_asked(TOKEN, f"balancer {each}", 18)])
        for each in (502, 503, 504)
    ),
    _Case("a balancer's 504 after 21 seconds", 4, "**1 of 1**", [_asked(TOKEN, "balancer 504", 21)]),
    _Case("a balancer's 500", 4, "**1 of 1**", [_asked(TOKEN, "balancer 500")]),
    _Case("a 502 of the broker", 4, "**1 of 1**", [_asked(TOKEN, "token 502")]),
    _Case("no answer", 4, "**1 of 1**", [_asked(TOKEN, "no answer: TimeoutError")]),
    _Case(
        "a killed replica's request",
        4,
        "0 of 1 (1 killed)",
        [_asked(TOKEN, "balancer 502", 2)],
        [Kill(2, 2.1, "1")],
    ),
    _Case("a refresh token with one successor, told twice", 1, "0 of 1", [_refreshed("s"), _refreshed("s")]),
    _Case("a refresh token with two successors", 1, "**1 of 1**", [_refreshed("s"), _refreshed("t")]),
    _Case("a repetition that is answered", 6, "0 of 1", [_refreshed("s"), _refreshed("s")]),
    _Case(
        "a repetition that is refused in time",
        6,
        "**1 of 1**",
        [_refreshed("s"), _asked(REFRESH, SIGNED_OUT, begin=60, code="r")],
    ),
    _Case(
        "a repetition that is refused later",
        6,
        "0 of 1",
        [_refreshed("s"), _asked(REFRESH, SIGNED_OUT, begin=62, code="r")],
    ),
    _Case("a refresh that is refused long after the fault", 5, "**1 of 1**", [_asked(REFRESH, SIGNED_OUT, begin=20)]),
    _Case("a balancer's 504 long after the fault", 5, "**1 of 1**", [_asked(TOKEN, "balancer 504", begin=20)]),
]


def check() -> None:
    """Raises `Failed` if a history is judged otherwise."""
    for case in _CASES:
        history = History(list(case.entries), list(case.kills))
        figure = judge(history, case.exchanges)[case.invariant].figure
        said = f"{case.name}: invariant {case.invariant} says {figure}, not {case.figure}"
        require(figure == case.figure, said)
