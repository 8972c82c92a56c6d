"""Counting in bins, and correlation."""

from __future__ import annotations

from typing import Any

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._typing import ArrayLike, DTypeLike
from .backends.dtypes import canonical_dtype
from .backends.ops import statistical as ops

__all__ = ["bincount", "corrcoef", "cov", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def bincount(x: ArrayLike, /, weights: ArrayLike | None = None, minlength: int = 0) -> Array:
    """Count how often each integer occurs. See `numpy.bincount`."""
    return apply(ops.bincount, x, weights, minlength)


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Array:
    """Find the bin of each element. See `numpy.digitize`."""
    return apply(ops.digitize, x, bins, right)


def histogram_bin_edges(
    a: ArrayLike, bins: int | str | ArrayLike = 10, range: tuple[float, float] | None = None, weights: ArrayLike | None = None
) -> Array:
    """Compute the edges of a histogram's bins. See `numpy.histogram_bin_edges`."""
    return apply(ops.histogram_bin_edges, a, bins, range, weights)


def histogram(
    a: ArrayLike,
    bins: int | str | ArrayLike = 10,
    range: tuple[float, float] | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Count elements in bins. See `numpy.histogram`."""
    counts, edges = apply_for_tuple(ops.histogram, a, bins, range, density, weights)
    return counts, edges


def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Array, Array, Array]:
    """Count points of a plane in bins. See `numpy.histogram2d`."""
    counts, x_edges, y_edges = apply_for_tuple(ops.histogram2d, x, y, bins, range, density, weights)
    return counts, x_edges, y_edges


def histogramdd(
    sample: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Array, tuple[Array, ...]]:
    """Count points of a space in bins. See `numpy.histogramdd`."""
    counts, edges = Array._apply(ops.histogramdd, sample, bins, range, density, weights)
    return counts, edges


def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    *,
    dtype: DTypeLike = None,
) -> Array:
    """Estimate a covariance matrix. See `numpy.cov`."""
    keywords = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    return apply(ops.cov, m, y, rowvar, bias, ddof, fweights, aweights, **keywords)


def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike = None) -> Array:
    """Compute Pearson correlation coefficients. See `numpy.corrcoef`."""
    keywords = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    return apply(ops.corrcoef, x, y, rowvar, **keywords)
