"""Eigenvalues and eigenvectors."""

from __future__ import annotations

from typing import Any

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "eig",
    "eig_banded",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvals_banded",
    "eigvalsh",
    "eigvalsh_tridiagonal",
]



def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    left: bool = False,
    right: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> Any:
    """Compute eigenvalues and eigenvectors of square matrices. See `scipy.linalg.eig`."""
    return apply(OPS["eig"], a, b, left, right, overwrite_a, overwrite_b, check_finite, homogeneous_eigvals)


def eigvals(
    a: ArrayLike,
    b: ArrayLike | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> Array:
    """Compute eigenvalues of square matrices. See `scipy.linalg.eigvals`."""
    added: dict[str, Any] = {}  # not in every SciPy
    if overwrite_b:
        added["overwrite_b"] = overwrite_b
    return apply(OPS["eigvals"], a, b, overwrite_a, check_finite=check_finite, homogeneous_eigvals=homogeneous_eigvals, **added)


def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: str | None = None,
) -> Any:
    """Compute eigenvalues and eigenvectors of Hermitian matrices. See `scipy.linalg.eigh`."""
    return apply(
        OPS["eigh"],
        a,
        b,
        lower=lower,
        eigvals_only=eigvals_only,
        overwrite_a=overwrite_a,
        overwrite_b=overwrite_b,
        type=type,
        check_finite=check_finite,
        subset_by_index=subset_by_index,
        subset_by_value=subset_by_value,
        driver=driver,
    )


def eigvalsh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: str | None = None,
) -> Array:
    """Compute eigenvalues of Hermitian matrices. See `scipy.linalg.eigvalsh`."""
    return apply(
        OPS["eigvalsh"],
        a,
        b,
        lower=lower,
        overwrite_a=overwrite_a,
        overwrite_b=overwrite_b,
        type=type,
        check_finite=check_finite,
        subset_by_index=subset_by_index,
        subset_by_value=subset_by_value,
        driver=driver,
    )


def eig_banded(
    a_band: ArrayLike,
    lower: bool = False,
    eigvals_only: bool = False,
    overwrite_a_band: bool = False,
    select: str = "a",
    select_range: Any = None,
    max_ev: int = 0,
    check_finite: bool = True,
) -> Any:
    """Compute eigenvalues and eigenvectors of a Hermitian banded matrix. See `scipy.linalg.eig_banded`."""
    return apply(OPS["eig_banded"], a_band, lower, eigvals_only, overwrite_a_band, select, select_range, max_ev, check_finite)


def eigvals_banded(
    a_band: ArrayLike,
    lower: bool = False,
    overwrite_a_band: bool = False,
    select: str = "a",
    select_range: Any = None,
    check_finite: bool = True,
) -> Array:
    """Compute eigenvalues of a Hermitian banded matrix. See `scipy.linalg.eigvals_banded`."""
    return apply(OPS["eigvals_banded"], a_band, lower, overwrite_a_band, select, select_range, check_finite)


def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: Any = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
) -> Any:
    """
    Compute eigenvalues and eigenvectors of a real symmetric tridiagonal matrix.

    See `scipy.linalg.eigh_tridiagonal`.
    """
    return apply(OPS["eigh_tridiagonal"], d, e, eigvals_only, select, select_range, check_finite, tol, lapack_driver)


def eigvalsh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    select: str = "a",
    select_range: Any = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
) -> Array:
    """Compute eigenvalues of a real symmetric tridiagonal matrix. See `scipy.linalg.eigvalsh_tridiagonal`."""
    return apply(OPS["eigvalsh_tridiagonal"], d, e, select, select_range, check_finite, tol, lapack_driver)
