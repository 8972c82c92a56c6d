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
    """Make a matrix with ones at and below a diagonal, and zeros above it. See `numpy.tri`."""
    target = choose_device(None, like)
    wanted = asked_dtype(dtype, target)
    rows, columns = canonical_shape((N, N if M is None else M), wanted)
    return make(ops.tri, target, rows, columns, operator.index(k), wanted)


def tril(m: ArrayLike, k: int = 0) -> Array:
    """Copy the lower triangle of a matrix, with zeros above it. See `numpy.tril`."""
    return apply(ops.tril, as_operand(m), operator.index(k))


def triu(m: ArrayLike, k: int = 0) -> Array:
    """Copy the upper triangle of a matrix, with zeros below it. See `numpy.triu`."""
    return apply(ops.triu, as_operand(m), operator.index(k))


def diag(v: ArrayLike, k: int = 0) -> Array:
    """Make a matrix from its diagonal, or take the diagonal of a matrix. See `numpy.diag`."""
    x = as_operand(v)
    if x.ndim == 2:
        return apply(selection.diagonal, x, k)
    if x.ndim != 1:
        raise ValueError(f"diag takes a diagonal (1-d) or a matrix (2-d), but got {x.ndim} dimensions; use diagonal for stacks of matrices")
    return apply(ops.diag, x, k)


def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """Make a matrix with the elements of an array on a diagonal. See `numpy.diagflat`."""
    return apply(ops.diagflat, as_operand(v), k)


def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """Make a Vandermonde matrix: the powers of the elements, one row for each. See `numpy.vander`."""
    return apply(ops.vander, as_operand(x), N, increasing)
