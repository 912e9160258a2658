# SPDX-License-Identifier: Apache-2.0
"""What must hold of a history, whatever went wrong."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from replicas.history import (
    ACCEPTED,
    CALLBACK,
    CLOSED_LIST,
    CREDENTIAL,
    FAULTLESS,
    OF_THE_BALANCER,
    REDEEMED,
    REFRESH,
    REFRESHED,
    SIGNED_OUT,
    START,
    TOKEN,
    WITH_CODE,
    Entry,
    History,
)
from replicas.recorder import Exchange

_SECONDS_OF_A_CODE = 60
_SECONDS_TO_ANSWER = 20
_SECONDS_TO_RECOVER = 5
_SIGNED_IN = (REDEEMED, ACCEPTED)


@dataclass
class Verdict:
    """How often an invariant was looked at, and where it is broken; `excused` is what a killed replica had in hand.

    `of_balancer` is what the balancer ended itself and in time, which is no response of the broker.
    """

    looked_at: int = 0
    broken: list[str] = field(default_factory=list)
    excused: int = 0
    of_balancer: int = 0

    @property
    def figure(self) -> str:
        """The cell of the table."""
        counted = f"{len(self.broken)} of {self.looked_at}"
        counted = counted if not self.broken else f"**{counted}**"
        beside = [(self.excused, "killed"), (self.of_balancer, "by the balancer")]
        said = ", ".join(f"{count} {what}" for count, what in beside if count)
        return f"{counted} ({said})" if said else counted


# The titles of the invariants, by their numbers. The fifth one is looked at in two ways.
TITLES = {
    1: "given twice",
    2: "code lost",
    3: "exchanged twice",
    4: "other outcomes",
    5: "failed 5 s later",
    6: "signed out",
}
CODE, NATIVE = "code", "native credential"
# So long a refresh token may be repeated, as the brokers are told.
SECONDS_TO_REPEAT = 60
# What may never be broken, and what may not without a fault: a take with an unknown end loses its code.
STRICT = (1, 3, 6)
STRICT_WITHOUT_FAULT = (1, 2, 3, 6)


def judge(history: History, exchanges: Sequence[Exchange]) -> dict[int, Verdict]:
    """Returns the verdict of each invariant, by its number."""
    return {
        1: _given_at_most_once(history),
        2: _can_be_redeemed(history),
        3: _exchanged_at_most_once(exchanges, history),
        4: _ends_in_time(history),
        5: _recovers(history),
        6: _stays_signed_in(history),
    }


def longest_gap(history: History) -> float:
    """Returns the longest time of the load without a credential for any user."""
    redeemed = sorted(each.end for each in history.entries if each.outcome in _SIGNED_IN)
    times = [time for time in redeemed if time < history.load_ended]
    moments = [history.load_began, *times, history.load_ended]
    return max(after - before for before, after in pairwise(moments))


def _given_at_most_once(history: History) -> Verdict:
    """Each login gives at most one code that is redeemed, and each code one credential; a native credential is taken once.

    Each refresh token has one successor, for any client that presents it.
    """
    verdict = Verdict()
    codes: dict[int, set[str]] = defaultdict(set)
    for each in history.entries:
        if each.what == TOKEN:
            codes[each.login].update([each.code] if each.outcome == REDEEMED else [])
    verdict.looked_at += len(codes)
    verdict.broken += [f"login {login}: {len(every)} codes" for login, every in codes.items() if len(every) > 1]
    for kind, what, outcome in ((CODE, TOKEN, REDEEMED), (NATIVE, CREDENTIAL, ACCEPTED)):
        asked = {each.code for each in history.entries if each.what == what}
        given = Counter(each.code for each in history.entries if each.outcome == outcome)
        verdict.looked_at += len(asked)
        verdict.broken += [f"{kind} {each}: {count} times" for each, count in given.items() if count > 1]
    successors: dict[str, set[str]] = defaultdict(set)
    for each in history.entries:
        if each.outcome == REFRESHED:
            successors[each.code].add(each.successor)
    verdict.looked_at += len(successors)
    verdict.broken += [
        f"refresh token {each}: {len(every)} successors" for each, every in successors.items() if len(every) > 1
    ]
    return verdict


def _can_be_redeemed(history: History) -> Verdict:
    """A code that a callback ended in is redeemed, unless a replica was killed with a redemption in hand."""
    verdict = Verdict()
    asked: dict[str, list[Entry]] = defaultdict(list)
    for each in history.entries:
        if each.what == TOKEN:
            asked[each.code].append(each)
    for each in history.entries:
        if each.what != CALLBACK or each.outcome != WITH_CODE:
            continue
        verdict.looked_at += 1
        deadline = each.end + _SECONDS_OF_A_CODE
        if any(token.outcome == REDEEMED and token.begin <= deadline for token in asked[each.code]):
            continue
        if any(history.was_killed_with(token) for token in asked[each.code]):
            verdict.excused += 1
        else:
            verdict.broken.append("\n    ".join(history.line(every) for every in history.of(each.login)))
    return verdict


def _exchanged_at_most_once(exchanges: Sequence[Exchange], history: History) -> Verdict:
    """A code of the provider is sent to it at most once."""
    times: dict[str, list[Exchange]] = defaultdict(list)
    for each in exchanges:
        times[each.code].append(each)
    verdict = Verdict(len(times))
    for code, every in times.items():
        if len(every) > 1:
            shown = (
                f"{each.time - history.fault_began:+.3f} s at {each.replica}: {each.status}" for each in every
            )
            verdict.broken.append(f"the provider's code {code}: {', '.join(shown)}")
    return verdict


def _ends_in_time(history: History) -> Verdict:
    """A request that no killed replica held ends in time, and as requests may end; the balancer may have to end it."""
    verdict = Verdict()
    for each in history.entries:
        verdict.looked_at += 1
        is_in_time = each.end - each.begin <= _SECONDS_TO_ANSWER
        if is_in_time and each.outcome in CLOSED_LIST:
            continue
        if history.was_killed_with(each):
            verdict.excused += 1
        elif is_in_time and each.outcome in OF_THE_BALANCER:
            verdict.of_balancer += 1
        else:
            verdict.broken.append(history.line(each))
    return verdict


def _recovers(history: History) -> Verdict:
    """Some seconds after the fault nothing fails, and every user who begins then gets a credential."""
    verdict = Verdict()
    since = history.fault_over + _SECONDS_TO_RECOVER
    signed_in = {each.login for each in history.entries if each.outcome in _SIGNED_IN}
    for each in history.entries:
        if each.begin < since:
            continue
        verdict.looked_at += 1
        is_left_alone = each.what in (START, CREDENTIAL) and each.login not in signed_in
        if each.outcome not in FAULTLESS or is_left_alone:
            verdict.broken.append(history.line(each) + (", and no credential" if is_left_alone else ""))
    return verdict


def _stays_signed_in(history: History) -> Verdict:
    """A user who repeats the newest refresh token within its time stays signed in: its answer may have been lost."""
    first: dict[str, float] = {}
    for each in sorted(history.entries, key=lambda each: each.begin):
        if each.what == REFRESH:
            first.setdefault(each.code, each.begin)
    refused = {
        each.code: each.login
        for each in history.entries
        if each.outcome == SIGNED_OUT and each.end - first[each.code] <= SECONDS_TO_REPEAT
    }
    lines = ("\n    ".join(history.line(each) for each in history.of(login)) for login in refused.values())
    return Verdict(len(first), list(lines))
