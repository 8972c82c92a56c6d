"""Products of vectors and matrices, their parts and powers."""

from __future__ import annotations

from collections.abc import Sequence

from .._apply import apply
from .._array import Array
from .._operand import as_operands
from .._typing import ArrayLike, DTypeLike
from ..backends.dtypes import canonical_dtype
from ..backends.ops import elementwise
from ..backends.ops import linalg as ops

__all__ = ["cross", "diagonal", "matmul", "matrix_power", "multi_dot", "outer", "tensordot", "trace", "vecdot"]


def matmul(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiply matrices. See `numpy.linalg.matmul`."""
    return apply(elementwise.matmul, x1, x2)


def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Sum the products of the conjugated elements of `x1` with those of `x2`. See `numpy.linalg.vecdot`."""
    return apply(elementwise.vecdot, x1, x2, axis=axis)


def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2) -> Array:
    """Sum products over chosen axes of two arrays. See `numpy.linalg.tensordot`."""
    return apply(ops.tensordot, x1, x2, axes=axes)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiply each element of one vector by each of another. See `numpy.linalg.outer`."""
    return apply(ops.outer_of_vectors, x1, x2)


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Compute the vector product in three dimensions. See `numpy.linalg.cross`."""
    return apply(ops.cross_of_vectors, x1, x2, axis=axis)


def multi_dot(arrays: Sequence[ArrayLike], *, out: Array | None = None) -> Array:
    """Multiply a chain of matrices in the order that costs least. See `numpy.linalg.multi_dot`."""
    *factors, _ = as_operands(*arrays, out if type(out) is Array else None)
    return apply(ops.multi_dot, factors) if out is None else apply(ops.multi_dot, factors, out=out)


def matrix_power(a: ArrayLike, n: int) -> Array:
    """Raise square matrices to an integer power. See `numpy.linalg.matrix_power`."""
    return apply(ops.matrix_power, a, n)


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Give the diagonals of matrices. See `numpy.linalg.diagonal`."""
    return apply(ops.diagonal_of_matrices, x, offset=offset)


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike = None) -> Array:
    """Sum along the diagonals of matrices. See `numpy.linalg.trace`."""
    if dtype is None:
        return apply(ops.trace_of_matrices, x, offset=offset)
    return apply(ops.trace_of_matrices, x, offset=offset, dtype=canonical_dtype(dtype))
