"""Properties and products of matrices."""

from __future__ import annotations

from typing import Final

from .._apply import apply, direct
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

__all__ = [
    "bandwidth",
    "ishermitian",
    "issymmetric",
    "khatri_rao",
]

_documented: Final = document(PARAMETERS | {"b": "array_like: The second matrix."})


@_documented
def bandwidth(a: ArrayLike) -> tuple[int, int]:
    """
    Find the numbers of diagonals below and above the main one.

    Returns
    -------
    tuple of int
        The two numbers.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.bandwidth(a)
    (1, 1)
    """
    result: tuple[int, int] = Array._apply(OPS["bandwidth"], a)
    return result


@_documented
def issymmetric(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """
    Tell whether a matrix is symmetric.

    Returns
    -------
    bool
        True if it is.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.issymmetric(a)
    True
    """
    result: bool = Array._apply(OPS["issymmetric"], a, atol=atol, rtol=rtol)
    return result


@_documented
def ishermitian(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """
    Tell whether a matrix is Hermitian.

    Returns
    -------
    bool
        True if it is.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.ishermitian(a)
    True
    """
    result: bool = Array._apply(OPS["ishermitian"], a, atol=atol, rtol=rtol)
    return result


@direct(OPS)
@_documented
def khatri_rao(a: ArrayLike, b: ArrayLike) -> Array:
    """
    Compute the Kronecker product column by column.

    Returns
    -------
    Array
        The product.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.khatri_rao(a, xp.eye(2)).shape
    (4, 2)
    """
    return apply(OPS["khatri_rao"], a, b)
