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


@dataclass(frozen=True)
class QuietRatio:
    """What was measured in turns against something else, where whatever else the host does only adds to both."""

    each: Sequence[float]
    others: Sequence[float]

    @property
    def value(self) -> float:
        """The ratio of the means of the quietest quarters."""
        return self.mean / _quietest(self.others)

    @property
    def mean(self) -> float:
        """The mean of the quietest quarter."""
        return _quietest(self.each)

    def __str__(self) -> str:
        """The ratio and, in brackets, the median of the pairs and their range without the outer quarters."""
        pairs = Ratio([one / other for one, other in zip(self.each, self.others, strict=True)])
        return f"{self.value:.3f} (pairs {pairs})"


def _quietest(values: Sequence[float]) -> float:
    """Returns the mean of the smallest quarter."""
    return statistics.fmean(sorted(values)[: max(1, len(values) // 4)])
