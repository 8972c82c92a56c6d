"""
The gamma function's logarithm, derivative and relatives in float64.

Logarithms are J. Stirling's formula from 8 on, what kernels have around 2, and between those of the gamma function. Errors are 2 units in
the last place for positive numbers, and 16 u of the larger one of 1 and the result for negative ones, which are reflected, and for the
derivative; `beta` and `betaln` of positive numbers err by 8 u, and by 4 u of the logarithm.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .float_nodes import test
from .real_words import Real, any_of, choose, function_of, of_each, of_words, polynomial

__all__ = ["GAMMA_FUNCTIONS", "beyond_stirling", "log_of_gamma_beyond_one"]

_LARGE: Final = 8.0
_LOG_ROOT: Final = math.log(2.0 * math.pi) / 2.0
_OF_PSI: Final = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160, 43867 / 14364, -174611 / 6600)
"""Of log(x) less 1 / (2 x) and the derivative, by even powers of 1 / x from the square on."""


def beyond_stirling(x: Real) -> Real:
    """Divide gamma of a positive number by ``sqrt(2 pi) x**(x - 1/2) exp(-x)``."""
    large = x >= _LARGE
    small = choose(large, 1.0, x)
    grown = function_of("exp", small * (1.0 - function_of("log", small))) * function_of("sqrt", small)
    scaled = function_of("scaled_gamma", x)
    return choose(large, scaled, scaled * grown * math.exp(-_LOG_ROOT))


def log_of_gamma_beyond_one(a: Real) -> Real:
    """Take the logarithm of gamma of 1 more than a number from 0 to 1."""
    small = a < 0.5
    z = choose(small, a, a - 1.0)
    found = z * function_of("log_gamma_slope", z)
    return choose(small, found - function_of("log1p", z), found)


def _log_of_positive(x: Real) -> Real:
    log = function_of("log", x)
    scaled = function_of("log", function_of("scaled_gamma", x))
    far = (x - 0.5) * (log - 1.0) + (scaled + (_LOG_ROOT - 0.5))
    # of 1 + z, 2 + z and 3 + z
    z = choose(x < 0.5, x, choose(x < 1.5, x - 1.0, choose(x < 2.5, x - 2.0, choose(x < 3.5, x - 3.0, 0.0))))
    near = z * function_of("log_gamma_slope", z)
    shifted = function_of("log1p", choose(x < 1.5, z, z + 1.0))
    near = choose(x < 1.5, near - shifted, choose(x < 2.5, near, near + shifted))
    near = choose(x < 0.5, near - log, near)
    return choose(x < 3.5, near, choose(x < _LARGE, scaled, far))


def _fraction(x: Real) -> Real:
    """Give pi times what a number has beyond the nearest integer."""
    return (x - function_of("rint", x)) * math.pi


def _gammaln(x: Real) -> Real:
    size = abs(x)
    found = _log_of_positive(size)
    negative = x < 0.0
    inside = choose(negative, x, -0.5)
    reflected = math.log(math.pi) - function_of("log", abs(inside * function_of("sin", _fraction(inside)))) - found
    integral = test("logical_and", x <= 0.0, x.equals(function_of("rint", x)))
    unchanged = any_of(x.is_nan(), size.equals(math.inf))
    return choose(unchanged, x, choose(integral, math.inf, choose(negative, reflected, found)))


def _psi(x: Real) -> Real:
    negative = x < 0.0
    y = choose(negative, 1.0 - x, x)
    small = y < _LARGE
    inside = choose(small, y, 1.0)
    less: Real | float = 0.0
    for place in range(int(_LARGE), -1, -1):
        less = 1.0 / (inside + float(place)) + less
    assert isinstance(less, Real)
    far = choose(small, inside + (_LARGE + 1.0), y)
    inverse = 1.0 / far
    square = inverse * inverse
    found = function_of("log", far) - (inverse * 0.5 + square * polynomial(_OF_PSI, square))
    found = choose(small, found - less, found)
    fraction = _fraction(choose(negative, x, 0.25))
    pole = test("logical_and", negative, fraction.equals(0.0))
    found = choose(pole, math.nan, choose(negative, found - math.pi / function_of("tan", fraction), found))
    return choose(x.equals(0.0), function_of("copysign", math.inf, -x), choose(x.equals(-math.inf), math.nan, found))


def _rgamma(x: Real) -> Real:
    pole = test("logical_and", x <= 0.0, x.equals(function_of("rint", x)))
    return choose(pole, 0.0, 1.0 / function_of("special.gamma", x))


def _of_positive(a: Real, b: Real) -> tuple[Real, Real, Any]:
    """Give the logarithm of the powers in ``B(a, b)`` of positive numbers, and the factor beside them; and where that holds."""
    positive = test("logical_and", a > 0.0, b > 0.0)
    low, high = choose(positive, function_of("minimum", a, b), 1.0), choose(positive, function_of("maximum", a, b), 1.0)
    total = low + high
    powers = high * function_of("log1p", -(low / total)) + low * function_of("log", low / total)
    of_low, of_high, of_total = of_each(beyond_stirling, low, high, total)
    root = function_of("sqrt", total / high / low * (2.0 * math.pi))
    return powers, of_low * of_high / of_total * root, positive


def _all_of(*masks: Any) -> Any:
    return functools.reduce(functools.partial(test, "logical_and"), masks)


def _is_pole(x: Real) -> Any:
    return _all_of(x <= 0.0, x.equals(function_of("rint", x)))


def _mirrored(a: Real, b: Real) -> tuple[Real, Real]:
    """Replace a pole beside an integer by 1 - a - b where that is positive; tell the sign."""
    other = 1.0 - a - b
    found = _all_of(_is_pole(a), b.equals(function_of("rint", b)), other > 0.0, other < math.inf)
    return choose(found, other, a), choose(_all_of(found, function_of("fmod", b, 2.0).equals(0.0)), 1.0, choose(found, -1.0, 1.0))


def _with_poles(function: Callable[[Real, Real], Real], at_infinity: float, signed: bool) -> Callable[[Real, Real], Real]:
    """Take a relative of the beta function to poles, where it is infinite but beside some integers, and to infinity."""

    def whole(a: Real, b: Real) -> Real:
        a, first = _mirrored(a, b)
        b, second = _mirrored(b, a)
        sign = first * second if signed else 1.0
        pole = any_of(_is_pole(a), _is_pole(b))
        far = any_of(a.equals(math.inf), b.equals(math.inf))
        edge = any_of(pole, far)
        found = function(choose(edge, 1.0, a), choose(edge, 1.0, b))
        below = function_of("minimum", a, b)
        infinite = function_of("special.gamma", choose(below < 0.0, below, 1.0)) * math.inf if signed else math.inf
        beyond = choose(below < 0.0, infinite, choose(below.equals(math.inf), math.nan, at_infinity))
        unknown = any_of(a.is_nan(), b.is_nan())
        found = choose(unknown, math.nan, choose(far, beyond, found))
        return choose(pole, math.inf, found) * sign

    return whole


def _beta(a: Real, b: Real) -> Real:
    powers, factor, positive = _of_positive(a, b)
    one, other, both = of_each(lambda x: function_of("special.gamma", x), a, b, a + b)
    return choose(positive, function_of("exp", powers) * factor, choose(_is_pole(a + b), 0.0, one * (other / both)))


def _betaln(a: Real, b: Real) -> Real:
    powers, factor, positive = _of_positive(a, b)
    one, other, both = of_each(_gammaln, a, b, a + b)
    return choose(positive, powers + function_of("log", factor), one + other - both)


_FUNCTIONS: Final[Mapping[str, Callable[..., Real]]] = {
    "beta": _with_poles(_beta, 0.0, signed=True),
    "betaln": _with_poles(_betaln, -math.inf, signed=False),
    "gammaln": _gammaln,
    "psi": _psi,
    "rgamma": _rgamma,
}
GAMMA_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {f"special.{name}": of_words(function) for name, function in _FUNCTIONS.items()}
"""Functions of words."""
