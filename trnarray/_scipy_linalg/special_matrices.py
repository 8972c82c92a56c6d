"""Matrices that are made of a few numbers."""

from __future__ import annotations

from typing import Final

from .._apply import apply, direct
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike, DTypeLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

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

_PARAMETERS: Final = PARAMETERS | {
    "arrs": "array_like: The blocks.",
    "a": "array_like: The coefficients, from the highest power.",
    "n": "int: The order.",
    "scale": "{'sqrtn', 'n'}, optional: How to scale.",
    "dtype": "dtype, optional: The dtype of the result.",
    "r": "array_like, optional: The first row; by default it follows from the column.",
    "full": "bool, optional: Whether to include the first row.",
    "exact": "bool, optional: Whether to compute in integers.",
    "f": "array_like: The fecundities.",
    "s": "array_like: The survivals, one fewer.",
    "kind": "str, optional: Which of the triangular or symmetric ones.",
}
_documented: Final = document(_PARAMETERS)


@direct(OPS)
@_documented
def block_diag(*arrs: ArrayLike) -> Array:
    """
    Put matrices on the diagonal of another one.

    Returns
    -------
    Array
        The matrix, zero elsewhere.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.block_diag(xp.asarray([[1.0]]), xp.asarray([[2.0, 3.0]]))
    Array([[1., 0., 0.],
           [0., 2., 3.]], dtype=float64, device='cpu')
    """
    return apply(OPS["block_diag"], *arrs)


@direct(OPS)
@_documented
def circulant(c: ArrayLike) -> Array:
    """
    Make circulant matrices.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.circulant(b)
    Array([[1., 2.],
           [2., 1.]], dtype=float64, device='cpu')
    """
    return apply(OPS["circulant"], c)


@direct(OPS)
@_documented
def companion(a: ArrayLike) -> Array:
    """
    Make the companion matrix of a polynomial.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.companion(xp.asarray([1.0, -3.0, 2.0]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["companion"], a)


@direct(OPS)
@document(_PARAMETERS | {"a": "array_like: The coefficients.", "n": "int: The length of what is convolved."})
def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> Array:
    """
    Make the matrix of a convolution.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.convolution_matrix(b, 2)
    Array([[1., 0.],
           [2., 1.],
           [0., 2.]], dtype=float64, device='cpu')
    """
    return apply(OPS["convolution_matrix"], a, n, mode)


@direct(OPS, creates=True)
@_documented
def dft(n: int, scale: str | None = None) -> Array:
    """
    Make the matrix of the discrete Fourier transform.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.dft(1)
    Array([[1.+0.j]], dtype=complex128, device='cpu')
    """
    return apply(OPS["dft"], n, scale)


@direct(OPS)
@document(_PARAMETERS | {"a": "array_like: The numbers."})
def fiedler(a: ArrayLike) -> Array:
    """
    Make a Fiedler matrix, of the differences of numbers.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.fiedler(b)
    Array([[0., 1.],
           [1., 0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["fiedler"], a)


@direct(OPS)
@_documented
def fiedler_companion(a: ArrayLike) -> Array:
    """
    Make the Fiedler companion matrix of a polynomial.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.fiedler_companion(xp.asarray([1.0, -3.0, 2.0]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["fiedler_companion"], a)


@direct(OPS, creates=True)
@_documented
def hadamard(n: int, dtype: DTypeLike = int) -> Array:
    """
    Make a Hadamard matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.hadamard(2)
    Array([[ 1,  1],
           [ 1, -1]], dtype=int64, device='cpu')
    """
    return apply(OPS["hadamard"], n, dtype=dtype)


@direct(OPS)
@_documented
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """
    Make a Hankel matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.hankel(b)
    Array([[1., 2.],
           [2., 0.]], dtype=float64, device='cpu')
    """
    return apply(OPS["hankel"], c, r)


@direct(OPS, creates=True)
@_documented
def helmert(n: int, full: bool = False) -> Array:
    """
    Make a Helmert matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.helmert(2, full=True)
    Array([[ 0.70710678,  0.70710678],
           [ 0.70710678, -0.70710678]], dtype=float64, device='cpu')
    """
    return apply(OPS["helmert"], n, full)


@direct(OPS, creates=True)
@_documented
def hilbert(n: int) -> Array:
    """
    Make a Hilbert matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.hilbert(2)
    Array([[1.        , 0.5       ],
           [0.5       , 0.33333333]], dtype=float64, device='cpu')
    """
    return apply(OPS["hilbert"], n)


@direct(OPS, creates=True)
@_documented
def invhilbert(n: int, exact: bool = False) -> Array:
    """
    Make the inverse of a Hilbert matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.invhilbert(2)
    Array([[ 4., -6.],
           [-6., 12.]], dtype=float64, device='cpu')
    """
    return apply(OPS["invhilbert"], n, exact)


@direct(OPS)
@_documented
def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """
    Make a Leslie matrix, of fecundities and survivals.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.leslie(b, xp.asarray([0.5]))
    Array([[1. , 2. ],
           [0.5, 0. ]], dtype=float64, device='cpu')
    """
    return apply(OPS["leslie"], f, s)


@direct(OPS, creates=True)
@_documented
def pascal(n: int, kind: str = "symmetric", exact: bool = True) -> Array:
    """
    Make a Pascal matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.pascal(3)
    Array([[1, 1, 1],
           [1, 2, 3],
           [1, 3, 6]], dtype=uint64, device='cpu')
    """
    return apply(OPS["pascal"], n, kind, exact)


@direct(OPS, creates=True)
@_documented
def invpascal(n: int, kind: str = "symmetric", exact: bool = True) -> Array:
    """
    Make the inverse of a Pascal matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.invpascal(2)
    Array([[ 2, -1],
           [-1,  1]], dtype=int64, device='cpu')
    """
    return apply(OPS["invpascal"], n, kind, exact)


@direct(OPS)
@_documented
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """
    Make a Toeplitz matrix.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> b = xp.asarray([1.0, 2.0])
    >>> xp.scipy.linalg.toeplitz(b)
    Array([[1., 2.],
           [2., 1.]], dtype=float64, device='cpu')
    """
    return apply(OPS["toeplitz"], c, r)
