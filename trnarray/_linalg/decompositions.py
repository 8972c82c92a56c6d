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
    """
    Factor positive-definite matrices into a triangular one and its adjoint.

    Parameters
    ----------
    a : array_like
        Symmetric or Hermitian matrices.
    upper : bool, optional
        Whether to give the upper factor, which stands second, and read the upper triangle; by default the lower.

    Returns
    -------
    Array
        The triangular factors.

    Raises
    ------
    LinAlgError
        If a matrix is not positive definite.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
    Array([[2., 0.],
           [1., 2.]], dtype=float64, device='cpu')
    """
    return apply(ops.cholesky, a, upper=upper)


def qr(a: ArrayLike, mode: Literal["reduced", "complete", "r", "raw"] = "reduced") -> QRResult | Array | tuple[Array, Array]:
    """
    Factor matrices into one with orthonormal columns and an upper triangular one.

    Parameters
    ----------
    a : array_like
        The matrices, of shape (..., M, N); K is the shorter side.
    mode : {'reduced', 'complete', 'r', 'raw'}, optional
        'reduced' gives Q (M, K) and R (K, N), 'complete' Q (M, M) and R (M, N), 'r' R alone, 'raw' LAPACK's reflectors
        and their factors.

    Returns
    -------
    QRResult
        A namedtuple of Q and R; an Array or a tuple in the last two modes.

    Examples
    --------
    >>> import trnarray as xp
    >>> Q, R = xp.linalg.qr(xp.ones((3, 2)))
    >>> Q.shape, R.shape
    ((3, 2), (2, 2))
    """
    if mode == "r":
        return apply(ops.qr, a, mode)
    first, second = apply_for_tuple(ops.qr, a, mode)
    return (first, second) if mode == "raw" else QRResult(first, second)


def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> SVDResult | Array:
    """
    Decompose matrices into their singular vectors and values.

    Parameters
    ----------
    a : array_like
        The matrices, of shape (..., M, N); K is the shorter side.
    full_matrices : bool, optional
        Whether U is (M, M) and Vh (N, N), not (M, K) and (K, N).
    compute_uv : bool, optional
        Whether to compute the vectors.
    hermitian : bool, optional
        Whether the matrices are Hermitian, which is faster.

    Returns
    -------
    SVDResult
        A namedtuple of U, S and Vh; S alone without `compute_uv`. Values are real and descend.

    Raises
    ------
    LinAlgError
        If the iteration does not converge.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.svd([[0.0, 2.0], [1.0, 0.0]]).S
    Array([2., 1.], dtype=float64, device='cpu')
    """
    if not compute_uv:
        return apply(ops.svd, a, full_matrices, False, hermitian)
    return SVDResult(*apply_for_tuple(ops.svd, a, full_matrices, True, hermitian))


def svdvals(x: ArrayLike, /) -> Array:
    """
    Compute the singular values of matrices.

    Parameters
    ----------
    x : array_like
        The matrices.

    Returns
    -------
    Array
        The values, real and descending.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.svdvals([[0.0, 2.0], [1.0, 0.0]])
    Array([2., 1.], dtype=float64, device='cpu')
    """
    return apply(ops.svdvals, x)


def eig(a: ArrayLike) -> EigResult:
    """
    Compute eigenvalues and eigenvectors of square matrices.

    Parameters
    ----------
    a : array_like
        The matrices.

    Returns
    -------
    EigResult
        A namedtuple of eigenvalues and eigenvectors (in columns, of unit length), always complex.

    Raises
    ------
    LinAlgError
        If the iteration does not converge.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.eig([[2.0, 0.0], [0.0, 3.0]]).eigenvalues
    Array([2.+0.j, 3.+0.j], dtype=complex128, device='cpu')
    """
    return EigResult(*apply_for_tuple(ops.standard_eig, a))


def eigvals(a: ArrayLike) -> Array:
    """
    Compute the eigenvalues of square matrices.

    Parameters
    ----------
    a : array_like
        The matrices.

    Returns
    -------
    Array
        The values, always complex.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]])
    Array([0.+1.j, 0.-1.j], dtype=complex128, device='cpu')
    """
    return apply(ops.standard_eigvals, a)


def eigh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> EighResult:
    """
    Compute eigenvalues and eigenvectors of symmetric or Hermitian matrices.

    Parameters
    ----------
    a : array_like
        The matrices.
    UPLO : {'L', 'U'}, optional
        Which triangle to read.

    Returns
    -------
    EighResult
        A namedtuple of eigenvalues (real and ascending) and eigenvectors (in columns, orthonormal).

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.eigh([[3.0, 0.0], [0.0, 2.0]]).eigenvalues
    Array([2., 3.], dtype=float64, device='cpu')
    """
    return EighResult(*apply_for_tuple(ops.eigh, a, UPLO))


def eigvalsh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> Array:
    """
    Compute the eigenvalues of symmetric or Hermitian matrices.

    Parameters
    ----------
    a : array_like
        The matrices.
    UPLO : {'L', 'U'}, optional
        Which triangle to read.

    Returns
    -------
    Array
        The values, real and ascending.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.eigvalsh([[3.0, 0.0], [0.0, 2.0]])
    Array([2., 3.], dtype=float64, device='cpu')
    """
    return apply(ops.eigvalsh, a, UPLO)
