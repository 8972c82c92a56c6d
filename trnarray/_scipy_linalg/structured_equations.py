"""Equations and products of banded, Toeplitz and circulant matrices."""

from __future__ import annotations

from typing import Any, Final

from .._apply import apply
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

__all__ = [
    "matmul_toeplitz",
    "solve_banded",
    "solve_circulant",
    "solve_toeplitz",
    "solveh_banded",
]

_PARAMETERS: Final = PARAMETERS | {
    "l_and_u": "pair of int: The number of diagonals below and above the main one.",
    "c_or_cr": "array_like or pair of them: The first column, or it and the first row.",
    "singular": "{'raise', 'lstsq'}, optional: What to do with a nearly singular matrix.",
    "caxis": "int, optional: The axis of the columns in `c`.",
    "baxis": "int, optional: The axis of the right-hand sides in `b`.",
    "outaxis": "int, optional: The axis of the solutions.",
    "x": "array_like: The vector or matrix to multiply by.",
    "workers": "int, optional: The number of threads of the Fourier transforms.",
}
_documented: Final = document(_PARAMETERS)


@_documented
def solve_banded(
    l_and_u: Any, ab: ArrayLike, b: ArrayLike, overwrite_ab: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> Array:
    """Solve equations with a banded matrix. See `scipy.linalg.solve_banded`."""
    return apply(OPS["solve_banded"], l_and_u, ab, b, overwrite_ab, overwrite_b, check_finite)


@_documented
def solveh_banded(
    ab: ArrayLike, b: ArrayLike, overwrite_ab: bool = False, overwrite_b: bool = False, lower: bool = False, check_finite: bool = True,
) -> Array:
    """Solve equations with a positive-definite banded matrix. See `scipy.linalg.solveh_banded`."""
    return apply(OPS["solveh_banded"], ab, b, overwrite_ab, overwrite_b, lower, check_finite)


@_documented
def solve_toeplitz(c_or_cr: Any, b: ArrayLike, check_finite: bool = True) -> Array:
    """Solve equations with a Toeplitz matrix. See `scipy.linalg.solve_toeplitz`."""
    return apply(OPS["solve_toeplitz"], c_or_cr, b, check_finite)


@_documented
def solve_circulant(
    c: ArrayLike, b: ArrayLike, singular: str = "raise", tol: float | None = None, caxis: int = -1, baxis: int = 0, outaxis: int = 0,
) -> Array:
    """Solve equations with a circulant matrix. See `scipy.linalg.solve_circulant`."""
    return apply(OPS["solve_circulant"], c, b, singular, tol, caxis, baxis, outaxis)


@_documented
def matmul_toeplitz(c_or_cr: Any, x: ArrayLike, check_finite: bool = False, workers: int | None = None) -> Array:
    """Multiply a Toeplitz matrix by a vector or a matrix. See `scipy.linalg.matmul_toeplitz`."""
    return apply(OPS["matmul_toeplitz"], c_or_cr, x, check_finite, workers)
