"""Inverses, pseudo-inverses and least squares."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._operand import as_operands
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "inv",
    "lstsq",
    "pinv",
    "pinvh",
]



def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: str | None = None, lower: bool = False) -> Array:
    """Invert matrices. See `scipy.linalg.inv`."""
    added: dict[str, Any] = {}  # not in every SciPy
    if assume_a is not None:
        added["assume_a"] = assume_a
    if lower:
        added["lower"] = lower
    return apply(OPS["inv"], a, overwrite_a, check_finite, **added)


def pinv(
    a: ArrayLike, *, atol: float | None = None, rtol: float | None = None, return_rank: bool = False, check_finite: bool = True,
) -> Any:
    """Compute the pseudo-inverse of matrices. See `scipy.linalg.pinv`."""
    return apply(OPS["pinv"], a, atol=atol, rtol=rtol, return_rank=return_rank, check_finite=check_finite)


def pinvh(
    a: ArrayLike,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """Compute the pseudo-inverse of Hermitian matrices. See `scipy.linalg.pinvh`."""
    return apply(OPS["pinvh"], a, atol, rtol, lower, return_rank, check_finite)


def lstsq(
    a: ArrayLike,
    b: ArrayLike,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: str | None = None,
) -> tuple[Array, ...]:
    """Solve linear equations in the sense of least squares. See `scipy.linalg.lstsq`."""
    if isinstance(a, (list, tuple, range)):  # which SciPy does not take here
        a, b = as_operands(a, b)
    return apply_for_tuple(OPS["lstsq"], a, b, cond, overwrite_a, overwrite_b, check_finite, lapack_driver)
