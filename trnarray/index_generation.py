"""Positions of the elements of triangles and diagonals, to index matrices with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._array import Array
from ._placement import choose_device, create, promotion_table
from ._typing import ArrayLike
from .backends.op import Op
from .backends.ops import positions as ops
from .creation_functions import ones
from .existing_data import asarray
from .searching_functions import nonzero

__all__ = ["diag_indices", "mask_indices", "tril_indices", "tril_indices_from", "triu_indices", "triu_indices_from"]


def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """
    Return the positions of the main diagonal of an array.

    Parameters
    ----------
    n : int
        The length of each dimension.
    ndim : int, optional
        The number of dimensions.

    Returns
    -------
    tuple of Array
        The indices along each dimension.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.zeros((2, 2))
    >>> x[xp.diag_indices(2)] = 1
    >>> x
    Array([[1., 0.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return tuple(create(ops.diag_indices, choose_device(None), n, ndim))


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """
    Return the positions of the lower triangle of a matrix.

    Parameters
    ----------
    n : int
        The number of rows.
    k : int, optional
        The topmost diagonal that belongs to it: 0 is the main one, positive ones are above it.
    m : int, optional
        The number of columns; by default as many as rows.

    Returns
    -------
    tuple of two Arrays
        The rows and columns.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tril_indices(2)[1]
    Array([0, 0, 1], dtype=int64, device='cpu')
    """
    return _triangle(ops.tril_indices, n, k, m)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """
    Return the positions of the upper triangle of a matrix.

    Parameters
    ----------
    n : int
        The number of rows.
    k : int, optional
        The lowest diagonal that belongs to it: 0 is the main one, positive ones are above it.
    m : int, optional
        The number of columns; by default as many as rows.

    Returns
    -------
    tuple of two Arrays
        The rows and columns.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.triu_indices(2)[1]
    Array([0, 1, 1], dtype=int64, device='cpu')
    """
    return _triangle(ops.triu_indices, n, k, m)


def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """
    Return the positions of the lower triangle of a given matrix.

    Parameters
    ----------
    arr : array_like
        The matrix.
    k : int, optional
        The topmost diagonal that belongs to it: 0 is the main one, positive ones are above it.

    Returns
    -------
    tuple of two Arrays
        The rows and columns.

    Raises
    ------
    ValueError
        If the array is not 2-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([[1, 2], [3, 4]])
    >>> x[xp.tril_indices_from(x)]
    Array([1, 3, 4], dtype=int64, device='cpu')
    """
    return _triangle_of(ops.tril_indices, arr, k)


def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """
    Return the positions of the upper triangle of a given matrix.

    Parameters
    ----------
    arr : array_like
        The matrix.
    k : int, optional
        The lowest diagonal that belongs to it: 0 is the main one, positive ones are above it.

    Returns
    -------
    tuple of two Arrays
        The rows and columns.

    Raises
    ------
    ValueError
        If the array is not 2-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([[1, 2], [3, 4]])
    >>> x[xp.triu_indices_from(x)]
    Array([1, 2, 4], dtype=int64, device='cpu')
    """
    return _triangle_of(ops.triu_indices, arr, k)


def mask_indices(n: int, mask_func: Callable[[Array, Any], Array], k: Any = 0) -> tuple[Array, ...]:
    """
    Return the positions of a square matrix that a function such as `triu` does not set to zero.

    Parameters
    ----------
    n : int
        The number of rows and columns.
    mask_func : callable
        Takes a matrix of ones and `k`, and gives a matrix.
    k : object, optional
        What the function takes.

    Returns
    -------
    tuple of Array
        The indices along each dimension.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.mask_indices(3, xp.triu, 1)[1]
    Array([1, 2, 2], dtype=int64, device='cpu')
    """
    return nonzero(mask_func(ones((n, n), dtype=promotion_table(choose_device(None)).default_int), k))


def _triangle(op: Op, *parameters: Any) -> tuple[Array, Array]:
    rows, columns = create(op, choose_device(None), *parameters)
    return rows, columns


def _triangle_of(op: Op, arr: ArrayLike, k: int) -> tuple[Array, Array]:
    matrix = asarray(arr)
    if matrix.ndim != 2:
        raise ValueError(f"a matrix has two dimensions, but this array has {matrix.ndim}; take the positions of each matrix in it")
    rows, columns = create(op, matrix.device, matrix.shape[0], k, matrix.shape[1])
    return rows, columns
