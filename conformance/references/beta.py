"""The beta function and its logarithm in float64, also where gamma functions that SciPy multiplies are subnormal."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, gammasgn

from ...backends.ops.special import scipy_ufunc

__all__ = ["beta", "betaln"]

Array = NDArray[Any]
_FIRST, _LAST = -172.0, -160.0
"""Between them gamma is small, and SciPy's beta does not take logarithms yet."""
_MOST: Final = 1e4


def _choose(a: Array, b: Array, exact: Array, by_logarithms: Array) -> Array:
    most = np.maximum(np.abs(a), np.abs(b))
    numbers = np.broadcast_arrays(a, b, a + b)
    near = np.any([(_FIRST < x) & (x < _LAST) for x in numbers], axis=0)
    poles = np.any([(x <= 0) & (x == np.floor(x)) for x in numbers], axis=0)
    return np.where(near & ~poles & (most < _MOST), by_logarithms, exact)


def _logarithm(a: Array, b: Array) -> Array:
    return np.asarray(gammaln(a) + gammaln(b) - gammaln(a + b))


def beta(a: Array, b: Array) -> Array:
    """
    Compute the beta function.

    Examples
    --------
    >>> float(beta(np.float64(-170.5), np.float64(2.25)).round(9))
    7.69e-06
    """
    return _choose(a, b, scipy_ufunc("beta")(a, b), gammasgn(a) * gammasgn(b) * gammasgn(a + b) * np.exp(_logarithm(a, b)))


def betaln(a: Array, b: Array) -> Array:
    """
    Compute the logarithm of the magnitude of the beta function.

    Examples
    --------
    >>> float(betaln(np.float64(2), np.float64(2)).round(6))
    -1.791759
    """
    return _choose(a, b, scipy_ufunc("betaln")(a, b), _logarithm(a, b))
