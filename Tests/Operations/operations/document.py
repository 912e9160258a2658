# SPDX-License-Identifier: Apache-2.0
"""The report, whose tables hold the figures of the last run that wrote it."""

import os
import platform
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from kit.table import Table
from kit.versions import commit

from operations.check import Check

_FILE = Path(__file__).resolve().parents[3] / "Documentation/Reports/Operations.md"
_COLUMNS = ["what is done", "what must hold", "figure"]
_NOT_MADE = "not made yet"
_MADE_ON = re.compile(r"(?<=^Made on: ).*$", re.MULTILINE)
_CELLS = re.compile(r"(?<!\\)\|")


def differences(checks: Mapping[str, Sequence[Check]]) -> list[str]:
    """Returns in what the document does not list these checks, by their subject."""
    figures = _figures()
    return [line for table in _tables(checks, figures) for line in table.differences(_FILE)]


def update(checks: Mapping[str, Sequence[Check]], made: Mapping[str, str], executable: Path) -> None:
    """Writes the figures that were made, and keeps those of checks that were not."""
    for table in _tables(checks, _figures() | dict(made)):
        table.write(_FILE)
    text = _FILE.read_text()
    kind = next((kind for kind in ("debug", "release") if kind in executable.parts), "other")
    machine = f"{platform.system()} {platform.release()} ({platform.machine()}), {os.cpu_count()} processors"
    _FILE.write_text(_MADE_ON.sub(f"{commit()}, {machine}, {kind} build", text))


def _tables(checks: Mapping[str, Sequence[Check]], figures: Mapping[str, str]) -> list[Table]:
    return [
        Table(
            subject,
            _COLUMNS,
            [[check.name, check.expected, figures.get(check.name, _NOT_MADE)] for check in listed],
            "Tests/Operations/run",
        )
        for subject, listed in checks.items()
    ]


def _figures() -> dict[str, str]:
    """Returns the figures in the document, by the names of their checks."""
    figures = {}
    for line in _FILE.read_text().splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in _CELLS.split(line)]
        if len(cells) == len(_COLUMNS) + 2:
            figures[cells[1]] = cells[3]
    return figures
