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
    """
    Add elements up, NaN left out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    dtype : dtype, optional
        The dtype to compute in; by default the array's, or the default integer for narrower integers.
    out : Array, optional
        Where to write the result.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.
    initial : scalar, optional
        What to begin with; 0 by default.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    Array
        The sum; 0 of nothing but NaN.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.nansum([1.0, xp.nan, 2.0]))
    3.0
    """
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
    """
    Multiply elements, NaN left out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    dtype : dtype, optional
        The dtype to compute in; by default the array's, or the default integer for narrower integers.
    out : Array, optional
        Where to write the result.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.
    initial : scalar, optional
        What to begin with; 1 by default.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    Array
        The product; 1 of nothing but NaN.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.nanprod([1.0, xp.nan, 2.0]))
    2.0
    """
    return reduce(ops.nanprod, a, axis, dtype, out, keepdims, initial, where)


def nanmax(
    a: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """
    Find the largest element, NaN left out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    out : Array, optional
        Where to write the result.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.
    initial : scalar, optional
        The least result; arrays without elements need it.
    where : array_like of bool, optional
        Which elements to include; needs `initial`.

    Returns
    -------
    Array
        The largest element; NaN of nothing but NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.nanmax([1.0, xp.nan, 2.0]))
    2.0
    """
    return reduce(ops.nanmax, a, axis, None, out, keepdims, initial, where)


def nanmin(
    a: ArrayLike,
    axis: Axes = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
) -> Array:
    """
    Find the smallest element, NaN left out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    out : Array, optional
        Where to write the result.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.
    initial : scalar, optional
        The greatest result; arrays without elements need it.
    where : array_like of bool, optional
        Which elements to include; needs `initial`.

    Returns
    -------
    Array
        The smallest element; NaN of nothing but NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.nanmin([1.0, xp.nan, 2.0]))
    1.0
    """
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
    """
    Compute the mean, NaN left out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    dtype : dtype, optional
        The dtype to compute in; by default the array's, or the default float for integers.
    out : Array, optional
        Where to write the result.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    Array
        The mean; NaN of nothing but NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.nanmean([1.0, xp.nan, 2.0]))
    1.5
    """
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
    """
    Compute the variance, NaN left out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    dtype : dtype, optional
        The dtype to compute in; by default the array's, or the default float for integers.
    out : Array, optional
        Where to write the result.
    ddof : float, optional
        NumPy's name of `correction`.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.
    where : array_like of bool, optional
        Which elements to include.
    mean : Array, optional
        The mean if it is known, computed with ``keepdims=True``.
    correction : float, optional
        What to subtract from the number of elements in the divisor; 0 by default.

    Returns
    -------
    Array
        The variance; NaN where there are no more elements than `correction`.

    Raises
    ------
    ValueError
        If both `ddof` and `correction` are given.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.nanvar([1.0, xp.nan, 3.0]))
    1.0
    """
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
    """
    Compute the standard deviation, NaN left out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    dtype : dtype, optional
        The dtype to compute in; by default the array's, or the default float for integers.
    out : Array, optional
        Where to write the result.
    ddof : float, optional
        NumPy's name of `correction`.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.
    where : array_like of bool, optional
        Which elements to include.
    mean : Array, optional
        The mean if it is known, computed with ``keepdims=True``.
    correction : float, optional
        What to subtract from the number of elements in the divisor; 0 by default.

    Returns
    -------
    Array
        The standard deviation; NaN where there are no more elements than `correction`.

    Raises
    ------
    ValueError
        If both `ddof` and `correction` are given.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.nanstd([1.0, xp.nan, 3.0]))
    1.0
    """
    return reduce_deviations(ops.nanstd, a, axis, dtype, out, ddof, keepdims, where, mean, correction)
