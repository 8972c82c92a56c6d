"""Singular values and subspaces; polar and cosine-sine decompositions."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "cossin",
    "diagsvd",
    "null_space",
    "orth",
    "orthogonal_procrustes",
    "polar",
    "subspace_angles",
    "svd",
    "svdvals",
]



def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """Compute singular vectors and values. See `scipy.linalg.svd`."""
    return apply(OPS["svd"], a, full_matrices, compute_uv, overwrite_a, check_finite, lapack_driver)


def svdvals(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute singular values. See `scipy.linalg.svdvals`."""
    return apply(OPS["svdvals"], a, overwrite_a, check_finite)


def diagsvd(s: ArrayLike, M: int, N: int) -> Array:
    """Make the matrix of singular values. See `scipy.linalg.diagsvd`."""
    return apply(OPS["diagsvd"], s, M, N)


def orth(A: ArrayLike, rcond: float | None = None) -> Array:
    """Find an orthonormal basis of the range of a matrix. See `scipy.linalg.orth`."""
    return apply(OPS["orth"], A, rcond)


def null_space(
    A: ArrayLike, rcond: float | None = None, *, overwrite_a: bool = False, check_finite: bool = True, lapack_driver: str = "gesdd",
) -> Array:
    """Find an orthonormal basis of the null space of a matrix. See `scipy.linalg.null_space`."""
    return apply(OPS["null_space"], A, rcond, overwrite_a=overwrite_a, check_finite=check_finite, lapack_driver=lapack_driver)


def subspace_angles(A: ArrayLike, B: ArrayLike) -> Array:
    """Compute the angles between the ranges of matrices. See `scipy.linalg.subspace_angles`."""
    return apply(OPS["subspace_angles"], A, B)


def polar(a: ArrayLike, side: str = "right") -> tuple[Array, ...]:
    """Factor matrices into a unitary and a positive one. See `scipy.linalg.polar`."""
    return apply_for_tuple(OPS["polar"], a, side)


def cossin(
    X: Any,
    p: int | None = None,
    q: int | None = None,
    separate: bool = False,
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> Any:
    """Compute the cosine-sine decomposition of a unitary matrix. See `scipy.linalg.cossin`."""
    return apply(OPS["cossin"], X, p, q, separate, swap_sign, compute_u, compute_vh)


def orthogonal_procrustes(A: ArrayLike, B: ArrayLike, check_finite: bool = True) -> tuple[Array, ...]:
    """
    Find the orthogonal matrix that maps one matrix closest to another.

    See `scipy.linalg.orthogonal_procrustes`.
    """
    return apply_for_tuple(OPS["orthogonal_procrustes"], A, B, check_finite)
