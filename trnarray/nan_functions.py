"""Reductions that leave NaN out."""

from __future__ import annotations

from typing import Any

from ._array import Array
from ._reduction import NO_VALUE, reduce, reduce_deviations
from ._typing import ArrayLike, Axes, DTypeLike
from .backends.ops import statistical as ops

__all__ = ["nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar"]



def nansum(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Add elements up, NaN left out. See `numpy.nansum`."""
    return reduce(ops.nansum, a, axis, dtype, out, keepdims, initial, where)


def nanprod(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Multiply elements, NaN left out. See `numpy.nanprod`."""
    return reduce(ops.nanprod, a, axis, dtype, out, keepdims, initial, where)


def nanmax(
    a: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Find the largest element, NaN left out. See `numpy.nanmax`."""
    return reduce(ops.nanmax, a, axis, None, out, keepdims, initial, where)


def nanmin(
    a: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """Find the smallest element, NaN left out. See `numpy.nanmin`."""
    return reduce(ops.nanmin, a, axis, None, out, keepdims, initial, where)


def nanmean(
    a: ArrayLike,
    axis: Axes = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> Array:
    """Compute the mean, NaN left out. See `numpy.nanmean`."""
    return reduce(ops.nanmean, a, axis, dtype, out, keepdims, NO_VALUE, where)


def nanvar(
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
    """Compute the variance, NaN left out. See `numpy.nanvar`."""
    return reduce_deviations(ops.nanvar, a, axis, dtype, out, ddof, keepdims, where, mean, correction)


def nanstd(
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
    """Compute the standard deviation, NaN left out. See `numpy.nanstd`."""
    return reduce_deviations(ops.nanstd, a, axis, dtype, out, ddof, keepdims, where, mean, correction)
