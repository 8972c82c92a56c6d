"""Searching functions: where extrema are, what is not zero, places in sorted arrays, choices by a condition."""

from __future__ import annotations

from typing import Final, Literal

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._array.parameters import document
from ._operand import as_operand, as_operands
from ._reduction import PARAMETERS
from ._typing import ArrayLike, Axes
from .backends.op import Op
from .backends.ops import elementwise
from .backends.ops import searching as ops

__all__ = [
    "argmax",
    "argmin",
    "argwhere",
    "count_nonzero",
    "flatnonzero",
    "nanargmax",
    "nanargmin",
    "nonzero",
    "searchsorted",
    "where",
]

_INDEX: Final = PARAMETERS | {"axis": "int, optional: The axis; by default the index is that in the flattened array."}


@document(_INDEX | {"a": "array_like: The array; NaN counts as the largest."})
def argmax(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """
    Find the index of the largest element.

    Returns
    -------
    Array
        The index of the first of the largest elements.

    Examples
    --------
    >>> import trnarray as xp
    >>> int(xp.argmax(xp.asarray([1, 3, 2])))
    1
    """
    return _extremum(ops.argmax, a, axis, out, keepdims)


@document(_INDEX | {"a": "array_like: The array; NaN counts as the smallest."})
def argmin(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """
    Find the index of the smallest element.

    Returns
    -------
    Array
        The index of the first of the smallest elements.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.argmin([[3, 1], [4, 5]], axis=1)
    Array([1, 0], dtype=int64, device='cpu')
    """
    return _extremum(ops.argmin, a, axis, out, keepdims)


@document(_INDEX)
def nanargmax(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """
    Find the index of the largest element, NaN left out.

    Returns
    -------
    Array
        The index.

    Raises
    ------
    ValueError
        If a slice is all NaN.

    Examples
    --------
    >>> import trnarray as xp
    >>> int(xp.nanargmax([1.0, xp.nan, 2.0]))
    2
    """
    return _extremum(ops.nanargmax, a, axis, out, keepdims)


@document(_INDEX)
def nanargmin(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """
    Find the index of the smallest element, NaN left out.

    Returns
    -------
    Array
        The index.

    Raises
    ------
    ValueError
        If a slice is all NaN.

    Examples
    --------
    >>> import trnarray as xp
    >>> int(xp.nanargmin([xp.nan, 3.0, 2.0]))
    2
    """
    return _extremum(ops.nanargmin, a, axis, out, keepdims)


def count_nonzero(a: ArrayLike, axis: Axes = None, *, keepdims: bool = False) -> Array:
    """
    Count the elements that are not zero.

    Parameters
    ----------
    a : array_like
        The array; NaN is not zero.
    axis : int or tuple of int, optional
        The axes to count along; all by default.
    keepdims : bool, optional
        Whether to keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The counts.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.count_nonzero([[0, 1], [2, 3]], axis=0)
    Array([1, 2], dtype=int64, device='cpu')
    """
    return apply(ops.count_nonzero, a, axis=axis, keepdims=keepdims)


def nonzero(a: ArrayLike) -> tuple[Array, ...]:
    """
    Find the elements that are not zero.

    Parameters
    ----------
    a : array_like
        The array, of at least one dimension.

    Returns
    -------
    tuple of Array
        Their indices along each axis.

    Raises
    ------
    ValueError
        If the array is 0-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.nonzero(xp.asarray([0, 3, 0, 4]))
    (Array([1, 3], dtype=int64, device='cpu'),)
    """
    return apply_for_tuple(ops.nonzero, a)


def argwhere(a: ArrayLike) -> Array:
    """
    Find the elements that are not zero.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    Array
        Their indices, one row for each element.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.argwhere([[0, 1], [0, 2]]).tolist()
    [[0, 1], [1, 1]]
    """
    return apply(ops.argwhere, a)


def flatnonzero(a: ArrayLike) -> Array:
    """
    Find the elements of the flattened array that are not zero.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    Array
        Their indices.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.flatnonzero([[0, 1], [0, 2]])
    Array([1, 3], dtype=int64, device='cpu')
    """
    return apply(ops.flatnonzero, a)


def searchsorted(a: ArrayLike, v: ArrayLike, side: Literal["left", "right"] = "left", sorter: ArrayLike | None = None) -> Array:
    """
    Find where elements belong in a sorted array.

    Parameters
    ----------
    a : array_like
        The sorted array, or the one that `sorter` sorts; of one dimension.
    v : array_like
        The elements.
    side : {'left', 'right'}, optional
        Before or after the elements that are equal.
    sorter : array_like of int, optional
        Indices that sort `a`.

    Returns
    -------
    Array
        The index at which each element keeps the order.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.searchsorted(xp.asarray([1, 3, 5]), xp.asarray([0, 3, 9]))
    Array([0, 1, 3], dtype=int64, device='cpu')
    """
    a, v, sorter = as_operands(a, v, sorter)
    return apply(ops.searchsorted, as_operand(a, v), v, side=side, sorter=sorter)


def where(condition: ArrayLike, x: ArrayLike | None = None, y: ArrayLike | None = None, /) -> Array | tuple[Array, ...]:
    """
    Choose each element from one of two arrays.

    Parameters
    ----------
    condition : array_like of bool
        Where it holds, the element is that of `x`.
    x, y : array_like, optional
        The arrays, of which both broadcast against the condition. Without them the result is ``nonzero(condition)``.

    Returns
    -------
    Array or tuple of Array
        The chosen elements.

    Raises
    ------
    ValueError
        If only one of `x` and `y` is given.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([1.0, -2.0, 3.0])
    >>> xp.where(x > 0, x, 0)
    Array([1., 0., 3.], dtype=float64, device='cpu')
    """
    if x is None and y is None:
        return apply_for_tuple(ops.where, condition)
    if x is None or y is None:
        raise ValueError("where() takes both x and y, or neither; give the one that is missing")
    if type(condition) is Array and condition._value.dtype.kind != "b":  # the result's dtype is that of x and y alone
        condition = apply(elementwise.not_equal, condition, 0)
    return apply(ops.where, condition, x, y)


def _extremum(op: Op, a: ArrayLike, axis: int | None, out: Array | None, keepdims: bool) -> Array:
    if out is None and keepdims is False:
        return apply(op, a, axis)
    if out is None:
        return apply(op, a, axis, keepdims=keepdims)
    return apply(op, a, axis, out=out, keepdims=keepdims)
