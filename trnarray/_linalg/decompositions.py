"""Decompositions of matrices: triangular, orthogonal, by singular values and by eigenvalues."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops import linalg as ops

__all__ = ["EigResult", "EighResult", "QRResult", "SVDResult", "cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]


class EigResult(NamedTuple):
    """
    Eigenvalues and eigenvectors of square matrices.

    Attributes
    ----------
    eigenvalues, eigenvectors : Array
        The values; the vectors in columns.
    """

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """
    Eigenvalues and eigenvectors of Hermitian matrices.

    Attributes
    ----------
    eigenvalues, eigenvectors : Array
        The values, ascending; the vectors in columns.
    """

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """
    The factors of a QR decomposition.

    Attributes
    ----------
    Q, R : Array
        The factor with orthonormal columns and the upper triangular one.
    """

    Q: Array
    R: Array


class SVDResult(NamedTuple):
    """
    Singular vectors and values.

    Attributes
    ----------
    U, S, Vh : Array
        The left vectors in columns, the values, and the adjoint right vectors in rows.
    """

    U: Array
    S: Array
    Vh: Array


def cholesky(a: ArrayLike, /, *, upper: bool = False) -> Array:
    """Factor positive-definite matrices into a triangular one and its adjoint. See `numpy.linalg.cholesky`."""
    return apply(ops.cholesky, a, upper=upper)


def qr(a: ArrayLike, mode: Literal["reduced", "complete", "r", "raw"] = "reduced") -> QRResult | Array | tuple[Array, Array]:
    """Factor matrices into one with orthonormal columns and an upper triangular one. See `numpy.linalg.qr`."""
    if mode == "r":
        return apply(ops.qr, a, mode)
    first, second = apply_for_tuple(ops.qr, a, mode)
    return (first, second) if mode == "raw" else QRResult(first, second)


def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> SVDResult | Array:
    """Decompose matrices into their singular vectors and values. See `numpy.linalg.svd`."""
    if not compute_uv:
        return apply(ops.svd, a, full_matrices, False, hermitian)
    return SVDResult(*apply_for_tuple(ops.svd, a, full_matrices, True, hermitian))


def svdvals(x: ArrayLike, /) -> Array:
    """Compute the singular values of matrices. See `numpy.linalg.svdvals`."""
    return apply(ops.svdvals, x)


def eig(a: ArrayLike) -> EigResult:
    """Compute eigenvalues and eigenvectors of square matrices. See `numpy.linalg.eig`."""
    return EigResult(*apply_for_tuple(ops.standard_eig, a))


def eigvals(a: ArrayLike) -> Array:
    """Compute the eigenvalues of square matrices. See `numpy.linalg.eigvals`."""
    return apply(ops.standard_eigvals, a)


def eigh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> EighResult:
    """Compute eigenvalues and eigenvectors of symmetric or Hermitian matrices. See `numpy.linalg.eigh`."""
    return EighResult(*apply_for_tuple(ops.eigh, a, UPLO))


def eigvalsh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> Array:
    """Compute the eigenvalues of symmetric or Hermitian matrices. See `numpy.linalg.eigvalsh`."""
    return apply(ops.eigvalsh, a, UPLO)
