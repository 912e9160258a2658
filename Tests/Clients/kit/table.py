# SPDX-License-Identifier: Apache-2.0
"""The tables of reports that a run writes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_END = "<!-- end -->"
# The version of a Debian package depends on the machine, and when something was run on nothing that is compared.
_NOT_COMPARED = re.compile(r"(?<=\| Debian )[^|]+|(?<=\| )\d{4}-\d\d-\d\d(?: at [0-9a-f]+)?(?= \|)")


@dataclass(frozen=True)
class Table:
    """A table that stands between two markers of a file. The first marker names its subject."""

    subject: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    made_by: str = "Tests/Clients/run"

    def write(self, file: Path) -> None:
        """Writes the table between the markers."""
        before, _, after = self._parts(file)
        file.write_text(f"{before}{self._begin}\n\n{self._text}\n\n{_END}{after}")

    def differences(self, file: Path) -> list[str]:
        """Returns the lines in which the table differs from that of the file, apart from Debian's versions and dates."""
        kept = _compared(self._parts(file)[1].strip()).split("\n")
        made = _compared(self._text).split("\n")
        missing = [f"- {line}" for line in kept if line not in made]
        added = [f"+ {line}" for line in made if line not in kept]
        return missing + added or (["the rows are in another order"] if kept != made else [])

    @property
    def _begin(self) -> str:
        return f"<!-- {self.subject}, made by {self.made_by} -->"

    @property
    def _text(self) -> str:
        """The table in Markdown."""
        lines = [line(self.columns), line(["---"] * len(self.columns))]
        return "\n".join([*lines, *(line(row) for row in self.rows)])

    def _parts(self, file: Path) -> tuple[str, str, str]:
        """Returns what stands before, between and after the markers."""
        before, rest = file.read_text().split(self._begin, 1)
        between, after = rest.split(_END, 1)
        return before, between, after


def _compared(text: str) -> str:
    return _NOT_COMPARED.sub(" ", text)


def line(cells: Sequence[str]) -> str:
    """Returns a row of a table in Markdown."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
