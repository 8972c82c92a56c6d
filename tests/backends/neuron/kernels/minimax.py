"""
Polynomials that are nearly the best in the sense of the largest error.

`derive` is C. L. Lawson's iteration: least squares with weights that grow where the error is large. The largest error counts relative to
what the function adds to its leading terms.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

WIDE = np.longdouble


def powers(x, count):
    return np.vander(x, count, increasing=True)


class Fit(NamedTuple):
    """
    A polynomial in `function`'s argument from `low` to `high`: what is kept, and what an error at an argument weighs; or a sum of
    other functions, the `basis`.
    """

    function: Callable
    kept: tuple[float, ...]
    low: float
    high: float
    weight: Callable = np.abs
    error: float = 2.0**-26
    basis: Callable = powers


def errors(fit, coefficients, points=1000):
    """What a polynomial is off by, weighed, at Chebyshev points."""
    x = nodes(fit, points)
    wanted = np.asarray(fit.function(x.astype(WIDE)), np.float64)
    return np.abs(fit.basis(x, len(fit.kept)) @ np.asarray(coefficients) - wanted) * fit.weight(x)


def nodes(fit, points):
    return (fit.low + fit.high) / 2 + (fit.high - fit.low) / 2 * np.cos(np.pi * (np.arange(points) + 0.5) / points)


def derive(fit, turns=50, points=1000):
    """The coefficients, lowest power first."""
    x = nodes(fit, points)
    basis = fit.basis(x, len(fit.kept))
    wanted, weights = np.asarray(fit.function(x.astype(WIDE)), np.float64), np.full(points, 1 / points)
    best = (np.inf, None)
    for _ in range(turns):
        rows = np.sqrt(weights) * fit.weight(x)
        size = np.abs(basis * rows[:, None]).max(axis=0)
        fitted = np.linalg.lstsq(basis * rows[:, None] / size, wanted * rows)[0] / size
        error = np.abs(basis @ fitted - wanted) * fit.weight(x)
        best = min(best, (error.max(), fitted), key=lambda item: item[0])
        weights = weights * error / (weights * error).sum()
    return best[1]
