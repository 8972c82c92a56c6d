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
    """
    Multiply matrices.

    Parameters
    ----------
    x1, x2 : array_like
        Matrices in the last two axes, or vectors.

    Returns
    -------
    Array
        The products.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.matmul([[1, 2], [3, 4]], [1, 10])
    Array([21, 43], dtype=int64, device='cpu')
    """
    return apply(elementwise.matmul, x1, x2)


def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """
    Sum the products of the conjugated elements of `x1` with those of `x2`.

    Parameters
    ----------
    x1, x2 : array_like
        The arrays, which broadcast against each other.
    axis : int, optional
        The axis of the vectors.

    Returns
    -------
    Array
        The sums.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.vecdot([[1, 2], [3, 4]], [1, 10])
    Array([21, 43], dtype=int64, device='cpu')
    """
    return apply(elementwise.vecdot, x1, x2, axis=axis)


def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2) -> Array:
    """
    Sum products over chosen axes of two arrays.

    Parameters
    ----------
    x1, x2 : array_like
        The arrays.
    axes : int or pair of int or of sequences of int, optional
        How many of the last axes of `x1` and the first of `x2` to sum over, or which axes of each.

    Returns
    -------
    Array
        The sums; its axes are those left of `x1`, then those left of `x2`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.tensordot(xp.ones((3, 4)), xp.ones((4, 5)), axes=1).shape
    (3, 5)
    """
    return apply(ops.tensordot, x1, x2, axes=axes)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """
    Multiply each element of one vector by each of another.

    Parameters
    ----------
    x1, x2 : array_like
        The vectors.

    Returns
    -------
    Array
        The matrix of products.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.outer([1, 2], [3, 4])
    Array([[3, 4],
           [6, 8]], dtype=int64, device='cpu')
    """
    return apply(ops.outer_of_vectors, x1, x2)


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """
    Compute the vector product in three dimensions.

    Parameters
    ----------
    x1, x2 : array_like
        Vectors of length 3, which broadcast against each other.
    axis : int, optional
        The axis of the vectors.

    Returns
    -------
    Array
        The products, perpendicular to both vectors.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.cross([1, 0, 0], [0, 1, 0])
    Array([0, 0, 1], dtype=int64, device='cpu')
    """
    return apply(ops.cross_of_vectors, x1, x2, axis=axis)


def multi_dot(arrays: Sequence[ArrayLike], *, out: Array | None = None) -> Array:
    """
    Multiply a chain of matrices in the order that costs least.

    Parameters
    ----------
    arrays : sequence of array_like
        The matrices; the first and the last may be vectors.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        The product.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.multi_dot([xp.ones((2, 3)), xp.ones((3, 4)), xp.ones(4)])
    Array([12., 12.], dtype=float64, device='cpu')
    """
    *factors, _ = as_operands(*arrays, out if type(out) is Array else None)
    return apply(ops.multi_dot, factors) if out is None else apply(ops.multi_dot, factors, out=out)


def matrix_power(a: ArrayLike, n: int) -> Array:
    """
    Raise square matrices to an integer power.

    Parameters
    ----------
    a : array_like
        The matrices.
    n : int
        The power; if negative, that of the inverse.

    Returns
    -------
    Array
        The powers.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.matrix_power([[1, 1], [0, 1]], 5)
    Array([[1, 5],
           [0, 1]], dtype=int64, device='cpu')
    """
    return apply(ops.matrix_power, a, n)


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """
    Give the diagonals of matrices.

    Parameters
    ----------
    x : array_like
        The matrices.
    offset : int, optional
        Which diagonal: 0 is the main one, above it positive, below it negative.

    Returns
    -------
    Array
        The diagonals, a read-only view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.diagonal([[1, 2], [3, 4]])
    Array([1, 4], dtype=int64, device='cpu')
    """
    return apply(ops.diagonal_of_matrices, x, offset=offset)


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike = None) -> Array:
    """
    Sum along the diagonals of matrices.

    Parameters
    ----------
    x : array_like
        The matrices.
    offset : int, optional
        Which diagonal: 0 is the main one, above it positive, below it negative.
    dtype : dtype, optional
        The dtype to sum in and of the result; by default that of `x`, at least int64 or uint64 for integers.

    Returns
    -------
    Array
        The sums.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.trace([[1, 2], [3, 4]])
    Array(5, dtype=int64, device='cpu')
    """
    if dtype is None:
        return apply(ops.trace_of_matrices, x, offset=offset)
    return apply(ops.trace_of_matrices, x, offset=offset, dtype=canonical_dtype(dtype))
