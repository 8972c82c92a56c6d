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
    """
    Add elements up.

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
        The sum.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.sum(xp.asarray([[1, 2], [3, 4]]), axis=0)
    Array([4, 6], dtype=int64, device='cpu')
    """
    if dtype is None and out is None and not keepdims and initial is NO_VALUE and where is True:
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
    """
    Multiply elements.

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
        The product.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.prod(xp.asarray([[1, 2], [3, 4]]), axis=0)
    Array([3, 8], dtype=int64, device='cpu')
    """
    if dtype is None and out is None and not keepdims and initial is NO_VALUE and where is True:
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
    """
    Find the largest element.

    Parameters
    ----------
    a : array_like
        The array; NaN counts as the largest.
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
        The largest element.

    Raises
    ------
    ValueError
        If there are no elements and no `initial`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.max(xp.asarray([[1, 2], [3, 0]]), axis=1)
    Array([2, 3], dtype=int64, device='cpu')
    """
    if out is None and not keepdims and initial is NO_VALUE and where is True:
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
    """
    Find the smallest element.

    Parameters
    ----------
    a : array_like
        The array; NaN counts as the smallest.
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
        The smallest element.

    Raises
    ------
    ValueError
        If there are no elements and no `initial`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.min(xp.asarray([[1, 2], [3, 0]]), axis=1)
    Array([1, 0], dtype=int64, device='cpu')
    """
    if out is None and not keepdims and initial is NO_VALUE and where is True:
        return apply(ops.min, a, axis)
    return reduce(ops.min, a, axis, None, out, keepdims, initial, where)


amax = max
amin = min


def ptp(a: ArrayLike, axis: Axes = None, out: Array | None = None, keepdims: bool = False) -> Array:
    """
    Find the difference of the largest and the smallest element.

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

    Returns
    -------
    Array
        The range of values.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.ptp([[1, 5], [3, 4]], axis=1)
    Array([4, 1], dtype=int64, device='cpu')
    """
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
    """
    Compute the mean.

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
        The mean; NaN of no elements, with a RuntimeWarning.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.mean(xp.asarray([[1, 2], [3, 4]]), axis=0)
    Array([2., 3.], dtype=float64, device='cpu')
    """
    if dtype is None and out is None and not keepdims and where is True:
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
    """
    Compute the variance.

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
        What to subtract from the number of elements in the divisor: 1 for the unbiased estimate; 0 by default.

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
    >>> float(xp.var(xp.asarray([1.0, 2.0, 3.0]), correction=1))
    1.0
    """
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
    """
    Compute the standard deviation.

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
        What to subtract from the number of elements in the divisor: 1 for the unbiased variance; 0 by default.

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
    >>> float(xp.std(xp.asarray([1.0, 3.0])))
    1.0
    """
    return reduce_deviations(ops.standard_std, a, axis, dtype, out, ddof, keepdims, where, mean, correction)
