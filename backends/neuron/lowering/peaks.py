"""Peaks of signals: how many there are is the shape of the results, and is fetched; where they are, and what they are like, stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, INT32
from ...ops.ufuncs import ufunc_op
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .short_time import extended

__all__: list[str] = []

_LARGEST_SO_FAR: Final = ufunc_op(np.maximum, "accumulate").name


class _Candidates:
    """
    The samples after which a signal falls, and of which of them a peak ends there.

    A peak is a run of equal samples between lower ones. The last change at or before each sample, twice its index and one more where the
    signal rose, is the largest so far: it tells where the sample's run begins and whether that is above what was before.
    """

    def __init__(self, ops: Ops, x: Expression) -> None:
        count = x.shape[0]
        before, after = x[:-1], x[1:]
        begin = ops("arange", 1, count, 1, dtype=INT32)
        marks = begin * 2 + (after > before).astype(INT32)
        last = ops(_LARGEST_SO_FAR, ops("where", before == after, -1, marks))[:-1]
        self._ops, self._x = ops, x
        self.right = begin[:-1]
        self.left = ops("right_shift", last, 1)
        self.middle = ops("right_shift", self.left + self.right, 1)
        rose = ops("bitwise_and", last, 1) == 1
        self.keep = ops("logical_and", ops("logical_and", rose, last > 0), x[1:-1] > x[2:])

    def at(self, values: Expression) -> Expression:
        """Take values in the middle of runs."""
        return self._ops("take", values, self.middle)

    def limit(self, low: Any, values: Expression, high: Any) -> None:
        """Keep the candidates with values between limits, each of which may be None, a number, or an array with one for each sample."""
        for bound, compare, is_low in ((low, "less_equal", True), (high, "greater_equal", False)):
            if bound is None:
                continue
            if isinstance(bound, Expression) and bound.ndim:
                if bound.size != self._x.shape[0]:
                    raise ValueError(f"limits are {bound.size} in an array, for a signal of {self._x.shape[0]} samples; give one for each")
                bound = self.at(bound.reshape(-1))
            elif not isinstance(bound, Expression) and values.dtype == FLOAT32:
                bound = _rounded(float(bound), up=is_low)
            self.keep = self._ops("logical_and", self.keep, self._ops(compare, bound, values))


def _rounded(bound: float, up: bool) -> float:
    """Give the next number of single precision, which limits those of that precision as the bound does."""
    with np.errstate(over="ignore"):
        nearest = np.float32(bound)
    if (float(nearest) < bound) if up else (float(nearest) > bound):
        nearest = np.nextafter(nearest, np.float32(np.inf if up else -np.inf))
    return float(nearest)


def _limits(interval: Any) -> Sequence[Any]:
    """Read a condition: one limit, or two."""
    if isinstance(interval, Expression):
        return (interval[0], interval[1]) if interval.shape == (2,) else (interval, None)
    return interval if isinstance(interval, (list, tuple)) and len(interval) == 2 else (interval, None)


def _find_peaks(
    ops: Ops, x: Any, height: Any = None, threshold: Any = None, distance: Any = None, prominence: Any = None, width: Any = None,
    wlen: Any = None, rel_height: float = 0.5, plateau_size: Any = None,
) -> Any:  # fmt: skip
    del wlen, rel_height  # of prominences and widths
    signal = ops.floats(x)
    if ops.builder.promotion.default_float != FLOAT32:
        raise NotNativeError("SciPy compares peaks in float64, on the host")
    if signal.ndim != 1:
        raise ValueError(f"find_peaks takes a signal of one dimension, and this one has {signal.ndim}")
    if distance is not None and not distance >= 1:
        raise ValueError(f"distance is {distance}; it must be 1 or more")
    if not (distance is None and prominence is None and width is None) or signal.is_complex:
        raise NotNativeError("peaks that give way to others, and what they rise above, are found one after the other on the host")
    signal = extended(ops, signal, 0, max(0, 3 - signal.shape[0]), "constant")
    found = _Candidates(ops, signal)
    properties: dict[str, Expression] = {}
    if plateau_size is not None:
        low, high = _limits(plateau_size)
        properties |= {"plateau_sizes": found.right - found.left + 1, "left_edges": found.left, "right_edges": found.right}
        found.limit(low, properties["plateau_sizes"], high)
    if height is not None:
        low, high = _limits(height)
        properties["peak_heights"] = signal[1:-1]
        found.limit(low, signal[1:-1], high)
    if threshold is not None:
        low, high = _limits(threshold)
        tops = signal[1:-1]
        sides = [tops - ops("take", signal, found.middle + step) for step in (-1, 1)]
        properties |= dict(zip(("left_thresholds", "right_thresholds"), sides, strict=True))
        found.limit(low, ops("minimum", *sides), None)
        found.limit(None, ops("maximum", *sides), high)
    where = ops("flatnonzero", found.keep)
    peaks = ops("take", found.middle, where)
    return peaks, tuple(properties), tuple([ops("take", values, where) for values in properties.values()])


LOWERINGS: Final[Lowerings] = compositions(
    {
        "scipy.signal.find_peaks": _find_peaks,
    }
)
