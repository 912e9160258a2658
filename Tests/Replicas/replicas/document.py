# SPDX-License-Identifier: Apache-2.0
"""The tables in the document that a run writes, with the build of their rows."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kit.versions import commit

from replicas.report import COLUMNS, FAILED, Result, markdown

_MADE_BY = "Tests/Replicas/run"
_END = "<!-- end -->"
# The line with the build and the seed of the rows.
_BUILD = re.compile(r"^Build `(?P<build>[0-9a-f]+)`.*, seed (?P<seed>\d+)", re.MULTILINE)
_DIGITS = 12
# Stands behind the engine of a row that is of another build.
_OTHER_BUILD = " †"

# The name of a fault and that of an engine.
Key = tuple[str, str]


def build(executable: Path) -> str:
    """Returns what tells an executable from others: the first digits of its SHA-256."""
    with executable.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_DIGITS]


def markers(subject: str) -> str:
    """Returns the markers between which a table stands, for a user to write them into a file."""
    return f"{_begin(subject)}\n\n{_END}"


def has_markers(file: Path, subject: str) -> bool:
    """Whether a file has the markers of a table."""
    return file.is_file() and _begin(subject) in file.read_text()


@dataclass
class Document:
    """One table of a file. `order` is everything that may be in it, and in which order."""

    file: Path
    subject: str
    order: Sequence[Key]
    build: str
    seed: int
    how: str = ""
    _rows: dict[Key, list[str]] = field(default_factory=dict)
    _others: set[Key] = field(default_factory=set)

    def __post_init__(self) -> None:
        between = _parts(self.file, self.subject)[1]
        said = _BUILD.search(between)
        is_same = said is not None and said["build"] == self.build
        for row in _rows_of(between):
            key = (row[0], row[1].removesuffix(_OTHER_BUILD))
            self._rows[key] = [*key, *row[2:]]
            if not is_same or row[1].endswith(_OTHER_BUILD):
                self._others.add(key)

    def missing(self) -> set[Key]:
        """Returns what has no row of this build yet, or one that says why there is no result."""
        return {
            key
            for key in self.order
            if key not in self._rows or key in self._others or FAILED in self._rows[key][2]
        }

    def add(self, result: Result) -> None:
        """Writes a row into the file, if there is one."""
        if result.left_out:
            return
        key = (result.fault, result.engine)
        self._rows[key] = result.row
        self._others.discard(key)
        self._write()

    def _write(self) -> None:
        listed = [key for key in self.order if key in self._rows]
        rows = [self._marked(key) for key in listed]
        said = f"Build `{self.build}`, which are the first digits of the executable's SHA-256, of {commit()},"
        said += f" seed {self.seed}{self.how}."
        if any(key in self._others for key in listed):
            said += f" Rows with{_OTHER_BUILD} are of another build."
        text = [said]
        text.append(markdown([COLUMNS, ["---"] * len(COLUMNS), *rows]))
        text += self._not_made()
        before, _, after = _parts(self.file, self.subject)
        joined = "\n\n".join([_begin(self.subject), *text, _END])
        # A run that is killed meanwhile leaves the file whole.
        unfinished = self.file.with_name(f".{self.file.name}.new")
        unfinished.write_text(f"{before}{joined}{after}")
        unfinished.rename(self.file)

    def _marked(self, key: Key) -> list[str]:
        row = self._rows[key]
        return [row[0], row[1] + (_OTHER_BUILD if key in self._others else ""), *row[2:]]

    def _not_made(self) -> list[str]:
        names: dict[str, list[str]] = {}
        for name, engine in self.order:
            if (name, engine) not in self._rows:
                names.setdefault(engine, []).append(name)
        if not names:
            return []
        count = sum(len(each) for each in names.values())
        lines = [f"- {engine}: {'; '.join(each)}" for engine, each in names.items()]
        return [f"Not made, {count} of {len(self.order)}:", "\n".join(lines)]


def seed_of(file: Path, subject: str, made_of: str) -> int | None:
    """Returns the seed with which a table was begun, if it is of this build."""
    said = _BUILD.search(_parts(file, subject)[1])
    return int(said["seed"]) if said is not None and said["build"] == made_of else None


def _begin(subject: str) -> str:
    return f"<!-- {subject}, made by {_MADE_BY} -->"


def _parts(file: Path, subject: str) -> tuple[str, str, str]:
    """Returns what stands before, between and after the markers."""
    before, rest = file.read_text().split(_begin(subject), 1)
    between, after = rest.split(_END, 1)
    return before, between, after


def _rows_of(between: str) -> list[list[str]]:
    lines = [line for line in between.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [row for row in rows if len(row) == len(COLUMNS)]
