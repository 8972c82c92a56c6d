"""Indexing functions: elements by position, writes to selected elements, and the positions themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._operand import as_operand, as_operands
from ._typing import ArrayLike, Shape
from .backends.ops import selection as ops

__all__ = [
    "choose",
    "compress",
    "diag_indices_from",
    "diagonal",
    "extract",
    "fill_diagonal",
    "ix_",
    "place",
    "put",
    "put_along_axis",
    "putmask",
    "ravel_multi_index",
    "select",
    "take",
    "take_along_axis",
    "unravel_index",
]


def take(
    a: ArrayLike, indices: ArrayLike, axis: int | None = None, out: Array | None = None, mode: Literal["raise", "wrap", "clip"] = "raise"
) -> Array:
    """
    Take elements by their indices along an axis.

    Parameters
    ----------
    a : array_like
        The array.
    indices : array_like of int
        The indices, of any shape.
    axis : int, optional
        The axis; by default the array is flattened.
    out : Array, optional
        Where to write the result.
    mode : {'raise', 'wrap', 'clip'}, optional
        What becomes of indices out of bounds: an IndexError, the remainder by the length, or the nearest in bounds.

    Returns
    -------
    Array
        The elements; the shape of `indices` stands in the place of the axis.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.take(xp.asarray([4.0, 5.0, 6.0]), xp.asarray([2, 0]))
    Array([6., 4.], dtype=float64, device='cpu')
    """
    if out is None and mode == "raise":
        return apply(ops.take, a, indices, axis)
    return apply(ops.take, a, indices, axis, out=out, mode=mode)


def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: int | None = -1) -> Array:
    """
    Take elements by indices that differ from row to row, as `argsort` gives them.

    Parameters
    ----------
    arr : array_like
        The array.
    indices : array_like of int
        The indices, of as many dimensions; the others broadcast.
    axis : int or None, optional
        The axis that is indexed; None flattens the array.

    Returns
    -------
    Array
        The elements, in the shape of `indices`.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([[3, 1], [4, 5]])
    >>> xp.take_along_axis(x, xp.argmin(x, axis=1, keepdims=True), axis=1).shape
    (2, 1)
    """
    return apply(ops.take_along_axis, *as_operands(arr, indices), axis=axis)


def compress(condition: ArrayLike, a: ArrayLike, axis: int | None = None, out: Array | None = None) -> Array:
    """
    Take the slices along an axis for which a condition holds.

    Parameters
    ----------
    condition : array_like of bool
        One value for each slice; a shorter one leaves the rest out.
    a : array_like
        The array.
    axis : int, optional
        The axis; by default the array is flattened.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        A copy of these slices.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.compress([True, False, True], xp.arange(3))
    Array([0, 2], dtype=int64, device='cpu')
    """
    if out is None:
        return apply(ops.compress, condition, a, axis)
    return apply(ops.compress, condition, a, axis, out=out)


def extract(condition: ArrayLike, arr: ArrayLike) -> Array:
    """
    Take the elements for which a condition holds.

    Parameters
    ----------
    condition : array_like
        The condition.
    arr : array_like
        The array, of the same size.

    Returns
    -------
    Array
        The elements, in one dimension.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(6)
    >>> xp.extract(x % 2 == 1, x)
    Array([1, 3, 5], dtype=int64, device='cpu')
    """
    return apply(ops.extract, condition, arr)


def choose(
    a: ArrayLike, choices: Sequence[ArrayLike] | Array, out: Array | None = None, mode: Literal["raise", "wrap", "clip"] = "raise"
) -> Array:
    """
    Choose each element from one of several arrays.

    Parameters
    ----------
    a : array_like of int
        Which of the arrays, for each element.
    choices : sequence of array_like
        The arrays; all broadcast against `a`.
    out : Array, optional
        Where to write the result.
    mode : {'raise', 'wrap', 'clip'}, optional
        What becomes of numbers out of range: a ValueError, the remainder, or the nearest in range.

    Returns
    -------
    Array
        The chosen elements.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.choose([1, 0], [[1, 2], [10, 20]])
    Array([10,  2], dtype=int64, device='cpu')
    """
    if out is None:
        return apply(ops.choose, a, choices, mode=mode)
    return apply(ops.choose, a, choices, out=out, mode=mode)


def select(condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0) -> Array:
    """
    Choose each element by the first condition that holds.

    Parameters
    ----------
    condlist : sequence of array_like of bool
        The conditions.
    choicelist : sequence of array_like
        The arrays to choose from, one for each condition.
    default : array_like, optional
        The element where no condition holds.

    Returns
    -------
    Array
        The chosen elements.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(4)
    >>> xp.select([x < 1, x > 2], [x, x * 10], 7)
    Array([ 0,  7,  7, 30], dtype=int64, device='cpu')
    """
    return apply(ops.select, condlist, choicelist, default)


def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """
    Give the diagonal of an array.

    Parameters
    ----------
    a : array_like
        The array, of at least two dimensions.
    offset : int, optional
        Which diagonal: above the main one if positive, below if negative.
    axis1, axis2 : int, optional
        The axes of the matrices whose diagonals are meant.

    Returns
    -------
    Array
        A read-only view; the diagonal is the last axis.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.diagonal([[1, 2], [3, 4]])
    Array([1, 4], dtype=int64, device='cpu')
    """
    return apply(ops.diagonal, a, offset, axis1, axis2)


def put(a: Array, ind: ArrayLike, v: ArrayLike, mode: Literal["raise", "wrap", "clip"] = "raise") -> None:
    """
    Write elements by their indices in the flattened array.

    Parameters
    ----------
    a : Array
        The array to write to.
    ind : array_like of int
        The indices.
    v : array_like
        The values, repeated as often as needed.
    mode : {'raise', 'wrap', 'clip'}, optional
        What becomes of indices out of bounds: an IndexError, the remainder by the size, or the nearest in bounds.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(4)
    >>> xp.put(x, [0, -1], 9)
    >>> x
    Array([9, 1, 2, 9], dtype=int64, device='cpu')
    """
    apply(ops.put, a, ind, v, mode)


def put_along_axis(arr: Array, indices: ArrayLike, values: ArrayLike, axis: int | None) -> None:
    """
    Write elements by indices that differ from row to row.

    Parameters
    ----------
    arr : Array
        The array to write to.
    indices : array_like of int
        The indices, of as many dimensions.
    values : array_like
        The values, broadcast to the shape of `indices`.
    axis : int or None
        The axis that is indexed; None is the flattened array.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([[3, 1], [4, 5]])
    >>> xp.put_along_axis(x, xp.argmax(x, axis=1, keepdims=True), 0, axis=1)
    >>> x.tolist()
    [[0, 1], [4, 0]]
    """
    apply(ops.put_along_axis, arr, as_operand(indices, arr), values, axis)


def putmask(a: Array, /, mask: ArrayLike, values: ArrayLike) -> None:
    """
    Write the elements at which a mask holds, each with the value at its own position.

    Parameters
    ----------
    a : Array
        The array to write to.
    mask : array_like of bool
        The mask, of the same shape.
    values : array_like
        The values, repeated to the array's size.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(4)
    >>> xp.putmask(x, x > 1, x * 10)
    >>> x
    Array([ 0,  1, 20, 30], dtype=int64, device='cpu')
    """
    apply(ops.putmask, a, mask, values)


def place(arr: Array, mask: ArrayLike, vals: ArrayLike) -> None:
    """
    Write the elements at which a mask holds with values taken one after the other.

    Parameters
    ----------
    arr : Array
        The array to write to.
    mask : array_like of bool
        The mask, of the same size.
    vals : array_like
        The values, repeated as often as needed.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(4)
    >>> xp.place(x, x > 1, [7, 8])
    >>> x
    Array([0, 1, 7, 8], dtype=int64, device='cpu')
    """
    apply(ops.place, arr, mask, vals)


def fill_diagonal(a: Array, val: ArrayLike, wrap: bool = False) -> None:
    """
    Write the main diagonal.

    Parameters
    ----------
    a : Array
        The array to write to, of at least two dimensions.
    val : array_like
        The values, repeated as often as needed.
    wrap : bool, optional
        Whether the diagonal of a tall matrix begins again after each row of columns.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.zeros((2, 2))
    >>> xp.fill_diagonal(x, [1, 2])
    >>> x.tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    apply(ops.fill_diagonal, a, val, wrap)


