"""A number the cost model rests on, with its unit, its source, and how far it can be trusted."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

__all__ = ["FAST", "NOMINAL", "SLOW", "Figure", "Scenario", "Status", "exact", "guess"]

Status = Literal["published", "derived", "guess", "measured"]
Scenario = Literal[0, 1, 2]
FAST: Final[Scenario] = 0  # every open figure at the end that makes programs faster
NOMINAL: Final[Scenario] = 1
SLOW: Final[Scenario] = 2


class Figure(NamedTuple):
    """
    A number with its pedigree.

    Attributes
    ----------
    value : float
        What is used.
    low, high : float
        Between which it may be; equal to `value` where documents agree.
    unit : str
        ``"ns"``, ``"cycles"``, ``"cycles/element"``, ``"B/ns"``, or ``"x"`` for a factor.
    status : {'published', 'derived', 'guess', 'measured'}
        Printed in a document; computed from such; neither; or from a calibration.
    source : str
        The document, or the reasoning.
    """

    value: float
    low: float
    high: float
    unit: str
    status: Status
    source: str

    def at(self, scenario: Scenario) -> float:
        """
        Choose the value for a scenario.

        Parameters
        ----------
        scenario : {0, 1, 2}
            `FAST`, `NOMINAL` or `SLOW`.

        Returns
        -------
        float
            A rate is fast where it is high, a duration where it is low.
        """
        if scenario == NOMINAL:
            return self.value
        return self.high if (scenario == FAST) == (self.unit == "B/ns") else self.low


def exact(value: float, unit: str, source: str, status: Status = "published") -> Figure:
    """Make a figure on which documents agree."""
    return Figure(value, value, value, unit, status, source)


def guess(value: float, low: float, high: float, unit: str, source: str, status: Status = "guess") -> Figure:
    """Make a figure that is known to lie within a range."""
    return Figure(value, low, high, unit, status, source)
