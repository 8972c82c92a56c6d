"""The zeta and polygamma functions in float64, also where factors are too small or too large for SciPy's."""

from __future__ import annotations

from inspect import unwrap
from typing import Any, Final

import numpy as np
import scipy.special
from numpy.typing import NDArray
from scipy.special import gamma, gammaln

__all__ = ["both_sides", "both_sides_of_polygamma", "polygamma", "zeta"]

Array = NDArray[Any]
_zeta: Final = unwrap(scipy.special.zeta)
_FAR: Final = 1e12
"""Of x, from where on SciPy's coefficients overflow."""
_LOW: Final = -1000.0
"""Of q, from where on SciPy sums too many terms."""
_ORDERS: Final = (20, 170)
"""Between them the product is taken by logarithms; beyond, its factor is infinite."""


def zeta(x: Array, q: Array) -> Array:
    """
    Compute the Hurwitz zeta function.

    Examples
    --------
    >>> float(zeta(np.float64(2), np.float64(1)).round(6))
    1.644934
    """
    x, q = np.broadcast_arrays(x, q)
    fraction, sign = q - np.floor(q), np.where(x % 2 == 0, 1.0, -1.0)
    cancel = (fraction == 0.5) & (x % 2 == 1)  # what is on both sides, of which SciPy's sum leaves something
    low = ((q < _LOW) | cancel & (q < 0) & (x <= _ORDERS[1] + 1)) & (fraction > 0) & (x > 1) & (x == np.floor(x))
    exact = np.where((x > _FAR) & np.isfinite(x) & (q > 1), 0.0, _zeta(x, np.where(low, 1.0, q)))
    sides = np.where(cancel, 0.0, _zeta(x, fraction) + sign * _zeta(x, 1 - fraction))
    exact = np.where(low, sides - sign * _zeta(x, np.where(low, 1 - q, 1.0)), exact)
    beyond = np.isnan(exact) & ~cancel & (q < 0) & np.isfinite(q) & (x > 1) & (x == np.floor(x))  # the difference of infinities
    return np.where(beyond, np.where(fraction < 0.5, 1.0, sign) * np.inf, exact)


def _log_zeta(x: Array, q: Array) -> Array:
    """By the summation formula of Euler and Maclaurin, for 1 < x and 1 < q."""
    count = 20
    w = q + count
    total = 1 + sum(np.exp(-x * np.log1p(place / q)) for place in range(1, count))
    last = 1 - (x + 3) * (x + 4) / (42 * w * w)
    rest = w / (x - 1) + 0.5 + x / (12 * w) * (1 - (x + 1) * (x + 2) / (60 * w * w) * last)
    return np.asarray(np.log(total + np.exp(-x * np.log1p(count / q)) * rest) - x * np.log(q))


def polygamma(n: Array, x: Array) -> Array:
    """
    Compute the polygamma functions.

    Examples
    --------
    >>> float(polygamma(np.float64(1), np.float64(1)).round(6))
    1.644934
    """
    n, x = np.broadcast_arrays(n, x)
    far = (n >= _ORDERS[0]) & (n <= _ORDERS[1]) & (x > 1) & np.isfinite(x)
    order, argument = np.where(far, n, 2.0), np.where(far, x, 2.0)
    by_logarithms = (-1.0) ** (order + 1) * np.exp(gammaln(order + 1) + _log_zeta(order + 1, argument))
    product = (-1.0) ** (n + 1) * gamma(n + 1) * zeta(n + 1, x)
    exact = np.where(far, by_logarithms, np.where(n == 0, scipy.special.psi(x), product))
    return np.where((n == np.floor(n)) & (n >= 0), exact, np.nan)


def both_sides(x: Array, q: Array) -> Array:
    """
    Give the sum of the magnitudes of what makes the Hurwitz zeta function of negative q, and may cancel.

    Examples
    --------
    >>> float(both_sides(np.float64(3), np.float64(-0.5)).round(2))
    16.83
    """
    fraction = q - np.floor(q)
    return np.where(q < 0, _zeta(x, fraction) + _zeta(x, 1 - fraction), 0.0)


def both_sides_of_polygamma(n: Array, x: Array) -> Array:
    """
    Give the same for the polygamma functions, and 1 for the digamma function of negative numbers.

    Examples
    --------
    >>> float(both_sides_of_polygamma(np.float64(2), np.float64(-0.5)).round(2))
    33.66
    """
    return np.where(n == 0, x < 0, gamma(n + 1) * both_sides(n + 1, x))
