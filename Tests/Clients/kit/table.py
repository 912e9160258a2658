# SPDX-License-Identifier: Apache-2.0
"""The table in CLIENTS.md."""

import re
from collections.abc import Sequence
from pathlib import Path

from kit.row import Row

_BEGIN, _END = "<!-- made by Tests/Clients/run -->", "<!-- end -->"
_COLUMNS = ["client", "version", "kind", "sends", "ID token", "what had to be set", "result"]
# The version of a Debian package depends on the machine.
_DEBIAN_VERSION = re.compile(r"(?<=\| Debian )[^|]+")


def table(rows: Sequence[Row]) -> str:
    """Returns the rows as a Markdown table."""
    lines = [_line(_COLUMNS), _line(["---"] * len(_COLUMNS))]
    return "\n".join([*lines, *(_line(row.cells) for row in rows)])


def write(file: Path, rows: Sequence[Row]) -> None:
    """Writes the table between the markers of a file."""
    before, rest = file.read_text().split(_BEGIN, 1)
    after = rest.split(_END, 1)[1]
    file.write_text(f"{before}{_BEGIN}\n\n{table(rows)}\n\n{_END}{after}")


def differences(file: Path, rows: Sequence[Row]) -> list[str]:
    """Returns the lines in which the table differs from that of a file, apart from Debian's versions."""
    kept = _without_debian_versions(_between(file.read_text()).strip()).split("\n")
    made = _without_debian_versions(table(rows)).split("\n")
    missing = [f"- {line}" for line in kept if line not in made]
    added = [f"+ {line}" for line in made if line not in kept]
    return missing + added or (["the rows are in another order"] if kept != made else [])


def _without_debian_versions(text: str) -> str:
    return _DEBIAN_VERSION.sub(" ", text)


def _between(text: str) -> str:
    """Returns what stands between the markers."""
    return text.split(_BEGIN, 1)[1].split(_END, 1)[0]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
