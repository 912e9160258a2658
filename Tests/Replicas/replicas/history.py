# SPDX-License-Identifier: Apache-2.0
"""Everything that was asked and answered in a run."""

import hashlib
import json
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

START, CALLBACK, TOKEN, CREDENTIAL, REFRESH = "start", "callback", "token", "credential", "refresh"

TO_PROVIDER = "redirect to the provider"
WITH_CODE = "redirect with code"
UNAVAILABLE = "redirect with error temporarily_unavailable"
REDEEMED, REFUSED = "token 200", "token 400"
ACCEPTED, NOT_ACCEPTED = "credential 200", "credential 400"
REFRESHED, SIGNED_OUT = "refresh 200", "refresh 400"
# What may come of a request, whatever goes wrong.
CLOSED_LIST = frozenset(
    (
        *(TO_PROVIDER, WITH_CODE, UNAVAILABLE, REDEEMED, REFUSED, "token 503"),
        *(ACCEPTED, NOT_ACCEPTED, "credential 503"),
        *(REFRESHED, SIGNED_OUT, "refresh 503"),
        *("page 200", "page 400", "page 503"),
    )
)
# How the balancer itself ends a request that a replica does not answer in time, or that no replica takes.
OF_THE_BALANCER = frozenset(("balancer 502", "balancer 503", "balancer 504"))
# What may come of it where nothing goes wrong: of two callbacks one loses, and of several redemptions all but one.
FAULTLESS = frozenset(
    (TO_PROVIDER, WITH_CODE, "page 200", "page 400", REDEEMED, REFUSED, ACCEPTED, NOT_ACCEPTED, REFRESHED)
)


@dataclass(frozen=True)
class Entry:
    """A request of a login: which replica answered, and how.

    A code, a native credential or a refresh token stands there by its fingerprint, and so does the refresh token that came
    instead of it.
    """

    begin: float
    end: float
    login: int
    what: str
    replica: str
    outcome: str
    code: str = ""
    successor: str = ""


@dataclass(frozen=True)
class Kill:
    """A replica that was killed, and when it was gone."""

    time: float
    gone: float
    replica: str


@dataclass
class History:
    """The requests of all logins in one run, and what the run itself did."""

    entries: list[Entry] = field(default_factory=list)
    kills: list[Kill] = field(default_factory=list)
    # What was done, and when.
    deeds: list[tuple[float, str]] = field(default_factory=list)
    # Why it is not whole.
    failures: list[str] = field(default_factory=list)
    # What is asked at the moment, and of which replica; `None` asks for no particular one.
    pending: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    load_began: float = 0.0
    load_ended: float = 0.0
    fault_began: float = 0.0
    fault_over: float = 0.0

    def was_killed_with(self, entry: Entry) -> bool:
        """Whether the replica that a request was sent to was killed while it had it in hand."""
        return any(
            kill.replica == entry.replica and entry.begin <= kill.gone and kill.time <= entry.end
            for kill in self.kills
        )

    def note(self, text: str) -> None:
        """Enters what is done now."""
        self.deeds.append((time.monotonic(), text))

    def of(self, login: int) -> list[Entry]:
        """Returns the requests of a login in their order."""
        return sorted((each for each in self.entries if each.login == login), key=lambda each: each.begin)

    def line(self, entry: Entry) -> str:
        """Returns a line about a request, with times since the begin of the fault."""
        begin, end = entry.begin - self.fault_began, entry.end - self.fault_began
        return (
            f"login {entry.login}: {begin:+.3f} to {end:+.3f} s {entry.what} at {entry.replica or 'none'}: "
            f"{entry.outcome} {entry.code}"
        ).rstrip()

    def write(self, file: Path) -> None:
        """Writes a line of JSON for each request."""
        entries = [asdict(each) for each in sorted(self.entries, key=lambda each: each.begin)]
        deeds = [{"begin": moment, "done": text} for moment, text in self.deeds]
        file.write_text("".join(json.dumps(each) + "\n" for each in (*deeds, *entries)))


def fingerprint(code: str) -> str:
    """Returns what names a code in a history."""
    return hashlib.sha256(code.encode()).hexdigest()[:12]
