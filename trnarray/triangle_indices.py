"""Positions of the elements of triangles and diagonals, to index matrices with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._array import Array
from ._placement import choose_device, create, promotion_table
from ._typing import ArrayLike
from .array_conversion import asarray
from .backends.op import Op
from .backends.ops import positions as ops
from .creation_functions import ones
from .searching_functions import nonzero

__all__ = ["diag_indices", "mask_indices", "tril_indices", "tril_indices_from", "triu_indices", "triu_indices_from"]


def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Return the positions of the main diagonal of an array. See `numpy.diag_indices`."""
    return tuple(create(ops.diag_indices, choose_device(None), n, ndim))


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the positions of the lower triangle of a matrix. See `numpy.tril_indices`."""
    return _triangle(ops.tril_indices, n, k, m)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the positions of the upper triangle of a matrix. See `numpy.triu_indices`."""
    return _triangle(ops.triu_indices, n, k, m)


def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """Return the positions of the lower triangle of a given matrix. See `numpy.tril_indices_from`."""
    return _triangle_of(ops.tril_indices, arr, k)


def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """Return the positions of the upper triangle of a given matrix. See `numpy.triu_indices_from`."""
    return _triangle_of(ops.triu_indices, arr, k)


def mask_indices(n: int, mask_func: Callable[[Array, Any], Array], k: Any = 0) -> tuple[Array, ...]:
    """
    Return the positions of a square matrix that a function such as `triu` does not set to zero.

    See `numpy.mask_indices`.
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
