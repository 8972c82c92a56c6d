"""Functions of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .._apply import apply
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

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

_PARAMETERS: Final = PARAMETERS | {
    "E": "array_like: The direction of the derivative.",
    "compute_expm": "bool, optional: Whether to return the exponential, too.",
    "t": "float: The exponent.",
    "func": "callable: The function, on ndarrays.",
    "disp": "bool, optional: Whether to print a warning about a large error rather than return its estimate.",
}
_documented: Final = document(_PARAMETERS)


@_documented
def expm(A: ArrayLike) -> Array:
    """Compute the exponential of matrices. See `scipy.linalg.expm`."""
    return apply(OPS["expm"], A)


@_documented
def logm(A: ArrayLike) -> Array:
    """Compute the principal logarithm of matrices. See `scipy.linalg.logm`."""
    return apply(OPS["logm"], A)


@_documented
def sqrtm(A: ArrayLike) -> Array:
    """Compute the principal square root of matrices. See `scipy.linalg.sqrtm`."""
    return apply(OPS["sqrtm"], A)


@_documented
def cosm(A: ArrayLike) -> Array:
    """Compute the cosine of matrices. See `scipy.linalg.cosm`."""
    return apply(OPS["cosm"], A)


@_documented
def sinm(A: ArrayLike) -> Array:
    """Compute the sine of matrices. See `scipy.linalg.sinm`."""
    return apply(OPS["sinm"], A)


@_documented
def tanm(A: ArrayLike) -> Array:
    """Compute the tangent of matrices. See `scipy.linalg.tanm`."""
    return apply(OPS["tanm"], A)


@_documented
def coshm(A: ArrayLike) -> Array:
    """Compute the hyperbolic cosine of matrices. See `scipy.linalg.coshm`."""
    return apply(OPS["coshm"], A)


@_documented
def sinhm(A: ArrayLike) -> Array:
    """Compute the hyperbolic sine of matrices. See `scipy.linalg.sinhm`."""
    return apply(OPS["sinhm"], A)


@_documented
def tanhm(A: ArrayLike) -> Array:
    """Compute the hyperbolic tangent of matrices. See `scipy.linalg.tanhm`."""
    return apply(OPS["tanhm"], A)


@_documented
def signm(A: ArrayLike) -> Array:
    """Compute the sign function of matrices. See `scipy.linalg.signm`."""
    return apply(OPS["signm"], A)


@_documented
def expm_frechet(A: ArrayLike, E: ArrayLike, method: str | None = None, compute_expm: bool = True, check_finite: bool = True) -> Any:
    """Compute the derivative of the exponential of a matrix in a direction. See `scipy.linalg.expm_frechet`."""
    return apply(OPS["expm_frechet"], A, E, method, compute_expm, check_finite)


@_documented
def expm_cond(A: ArrayLike, check_finite: bool = True) -> Array:
    """Compute the relative condition number of the exponential of a matrix. See `scipy.linalg.expm_cond`."""
    return apply(OPS["expm_cond"], A, check_finite)


@_documented
def fractional_matrix_power(A: ArrayLike, t: float) -> Array:
    """Raise matrices to a fractional power. See `scipy.linalg.fractional_matrix_power`."""
    return apply(OPS["fractional_matrix_power"], A, t)


@_documented
def funm(A: ArrayLike, func: Callable[..., Any], disp: bool = True) -> Any:
    """Compute a function of matrices. See `scipy.linalg.funm`."""
    return apply(OPS["funm"], A, func, disp)
