"""Statistical functions: reductions along axes.

Low-precision floats accumulate in float32; integers narrower than the default integer are summed in that.
"""

from __future__ import annotations

from typing import Any

from ._apply import apply
from ._array import Array
from ._reduction import NO_VALUE, reduce, reduce_deviations
from ._typing import ArrayLike, Axes, DTypeLike
from .backends.ops import statistical as ops

__all__ = [
    "amax",
    "amin",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]



def sum(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Add elements up. See `numpy.sum`."""
    if dtype is None and out is None and keepdims is False and initial is NO_VALUE and where is True:
        return apply(ops.sum, a, axis)
    return reduce(ops.sum, a, axis, dtype, out, keepdims, initial, where)


def prod(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Multiply elements. See `numpy.prod`."""
    if dtype is None and out is None and keepdims is False and initial is NO_VALUE and where is True:
        return apply(ops.prod, a, axis)
    return reduce(ops.prod, a, axis, dtype, out, keepdims, initial, where)


def max(
    a: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Find the largest element. See `numpy.amax`."""
    if out is None and keepdims is False and initial is NO_VALUE and where is True:
        return apply(ops.max, a, axis)
    return reduce(ops.max, a, axis, None, out, keepdims, initial, where)


def min(
    a: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Find the smallest element. See `numpy.amin`."""
    if out is None and keepdims is False and initial is NO_VALUE and where is True:
        return apply(ops.min, a, axis)
    return reduce(ops.min, a, axis, None, out, keepdims, initial, where)


amax = max
amin = min


def ptp(a: ArrayLike, axis: Axes = None, out: Array | None = None, keepdims: bool = False) -> Array:
    """Find the difference of the largest and the smallest element. See `numpy.ptp`."""
    return reduce(ops.ptp, a, axis, None, out, keepdims)


def mean(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> Array:
    """Compute the mean. See `numpy.mean`."""
    if dtype is None and out is None and keepdims is False and where is True:
        return apply(ops.mean, a, axis)
    return reduce(ops.mean, a, axis, dtype, out, keepdims, NO_VALUE, where)


def var(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
    mean: Any = NO_VALUE,
    correction: float = NO_VALUE,
) -> Array:
    """Compute the variance. See `numpy.var`."""
    return reduce_deviations(ops.standard_var, a, axis, dtype, out, ddof, keepdims, where, mean, correction)


def std(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
    mean: Any = NO_VALUE,
    correction: float = NO_VALUE,
) -> Array:
    """Compute the standard deviation. See `numpy.std`."""
    return reduce_deviations(ops.standard_std, a, axis, dtype, out, ddof, keepdims, where, mean, correction)
