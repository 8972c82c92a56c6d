"""Searching functions: where extrema are, what is not zero, places in sorted arrays, choices by a condition."""

from __future__ import annotations

from typing import Literal

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._operand import as_operand, as_operands
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



def argmax(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """Find the index of the largest element. See `numpy.argmax`."""
    return _extremum(ops.argmax, a, axis, out, keepdims)


def argmin(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """Find the index of the smallest element. See `numpy.argmin`."""
    return _extremum(ops.argmin, a, axis, out, keepdims)


def nanargmax(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """Find the index of the largest element, NaN left out. See `numpy.nanargmax`."""
    return _extremum(ops.nanargmax, a, axis, out, keepdims)


def nanargmin(a: ArrayLike, axis: int | None = None, out: Array | None = None, *, keepdims: bool = False) -> Array:
    """Find the index of the smallest element, NaN left out. See `numpy.nanargmin`."""
    return _extremum(ops.nanargmin, a, axis, out, keepdims)


def count_nonzero(a: ArrayLike, axis: Axes = None, *, keepdims: bool = False) -> Array:
    """Count the elements that are not zero. See `numpy.count_nonzero`."""
    return apply(ops.count_nonzero, a, axis=axis, keepdims=keepdims)


def nonzero(a: ArrayLike) -> tuple[Array, ...]:
    """Find the elements that are not zero. See `numpy.nonzero`."""
    return apply_for_tuple(ops.nonzero, a)


def argwhere(a: ArrayLike) -> Array:
    """Find the elements that are not zero. See `numpy.argwhere`."""
    return apply(ops.argwhere, a)


def flatnonzero(a: ArrayLike) -> Array:
    """Find the elements of the flattened array that are not zero. See `numpy.flatnonzero`."""
    return apply(ops.flatnonzero, a)


def searchsorted(a: ArrayLike, v: ArrayLike, side: Literal["left", "right"] = "left", sorter: ArrayLike | None = None) -> Array:
    """Find where elements belong in a sorted array. See `numpy.searchsorted`."""
    a, v, sorter = as_operands(a, v, sorter)
    return apply(ops.searchsorted, as_operand(a, v), v, side=side, sorter=sorter)


def where(condition: ArrayLike, x: ArrayLike | None = None, y: ArrayLike | None = None, /) -> Array | tuple[Array, ...]:
    """Choose each element from one of two arrays. See `numpy.where`."""
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
