# SPDX-License-Identifier: Apache-2.0
"""The table, and its place in NOTES.md."""

import re
from collections.abc import Sequence
from pathlib import Path

from kit.table import Table

from operations_cost.sentence import Sentence

_FILE = Path(__file__).resolve().parents[1] / "NOTES.md"
_COLUMNS = ["sentence", "must, at most", "goal, at most", "figure", "reached"]
_MADE_ON = re.compile(r"(?<=^Operations, made on: ).*$", re.MULTILINE)


def text(sentences: Sequence[Sentence]) -> str:
    """Returns the table in Markdown."""
    rows = [_COLUMNS, ["---"] * len(_COLUMNS), *(sentence.cells for sentence in sentences)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def update(sentences: Sequence[Sentence], made_on: str) -> None:
    """Writes the table into the document, and what it was made on into the line before it."""
    rows = [sentence.cells for sentence in sentences]
    Table("operations", _COLUMNS, rows, "Benchmarks/operations-cost").write(_FILE)
    _FILE.write_text(_MADE_ON.sub(lambda _: made_on, _FILE.read_text(), count=1))
