"""Inverses, pseudo-inverses and least squares."""

from __future__ import annotations

from typing import Any, Final

from .._apply import apply, apply_for_tuple, direct
from .._array import Array
from .._array.parameters import document
from .._operand import as_operands
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

__all__ = [
    "inv",
    "lstsq",
    "pinv",
    "pinvh",
]

_PARAMETERS: Final = PARAMETERS | {
    "return_rank": "bool, optional: Whether to return the rank, too.",
}
_documented: Final = document(_PARAMETERS)


@direct(OPS)
@_documented
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: str | None = None, lower: bool = False) -> Array:
    """
    Invert matrices.

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
@_documented
def pinv(
    a: ArrayLike, *, atol: float | None = None, rtol: float | None = None, return_rank: bool = False, check_finite: bool = True,
) -> Any:
    """
    Compute the pseudo-inverse of matrices.

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
@_documented
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
@_documented
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
    if isinstance(a, (list, tuple, range)):  # which SciPy does not take here
        a, b = as_operands(a, b)
    return apply_for_tuple(OPS["lstsq"], a, b, cond, overwrite_a, overwrite_b, check_finite, lapack_driver)
