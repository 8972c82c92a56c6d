"""Matrices: triangles, diagonals and what is built of them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ._apply import apply
from ._operand import as_operand
from ._placement import asked_dtype, choose_device, make
from .backends.ops import creation as ops
from .backends.ops import selection
from .backends.shape import canonical_shape

if TYPE_CHECKING:
    from ._array import Array
    from ._typing import ArrayLike, DTypeLike

__all__ = ["diag", "diagflat", "tri", "tril", "triu", "vander"]


def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike = None, *, like: Array | None = None) -> Array:
    """
    Make a matrix with ones at and below a diagonal, and zeros above it.

    Parameters
    ----------
    N : int
        The number of rows.
    M : int, optional
        The number of columns; by default as many as rows.
    k : int, optional
        Which diagonal: 0 is the main one, positive ones are above it.
    dtype : dtype, optional
        Its dtype; by default the device's default floating dtype.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tri(2)
    Array([[1., 0.],
           [1., 1.]], dtype=float64, device='cpu')
    """
    target = choose_device(None, like)
    wanted = asked_dtype(dtype, target)
    rows, columns = canonical_shape((N, N if M is None else M), wanted)
    return make(ops.tri, target, rows, columns, operator.index(k), wanted)


def tril(m: ArrayLike, k: int = 0) -> Array:
    """
    Copy the lower triangle of a matrix, with zeros above it.

    Parameters
    ----------
    m : array_like
        The matrix, or a stack of matrices.
    k : int, optional
        The topmost diagonal to keep: 0 is the main one, positive ones are above it.

    Returns
    -------
    Array
        The copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tril(xp.ones((2, 2)))
    Array([[1., 0.],
           [1., 1.]], dtype=float64, device='cpu')
    """
    return apply(ops.tril, as_operand(m), operator.index(k))


def triu(m: ArrayLike, k: int = 0) -> Array:
    """
    Copy the upper triangle of a matrix, with zeros below it.

    Parameters
    ----------
    m : array_like
        The matrix, or a stack of matrices.
    k : int, optional
        The lowest diagonal to keep: 0 is the main one, positive ones are above it.

    Returns
    -------
    Array
        The copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.triu(xp.ones((2, 2)))
    Array([[1., 1.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return apply(ops.triu, as_operand(m), operator.index(k))


def diag(v: ArrayLike, k: int = 0) -> Array:
    """
    Make a matrix from its diagonal, or take the diagonal of a matrix.

    Parameters
    ----------
    v : array_like
        The diagonal, 1-d, or the matrix, 2-d.
    k : int, optional
        Which diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    Array
        The matrix, or the diagonal as a read-only view.

    Raises
    ------
    ValueError
        If `v` is neither 1-d nor 2-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.diag([1, 2])
    Array([[1, 0],
           [0, 2]], dtype=int64, device='cpu')
    """
    x = as_operand(v)
    if x.ndim == 2:
        return apply(selection.diagonal, x, k)
    if x.ndim != 1:
        raise ValueError(f"diag takes a diagonal (1-d) or a matrix (2-d), but got {x.ndim} dimensions; use diagonal for stacks of matrices")
    return apply(ops.diag, x, k)


def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """
    Make a matrix with the elements of an array on a diagonal.

    Parameters
    ----------
    v : array_like
        The elements, of any shape.
    k : int, optional
        Which diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.diagflat([[1, 2]])
    Array([[1, 0],
           [0, 2]], dtype=int64, device='cpu')
    """
    return apply(ops.diagflat, as_operand(v), k)


def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """
    Make a Vandermonde matrix: the powers of the elements, one row for each.

    Parameters
    ----------
    x : array_like
        The elements, 1-d.
    N : int, optional
        The number of powers; by default as many as elements.
    increasing : bool, optional
        Whether the powers go up from 0, or else down to 0.

    Returns
    -------
    Array
        The matrix.

    Raises
    ------
    ValueError
        If `x` is not 1-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.vander([1, 2, 3], 2)
    Array([[1, 1],
           [2, 1],
           [3, 1]], dtype=int64, device='cpu')
    """
    return apply(ops.vander, as_operand(x), N, increasing)
