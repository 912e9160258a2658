# SPDX-License-Identifier: Apache-2.0
"""A sentence that must hold, and the figure that came of it."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


_NONE = "-"


@dataclass(frozen=True)
class Sentence:
    """A sentence about a value that may be so large at most.

    Ratios have no `unit`. Where `must` and `goal` are infinite, the figure is only reported.
    """

    text: str
    must: float
    goal: float
    unit: str
    value: float
    figure: str

    @property
    def holds(self) -> bool:
        """Whether the must is reached."""
        return self.value <= self.must

    @property
    def verdict(self) -> str:
        """Whether the goal is reached, in the words of the table in README.md; a dash where there is none."""
        if math.isinf(self.must):
            return _NONE
        if self.value <= self.goal:
            return "yes"
        return "must only" if self.holds else "**no**"

    @property
    def cells(self) -> list[str]:
        """The cells of its row."""
        return [self.text, self._bound(self.must), self._bound(self.goal), self.figure, self.verdict]

    def _bound(self, value: float) -> str:
        if math.isinf(value):
            return _NONE
        return f"{value:g}{self.unit}" if self.unit else f"{value:.2f}"


def reported(text: str, figure: str) -> Sentence:
    """Returns a sentence without a bound."""
    return Sentence(text, math.inf, math.inf, "", 0, figure)


@dataclass(frozen=True)
class Ratio:
    """The ratios of what was measured in pairs."""

    each: Sequence[float]

    @property
    def value(self) -> float:
        """The median of all pairs."""
        return statistics.median(self.each)

    def __str__(self) -> str:
        """The median and, in brackets, the range without the outer quarters."""
        cut = len(self.each) // 4
        inner = sorted(self.each)[cut : len(self.each) - cut]
        return f"{self.value:.3f} ({inner[0]:.3f}..{inner[-1]:.3f})"
