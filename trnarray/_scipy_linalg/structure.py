"""Properties and products of matrices."""

from __future__ import annotations

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "bandwidth",
    "ishermitian",
    "issymmetric",
    "khatri_rao",
]



def bandwidth(a: ArrayLike) -> tuple[int, int]:
    """Find the numbers of diagonals below and above the main one. See `scipy.linalg.bandwidth`."""
    result: tuple[int, int] = Array._apply(OPS["bandwidth"], a)
    return result


def issymmetric(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """Tell whether a matrix is symmetric. See `scipy.linalg.issymmetric`."""
    result: bool = Array._apply(OPS["issymmetric"], a, atol=atol, rtol=rtol)
    return result


def ishermitian(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """Tell whether a matrix is Hermitian. See `scipy.linalg.ishermitian`."""
    result: bool = Array._apply(OPS["ishermitian"], a, atol=atol, rtol=rtol)
    return result


def khatri_rao(a: ArrayLike, b: ArrayLike) -> Array:
    """Compute the Kronecker product column by column. See `scipy.linalg.khatri_rao`."""
    return apply(OPS["khatri_rao"], a, b)
