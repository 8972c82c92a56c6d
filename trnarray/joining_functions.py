"""Joining arrays, and splitting them into views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._apply import apply, apply_for_list, apply_for_tuple
from ._array import Array
from ._typing import ArrayLike, DTypeLike
from .backends.dtypes import canonical_dtype
from .backends.op import Op
from .backends.ops import manipulation as ops

__all__ = [
    "array_split",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "split",
    "stack",
    "unstack",
    "vsplit",
    "vstack",
]



def concatenate(
    arrays: Sequence[ArrayLike],
    /,
    axis: int | None = 0,
    out: Array | None = None,
    *,
    dtype: DTypeLike = None,
    casting: str = "same_kind",
) -> Array:
    """Join arrays along an axis that they have. See `numpy.concatenate`."""
    if out is None and dtype is None and casting == "same_kind":
        return apply(ops.concatenate, arrays, axis)
    return _join(ops.concatenate, arrays, axis=axis, out=out, dtype=dtype, casting=casting)


def concat(
    arrays: Sequence[ArrayLike],
    /,
    axis: int | None = 0,
    out: Array | None = None,
    *,
    dtype: DTypeLike = None,
    casting: str = "same_kind",
) -> Array:
    """Join arrays along an axis that they have. See `numpy.concat`."""
    return concatenate(arrays, axis, out, dtype=dtype, casting=casting)


def stack(
    arrays: Sequence[ArrayLike],
    axis: int = 0,
    out: Array | None = None,
    *,
    dtype: DTypeLike = None,
    casting: str = "same_kind",
) -> Array:
    """Join arrays of one shape along a new axis. See `numpy.stack`."""
    return _join(ops.stack, arrays, axis=axis, out=out, dtype=dtype, casting=casting)


def vstack(tup: Sequence[ArrayLike], *, dtype: DTypeLike = None, casting: str = "same_kind") -> Array:
    """Join arrays along the first axis; one dimension is a row. See `numpy.vstack`."""
    return _join(ops.vstack, tup, dtype=dtype, casting=casting)


def hstack(tup: Sequence[ArrayLike], *, dtype: DTypeLike = None, casting: str = "same_kind") -> Array:
    """Join arrays along the second axis, or the only one. See `numpy.hstack`."""
    return _join(ops.hstack, tup, dtype=dtype, casting=casting)


def dstack(tup: Sequence[ArrayLike]) -> Array:
    """Join arrays along the third axis, which is made where there is none. See `numpy.dstack`."""
    return apply(ops.dstack, tup)


def column_stack(tup: Sequence[ArrayLike]) -> Array:
    """Join arrays along the second axis; one dimension is a column. See `numpy.column_stack`."""
    return apply(ops.column_stack, tup)


def block(arrays: Any) -> Array:
    """Put an array together from nested lists of blocks. See `numpy.block`."""
    return apply(ops.block, arrays)


def split(ary: ArrayLike, indices_or_sections: int | ArrayLike, axis: int = 0) -> list[Array]:
    """Split an array along an axis. See `numpy.split`."""
    return apply_for_list(ops.split, ary, indices_or_sections, axis)


def array_split(ary: ArrayLike, indices_or_sections: int | ArrayLike, axis: int = 0) -> list[Array]:
    """Split an array along an axis, into parts that may differ by 1 in length. See `numpy.array_split`."""
    return apply_for_list(ops.array_split, ary, indices_or_sections, axis)


def hsplit(ary: ArrayLike, indices_or_sections: int | ArrayLike) -> list[Array]:
    """Split an array along the second axis, or the only one. See `numpy.hsplit`."""
    return apply_for_list(ops.hsplit, ary, indices_or_sections)


def vsplit(ary: ArrayLike, indices_or_sections: int | ArrayLike) -> list[Array]:
    """Split an array of at least two dimensions along the first axis. See `numpy.vsplit`."""
    return apply_for_list(ops.vsplit, ary, indices_or_sections)


def dsplit(ary: ArrayLike, indices_or_sections: int | ArrayLike) -> list[Array]:
    """Split an array of at least three dimensions along the third axis. See `numpy.dsplit`."""
    return apply_for_list(ops.dsplit, ary, indices_or_sections)


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into its elements along an axis. See `numpy.unstack`."""
    return apply_for_tuple(ops.unstack, x, axis=axis)


def _join(op: Op, arrays: Sequence[ArrayLike], *, dtype: DTypeLike, **kwargs: Any) -> Array:
    """Pass on only what was asked for."""
    if dtype is not None:
        kwargs["dtype"] = canonical_dtype(dtype)
    return apply(op, arrays, **{key: value for key, value in kwargs.items() if value is not None})
