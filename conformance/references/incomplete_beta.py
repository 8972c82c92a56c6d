"""The incomplete beta functions in float64, also of large parameters, for which SciPy's are slow, or wrong, or NaN."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ...backends.ops.special import scipy_ufunc

__all__ = ["NORMAL", "betainc", "betaincc"]

Array = NDArray[Any]
NORMAL: Final = 2.0**48
"""Of the smaller parameter, beyond which the distribution is the normal one within 2**-27."""


def _value(name: str, sign: float, a: Array, b: Array, x: Array) -> Array:
    large = (np.minimum(a, b) > NORMAL) & (np.maximum(a, b) < np.inf) & (x >= 0) & (x <= 1)
    # Of numbers that have been float32 it is exact about the mean.
    distance = np.where(x < 0.5, b * x - a + a * x, b * x - a * (1 - x))
    deviation = distance / np.sqrt(a * b / (a + b + 1))
    others = scipy_ufunc(name)(*(np.where(large, 1.0, operand) for operand in (a, b, x)))
    return np.asarray(np.where(large, ndtr(sign * deviation), others))


def betainc(a: Array, b: Array, x: Array) -> Array:
    """
    Compute the regularized incomplete beta function.

    Examples
    --------
    >>> float(betainc(np.float64(2), np.float64(2), np.float64(0.25)).round(5))
    0.15625
    """
    return _value("betainc", 1.0, a, b, x)


def betaincc(a: Array, b: Array, x: Array) -> Array:
    """
    Compute the complement of the regularized incomplete beta function.

    Examples
    --------
    >>> float(betaincc(np.float64(2), np.float64(2), np.float64(0.25)).round(5))
    0.84375
    """
    return _value("betaincc", -1.0, a, b, x)
