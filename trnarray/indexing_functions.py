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
    """Take elements by their indices along an axis. See `numpy.take`."""
    if out is None and mode == "raise":
        return apply(ops.take, a, indices, axis)
    return apply(ops.take, a, indices, axis, out=out, mode=mode)


def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: int | None = -1) -> Array:
    """
    Take elements by indices that differ from row to row, as `argsort` gives them.

    See `numpy.take_along_axis`.
    """
    return apply(ops.take_along_axis, *as_operands(arr, indices), axis=axis)


def compress(condition: ArrayLike, a: ArrayLike, axis: int | None = None, out: Array | None = None) -> Array:
    """Take the slices along an axis for which a condition holds. See `numpy.compress`."""
    if out is None:
        return apply(ops.compress, condition, a, axis)
    return apply(ops.compress, condition, a, axis, out=out)


def extract(condition: ArrayLike, arr: ArrayLike) -> Array:
    """Take the elements for which a condition holds. See `numpy.extract`."""
    return apply(ops.extract, condition, arr)


def choose(
    a: ArrayLike, choices: Sequence[ArrayLike] | Array, out: Array | None = None, mode: Literal["raise", "wrap", "clip"] = "raise"
) -> Array:
    """Choose each element from one of several arrays. See `numpy.choose`."""
    if out is None:
        return apply(ops.choose, a, choices, mode=mode)
    return apply(ops.choose, a, choices, out=out, mode=mode)


def select(condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0) -> Array:
    """Choose each element by the first condition that holds. See `numpy.select`."""
    return apply(ops.select, condlist, choicelist, default)


def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Give the diagonal of an array. See `numpy.diagonal`."""
    return apply(ops.diagonal, a, offset, axis1, axis2)


def put(a: Array, ind: ArrayLike, v: ArrayLike, mode: Literal["raise", "wrap", "clip"] = "raise") -> None:
    """Write elements by their indices in the flattened array. See `numpy.put`."""
    apply(ops.put, a, ind, v, mode)


def put_along_axis(arr: Array, indices: ArrayLike, values: ArrayLike, axis: int | None) -> None:
    """Write elements by indices that differ from row to row. See `numpy.put_along_axis`."""
    apply(ops.put_along_axis, arr, as_operand(indices, arr), values, axis)


def putmask(a: Array, /, mask: ArrayLike, values: ArrayLike) -> None:
    """Write the elements at which a mask holds, each with the value at its own position. See `numpy.putmask`."""
    apply(ops.putmask, a, mask, values)


def place(arr: Array, mask: ArrayLike, vals: ArrayLike) -> None:
    """Write the elements at which a mask holds with values taken one after the other. See `numpy.place`."""
    apply(ops.place, arr, mask, vals)


def fill_diagonal(a: Array, val: ArrayLike, wrap: bool = False) -> None:
    """Write the main diagonal. See `numpy.fill_diagonal`."""
    apply(ops.fill_diagonal, a, val, wrap)


def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Make an open mesh of indices: ``x[ix_(rows, columns)]`` is all pairs of them. See `numpy.ix_`."""
    return apply_for_tuple(ops.ix_, *args)


def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """Give the indices of the main diagonal. See `numpy.diag_indices_from`."""
    return apply_for_tuple(ops.diag_indices_from, arr)


def unravel_index(indices: ArrayLike, shape: Shape, order: Literal["C", "F"] = "C") -> tuple[Array, ...]:
    """Turn indices in a flattened array into indices along each axis. See `numpy.unravel_index`."""
    return apply_for_tuple(ops.unravel_index, indices, shape, order)


def ravel_multi_index(multi_index: Any, dims: Shape, mode: Any = "raise", order: Literal["C", "F"] = "C") -> Array:
    """Turn indices along each axis into indices in the flattened array. See `numpy.ravel_multi_index`."""
    return apply(ops.ravel_multi_index, multi_index, dims, mode, order)
