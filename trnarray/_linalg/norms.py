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
    """
    Compute a norm of vectors or matrices.

    Parameters
    ----------
    x : array_like
        The array.
    ord : float, 'fro' or 'nuc', optional
        Which norm; by default the root of the sum of squares.
    axis : int or pair of int, optional
        The axis of the vectors, or the two of the matrices; by default all of `x`, a vector or matrix where `ord` is given.
    keepdims : bool, optional
        Whether to keep the axes, with length 1.

    Returns
    -------
    Array
        The norms.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.norm([3.0, 4.0])
    Array(5., dtype=float64, device='cpu')
    """
    return apply(ops.norm, x, ord, axis, keepdims)


def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Order = "fro") -> Array:
    """
    Compute a norm of matrices.

    Parameters
    ----------
    x : array_like
        The matrices.
    keepdims : bool, optional
        Whether to keep the two axes, with length 1.
    ord : {'fro', 'nuc', 1, -1, 2, -2, inf, -inf}, optional
        The root of the sum of squares; the sum of the singular values; the largest or smallest column sum (1, -1), singular
        value (2, -2) or row sum (inf, -inf).

    Returns
    -------
    Array
        The norms.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.matrix_norm([[3.0, 0.0], [4.0, 0.0]], ord=1)
    Array(7., dtype=float64, device='cpu')
    """
    return apply(ops.standard_matrix_norm, as_operand(x), keepdims=keepdims, ord=ord)


def vector_norm(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2) -> Array:
    """
    Compute a norm of vectors.

    Parameters
    ----------
    x : array_like
        The array.
    axis : int or tuple of int, optional
        The axes of the vectors; by default all.
    keepdims : bool, optional
        Whether to keep these axes, with length 1.
    ord : float, optional
        The power p in the p-th root of the sum of p-th powers; 0 counts nonzeros, inf and -inf are the largest and the
        smallest absolute value.

    Returns
    -------
    Array
        The norms.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.vector_norm([[3.0, 4.0], [0.0, 1.0]], axis=1, ord=1)
    Array([7., 1.], dtype=float64, device='cpu')
    """
    return apply(ops.standard_vector_norm, as_operand(x), axis=axis, keepdims=keepdims, ord=ord)


def cond(x: ArrayLike, p: Order = None) -> Array:
    """
    Compute the condition number of matrices.

    Parameters
    ----------
    x : array_like
        The matrices.
    p : float, 'fro' or 'nuc', optional
        The norm, as in `matrix_norm`; by default 2.

    Returns
    -------
    Array
        The norm of each matrix times that of its inverse; inf where there is none.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.cond([[4.0, 0.0], [0.0, 2.0]])
    Array(2., dtype=float64, device='cpu')
    """
    return apply(ops.cond, x, p)


def det(a: ArrayLike) -> Array:
    """
    Compute the determinant of square matrices.

    Parameters
    ----------
    a : array_like
        The matrices.

    Returns
    -------
    Array
        The determinants.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.det([[2.0, 0.0], [0.0, 3.0]])
    Array(6., dtype=float64, device='cpu')
    """
    return apply(ops.det, a)


def slogdet(a: ArrayLike) -> SlogdetResult:
    """
    Compute sign and logarithm of the determinant of square matrices, which cannot overflow.

    Parameters
    ----------
    a : array_like
        The matrices.

    Returns
    -------
    SlogdetResult
        A namedtuple of sign and logabsdet; 0 and -inf for a singular matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.slogdet([[-1.0, 0.0], [0.0, 1.0]]).sign
    Array(-1., dtype=float64, device='cpu')
    """
    return SlogdetResult(*apply_for_tuple(ops.slogdet, a))


def matrix_rank(
    A: ArrayLike, tol: ArrayLike | None = None, hermitian: bool = False, *, rtol: ArrayLike | None = None
) -> Array:
    """
    Compute the rank of matrices: how many singular values count as nonzero.

    Parameters
    ----------
    A : array_like
        The matrices.
    tol : array_like, optional
        What a singular value must exceed.
    hermitian : bool, optional
        Whether the matrices are Hermitian, which is faster.
    rtol : array_like, optional
        The same relative to the largest singular value; by default the longer side times the machine epsilon.

    Returns
    -------
    Array
        The ranks.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]])
    Array(1, dtype=int64, device='cpu')
    """
    if tol is None and not hermitian:
        A, rtol = as_operands(A, rtol)
        return apply(ops.standard_matrix_rank, as_operand(A), rtol=rtol)
    kwargs: dict[str, Any] = {} if rtol is None else {"rtol": rtol}
    return apply(ops.matrix_rank, A, tol, hermitian, **kwargs)
