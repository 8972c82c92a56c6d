"""Norms, condition numbers, determinants, ranks."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._operand import as_operand, as_operands
from .._typing import ArrayLike, Axes
from ..backends.ops import linalg as ops

__all__ = ["SlogdetResult", "cond", "det", "matrix_norm", "matrix_rank", "norm", "slogdet", "vector_norm"]

Order: TypeAlias = "float | Literal['fro', 'nuc'] | None"


class SlogdetResult(NamedTuple):
    """
    Sign and logarithm of determinants.

    Attributes
    ----------
    sign, logabsdet : Array
        The sign, or the complex number of modulus 1; the natural logarithm of the absolute value.
    """

    sign: Array
    logabsdet: Array


def norm(x: ArrayLike, ord: Order = None, axis: Axes = None, keepdims: bool = False) -> Array:
    """Compute a norm of vectors or matrices. See `numpy.linalg.norm`."""
    return apply(ops.norm, x, ord, axis, keepdims)


def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Order = "fro") -> Array:
    """Compute a norm of matrices. See `numpy.linalg.matrix_norm`."""
    return apply(ops.standard_matrix_norm, as_operand(x), keepdims=keepdims, ord=ord)


def vector_norm(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2) -> Array:
    """Compute a norm of vectors. See `numpy.linalg.vector_norm`."""
    return apply(ops.standard_vector_norm, as_operand(x), axis=axis, keepdims=keepdims, ord=ord)


def cond(x: ArrayLike, p: Order = None) -> Array:
    """Compute the condition number of matrices. See `numpy.linalg.cond`."""
    return apply(ops.cond, x, p)


def det(a: ArrayLike) -> Array:
    """Compute the determinant of square matrices. See `numpy.linalg.det`."""
    return apply(ops.det, a)


def slogdet(a: ArrayLike) -> SlogdetResult:
    """
    Compute sign and logarithm of the determinant of square matrices, which cannot overflow.

    See `numpy.linalg.slogdet`.
    """
    return SlogdetResult(*apply_for_tuple(ops.slogdet, a))


def matrix_rank(
    A: ArrayLike, tol: ArrayLike | None = None, hermitian: bool = False, *, rtol: ArrayLike | None = None
) -> Array:
    """Compute the rank of matrices: how many singular values count as nonzero. See `numpy.linalg.matrix_rank`."""
    if tol is None and not hermitian:
        A, rtol = as_operands(A, rtol)
        return apply(ops.standard_matrix_rank, as_operand(A), rtol=rtol)
    kwargs: dict[str, Any] = {} if rtol is None else {"rtol": rtol}
    return apply(ops.matrix_rank, A, tol, hermitian, **kwargs)
