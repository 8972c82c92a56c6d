"""Linear algebra functions of the main namespace: products of arrays, and the trace.

`matmul`, `vecdot`, `matvec` and `vecmat` are ufuncs and live with the elementwise functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._apply import apply
from ._array import Array
from ._typing import ArrayLike, DTypeLike
from .backends.contraction.labels import is_view, with_listed_labels
from .backends.dtypes import canonical_dtype
from .backends.ops import linalg as ops

__all__ = [
    "cross",
    "dot",
    "einsum",
    "einsum_path",
    "inner",
    "kron",
    "matrix_transpose",
    "outer",
    "tensordot",
    "trace",
    "vdot",
]


def matrix_transpose(x: ArrayLike, /) -> Array:
    """Transpose matrices. See `numpy.matrix_transpose`."""
    return apply(ops.matrix_transpose, x)


def tensordot(a: ArrayLike, b: ArrayLike, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2) -> Array:
    """Sum products over chosen axes of two arrays. See `numpy.tensordot`."""
    return apply(ops.tensordot, a, b, axes=axes)


def dot(a: ArrayLike, b: ArrayLike, out: Array | None = None) -> Array:
    """Sum products over the last axis of `a` and the last but one of `b`. See `numpy.dot`."""
    return apply(ops.dot, a, b) if out is None else apply(ops.dot, a, b, out=out)


def inner(a: ArrayLike, b: ArrayLike, /) -> Array:
    """Sum products over the last axes of two arrays. See `numpy.inner`."""
    return apply(ops.inner, a, b)


def outer(a: ArrayLike, b: ArrayLike, out: Array | None = None) -> Array:
    """Multiply each element of one array by each of another. See `numpy.outer`."""
    return apply(ops.outer, a, b) if out is None else apply(ops.outer, a, b, out=out)


def vdot(a: ArrayLike, b: ArrayLike, /) -> Array:
    """Sum the products of the conjugated elements of one array with those of another. See `numpy.vdot`."""
    return apply(ops.vdot, a, b)


def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Compute the Kronecker product. See `numpy.kron`."""
    return apply(ops.kron, a, b)


def einsum(*operands: Any, out: Array | None = None, optimize: Any = False, **kwargs: Any) -> Array:
    """
    Sum products as subscripts in Einstein's notation say, as products of matrices in the order that is predicted to be the fastest.

    Where `optimize` is a bool, the order of products is the engine's choice. It may also be an optimizer of opt_einsum's or cotengra's.
    See `numpy.einsum`.
    """
    if kwargs.get("dtype") is not None:
        kwargs["dtype"] = canonical_dtype(kwargs["dtype"])
    if operands and not isinstance(operands[0], str):  # labels in ndarrays are no operands
        operands = with_listed_labels(operands)
    if out is not None:
        kwargs["out"] = out
    elif not kwargs and 2 <= len(operands) <= 3:
        if isinstance(operands[0], str):
            if len(operands) == 2 and is_view(operands[0]):
                return apply(ops.einsum_view, operands[1], operands[0])
        elif all(isinstance(labels, list | tuple) for labels in operands[1:]) and is_view(*operands[1:]):
            return apply(ops.einsum_view, *operands)
    if optimize is not False:
        kwargs["optimize"] = optimize
    return apply(ops.einsum, *operands, **kwargs)


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> tuple[list[Any], str]:
    """Find a cheap order of products for `einsum`, by NumPy, or by an optimizer of opt_einsum's or cotengra's. See `numpy.einsum_path`."""
    path: tuple[list[Any], str] = Array._apply(ops.einsum_path, *operands, optimize=optimize, einsum_call=einsum_call)
    return path


def trace(
    a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike = None, out: Array | None = None
) -> Array:
    """Sum along diagonals. See `numpy.trace`."""
    kwargs: dict[str, Any] = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    if out is not None:
        kwargs["out"] = out
    return apply(ops.trace, a, offset, axis1, axis2, **kwargs)


def cross(a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Array:
    """Compute the vector product in three dimensions. See `numpy.cross`."""
    return apply(ops.cross, a, b, axisa, axisb, axisc, axis)
