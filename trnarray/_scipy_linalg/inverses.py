"""Inverses, pseudo-inverses and least squares."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple, direct
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "inv",
    "lstsq",
    "pinv",
    "pinvh",
]


@direct(OPS)
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: str | None = None, lower: bool = False) -> Array:
    """
    Invert matrices.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    overwrite_a : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.
    assume_a : str, optional
        The structure of the matrix; None looks for it.
    lower : bool, optional
        Whether the lower triangle is meant.

    Returns
    -------
    Array
        The inverse.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.inv(a)
    Array([[ 0.27272727, -0.09090909],
           [-0.09090909,  0.36363636]], dtype=float64, device='cpu')
    """
    added: dict[str, Any] = {}  # not in every SciPy
    if assume_a is not None:
        added["assume_a"] = assume_a
    if lower:
        added["lower"] = lower
    return apply(OPS["inv"], a, overwrite_a, check_finite, **added)


@direct(OPS)
def pinv(
    a: ArrayLike, *, atol: float | None = None, rtol: float | None = None, return_rank: bool = False, check_finite: bool = True,
) -> Any:
    """
    Compute the pseudo-inverse of matrices.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    atol : float, optional
        The absolute tolerance.
    rtol : float, optional
        The relative tolerance.
    return_rank : bool, optional
        Whether to return the rank, too.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    Array or tuple
        The pseudo-inverse, and the rank if it is asked for.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.pinv(xp.asarray([[2.0], [0.0]]))
    Array([[0.5, 0. ]], dtype=float64, device='cpu')
    """
    return apply(OPS["pinv"], a, atol=atol, rtol=rtol, return_rank=return_rank, check_finite=check_finite)


@direct(OPS)
def pinvh(
    a: ArrayLike,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """
    Compute the pseudo-inverse of Hermitian matrices.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    atol : float, optional
        The absolute tolerance.
    rtol : float, optional
        The relative tolerance.
    lower : bool, optional
        Whether the lower triangle is meant.
    return_rank : bool, optional
        Whether to return the rank, too.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.

    Returns
    -------
    Array or tuple
        The pseudo-inverse, and the rank if it is asked for.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.pinvh(xp.asarray([[2.0, 0.0], [0.0, 0.0]]))
    Array([[0.5, 0. ],
           [0. , 0. ]], dtype=float64, device='cpu')
    """
    return apply(OPS["pinvh"], a, atol, rtol, lower, return_rank, check_finite)


@direct(OPS)
def lstsq(
    a: ArrayLike,
    b: ArrayLike,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: str | None = None,
) -> tuple[Array, ...]:
    """
    Solve linear equations in the sense of least squares.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    b : array_like
        The right-hand side, one or several in columns.
    cond : float, optional
        The relative size below which singular values count as zero.
    overwrite_a : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    overwrite_b : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.
    check_finite : bool, optional
        Whether to look for infinities and NaN, which raise ValueError.
    lapack_driver : str, optional
        The routine of LAPACK.

    Returns
    -------
    tuple of Arrays
        The solution, the sums of squared residuals, the rank and the singular values.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.lstsq(a, b)[0]
    Array([0.09090909, 0.63636364], dtype=float64, device='cpu')
    """
    return apply_for_tuple(OPS["lstsq"], a, b, cond, overwrite_a, overwrite_b, check_finite, lapack_driver)
