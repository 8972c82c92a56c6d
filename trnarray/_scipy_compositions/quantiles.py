"""Quantiles of distributions that have no closed form, by bisection over the numbers of float32, or over integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .operands import leave_unless, xp

__all__ = ["bisected", "bisected_integers"]

Function = Callable[[Any], Any]
_INFINITY: Final = 0x7F800000
"""The word of infinity; those of smaller positive numbers are smaller."""


def _key(x: float) -> int:
    """Give the number of a float32 in their order, where 0 is 0."""
    word = int(np.abs(np.float32(x)).view(np.int32))
    return -word if math.copysign(1.0, x) < 0 else word


def _number(key: Any) -> Any:
    """Find the float32 of a number of that order."""
    return xp.where(key < 0, -1.0, 1.0) * xp.abs(key).view(xp.float32)


def _reached(cdf: Function, sf: Function, q: Any, rises: bool) -> Function:
    """Tell whether a quantile is reached: by the smaller one of the probabilities below and above, as the other has lost it."""
    small = q <= 0.5
    if rises:
        return lambda x: xp.where(small, cdf(x) >= q, sf(x) <= 1.0 - q)
    return lambda x: xp.where(small, sf(x) <= q, cdf(x) >= 1.0 - q)


def bisected(cdf: Function, sf: Function, q: Any, low: float, high: float, rises: bool) -> Any:
    """
    Find the least number at which `cdf` reaches q, or with `rises` false `sf` falls to it, in one loop of 32 turns.

    Between neighbours of float32 nothing is left to find: the error is that of `cdf` over the density, and a rounding.
    """
    leave_unless(q.dtype == xp.float32)
    reached = _reached(cdf, sf, q, rises)

    def turn(_: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        below, above = state
        middle = (below >> 1) + (above >> 1) + (below & above & 1)
        found = reached(_number(middle))
        return xp.where(found, below, middle), xp.where(found, middle, above)

    ends = [xp.full_like(q, _key(end), dtype=xp.int32) for end in (low, high)]
    found = _number(xp.fori_loop(0, 32, turn, tuple(ends))[1])
    first, last = (low, high) if rises else (high, low)
    return xp.where(q == 0, first, xp.where(q == 1, last, found))


def bisected_integers(cdf: Function, sf: Function, q: Any, least: int, most: int) -> Any:
    """Find the least integer at which `cdf` reaches q; one before `least` for 0."""
    reached = _reached(cdf, sf, q, rises=True)

    def turn(_: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        below, above = state
        middle = (below + above) >> 1
        found = reached(xp.astype(xp.maximum(middle, least), q.dtype)) & (middle >= least)
        return xp.where(found, below, middle), xp.where(found, middle, above)

    ends = [xp.full_like(q, end, dtype=xp.int32) for end in (least - 1, most)]
    found = xp.fori_loop(0, (most - least + 1).bit_length(), turn, tuple(ends))[1]
    return xp.astype(xp.where(q == 0, least - 1, found), q.dtype)
