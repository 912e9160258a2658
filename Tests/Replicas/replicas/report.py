# SPDX-License-Identifier: Apache-2.0
"""The result of a fault, and the table of all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from replicas.history import ACCEPTED, CREDENTIAL, REDEEMED, START, History
from replicas.invariants import CODE, NATIVE, STRICT, STRICT_WITHOUT_FAULT, TITLES, Verdict, longest_gap

NO_FAULT = "none"
SINGLE, PAIRS = "Faults of replicas", "Pairs of faults"
COLUMNS = [
    "fault",
    "engine",
    "signed in",
    *(f"{number}: {title}" for number, title in TITLES.items()),
    "longest gap",
    "slowest answer",
]
# The result of a fault that did not happen, or without a whole history.
FAILED = "failed:"
_SHOWN = 5


@dataclass
class Result:
    """What came of a fault: the verdicts, or the reason why there are none."""

    fault: str
    engine: str
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    cells: list[str] = field(default_factory=list)
    failure: str = ""
    left_out: str = ""
    may_forget: bool = False
    # Where the history and the logs are.
    folder: str = ""
    # How long it took, and how much of that the processors worked for it.
    seconds: float = 0.0
    processor_seconds: float = 0.0

    @property
    def broken(self) -> list[int]:
        """The invariants that must never be broken and are.

        Where the engine may forget, the provider's own single use still stands behind a login. Behind a code only PKCE and
        the app's authentication do, which the app itself has, and nothing behind a native credential.
        """
        if self.may_forget:
            logins = (line for line in self.found(1) if not line.startswith((CODE, NATIVE)))
            return [1] if any(logins) else []
        strict = STRICT_WITHOUT_FAULT if self.fault == NO_FAULT else STRICT
        return [number for number in strict if self.found(number)]

    def found(self, number: int) -> list[str]:
        """Returns where an invariant is broken, also one that may be."""
        return self.verdicts[number].broken if number in self.verdicts else []

    @property
    def row(self) -> list[str]:
        """The row of the table."""
        if not self.cells:
            reason = self.left_out or f"{FAILED} {_in_a_cell(self.failure)}"
            return [self.fault, self.engine, reason, *([""] * (len(COLUMNS) - 3))]
        failed = f"; {FAILED} {_in_a_cell(self.failure)}" if self.failure else ""
        return [self.fault, self.engine, self.cells[0] + failed, *self.cells[1:]]

    @property
    def name(self) -> str:
        """The fault and the engine."""
        return f"{self.fault} ({self.engine})"

    def print(self) -> None:
        """Prints a line, and the first ones of what is broken."""
        if self.left_out:
            print(f"left out {self.name}: {self.left_out}", flush=True)
            return
        is_whole = not self.broken and not self.failure
        counts = ", ".join(f"{TITLES[number]} {verdict.figure}" for number, verdict in self.verdicts.items())
        said = [self.failure] if self.failure else []
        if self.cells:
            said += [f"{self.cells[0]} signed in", counts]
            said += [f"longest gap {self.cells[-2]}", f"slowest answer {self.cells[-1]}"]
        if self.seconds:
            said.append(f"took {self.seconds:.0f} s and {self.processor_seconds:.0f} s of a processor")
        print(f"{'ok' if is_whole else 'BROKEN':8} {self.name}: {', '.join(said)}", flush=True)
        for number, verdict in self.verdicts.items():
            for line in verdict.broken[:_SHOWN]:
                print(f"    {number}: {line}", flush=True)
            if len(verdict.broken) > _SHOWN:
                print(f"    {number}: and {len(verdict.broken) - _SHOWN} more", flush=True)
        if not is_whole and self.folder:
            print(f"    the history and the logs are in {self.folder}", flush=True)


def result(fault: str, engine: str, verdicts: dict[int, Verdict], history: History) -> Result:
    """Returns the result of a history."""
    # A user in a native app begins with a credential.
    began = {each.login for each in history.entries if each.what in (START, CREDENTIAL)}
    signed_in = {each.login for each in history.entries if each.outcome in (REDEEMED, ACCEPTED)}
    cells = [
        f"{len(signed_in)} of {len(began)}",
        *(verdict.figure for verdict in verdicts.values()),
        f"{longest_gap(history):.1f} s",
        f"{max(each.end - each.begin for each in history.entries):.1f} s",
    ]
    return Result(fault, engine, verdicts, cells)


def table(results: Sequence[Result]) -> str:
    """Returns the table in Markdown."""
    return markdown([COLUMNS, ["---"] * len(COLUMNS), *(each.row for each in results)])


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Returns rows in Markdown, each a line."""
    return "\n".join(_line(row) for row in rows)


def _in_a_cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
