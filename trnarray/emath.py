"""Elementary functions whose results are complex where real numbers are outside their domain; NumPy calls this `numpy.emath` too."""

from __future__ import annotations

from ._apply import apply
from ._array import Array
from ._typing import ArrayLike
from .backends.ops import emath as ops

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]


def sqrt(x: ArrayLike) -> Array:
    """Compute the square root; of negative numbers the imaginary one. See `numpy.emath.sqrt`."""
    return apply(ops.sqrt, x)


def log(x: ArrayLike) -> Array:
    """Compute the natural logarithm; of negative numbers the complex one. See `numpy.emath.log`."""
    return apply(ops.log, x)


def log2(x: ArrayLike) -> Array:
    """Compute the logarithm to base 2; of negative numbers the complex one. See `numpy.emath.log2`."""
    return apply(ops.log2, x)


def log10(x: ArrayLike) -> Array:
    """Compute the logarithm to base 10; of negative numbers the complex one. See `numpy.emath.log10`."""
    return apply(ops.log10, x)


def logn(n: ArrayLike, x: ArrayLike) -> Array:
    """Compute the logarithm to a given base; of negative numbers the complex one. See `numpy.emath.logn`."""
    return apply(ops.logn, n, x)


def power(x: ArrayLike, p: ArrayLike) -> Array:
    """
    Raise numbers to powers; negative ones give complex results, and negative powers of integers are no error.

    See `numpy.emath.power`.
    """
    return apply(ops.power, x, p)


def arccos(x: ArrayLike) -> Array:
    """Compute the inverse cosine; beyond 1 the complex one. See `numpy.emath.arccos`."""
    return apply(ops.arccos, x)


def arcsin(x: ArrayLike) -> Array:
    """Compute the inverse sine; beyond 1 the complex one. See `numpy.emath.arcsin`."""
    return apply(ops.arcsin, x)


def arctanh(x: ArrayLike) -> Array:
    """Compute the inverse hyperbolic tangent; beyond 1 the complex one. See `numpy.emath.arctanh`."""
    return apply(ops.arctanh, x)
