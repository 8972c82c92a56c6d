"""Functions of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .._apply import apply, direct
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


@direct(OPS)
@_documented
def expm(A: ArrayLike) -> Array:
    """
    Compute the exponential of matrices.

    Returns
    -------
    Array
        The exponential.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.expm(xp.zeros((2, 2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return apply(OPS["expm"], A)


@direct(OPS)
@_documented
def logm(A: ArrayLike) -> Array:
    """
    Compute the principal logarithm of matrices.

    Returns
    -------
    Array
        The logarithm.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.logm(xp.eye(2))
    Array([[0., 0.],
           [0., 0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["logm"], A)


@direct(OPS)
@_documented
def sqrtm(A: ArrayLike) -> Array:
    """
    Compute the principal square root of matrices.

    Returns
    -------
    Array
        The root.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.sqrtm(xp.asarray([[4.0, 0.0], [0.0, 9.0]]))
    Array([[2., 0.],
           [0., 3.]], dtype=float64, device='cpu')
    """
    return apply(OPS["sqrtm"], A)


@direct(OPS)
@_documented
def cosm(A: ArrayLike) -> Array:
    """
    Compute the cosine of matrices.

    Returns
    -------
    Array
        The cosine.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.cosm(xp.zeros((2, 2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return apply(OPS["cosm"], A)


@direct(OPS)
@_documented
def sinm(A: ArrayLike) -> Array:
    """
    Compute the sine of matrices.

    Returns
    -------
    Array
        The sine.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.sinm(xp.zeros((2, 2)))
    Array([[0., 0.],
           [0., 0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["sinm"], A)


@direct(OPS)
@_documented
def tanm(A: ArrayLike) -> Array:
    """
    Compute the tangent of matrices.

    Returns
    -------
    Array
        The tangent.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.tanm(xp.zeros((2, 2)))
    Array([[0., 0.],
           [0., 0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["tanm"], A)


@direct(OPS)
@_documented
def coshm(A: ArrayLike) -> Array:
    """
    Compute the hyperbolic cosine of matrices.

    Returns
    -------
    Array
        The hyperbolic cosine.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.coshm(xp.zeros((2, 2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return apply(OPS["coshm"], A)


@direct(OPS)
@_documented
def sinhm(A: ArrayLike) -> Array:
    """
    Compute the hyperbolic sine of matrices.

    Returns
    -------
    Array
        The hyperbolic sine.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.sinhm(xp.zeros((2, 2)))
    Array([[0., 0.],
           [0., 0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["sinhm"], A)


@direct(OPS)
@_documented
def tanhm(A: ArrayLike) -> Array:
    """
    Compute the hyperbolic tangent of matrices.

    Returns
    -------
    Array
        The hyperbolic tangent.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.tanhm(xp.zeros((2, 2)))
    Array([[0., 0.],
           [0., 0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["tanhm"], A)


@direct(OPS)
@_documented
def signm(A: ArrayLike) -> Array:
    """
    Compute the sign function of matrices.

    Returns
    -------
    Array
        The sign.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.signm(a)
    Array([[ 1.00000000e+00, -2.68028381e-17],
           [-2.68028381e-17,  1.00000000e+00]], dtype=float64, device='cpu')
    """
    return apply(OPS["signm"], A)


@direct(OPS)
@_documented
def expm_frechet(A: ArrayLike, E: ArrayLike, method: str | None = None, compute_expm: bool = True, check_finite: bool = True) -> Any:
    """
    Compute the derivative of the exponential of a matrix in a direction.

    Returns
    -------
    Array or tuple
        The exponential and the derivative, or only the latter.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.expm_frechet(xp.zeros((2, 2)), xp.eye(2))[1]
    Array([[1., 0.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return apply(OPS["expm_frechet"], A, E, method, compute_expm, check_finite)


@direct(OPS)
@_documented
def expm_cond(A: ArrayLike, check_finite: bool = True) -> Array:
    """
    Compute the relative condition number of the exponential of a matrix.

    Returns
    -------
    Array
        The condition number, in the Frobenius norm.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.expm_cond(xp.zeros((2, 2)))
    Array(0., dtype=float64, device='cpu')
    """
    return apply(OPS["expm_cond"], A, check_finite)


@direct(OPS)
@_documented
def fractional_matrix_power(A: ArrayLike, t: float) -> Array:
    """
    Raise matrices to a fractional power.

    Returns
    -------
    Array
        The power.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.fractional_matrix_power(xp.asarray([[4.0, 0.0], [0.0, 9.0]]), 0.5)
    Array([[2., 0.],
           [0., 3.]], dtype=float64, device='cpu')
    """
    return apply(OPS["fractional_matrix_power"], A, t)


@direct(OPS)
@_documented
def funm(A: ArrayLike, func: Callable[..., Any], disp: bool = True) -> Any:
    """
    Compute a function of matrices.

    Returns
    -------
    Array or tuple
        The function's value, and the estimate of its error if that is not printed.

    Examples
    --------
    >>> import numpy as np
    >>> import trnarray as xp
    >>> xp.scipy.linalg.funm(xp.eye(2), np.exp)
    Array([[2.71828183, 0.        ],
           [0.        , 2.71828183]], dtype=float64, device='cpu')
    """
    return apply(OPS["funm"], A, func, disp)
