"""Sparse arrays put together from others, and parts of them."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Sequence
from typing import Any

from .._array import Array
from .._operand import as_operand
from .._typing import DTypeLike
from ..backends.device import CPU
from ..backends.ops.sparse import FUNCTIONS, NEWER_FUNCTIONS
from ..creation_functions import zeros_like
from .base import SparseBase, is_sparse, run
from .conversion import sparse_dtype
from .formats import coo_array
from .sparse_array import as_sparse, only_sparse, sparray

__all__ = [
    "block_array",
    "block_diag",
    "expand_dims",
    "find",
    "hstack",
    "kron",
    "kronsum",
    "matrix_transpose",
    "permute_dims",
    "swapaxes",
    "tril",
    "triu",
    "vstack",
]



def _sparse(x: Any, *beside: Any) -> Any:
    """Make a sparse array of a dense operand, so that SciPy gives arrays and no matrices."""
    if x is None or is_sparse(x):
        return as_sparse(x, *beside)
    dense = as_operand(x, *beside)
    return coo_array(dense if dense.ndim > 1 else dense.reshape(1, -1))


def hstack(blocks: Sequence[Any], format: str | None = None, dtype: DTypeLike = None) -> sparray:
    """Put arrays side by side. See `scipy.sparse.hstack`."""
    made: sparray = run(FUNCTIONS["hstack"], [_sparse(block, *blocks) for block in blocks], format=format, dtype=sparse_dtype(dtype))
    return made


def vstack(blocks: Sequence[Any], format: str | None = None, dtype: DTypeLike = None) -> sparray:
    """Put arrays one below the other. See `scipy.sparse.vstack`."""
    made: sparray = run(FUNCTIONS["vstack"], [_sparse(block, *blocks) for block in blocks], format=format, dtype=sparse_dtype(dtype))
    return made


def block_array(blocks: Sequence[Sequence[Any]], *, format: str | None = None, dtype: DTypeLike = None) -> sparray:
    """Put arrays together, row by row. See `scipy.sparse.block_array`."""
    rows = [[_sparse(block, *blocks) for block in row] for row in blocks]
    made: sparray = run(FUNCTIONS["block_array"], rows, format=format, dtype=sparse_dtype(dtype))
    return made


def block_diag(mats: Sequence[Any], format: str | None = None, dtype: DTypeLike = None) -> sparray:
    """Put arrays along the diagonal. See `scipy.sparse.block_diag`."""
    made: sparray = run(FUNCTIONS["block_diag"], [_sparse(mat, *mats) for mat in mats], format=format, dtype=sparse_dtype(dtype))
    return made


def kron(A: Any, B: Any, format: str | None = None) -> sparray:
    """Compute the Kronecker product of two matrices. See `scipy.sparse.kron`."""
    made: sparray = run(FUNCTIONS["kron"], _sparse(A, B), _sparse(B, A), format)
    return made


def kronsum(A: Any, B: Any, format: str | None = None) -> sparray:
    """Compute the Kronecker sum of two matrices. See `scipy.sparse.kronsum`."""
    made: sparray = run(FUNCTIONS["kronsum"], _sparse(A, B), _sparse(B, A), format)
    return made


def tril(A: Any, k: int = 0, format: str | None = None) -> sparray:
    """Keep a diagonal and what is below it. See `scipy.sparse.tril`."""
    made: sparray = run(FUNCTIONS["tril"], _sparse(A), k, format)
    return made


def triu(A: Any, k: int = 0, format: str | None = None) -> sparray:
    """Keep a diagonal and what is above it. See `scipy.sparse.triu`."""
    made: sparray = run(FUNCTIONS["triu"], _sparse(A), k, format)
    return made


def find(A: Any) -> tuple[Array, Array, Array]:
    """Find the elements that are not zero. See `scipy.sparse.find`."""
    made: tuple[Array, Array, Array] = run(FUNCTIONS["find"], _sparse(A))
    return made


def _axis(axis: Any, ndim: int) -> int:
    """Check an axis, which may count from the end."""
    try:
        place = operator.index(axis)
    except TypeError:
        raise ValueError(f"Invalid axis {reprlib.repr(axis)}: it is not an integer") from None
    if not -ndim <= place < ndim:
        raise ValueError(f"Invalid axis {axis}: it is out of bounds for {ndim} dimensions")
    return place % ndim


def expand_dims(A: SparseBase, /, *, axis: int = 0) -> coo_array:
    """Give an array one more axis. See `scipy.sparse.expand_dims`."""
    array = only_sparse(A)
    if array.device is CPU and "expand_dims" in NEWER_FUNCTIONS:
        host: coo_array = run(NEWER_FUNCTIONS["expand_dims"], array, axis=axis)
        return host
    coo = array.tocoo()
    place = _axis(axis, coo.ndim + 1)
    coords = (*coo.coords[:place], zeros_like(coo.coords[0]), *coo.coords[place:])
    made = coo_array((coo.data, coords), shape=(*coo.shape[:place], 1, *coo.shape[place:]), copy=True)
    if made.device is CPU:
        made.has_canonical_format = coo.has_canonical_format
    return made


def permute_dims(A: SparseBase, axes: Sequence[int] | None = None, copy: bool = False) -> coo_array:
    """Reorder the axes of an array. See `scipy.sparse.permute_dims`."""
    array = only_sparse(A)
    given = range(array.ndim)[::-1] if axes is None else axes
    if not isinstance(given, Sequence):
        raise TypeError(f"axis must be an integer/tuple of integers in an order, not {type(given).__name__}; use tuple(axes)")
    if array.device is CPU and "permute_dims" in NEWER_FUNCTIONS:
        host: coo_array = run(NEWER_FUNCTIONS["permute_dims"], array, axes, copy)
        return host
    if len(given) != array.ndim:
        raise ValueError(f"Incorrect number of axes in {axes}: the array has {array.ndim} dimensions")
    order = tuple(_axis(operator.index(axis), array.ndim) for axis in given)
    if len(set(order)) != array.ndim:
        raise ValueError(f"duplicate value in axis {axes}: name each dimension once")
    if order == tuple(range(array.ndim)):
        kept: coo_array = array.copy() if copy else array
        return kept
    coo = array.tocoo(copy=copy)
    return coo_array((coo.data, tuple(coo.coords[i] for i in order)), shape=tuple(coo.shape[i] for i in order))


def swapaxes(A: SparseBase, axis1: int, axis2: int) -> coo_array:
    """Swap two axes of an array. See `scipy.sparse.swapaxes`."""
    array = only_sparse(A)
    if array.device is CPU and "swapaxes" in NEWER_FUNCTIONS:
        host: coo_array = run(NEWER_FUNCTIONS["swapaxes"], array, axis1, axis2)
        return host
    ndim = array.ndim
    axes = list(range(ndim))
    one, other = _axis(axis1, ndim), _axis(axis2, ndim)
    axes[one], axes[other] = other, one
    return permute_dims(array, axes, copy=True)


def matrix_transpose(A: sparray) -> sparray:
    """Swap the last two axes. See `scipy.sparse.matrix_transpose`."""
    made: sparray = only_sparse(A).mT
    return made
