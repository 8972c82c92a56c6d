"""Schur and Hessenberg forms, and balancing."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "cdf2rdf",
    "hessenberg",
    "matrix_balance",
    "ordqz",
    "qz",
    "rsf2csf",
    "schur",
]



def schur(
    a: ArrayLike, output: str = "real", lwork: int | None = None, overwrite_a: bool = False, sort: Any = None, check_finite: bool = True,
) -> Any:
    """Compute the Schur decomposition of matrices. See `scipy.linalg.schur`."""
    return apply(OPS["schur"], a, output, lwork, overwrite_a, sort, check_finite)


def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, ...]:
    """Convert a real Schur form to the complex one. See `scipy.linalg.rsf2csf`."""
    return apply_for_tuple(OPS["rsf2csf"], T, Z, check_finite)


def qz(
    A: ArrayLike,
    B: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    sort: Any = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[Array, ...]:
    """Compute the generalized Schur decomposition of two matrices. See `scipy.linalg.qz`."""
    return apply_for_tuple(OPS["qz"], A, B, output, lwork, sort, overwrite_a, overwrite_b, check_finite)


def ordqz(
    A: ArrayLike,
    B: ArrayLike,
    sort: Any = "lhp",
    output: str = "real",
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[Array, ...]:
    """Compute the generalized Schur decomposition with sorted eigenvalues. See `scipy.linalg.ordqz`."""
    return apply_for_tuple(OPS["ordqz"], A, B, sort, output, overwrite_a, overwrite_b, check_finite)


def hessenberg(a: ArrayLike, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Compute the Hessenberg form of matrices. See `scipy.linalg.hessenberg`."""
    return apply(OPS["hessenberg"], a, calc_q, overwrite_a, check_finite)


def cdf2rdf(w: ArrayLike, v: ArrayLike) -> tuple[Array, ...]:
    """Convert complex eigenvalues and vectors to real block-diagonal form. See `scipy.linalg.cdf2rdf`."""
    return apply_for_tuple(OPS["cdf2rdf"], w, v)


def matrix_balance(A: ArrayLike, permute: bool = True, scale: bool = True, separate: bool = False, overwrite_a: bool = False) -> Any:
    """Balance matrices by permutation and scaling. See `scipy.linalg.matrix_balance`."""
    return apply(OPS["matrix_balance"], A, permute, scale, separate, overwrite_a)
