"""QR and RQ decompositions and their updates."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "qr",
    "qr_delete",
    "qr_insert",
    "qr_multiply",
    "qr_update",
    "rq",
]



def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """Factor matrices into an orthogonal and a triangular one. See `scipy.linalg.qr`."""
    added: dict[str, Any] = {}  # not in every SciPy
    if lwork is not None:
        added["lwork"] = lwork
    return apply(OPS["qr"], a, overwrite_a, mode=mode, pivoting=pivoting, check_finite=check_finite, **added)


def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> Any:
    """Multiply a matrix by the orthogonal factor of another one. See `scipy.linalg.qr_multiply`."""
    return apply(OPS["qr_multiply"], a, c, mode, pivoting, conjugate, overwrite_a, overwrite_c)


def qr_update(
    Q: ArrayLike, R: ArrayLike, u: ArrayLike, v: ArrayLike, overwrite_qruv: bool = False, check_finite: bool = True,
) -> tuple[Array, ...]:
    """Update a QR decomposition for a matrix changed by a product of vectors. See `scipy.linalg.qr_update`."""
    return apply_for_tuple(OPS["qr_update"], Q, R, u, v, overwrite_qruv, check_finite)


def qr_insert(
    Q: ArrayLike,
    R: ArrayLike,
    u: ArrayLike,
    k: int,
    which: str = "row",
    rcond: float | None = None,
    overwrite_qru: bool = False,
    check_finite: bool = True,
) -> tuple[Array, ...]:
    """Update a QR decomposition for inserted rows or columns. See `scipy.linalg.qr_insert`."""
    return apply_for_tuple(OPS["qr_insert"], Q, R, u, k, which, rcond, overwrite_qru, check_finite)


def qr_delete(
    Q: ArrayLike, R: ArrayLike, k: int, p: int = 1, which: str = "row", overwrite_qr: bool = False, check_finite: bool = True,
) -> tuple[Array, ...]:
    """Update a QR decomposition for deleted rows or columns. See `scipy.linalg.qr_delete`."""
    return apply_for_tuple(OPS["qr_delete"], Q, R, k, p, which, overwrite_qr, check_finite)


def rq(a: ArrayLike, overwrite_a: bool = False, lwork: int | None = None, mode: str = "full", check_finite: bool = True) -> Any:
    """Factor a matrix into a triangular and an orthogonal one. See `scipy.linalg.rq`."""
    return apply(OPS["rq"], a, overwrite_a, lwork, mode, check_finite)
