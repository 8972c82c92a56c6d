"""Peaks of signals: how many there are is the shape of the results, and is fetched; where they are, and what they are like, stays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, INT32
from ...ops.ufuncs import ufunc_op
from . import Lowerings
from .composition import Expression, Ops, compositions
from .op_calls import as_positions
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


Limits = tuple[Any, Any]


def _find_peaks(ops: Ops, x: Expression, *, height: Limits | None, threshold: Limits | None, plateau_size: Limits | None) -> Any:
    signal = ops.floats(x, wide=True)
    if ops.builder.promotion.default_float != signal.dtype == FLOAT32:
        signal = signal.astype(ops.builder.promotion.default_float)  # properties are of the dtype that SciPy computes in
    signal = extended(ops, signal, 0, max(0, 3 - signal.shape[0]), "constant")
    found = _Candidates(ops, signal)
    properties: dict[str, Expression] = {}
    if plateau_size is not None:
        properties |= {"plateau_sizes": found.right - found.left + 1, "left_edges": found.left, "right_edges": found.right}
        found.limit(plateau_size[0], properties["plateau_sizes"], plateau_size[1])
    if height is not None:
        properties["peak_heights"] = signal[1:-1]
        found.limit(height[0], signal[1:-1], height[1])
    if threshold is not None:
        tops = signal[1:-1]
        sides = [tops - ops("take", signal, found.middle + step) for step in (-1, 1)]
        properties |= dict(zip(("left_thresholds", "right_thresholds"), sides, strict=True))
        found.limit(threshold[0], ops("minimum", *sides), None)
        found.limit(None, ops("maximum", *sides), threshold[1])
    where = ops("flatnonzero", found.keep)

    def taken(values: Expression) -> Expression:
        some = ops("take", values, where)
        return Expression(ops, as_positions(ops.builder, some.value)) if some.dtype == INT32 else some

    return taken(found.middle), tuple(properties), tuple([taken(values) for values in properties.values()])


LOWERINGS: Final[Lowerings] = compositions({"scipy.signal.find_peaks": _find_peaks})
