# SPDX-License-Identifier: Apache-2.0
"""The result of a fault, and the table of all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kit.table import Table

from replicas.history import ACCEPTED, CREDENTIAL, REDEEMED, START, History
from replicas.invariants import NATIVE, STRICT, TITLES, Verdict, longest_gap

SINGLE, PAIRS = "Faults of replicas", "Pairs of faults"
_COLUMNS = [
    "fault",
    "engine",
    "signed in",
    *(f"{number}: {title}" for number, title in TITLES.items()),
    "longest gap",
    "slowest answer",
]
_MADE_BY = "Tests/Replicas/run"
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

    @property
    def broken(self) -> list[int]:
        """The invariants that must never be broken and are.

        Where the engine may forget, the provider and PKCE still stand behind a login, and nothing behind the rest.
        """
        if self.may_forget:
            logins = (line for line in self._broken(1) if not line.startswith(NATIVE))
            return [1] if any(logins) else []
        return [number for number in STRICT if self._broken(number)]

    def _broken(self, number: int) -> list[str]:
        return self.verdicts[number].broken if number in self.verdicts else []

    @property
    def row(self) -> list[str]:
        """The row of the table."""
        if not self.cells or self.failure:
            reason = self.left_out or f"failed: {self.failure}"
            return [self.fault, self.engine, reason, *([""] * (len(_COLUMNS) - 3))]
        return [self.fault, self.engine, *self.cells]

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
        print(f"{'ok' if is_whole else 'BROKEN':8} {self.name}: {', '.join(said)}", flush=True)
        for number, verdict in self.verdicts.items():
            for line in verdict.broken[:_SHOWN]:
                print(f"    {number}: {line}", flush=True)
            if len(verdict.broken) > _SHOWN:
                print(f"    {number}: and {len(verdict.broken) - _SHOWN} more", flush=True)


def result(fault: str, engine: str, verdicts: dict[int, Verdict], history: History) -> Result:
    """Returns the result of a history."""
    # A person in a native app begins with a credential.
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
    return "\n".join(
        _line(row) for row in (_COLUMNS, ["---"] * len(_COLUMNS), *(each.row for each in results))
    )


def update(file: Path, subject: str, results: Sequence[Result], order: Sequence[tuple[str, str]]) -> None:
    """Writes the rows between the markers of a file, and keeps those of faults that were not made."""
    made = {(each.fault, each.engine): each.row for each in results if not each.left_out}
    rows = {(row[0], row[1]): row for row in _kept(file, subject)} | made
    listed = [rows[fault] for fault in order if fault in rows]
    Table(subject, _COLUMNS, listed, _MADE_BY).write(file)


def has_markers(file: Path, subject: str) -> bool:
    """Whether a file has the markers between which a table stands."""
    return file.is_file() and _begin(subject) in file.read_text()


def markers(subject: str) -> str:
    """Returns the markers, for a person to write them into a file."""
    return f"{_begin(subject)}\n\n<!-- end -->"


def _begin(subject: str) -> str:
    return f"<!-- {subject}, made by {_MADE_BY} -->"


def _kept(file: Path, subject: str) -> list[list[str]]:
    between = file.read_text().split(_begin(subject), 1)[1].split("<!-- end -->", 1)[0]
    lines = [line for line in between.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [row for row in rows if len(row) == len(_COLUMNS)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
