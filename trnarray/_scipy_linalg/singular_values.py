"""Singular values and subspaces; polar and cosine-sine decompositions."""

from __future__ import annotations

from typing import Any, Final

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

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

_PARAMETERS: Final = PARAMETERS | {
    "full_matrices": "bool, optional: Whether singular vectors make square matrices.",
    "compute_uv": "bool, optional: Whether to compute singular vectors.",
    "s": "array_like: The singular values.",
    "M": "int: The number of rows.",
    "N": "int: The number of columns.",
    "side": "{'left', 'right'}, optional: On which side the positive factor is.",
    "X": "array_like or 4 of them: The unitary matrix, or its blocks.",
    "p": "int, optional: The number of rows of the first block.",
    "q": "int, optional: The number of columns of the first block.",
    "swap_sign": "bool, optional: Whether the minus sign is on the other sine.",
    "compute_u": "bool, optional: Whether to compute the left factor.",
    "compute_vh": "bool, optional: Whether to compute the right factor.",
}
_documented: Final = document(_PARAMETERS)


@_documented
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


@_documented
def svdvals(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute singular values. See `scipy.linalg.svdvals`."""
    return apply(OPS["svdvals"], a, overwrite_a, check_finite)


@_documented
def diagsvd(s: ArrayLike, M: int, N: int) -> Array:
    """Make the matrix of singular values. See `scipy.linalg.diagsvd`."""
    return apply(OPS["diagsvd"], s, M, N)


@_documented
def orth(A: ArrayLike, rcond: float | None = None) -> Array:
    """Find an orthonormal basis of the range of a matrix. See `scipy.linalg.orth`."""
    return apply(OPS["orth"], A, rcond)


@_documented
def null_space(
    A: ArrayLike, rcond: float | None = None, *, overwrite_a: bool = False, check_finite: bool = True, lapack_driver: str = "gesdd",
) -> Array:
    """Find an orthonormal basis of the null space of a matrix. See `scipy.linalg.null_space`."""
    return apply(OPS["null_space"], A, rcond, overwrite_a=overwrite_a, check_finite=check_finite, lapack_driver=lapack_driver)


@_documented
def subspace_angles(A: ArrayLike, B: ArrayLike) -> Array:
    """Compute the angles between the ranges of matrices. See `scipy.linalg.subspace_angles`."""
    return apply(OPS["subspace_angles"], A, B)


@_documented
def polar(a: ArrayLike, side: str = "right") -> tuple[Array, ...]:
    """Factor matrices into a unitary and a positive one. See `scipy.linalg.polar`."""
    return apply_for_tuple(OPS["polar"], a, side)


@_documented
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


@document(_PARAMETERS | {"A": "array_like: The matrix to map."})
def orthogonal_procrustes(A: ArrayLike, B: ArrayLike, check_finite: bool = True) -> tuple[Array, ...]:
    """
    Find the orthogonal matrix that maps one matrix closest to another.

    See `scipy.linalg.orthogonal_procrustes`.
    """
    return apply_for_tuple(OPS["orthogonal_procrustes"], A, B, check_finite)
