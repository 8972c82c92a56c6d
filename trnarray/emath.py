"""Elementary functions whose results are complex where real numbers are outside their domain; NumPy calls this `numpy.emath` too."""

from __future__ import annotations

from ._apply import apply
from ._array import Array
from ._typing import ArrayLike
from .backends.ops import emath as ops

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]


def sqrt(x: ArrayLike) -> Array:
    """
    Compute the square root; of negative numbers the imaginary one.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The root, complex if any element of `x` is negative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.emath.sqrt([-1, 4])
    Array([0.+1.j, 2.+0.j], dtype=complex128, device='cpu')
    """
    return apply(ops.sqrt, x)


def log(x: ArrayLike) -> Array:
    """
    Compute the natural logarithm; of negative numbers the complex one.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The logarithm, complex if any element of `x` is negative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.emath.log(-1), 5)
    Array(0.+3.14159j, dtype=complex128, device='cpu')
    """
    return apply(ops.log, x)


def log2(x: ArrayLike) -> Array:
    """
    Compute the logarithm to base 2; of negative numbers the complex one.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The logarithm, complex if any element of `x` is negative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.emath.log2([1, 8])
    Array([0., 3.], dtype=float64, device='cpu')
    """
    return apply(ops.log2, x)


def log10(x: ArrayLike) -> Array:
    """
    Compute the logarithm to base 10; of negative numbers the complex one.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The logarithm, complex if any element of `x` is negative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.emath.log10([1, 1000])
    Array([0., 3.], dtype=float64, device='cpu')
    """
    return apply(ops.log10, x)


def logn(n: ArrayLike, x: ArrayLike) -> Array:
    """
    Compute the logarithm to a given base; of negative numbers the complex one.

    Parameters
    ----------
    n : array_like
        The base.
    x : array_like
        The argument.

    Returns
    -------
    Array
        The logarithm, complex if any element of `n` or `x` is negative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.emath.logn(2, [4, 8])
    Array([2., 3.], dtype=float64, device='cpu')
    """
    return apply(ops.logn, n, x)


def power(x: ArrayLike, p: ArrayLike) -> Array:
    """
    Raise numbers to powers; negative ones give complex results, and negative powers of integers are no error.

    Parameters
    ----------
    x : array_like
        The bases.
    p : array_like
        The exponents.

    Returns
    -------
    Array
        The powers, complex if any element of `x` is negative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.emath.power([2, 4], -2)
    Array([0.25  , 0.0625], dtype=float64, device='cpu')
    """
    return apply(ops.power, x, p)


def arccos(x: ArrayLike) -> Array:
    """
    Compute the inverse cosine; beyond 1 the complex one.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The angle, complex if any element of `x` is beyond 1 in absolute value.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.emath.arccos(1)
    Array(0., dtype=float64, device='cpu')
    """
    return apply(ops.arccos, x)


def arcsin(x: ArrayLike) -> Array:
    """
    Compute the inverse sine; beyond 1 the complex one.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The angle, complex if any element of `x` is beyond 1 in absolute value.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.emath.arcsin(0)
    Array(0., dtype=float64, device='cpu')
    """
    return apply(ops.arcsin, x)


def arctanh(x: ArrayLike) -> Array:
    """
    Compute the inverse hyperbolic tangent; beyond 1 the complex one.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The value, complex if any element of `x` is beyond 1 in absolute value.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.emath.arctanh(2), 3)
    Array(0.549+1.571j, dtype=complex128, device='cpu')
    """
    return apply(ops.arctanh, x)
