"""Equations and products of banded, Toeplitz and circulant matrices."""

from __future__ import annotations

from typing import Any

from .._apply import apply
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



def solve_banded(
    l_and_u: Any, ab: ArrayLike, b: ArrayLike, overwrite_ab: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> Array:
    """Solve equations with a banded matrix. See `scipy.linalg.solve_banded`."""
    return apply(OPS["solve_banded"], l_and_u, ab, b, overwrite_ab, overwrite_b, check_finite)


def solveh_banded(
    ab: ArrayLike, b: ArrayLike, overwrite_ab: bool = False, overwrite_b: bool = False, lower: bool = False, check_finite: bool = True,
) -> Array:
    """Solve equations with a positive-definite banded matrix. See `scipy.linalg.solveh_banded`."""
    return apply(OPS["solveh_banded"], ab, b, overwrite_ab, overwrite_b, lower, check_finite)


def solve_toeplitz(c_or_cr: Any, b: ArrayLike, check_finite: bool = True) -> Array:
    """Solve equations with a Toeplitz matrix. See `scipy.linalg.solve_toeplitz`."""
    return apply(OPS["solve_toeplitz"], c_or_cr, b, check_finite)


def solve_circulant(
    c: ArrayLike, b: ArrayLike, singular: str = "raise", tol: float | None = None, caxis: int = -1, baxis: int = 0, outaxis: int = 0,
) -> Array:
    """Solve equations with a circulant matrix. See `scipy.linalg.solve_circulant`."""
    return apply(OPS["solve_circulant"], c, b, singular, tol, caxis, baxis, outaxis)


def matmul_toeplitz(c_or_cr: Any, x: ArrayLike, check_finite: bool = False, workers: int | None = None) -> Array:
    """Multiply a Toeplitz matrix by a vector or a matrix. See `scipy.linalg.matmul_toeplitz`."""
    return apply(OPS["matmul_toeplitz"], c_or_cr, x, check_finite, workers)
