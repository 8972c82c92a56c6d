"""Equations and products of banded, Toeplitz and circulant matrices."""

from __future__ import annotations

from typing import Any

from .._apply import apply, direct
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "matmul_toeplitz",
    "solve_banded",
    "solve_circulant",
    "solve_toeplitz",
    "solveh_banded",
]


@direct(OPS)
def solve_banded(
    l_and_u: Any, ab: ArrayLike, b: ArrayLike, overwrite_ab: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> Array:
    """
    Solve equations with a banded matrix.

    Parameters
    ----------
    l_and_u : pair of int
        The number of diagonals below and above the main one.
    ab : array_like
        The diagonals of the matrix, in rows.
    b : array_like
        The right-hand side, one or several in columns.
    overwrite_ab : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    overwrite_b : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.solve_banded((0, 0), xp.asarray([[2.0, 4.0]]), b)
    Array([0.5, 0.5], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_banded"], l_and_u, ab, b, overwrite_ab, overwrite_b, check_finite)


@direct(OPS)
def solveh_banded(
    ab: ArrayLike, b: ArrayLike, overwrite_ab: bool = False, overwrite_b: bool = False, lower: bool = False, check_finite: bool = True,
) -> Array:
    """
    Solve equations with a positive-definite banded matrix.

    Parameters
    ----------
    ab : array_like
        The diagonals of the matrix, in rows.
    b : array_like
        The right-hand side, one or several in columns.
    overwrite_ab : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    overwrite_b : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    lower : bool, optional
        Whether the lower triangle is meant.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.solveh_banded(xp.asarray([[2.0, 4.0]]), b)
    Array([0.5, 0.5], dtype=float64, device='cpu')
    """
    return apply(OPS["solveh_banded"], ab, b, overwrite_ab, overwrite_b, lower, check_finite)


@direct(OPS)
def solve_toeplitz(c_or_cr: Any, b: ArrayLike, check_finite: bool = True) -> Array:
    """
    Solve equations with a Toeplitz matrix.

    Parameters
    ----------
    c_or_cr : array_like or pair of them
        The first column, or it and the first row.
    b : array_like
        The right-hand side, one or several in columns.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.solve_toeplitz(b, b)
    Array([1., 0.], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_toeplitz"], c_or_cr, b, check_finite)


@direct(OPS)
def solve_circulant(
    c: ArrayLike, b: ArrayLike, singular: str = "raise", tol: float | None = None, caxis: int = -1, baxis: int = 0, outaxis: int = 0,
) -> Array:
    """
    Solve equations with a circulant matrix.

    Parameters
    ----------
    c : array_like
        The first column.
    b : array_like
        The right-hand side, one or several in columns.
    singular : {'raise', 'lstsq'}, optional
        What to do with a nearly singular matrix.
    tol : float, optional
        The tolerance.
    caxis : int, optional
        The axis of the columns in `c`.
    baxis : int, optional
        The axis of the right-hand sides in `b`.
    outaxis : int, optional
        The axis of the solutions.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.solve_circulant(b, b)
    Array([1., 0.], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_circulant"], c, b, singular, tol, caxis, baxis, outaxis)


@direct(OPS)
def matmul_toeplitz(c_or_cr: Any, x: ArrayLike, check_finite: bool = False, workers: int | None = None) -> Array:
    """
    Multiply a Toeplitz matrix by a vector or a matrix.

    Parameters
    ----------
    c_or_cr : array_like or pair of them
        The first column, or it and the first row.
    x : array_like
        The vector or matrix to multiply by.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.
    workers : int, optional
        The number of threads of the Fourier transforms.

    Returns
    -------
    Array
        The product.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.matmul_toeplitz(b, b)
    Array([5., 4.], dtype=float64, device='cpu')
    """
    return apply(OPS["matmul_toeplitz"], c_or_cr, x, check_finite, workers)
