"""Linear algebra functions of the main namespace: products of arrays, and the trace.

`matmul`, `vecdot`, `matvec` and `vecmat` are ufuncs and live with the elementwise functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._apply import apply
from ._array import Array
from ._typing import ArrayLike, DTypeLike
from .backends.dtypes import canonical_dtype
from .backends.host.einstein import is_view
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
    """
    Transpose matrices.

    Parameters
    ----------
    x : array_like
        Matrices, in the last two axes.

    Returns
    -------
    Array
        A view with the last two axes exchanged.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.matrix_transpose(xp.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    return apply(ops.matrix_transpose, x)


def tensordot(a: ArrayLike, b: ArrayLike, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2) -> Array:
    """
    Sum products over chosen axes of two arrays.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    axes : int or pair of int or of sequences of int, optional
        How many of the last axes of `a` and the first of `b` to sum over, or which axes of each.

    Returns
    -------
    Array
        The sums; its axes are those left of `a`, then those left of `b`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tensordot(xp.ones((3, 4, 5)), xp.ones((4, 3, 2)), axes=([1, 0], [0, 1])).shape
    (5, 2)
    """
    return apply(ops.tensordot, a, b, axes=axes)


def dot(a: ArrayLike, b: ArrayLike, out: Array | None = None) -> Array:
    """
    Sum products over the last axis of `a` and the last but one of `b`.

    Parameters
    ----------
    a, b : array_like
        The arrays. Vectors give their inner product, matrices their matrix product, scalars the plain product.
    out : Array, optional
        Where to write the result: a contiguous Array of exactly its shape and dtype.

    Returns
    -------
    Array
        The products.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.dot([1, 2, 3], [4, 5, 6])
    Array(32, dtype=int64, device='cpu')
    """
    return apply(ops.dot, a, b) if out is None else apply(ops.dot, a, b, out=out)


def inner(a: ArrayLike, b: ArrayLike, /) -> Array:
    """
    Sum products over the last axes of two arrays.

    Parameters
    ----------
    a, b : array_like
        The arrays, with last axes of the same length.

    Returns
    -------
    Array
        The sums, without complex conjugation; its axes are those left of `a`, then those left of `b`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.inner([1, 2, 3], [0, 1, 0])
    Array(2, dtype=int64, device='cpu')
    """
    return apply(ops.inner, a, b)


def outer(a: ArrayLike, b: ArrayLike, out: Array | None = None) -> Array:
    """
    Multiply each element of one array by each of another.

    Parameters
    ----------
    a, b : array_like
        The arrays, read as vectors.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        The matrix of products.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.outer([1, 2], [3, 4])
    Array([[3, 4],
           [6, 8]], dtype=int64, device='cpu')
    """
    return apply(ops.outer, a, b) if out is None else apply(ops.outer, a, b, out=out)


def vdot(a: ArrayLike, b: ArrayLike, /) -> Array:
    """
    Sum the products of the conjugated elements of one array with those of another.

    Parameters
    ----------
    a, b : array_like
        The arrays, read as vectors.

    Returns
    -------
    Array
        The sum, 0-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.vdot([1j, 2], [1j, 1])
    Array(3.+0.j, dtype=complex128, device='cpu')
    """
    return apply(ops.vdot, a, b)


def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """
    Compute the Kronecker product.

    Parameters
    ----------
    a, b : array_like
        The arrays.

    Returns
    -------
    Array
        Blocks of `b`, scaled by the elements of `a`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.kron([1, 10], [1, 2])
    Array([ 1,  2, 10, 20], dtype=int64, device='cpu')
    """
    return apply(ops.kron, a, b)


def einsum(
    *operands: Any, out: Array | None = None, optimize: bool | str | Sequence[Any] = False, **kwargs: Any
) -> Array:
    """
    Sum products as subscripts in Einstein's notation say.

    Parameters
    ----------
    *operands : str and array_like
        The subscripts and then the arrays; or each array followed by the list of its axes' labels, and the result's last.
    out : Array, optional
        Where to write the result.
    optimize : bool, str or sequence, optional
        Whether to reorder the products: True or 'greedy', 'optimal', or a path that `einsum_path` found.
    **kwargs
        ``dtype``, ``order`` and ``casting``, as NumPy takes them.

    Returns
    -------
    Array
        The sums; a view where nothing is multiplied or summed.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 10])
    Array([21, 43], dtype=int64, device='cpu')
    """
    if kwargs.get("dtype") is not None:
        kwargs["dtype"] = canonical_dtype(kwargs["dtype"])
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


def einsum_path(
    *operands: Any, optimize: bool | str | Sequence[Any] = "greedy", einsum_call: bool = False
) -> tuple[list[Any], str]:
    """
    Find a cheap order of products for `einsum`.

    Parameters
    ----------
    *operands : str and array_like
        As `einsum` takes them.
    optimize : bool, str or sequence, optional
        The method: 'greedy', 'optimal', either with a limit on the size of intermediates, or False for none.
    einsum_call : bool, optional
        NumPy's own use of this function; leave it False.

    Returns
    -------
    path : list
        What `einsum` takes as `optimize`.
    description : str
        The path and what it costs.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.einsum_path("ij,jk,kl", xp.ones((2, 9)), xp.ones((9, 9)), xp.ones((9, 2)))[0]
    ['einsum_path', (0, 1), (0, 1)]
    """
    path: tuple[list[Any], str] = Array._apply(ops.einsum_path, *operands, optimize=optimize, einsum_call=einsum_call)
    return path


def trace(
    a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike = None, out: Array | None = None
) -> Array:
    """
    Sum along diagonals.

    Parameters
    ----------
    a : array_like
        The array.
    offset : int, optional
        Which diagonal: 0 is the main one, above it positive, below it negative.
    axis1, axis2 : int, optional
        The axes of the matrices.
    dtype : dtype, optional
        The dtype to sum in and of the result; by default that of `a`, at least int64 or uint64 for integers.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        The sums.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.trace([[1, 2], [3, 4]])
    Array(5, dtype=int64, device='cpu')
    """
    kwargs: dict[str, Any] = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    if out is not None:
        kwargs["out"] = out
    return apply(ops.trace, a, offset, axis1, axis2, **kwargs)


def cross(a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Array:
    """
    Compute the vector product in three dimensions.

    Parameters
    ----------
    a, b : array_like
        Vectors of length 3.
    axisa, axisb, axisc : int, optional
        The axes of the vectors of `a`, of `b` and of the result.
    axis : int, optional
        One axis for all three.

    Returns
    -------
    Array
        The products, perpendicular to both vectors.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.cross([1, 0, 0], [0, 1, 0])
    Array([0, 0, 1], dtype=int64, device='cpu')
    """
    return apply(ops.cross, a, b, axisa, axisb, axisc, axis)