def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """
    Make an open mesh of indices: ``x[ix_(rows, columns)]`` is all pairs of them.

    Parameters
    ----------
    *args : array_like of int or bool
        The indices along each axis.

    Returns
    -------
    tuple of Array
        The indices, each along its own axis.

    Examples
    --------
    >>> import trnarray as xp
    >>> [x.shape for x in xp.ix_([0, 2], [1, 2, 3])]
    [(2, 1), (1, 3)]
    """
    return apply_for_tuple(ops.ix_, *args)


def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """
    Give the indices of the main diagonal.

    Parameters
    ----------
    arr : array_like
        An array of at least two dimensions of one length.

    Returns
    -------
    tuple of Array
        The indices along each axis.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.diag_indices_from(xp.ones((2, 2)))[0]
    Array([0, 1], dtype=int64, device='cpu')
    """
    return apply_for_tuple(ops.diag_indices_from, arr)


def unravel_index(indices: ArrayLike, shape: Shape, order: Literal["C", "F"] = "C") -> tuple[Array, ...]:
    """
    Turn indices in a flattened array into indices along each axis.

    Parameters
    ----------
    indices : array_like of int
        The indices.
    shape : int or sequence of int
        The array's shape.
    order : {'C', 'F'}, optional
        Whether the last index runs fastest, or the first.

    Returns
    -------
    tuple of Array
        The indices along each axis.

    Examples
    --------
    >>> import trnarray as xp
    >>> [int(i) for i in xp.unravel_index(5, (2, 3))]
    [1, 2]
    """
    return apply_for_tuple(ops.unravel_index, indices, shape, order)


def ravel_multi_index(multi_index: Any, dims: Shape, mode: Any = "raise", order: Literal["C", "F"] = "C") -> Array:
    """
    Turn indices along each axis into indices in the flattened array.

    Parameters
    ----------
    multi_index : tuple of array_like of int
        The indices along each axis.
    dims : int or sequence of int
        The array's shape.
    mode : {'raise', 'wrap', 'clip'} or tuple of them, optional
        What becomes of indices out of bounds: a ValueError, the remainder by the length, or the nearest in bounds.
    order : {'C', 'F'}, optional
        Whether the last index runs fastest, or the first.

    Returns
    -------
    Array
        The indices.

    Examples
    --------
    >>> import trnarray as xp
    >>> int(xp.ravel_multi_index((1, 2), (2, 3)))
    5
    """
    return apply(ops.ravel_multi_index, multi_index, dims, mode, order)
