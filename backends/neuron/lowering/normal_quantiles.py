"""
The logarithm of the normal distribution and quantiles in float64, by the complement of the error function times ``exp(x**2)``.

Quantiles are those of float32, or for smaller probabilities of an asymptotic series, after one step of E. Halley's method, which is of
third order: for the logarithm of a tail, or about the middle for the error function. Errors are 4 u.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .float_nodes import test
from .real_words import Real, choose, function_of, of_words, polynomial, through_float32

__all__ = ["NORMALS"]

_ROOT_2: Final = math.sqrt(2.0)
_ROOT_PI: Final = math.sqrt(math.pi)
_LEAST: Final = 2.0**-120
"""Of probabilities that float32 has."""
_FAR: Final = 50.0
_SERIES: Final = (1.0, -1 / 2, 3 / 4, -15 / 8, 105 / 16)
"""Of ``x exp(x**2) erfc(x)`` by powers of 1 / x**2, over that of pi."""


def _log_erfc(x: Real) -> Real:
    """Take the logarithm of ``exp(x**2) erfc(x)`` of a positive number."""
    inverse = 1.0 / function_of("maximum", x, _FAR)
    series = inverse * polynomial(_SERIES, inverse * inverse) * (1.0 / _ROOT_PI)
    return function_of("log", choose(x < _FAR, function_of("scaled_erfc", x), series))


def _log_ndtr(x: Real) -> Real:
    left = x < -1.0
    size = choose(left, abs(x), 1.0)
    tail = _log_erfc(size * (1.0 / _ROOT_2)) - math.log(2.0) - size * 0.5 * size
    side = function_of("special.ndtr", -abs(x))
    middle = choose(x > 0.0, function_of("log1p", -side), function_of("log", choose(left, 0.5, side)))
    return choose(x.is_nan(), x, choose(x.equals(-math.inf), -math.inf, choose(left, tail, middle)))


def _inverse(middle: Real, tail: Real) -> Real:
    """Find the positive y with ``erf(y)`` the first number, or where the other one is below 1/2, with ``erfc(y)`` that."""
    outer = tail < 0.5
    middle, tail = choose(outer, 0.25, middle), choose(outer, tail, 0.5)
    log = function_of("log", tail)
    size = -log
    first = size - function_of("log", size * math.pi) * 0.5
    second = size - function_of("log", first * math.pi) * 0.5 - 0.5 / first
    far = function_of("sqrt", second)
    near = through_float32("special.erfcinv", choose(tail < _LEAST, 0.5, tail))
    y = choose(tail < _LEAST, far, near)
    scaled = function_of("scaled_erfc", y)
    # f / f' and f'' / f', of log(erfc(y)) - log(tail)
    slope = -(2.0 / _ROOT_PI) / scaled
    newton = (function_of("log", scaled) - y * y - log) / slope
    bend = y * -2.0 - slope
    in_tail = y - newton / (1.0 - newton * bend * 0.5)
    x = through_float32("special.erfinv", middle)
    newton = (function_of("special.erf", x) - middle) * function_of("exp", x * x) * (_ROOT_PI / 2.0)
    return choose(outer, in_tail, x - newton / (newton * x + 1.0))


def _erfinv(x: Real) -> Real:
    size = abs(x)
    inside = choose(size < 1.0, size, 0.25)
    found = choose(size < 2.0**-30, size * (_ROOT_PI / 2.0), _inverse(inside, 1.0 - inside))
    found = choose(size < 1.0, found, choose(size.equals(1.0), math.inf, math.nan))
    return function_of("copysign", found, x)


def _quantile(most: float, scale: float, rises: bool) -> Callable[[Real], Real]:
    """Make the inverse of a distribution, which rises or falls in probabilities up to `most`."""

    def function(p: Real) -> Real:
        inside = test("logical_and", p > 0.0, p < most)
        known = choose(inside, p, most / 4.0)
        left = known < most / 2.0
        tail = choose(left, known, most - known) * (2.0 / most)
        middle = abs(known - most / 2.0) * (2.0 / most)
        found = choose(middle < 2.0**-30, middle * (_ROOT_PI / 2.0), _inverse(middle, tail)) * scale
        ends = (-math.inf, math.inf)
        at_end = choose(p.equals(0.0), ends[not rises], choose(p.equals(most), ends[rises], math.nan))
        return choose(inside, choose(left, -found, found) if rises else choose(left, found, -found), at_end)

    return function


NORMALS: Final[Mapping[str, Callable[..., Any]]] = {
    f"special.{name}": of_words(function)
    for name, function in {
        "log_ndtr": _log_ndtr, "erfinv": _erfinv, "erfcinv": _quantile(2.0, 1.0, rises=False), "ndtri": _quantile(1.0, _ROOT_2, rises=True),
    }.items()
}  # fmt: skip
"""Functions of words."""
