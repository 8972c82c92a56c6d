"""Functions of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "coshm",
    "cosm",
    "expm",
    "expm_cond",
    "expm_frechet",
    "fractional_matrix_power",
    "funm",
    "logm",
    "signm",
    "sinhm",
    "sinm",
    "sqrtm",
    "tanhm",
    "tanm",
]



def expm(A: ArrayLike) -> Array:
    """Compute the exponential of matrices. See `scipy.linalg.expm`."""
    return apply(OPS["expm"], A)


def logm(A: ArrayLike) -> Array:
    """Compute the principal logarithm of matrices. See `scipy.linalg.logm`."""
    return apply(OPS["logm"], A)


def sqrtm(A: ArrayLike) -> Array:
    """Compute the principal square root of matrices. See `scipy.linalg.sqrtm`."""
    return apply(OPS["sqrtm"], A)


def cosm(A: ArrayLike) -> Array:
    """Compute the cosine of matrices. See `scipy.linalg.cosm`."""
    return apply(OPS["cosm"], A)


def sinm(A: ArrayLike) -> Array:
    """Compute the sine of matrices. See `scipy.linalg.sinm`."""
    return apply(OPS["sinm"], A)


def tanm(A: ArrayLike) -> Array:
    """Compute the tangent of matrices. See `scipy.linalg.tanm`."""
    return apply(OPS["tanm"], A)


def coshm(A: ArrayLike) -> Array:
    """Compute the hyperbolic cosine of matrices. See `scipy.linalg.coshm`."""
    return apply(OPS["coshm"], A)


def sinhm(A: ArrayLike) -> Array:
    """Compute the hyperbolic sine of matrices. See `scipy.linalg.sinhm`."""
    return apply(OPS["sinhm"], A)


def tanhm(A: ArrayLike) -> Array:
    """Compute the hyperbolic tangent of matrices. See `scipy.linalg.tanhm`."""
    return apply(OPS["tanhm"], A)


def signm(A: ArrayLike) -> Array:
    """Compute the sign function of matrices. See `scipy.linalg.signm`."""
    return apply(OPS["signm"], A)


def expm_frechet(A: ArrayLike, E: ArrayLike, method: str | None = None, compute_expm: bool = True, check_finite: bool = True) -> Any:
    """Compute the derivative of the exponential of a matrix in a direction. See `scipy.linalg.expm_frechet`."""
    return apply(OPS["expm_frechet"], A, E, method, compute_expm, check_finite)


def expm_cond(A: ArrayLike, check_finite: bool = True) -> Array:
    """Compute the relative condition number of the exponential of a matrix. See `scipy.linalg.expm_cond`."""
    return apply(OPS["expm_cond"], A, check_finite)


def fractional_matrix_power(A: ArrayLike, t: float) -> Array:
    """Raise matrices to a fractional power. See `scipy.linalg.fractional_matrix_power`."""
    return apply(OPS["fractional_matrix_power"], A, t)


def funm(A: ArrayLike, func: Callable[..., Any], disp: bool = True) -> Any:
    """Compute a function of matrices. See `scipy.linalg.funm`."""
    return apply(OPS["funm"], A, func, disp)
