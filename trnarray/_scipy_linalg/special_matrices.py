"""Matrices that are made of a few numbers."""

from __future__ import annotations

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike, DTypeLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "block_diag",
    "circulant",
    "companion",
    "convolution_matrix",
    "dft",
    "fiedler",
    "fiedler_companion",
    "hadamard",
    "hankel",
    "helmert",
    "hilbert",
    "invhilbert",
    "invpascal",
    "leslie",
    "pascal",
    "toeplitz",
]



def block_diag(*arrs: ArrayLike) -> Array:
    """Put matrices on the diagonal of another one. See `scipy.linalg.block_diag`."""
    return apply(OPS["block_diag"], *arrs)


def circulant(c: ArrayLike) -> Array:
    """Make circulant matrices. See `scipy.linalg.circulant`."""
    return apply(OPS["circulant"], c)


def companion(a: ArrayLike) -> Array:
    """Make the companion matrix of a polynomial. See `scipy.linalg.companion`."""
    return apply(OPS["companion"], a)


def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> Array:
    """Make the matrix of a convolution. See `scipy.linalg.convolution_matrix`."""
    return apply(OPS["convolution_matrix"], a, n, mode)


def dft(n: int, scale: str | None = None) -> Array:
    """Make the matrix of the discrete Fourier transform. See `scipy.linalg.dft`."""
    return apply(OPS["dft"], n, scale)


def fiedler(a: ArrayLike) -> Array:
    """Make a Fiedler matrix, of the differences of numbers. See `scipy.linalg.fiedler`."""
    return apply(OPS["fiedler"], a)


def fiedler_companion(a: ArrayLike) -> Array:
    """Make the Fiedler companion matrix of a polynomial. See `scipy.linalg.fiedler_companion`."""
    return apply(OPS["fiedler_companion"], a)


def hadamard(n: int, dtype: DTypeLike = int) -> Array:
    """Make a Hadamard matrix. See `scipy.linalg.hadamard`."""
    return apply(OPS["hadamard"], n, dtype=dtype)


def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Make a Hankel matrix. See `scipy.linalg.hankel`."""
    return apply(OPS["hankel"], c, r)


def helmert(n: int, full: bool = False) -> Array:
    """Make a Helmert matrix. See `scipy.linalg.helmert`."""
    return apply(OPS["helmert"], n, full)


def hilbert(n: int) -> Array:
    """Make a Hilbert matrix. See `scipy.linalg.hilbert`."""
    return apply(OPS["hilbert"], n)


def invhilbert(n: int, exact: bool = False) -> Array:
    """Make the inverse of a Hilbert matrix. See `scipy.linalg.invhilbert`."""
    return apply(OPS["invhilbert"], n, exact)


def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """Make a Leslie matrix, of fecundities and survivals. See `scipy.linalg.leslie`."""
    return apply(OPS["leslie"], f, s)


def pascal(n: int, kind: str = "symmetric", exact: bool = True) -> Array:
    """Make a Pascal matrix. See `scipy.linalg.pascal`."""
    return apply(OPS["pascal"], n, kind, exact)


def invpascal(n: int, kind: str = "symmetric", exact: bool = True) -> Array:
    """Make the inverse of a Pascal matrix. See `scipy.linalg.invpascal`."""
    return apply(OPS["invpascal"], n, kind, exact)


def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Make a Toeplitz matrix. See `scipy.linalg.toeplitz`."""
    return apply(OPS["toeplitz"], c, r)
