# SPDX-License-Identifier: Apache-2.0
"""Examinations, one after another, and what came of them."""

import multiprocessing
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

_SECONDS_TO_EXAMINE = 180


class _Row(Protocol):
    @property
    def cells(self) -> list[str]: ...


_R = TypeVar("_R", bound=_Row)


@dataclass
class Attempts(Generic[_R]):
    """The rows of what succeeded, and the failures of what did not."""

    rows: list[_R] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def make(self, examinations: Iterable[tuple[str, Callable[[], _R]]]) -> None:
        """Makes examinations, which have names."""
        for name, examination in examinations:
            begin = time.monotonic()
            try:
                row = examination()
            except Exception as error:
                self.failures.append(f"{name}\n{''.join(traceback.format_exception(error))}")
            else:
                self.rows.append(row)
                seconds = time.monotonic() - begin
                print(f"{row.cells[0]}: {row.cells[-1]} ({seconds:.1f} s)", flush=True)


def in_own_process(examination: Callable[[], _R]) -> _R:
    """Runs an examination in a process of its own, since frameworks have settings for a process."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply_async(examination).get(_SECONDS_TO_EXAMINE)
