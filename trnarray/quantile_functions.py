"""Averages and quantiles: weighted mean, median, percentiles."""

from __future__ import annotations

from typing import Any

from ._apply import apply
from ._array import Array
from ._reduction import reduce
from ._typing import ArrayLike, Axes
from .backends.op import Op
from .backends.ops import statistical as ops

__all__ = ["average", "median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]



def average(a: ArrayLike, axis: Axes = None, weights: ArrayLike | None = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    """Compute the weighted mean. See `numpy.average`."""
    return Array._apply(ops.average, a, axis, weights, returned, keepdims=keepdims)


def median(a: ArrayLike, axis: Axes = None, out: Array | None = None, overwrite_input: bool = False, keepdims: bool = False) -> Array:
    """Compute the median. See `numpy.median`."""
    return reduce(ops.median, a, axis, None, out, keepdims, overwrite_input=overwrite_input)


def nanmedian(a: ArrayLike, axis: Axes = None, out: Array | None = None, overwrite_input: bool = False, keepdims: bool = False) -> Array:
    """Compute the median, NaN left out. See `numpy.nanmedian`."""
    return reduce(ops.nanmedian, a, axis, None, out, keepdims, overwrite_input=overwrite_input)


def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Compute quantiles. See `numpy.quantile`."""
    return _quantile(ops.quantile, a, q, axis, out, overwrite_input, method, keepdims, weights)


def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Compute percentiles. See `numpy.percentile`."""
    return _quantile(ops.percentile, a, q, axis, out, overwrite_input, method, keepdims, weights)


def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Compute quantiles, NaN left out. See `numpy.nanquantile`."""
    return _quantile(ops.nanquantile, a, q, axis, out, overwrite_input, method, keepdims, weights)


def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Compute percentiles, NaN left out. See `numpy.nanpercentile`."""
    return _quantile(ops.nanpercentile, a, q, axis, out, overwrite_input, method, keepdims, weights)


def _quantile(
    op: Op,
    a: ArrayLike,
    q: ArrayLike,
    axis: Axes,
    out: Array | None,
    overwrite_input: bool,
    method: str,
    keepdims: bool,
    weights: ArrayLike | None,
) -> Array:
    keywords = {} if out is None else {"out": out}
    return apply(op, a, q, axis, overwrite_input=overwrite_input, method=method, keepdims=keepdims, weights=weights, **keywords)
