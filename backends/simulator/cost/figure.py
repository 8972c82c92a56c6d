"""A number the cost model rests on, with its unit, its source, and how far it can be trusted."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Figure", "Status", "exact", "fitted", "guess"]

Status = Literal["published", "derived", "fitted", "guess", "measured"]


class Figure(NamedTuple):
    """
    A number with its pedigree.

    Attributes
    ----------
    value : float
        What is used.
    low, high : float
        Between which it may be, and between which it is fitted; equal to `value` where documents agree.
    unit : str
        ``"ns"``, ``"cycles"``, ``"cycles/element"``, ``"B/ns"``, or ``"x"`` for a factor.
    status : {'published', 'derived', 'fitted', 'guess', 'measured'}
        Printed in a document; computed from such; fitted to published times within limits that documents allow; none of these; or from a
        calibration.
    source : str
        The document, or the reasoning.
    rows : tuple of str
        Of a fitted figure: the families of published times that determine it.
    """

    value: float
    low: float
    high: float
    unit: str
    status: Status
    source: str
    rows: tuple[str, ...] = ()


def exact(value: float, unit: str, source: str, status: Status = "published") -> Figure:
    """Make a figure on which documents agree."""
    return Figure(value, value, value, unit, status, source)


def fitted(value: float, low: float, high: float, unit: str, source: str, *rows: str) -> Figure:
    """Make a figure that published times determine within the limits that documents allow."""
    return Figure(value, low, high, unit, "fitted", source, rows)


def guess(value: float, low: float, high: float, unit: str, source: str, status: Status = "guess") -> Figure:
    """Make a figure that is known to lie within a range."""
    return Figure(value, low, high, unit, status, source)
