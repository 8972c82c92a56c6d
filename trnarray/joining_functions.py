"""Joining arrays, and splitting them into views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ._apply import apply, apply_for_list, apply_for_tuple
from ._array import Array
from ._array.parameters import document
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

_PARAMETERS: Final = {
    "arrays": "sequence of array_like: The arrays, of one shape except along `axis`.",
    "tup": "sequence of array_like: The arrays.",
    "axis": "int or None, optional: The axis; None flattens the arrays first.",
    "out": "Array, optional: Where to write the result.",
    "dtype": "dtype, optional: The result's dtype; by default the common one.",
    "casting": "{'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional: Which casts to it are allowed.",
}
_PARTS: Final = {
    "ary": "array_like: The array.",
    "indices_or_sections": (
        "int or sequence of int: The number of equal parts, or the places at which parts begin, except for the first."
    ),
    "axis": "int, optional: The axis.",
}
_documented: Final = document(_PARAMETERS)
_of_parts: Final = document(_PARTS)


@_documented
def concatenate(
    arrays: Sequence[ArrayLike],
    /,
    axis: int | None = 0,
    out: Array | None = None,
    *,
    dtype: DTypeLike = None,
    casting: str = "same_kind",
) -> Array:
    """
    Join arrays along an axis that they have.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.concatenate((xp.asarray([1, 2]), xp.asarray([3])))
    Array([1, 2, 3], dtype=int64, device='cpu')
    """
    if out is None and dtype is None and casting == "same_kind":
        return apply(ops.concatenate, arrays, axis)
    return _join(ops.concatenate, arrays, axis=axis, out=out, dtype=dtype, casting=casting)


@_documented
def concat(
    arrays: Sequence[ArrayLike],
    /,
    axis: int | None = 0,
    out: Array | None = None,
    *,
    dtype: DTypeLike = None,
    casting: str = "same_kind",
) -> Array:
    """
    Join arrays along an axis that they have.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.concat([xp.zeros((2, 3)), xp.ones((2, 1))], axis=1).shape
    (2, 4)
    """
    return concatenate(arrays, axis, out, dtype=dtype, casting=casting)


@document(
    _PARAMETERS | {"arrays": "sequence of array_like: The arrays.", "axis": "int, optional: The new axis's place in the result."}
)
def stack(
    arrays: Sequence[ArrayLike],
    axis: int = 0,
    out: Array | None = None,
    *,
    dtype: DTypeLike = None,
    casting: str = "same_kind",
) -> Array:
    """
    Join arrays of one shape along a new axis.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.stack([xp.zeros(3), xp.ones(3)], axis=-1).shape
    (3, 2)
    """
    return _join(ops.stack, arrays, axis=axis, out=out, dtype=dtype, casting=casting)


@_documented
def vstack(tup: Sequence[ArrayLike], *, dtype: DTypeLike = None, casting: str = "same_kind") -> Array:
    """
    Join arrays along the first axis; one dimension is a row.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.vstack([xp.zeros(3), xp.ones((2, 3))]).shape
    (3, 3)
    """
    return _join(ops.vstack, tup, dtype=dtype, casting=casting)


@_documented
def hstack(tup: Sequence[ArrayLike], *, dtype: DTypeLike = None, casting: str = "same_kind") -> Array:
    """
    Join arrays along the second axis, or the only one.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.hstack([xp.zeros((2, 3)), xp.ones((2, 1))]).shape
    (2, 4)
    """
    return _join(ops.hstack, tup, dtype=dtype, casting=casting)


@_documented
def dstack(tup: Sequence[ArrayLike]) -> Array:
    """
    Join arrays along the third axis, which is made where there is none.

    Returns
    -------
    Array
        The joined array, of at least three dimensions.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.dstack([xp.zeros((2, 3)), xp.ones((2, 3))]).shape
    (2, 3, 2)
    """
    return apply(ops.dstack, tup)


@_documented
def column_stack(tup: Sequence[ArrayLike]) -> Array:
    """
    Join arrays along the second axis; one dimension is a column.

    Returns
    -------
    Array
        The joined array, of two dimensions.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.column_stack([xp.zeros(3), xp.ones((3, 2))]).shape
    (3, 3)
    """
    return apply(ops.column_stack, tup)


def block(arrays: Any) -> Array:
    """
    Put an array together from nested lists of blocks.

    Parameters
    ----------
    arrays : nested list of array_like
        The innermost lists are joined along the last axis, the ones around them along the axis before, and so on.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.block([[xp.eye(2), xp.zeros((2, 1))], [xp.ones((1, 3))]]).shape
    (3, 3)
    """
    return apply(ops.block, arrays)


@_of_parts
def split(ary: ArrayLike, indices_or_sections: int | ArrayLike, axis: int = 0) -> list[Array]:
    """
    Split an array along an axis.

    Returns
    -------
    list of Array
        Views.

    Raises
    ------
    ValueError
        If equal parts are asked for and impossible.

    Examples
    --------
    >>> import trnarray as xp
    >>> [len(x) for x in xp.split(xp.arange(6), [1, 4])]
    [1, 3, 2]
    """
    return apply_for_list(ops.split, ary, indices_or_sections, axis)


@document(_PARTS | {"indices_or_sections": _PARTS["indices_or_sections"].replace("equal parts", "parts")})
def array_split(ary: ArrayLike, indices_or_sections: int | ArrayLike, axis: int = 0) -> list[Array]:
    """
    Split an array along an axis, into parts that may differ by 1 in length.

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import trnarray as xp
    >>> [len(x) for x in xp.array_split(xp.arange(8), 3)]
    [3, 3, 2]
    """
    return apply_for_list(ops.array_split, ary, indices_or_sections, axis)


@_of_parts
def hsplit(ary: ArrayLike, indices_or_sections: int | ArrayLike) -> list[Array]:
    """
    Split an array along the second axis, or the only one.

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import trnarray as xp
    >>> [x.shape for x in xp.hsplit(xp.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    return apply_for_list(ops.hsplit, ary, indices_or_sections)


@_of_parts
def vsplit(ary: ArrayLike, indices_or_sections: int | ArrayLike) -> list[Array]:
    """
    Split an array of at least two dimensions along the first axis.

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import trnarray as xp
    >>> [x.shape for x in xp.vsplit(xp.ones((3, 2)), [1])]
    [(1, 2), (2, 2)]
    """
    return apply_for_list(ops.vsplit, ary, indices_or_sections)


@_of_parts
def dsplit(ary: ArrayLike, indices_or_sections: int | ArrayLike) -> list[Array]:
    """
    Split an array of at least three dimensions along the third axis.

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import trnarray as xp
    >>> [x.shape for x in xp.dsplit(xp.ones((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    return apply_for_list(ops.dsplit, ary, indices_or_sections)


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """
    Split an array into its elements along an axis.

    Parameters
    ----------
    x : array_like
        The array.
    axis : int, optional
        The axis.

    Returns
    -------
    tuple of Array
        Views, of one dimension less.

    Examples
    --------
    >>> import trnarray as xp
    >>> [x.shape for x in xp.unstack(xp.ones((2, 3)), axis=1)]
    [(2,), (2,), (2,)]
    """
    return apply_for_tuple(ops.unstack, x, axis=axis)


def _join(op: Op, arrays: Sequence[ArrayLike], *, dtype: DTypeLike, **kwargs: Any) -> Array:
    """Pass on only what was asked for."""
    if dtype is not None:
        kwargs["dtype"] = canonical_dtype(dtype)
    return apply(op, arrays, **{key: value for key, value in kwargs.items() if value is not None})
