"""
Quantiles of distributions that have no closed form, by bisection over the numbers of float32, or over integers.

Those of float64 go on from there by E. Halley's method, which is of third order, until a step is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .operands import LeftToScipyError, leave_unless, xp

__all__ = ["bisected", "bisected_integers", "refined"]

Function = Callable[[Any], Any]
_TINY: Final = 2.0**-100
_STEPS: Final = 4


def _key(x: float) -> int:
    """Give the number of a float32 in their order, where 0 is 0."""
    word = int(np.abs(np.float32(x)).view(np.int32))
    return -word if math.copysign(1.0, x) < 0 else word


def _number(key: Any) -> Any:
    """Find the float32 of a number of that order."""
    size = xp.abs(key).view(xp.float32)
    return xp.where(key < 0, -size, size)  # of -1.0 and 1.0 it were float64 under NumPy's defaults


def _reached(cdf: Function, sf: Function, q: Any, rest: Any, rises: bool) -> Function:
    """Tell whether a quantile is reached: by the smaller one of the probabilities below and above, as the other has lost it."""
    small = q <= 0.5
    if rises:
        return lambda x: xp.where(small, cdf(x) >= q, sf(x) <= rest)
    return lambda x: xp.where(small, sf(x) <= q, cdf(x) >= rest)


def bisected(cdf: Function, sf: Function, q: Any, rest: Any, low: float, high: float, rises: bool) -> Any:
    """
    Find the least number at which `cdf` reaches q, or with `rises` false `sf` falls to it, in one loop of 32 turns.

    Between neighbours of float32 nothing is left to find: the error is that of `cdf` over the density, and a rounding. `rest` is 1 - q.
    """
    reached = _reached(cdf, sf, q, rest, rises)

    def turn(_: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        below, above = state
        middle = (below >> 1) + (above >> 1) + (below & above & 1)
        found = reached(_number(middle))
        return xp.where(found, below, middle), xp.where(found, middle, above)

    ends = [xp.full_like(q, _key(end), dtype=xp.int32) for end in (low, high)]
    return _number(xp.fori_loop(0, 32, turn, tuple(ends))[1])


def refined(near: Function, logpdf: Function, q: Any, start: Any, low: float, high: float, rises: bool) -> Any:
    """
    Go on from quantiles of float32; probabilities that these lack, and quantiles next to an end, are left to SciPy.

    `near` is `cdf`, or with `rises` false `sf`: its error over the density is that of the result.
    """
    inside = (q > 0) & (q < 1)
    plain = (start > low) & (start < high) & ((xp.abs(start) >= _TINY) | (low < 0))
    leave_unless(bool(xp.all(~inside | ((xp.minimum(q, 1.0 - q) >= _TINY) & plain))))
    x = xp.where(inside, xp.astype(start, q.dtype), start)
    for _ in range(_STEPS):
        reach = xp.minimum(x - low, high - x)
        apart = xp.minimum(xp.abs(x) * 2.0**-17 + 2.0**-40, reach * 2.0**-9)
        logs = [logpdf(x + side) for side in (-apart, apart)]
        step = (near(x) - q) * xp.exp(-(logs[0] + logs[1]) / 2.0)
        step = step if rises else -step
        bend = (logs[1] - logs[0]) / (4.0 * apart)
        far = xp.abs(step) > xp.minimum(xp.abs(x), reach) * 2.0**-19
        x = xp.clip(x - step / (1.0 - step * bend), (x + low) / 2.0, (x + high) / 2.0)
        if not bool(xp.any(far & inside & (xp.abs(step) > 2.0**-60))):
            return x
    raise LeftToScipyError


def bisected_integers(cdf: Function, sf: Function, q: Any, rest: Any, least: int, most: int) -> Any:
    """Find the least integer at which `cdf` reaches q, where `sf` falls to the rest; one before `least` for 0."""
    reached = _reached(cdf, sf, q, rest, rises=True)

    def turn(_: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        below, above = state
        middle = (below + above) >> 1
        found = reached(xp.astype(xp.maximum(middle, least), q.dtype)) & (middle >= least)
        return xp.where(found, below, middle), xp.where(found, middle, above)

    ends = [xp.full_like(q, end, dtype=xp.int32) for end in (least - 1, most)]
    found = xp.fori_loop(0, (most - least + 1).bit_length(), turn, tuple(ends))[1]
    return xp.astype(xp.where(q == 0, least - 1, found), q.dtype)
