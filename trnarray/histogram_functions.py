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
    """
    Count how often each integer occurs.

    Parameters
    ----------
    x : array_like of int
        Integers that are not negative, in one dimension.
    weights : array_like, optional
        What each element counts; 1 by default.
    minlength : int, optional
        The least length of the result.

    Returns
    -------
    Array
        The count of each integer from 0.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.bincount([1, 3, 1])
    Array([0, 2, 0, 1], dtype=int64, device='cpu')
    """
    return apply(ops.bincount, x, weights, minlength)


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Array:
    """
    Find the bin of each element.

    Parameters
    ----------
    x : array_like
        The array.
    bins : array_like
        The edges, in ascending or descending order.
    right : bool, optional
        Whether a bin includes its right edge and not its left one.

    Returns
    -------
    Array
        The number of each element's bin; 0 is before the first edge.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.digitize([0.5, 1.0, 7.0], [0, 1, 2])
    Array([1, 2, 3], dtype=int64, device='cpu')
    """
    return apply(ops.digitize, x, bins, right)


def histogram_bin_edges(
    a: ArrayLike, bins: int | str | ArrayLike = 10, range: tuple[float, float] | None = None, weights: ArrayLike | None = None
) -> Array:
    """
    Compute the edges of a histogram's bins.

    Parameters
    ----------
    a : array_like
        The array.
    bins : int, str or array_like, optional
        Their number, the name of a rule for it ('auto', 'fd', 'doane', 'scott', 'stone', 'rice', 'sturges', 'sqrt'), or the
        edges.
    range : pair of float, optional
        The outer edges; those of the data by default.
    weights : array_like, optional
        What each element counts.

    Returns
    -------
    Array
        The edges.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.histogram_bin_edges([0.0, 4.0], bins=2)
    Array([0., 2., 4.], dtype=float64, device='cpu')
    """
    return apply(ops.histogram_bin_edges, a, bins, range, weights)


def histogram(
    a: ArrayLike,
    bins: int | str | ArrayLike = 10,
    range: tuple[float, float] | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """
    Count elements in bins.

    Parameters
    ----------
    a : array_like
        The array, which is flattened.
    bins : int, str or array_like, optional
        Their number, the name of a rule for it as in `histogram_bin_edges`, or the edges.
    range : pair of float, optional
        The outer edges; those of the data by default.
    density : bool, optional
        Whether to give the probability density and not the counts.
    weights : array_like, optional
        What each element counts; 1 by default.

    Returns
    -------
    tuple of Array
        The counts, and the edges. The last bin includes its right edge.

    Examples
    --------
    >>> import trnarray as xp
    >>> counts, edges = xp.histogram([0.0, 1.0, 4.0], bins=2)
    >>> counts
    Array([2, 1], dtype=int64, device='cpu')
    """
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
    """
    Count points of a plane in bins.

    Parameters
    ----------
    x, y : array_like
        The coordinates, in one dimension.
    bins : int, array_like or pair of them, optional
        The number of bins or their edges, for both axes or for each.
    range : pair of pairs of float, optional
        The outer edges of each axis; those of the data by default.
    density : bool, optional
        Whether to give the probability density and not the counts.
    weights : array_like, optional
        What each point counts; 1 by default.

    Returns
    -------
    tuple of Array
        The counts, the edges along x, and the edges along y.

    Examples
    --------
    >>> import trnarray as xp
    >>> counts, _, _ = xp.histogram2d([0.0, 1.0], [0.0, 1.0], bins=2)
    >>> counts.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    counts, x_edges, y_edges = apply_for_tuple(ops.histogram2d, x, y, bins, range, density, weights)
    return counts, x_edges, y_edges


def histogramdd(
    sample: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Array, tuple[Array, ...]]:
    """
    Count points of a space in bins.

    Parameters
    ----------
    sample : array_like
        The points, one in each row; or a sequence of arrays, one for each coordinate.
    bins : int or sequence, optional
        The number of bins or their edges, for all axes or for each.
    range : sequence of pairs of float, optional
        The outer edges of each axis; those of the data by default.
    density : bool, optional
        Whether to give the probability density and not the counts.
    weights : array_like, optional
        What each point counts; 1 by default.

    Returns
    -------
    tuple of Array and tuple of Array
        The counts, and the edges along each axis.

    Examples
    --------
    >>> import trnarray as xp
    >>> counts, edges = xp.histogramdd(xp.zeros((5, 3)), bins=2)
    >>> counts.shape
    (2, 2, 2)
    """
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
    """
    Estimate a covariance matrix.

    Parameters
    ----------
    m : array_like
        The variables, of at most two dimensions.
    y : array_like, optional
        More variables.
    rowvar : bool, optional
        Whether each row is a variable and not an observation.
    bias : bool, optional
        Whether to divide by the number of observations and not by one less.
    ddof : int, optional
        What to subtract from that number, in place of `bias`.
    fweights : array_like of int, optional
        How often each observation counts.
    aweights : array_like, optional
        How important each observation is.
    dtype : dtype, optional
        The result's dtype; float64 or complex128 by default.

    Returns
    -------
    Array
        The covariance matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.cov([[1.0, 3.0], [2.0, 6.0]]).tolist()
    [[2.0, 4.0], [4.0, 8.0]]
    """
    keywords = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    return apply(ops.cov, m, y, rowvar, bias, ddof, fweights, aweights, **keywords)


def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike = None) -> Array:
    """
    Compute Pearson correlation coefficients.

    Parameters
    ----------
    x : array_like
        The variables, of at most two dimensions.
    y : array_like, optional
        More variables.
    rowvar : bool, optional
        Whether each row is a variable and not an observation.
    dtype : dtype, optional
        The result's dtype; float64 or complex128 by default.

    Returns
    -------
    Array
        The correlation matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.corrcoef([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]).round().tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    keywords = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    return apply(ops.corrcoef, x, y, rowvar, **keywords)
