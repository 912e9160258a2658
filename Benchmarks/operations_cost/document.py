# SPDX-License-Identifier: Apache-2.0
"""The tables, and their places in NOTES.md."""

import re
from collections.abc import Sequence
from pathlib import Path

from kit.table import Table

from operations_cost.sentence import Sentence

_FILE = Path(__file__).resolve().parents[1] / "NOTES.md"
_COLUMNS = ["sentence", "must, at most", "goal, at most", "figure", "reached"]


def text(sentences: Sequence[Sentence]) -> str:
    """Returns the table in Markdown."""
    rows = [_COLUMNS, ["---"] * len(_COLUMNS), *(sentence.cells for sentence in sentences)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def update(subject: str, made_by: str, sentences: Sequence[Sentence], made_on: str) -> None:
    """Writes the table of a subject into the document, and what it was made on into the line before it."""
    rows = [sentence.cells for sentence in sentences]
    Table(subject, _COLUMNS, rows, f"Benchmarks/{made_by}").write(_FILE)
    line = re.compile(rf"(?<=^{subject.capitalize()}, made on: ).*$", re.MULTILINE)
    _FILE.write_text(line.sub(lambda _: made_on, _FILE.read_text(), count=1))
