"""
Incomplete gamma and beta functions of float64, as integrals over the tail that is small: the other one is what it leaves of 1.

A tail is its density, ``x**a exp(-x) / gamma(a + 1)`` or ``x**a y**b / (a B(a, b))`` with ``y = 1 - x``, times the integral of a smooth
function that falls at least like ``exp(-v)``, whatever the parameters: lower ones after one step of the recurrence in a. It is a sum at
64 points of the double exponential rule, ``v = exp(u - exp(-u))`` with equidistant u (H. Takahasi, M. Mori, Double exponential formulas for
numerical integration, Publ. RIMS 9, 1974), on the scale of the tail. The density is ``exp(-E)`` times factors near 1, and E has no terms
that are larger than the distance from the mean (N. M. Temme, Special Functions, 1996). Where x and a are below 1, the upper gamma function
is a series from which the leading 1 is taken.

With k, the sum of the magnitudes of ``d log(f) / d log(p)`` over operands p, which is what their own rounding does, the error is at most
``8 u (1 + k)``; for beta functions with a parameter below 2**-7, of the larger one of the two tails.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .binary64 import constant_words
from .float_nodes import test
from .gamma_functions import beyond_stirling, log_of_gamma_beyond_one
from .real_words import Real, along_new_axis, any_of, choose, function_of, of_each, of_words

__all__ = ["TAILS"]

_POINTS: Final = 64
_REACH: Final = 3.7
_SCALE: Final = 2.0
_LARGEST: Final = 1e300


def _rule(index: Real) -> tuple[Real, Real]:
    """Give points and weights."""
    u = (index - (_POINTS - 1) / 2.0) * (2.0 * _REACH / (_POINTS - 1))
    decay = function_of("exp", -u)
    point = function_of("exp", u - decay)
    return point, (decay + 1.0) * point


def _integral(function: Callable[..., Real], scale: Real, *operands: Real) -> Real:
    """Integrate a function of ``scale v`` and operands over v."""

    def term(point: Real, weight: Real, scale: Real, *operands: Real) -> Real:
        return weight * function(point * scale, *operands)

    return along_new_axis(_POINTS, _rule, term, scale, *operands) * scale * (2.0 * _REACH / (_POINTS - 1))


def _times_log(weight: Real, excess: Real, ratio: Real) -> Real:
    """Multiply by the logarithm of a ratio, which is ``1 + excess``."""
    near = abs(excess) < 0.5
    log = function_of("log", choose(near, 1.0, ratio))
    return weight * choose(near, function_of("log1p", choose(near, excess, 0.0)), log)


def _without_leading(a: Real, x: Real, integral: Real) -> Real:
    """Give the upper gamma function for a and x up to 1 by gamma(a + 1) and x**a, each less 1, and an integral of what is below x."""
    log = log_of_gamma_beyond_one(a)
    exponent = a * function_of("log", x)
    grown, shrunk = of_each(lambda y: function_of("exp", y), exponent, -log)
    of_log, of_exponent = of_each(lambda y: function_of("expm1", y), log, exponent)
    return (of_log - of_exponent + a * grown * integral) * shrunk


def _gammas(a: Real, x: Real, wants_upper: bool) -> Real:
    """Compute the lower or the upper function of positive numbers."""
    upper = x > function_of("maximum", a, 1.0)
    distance = x - a
    exponent = _times_log(a, distance / a, function_of("minimum", x / a, _LARGEST)) - distance
    density = function_of("exp", exponent) / (function_of("sqrt", a * (2.0 * math.pi)) * beyond_stirling(a))
    above = a + 1.0
    scale_above = abs(distance) / x + 1.0 / function_of("sqrt", x)
    scale_below = abs(above - x) + function_of("sqrt", above)
    small = function_of("maximum", a, x) < 1.0
    scale = _SCALE / choose(upper, scale_above, scale_below)
    rate = choose(upper, 1.0, above)

    def falling(t: Real, side: Real, rate: Real, power: Real, x: Real) -> Real:
        """Compute exp((a - 1) log1p(t / x) - t) above x, exp(-(a + 1) t - x expm1(-t)) below, or exp(-a t) (1 - exp(-x exp(-t)))."""
        less = function_of("expm1", -t)
        bent = choose(side > 0.0, power * function_of("log1p", t / x), -(x * less))
        if not wants_upper:
            return function_of("exp", bent - rate * t)
        leading = side < -1.0
        values = function_of("exp", choose(leading, -(power + 1.0) * t, bent - rate * t))
        return choose(leading, -(values * function_of("expm1", -(x * (less + 1.0)))), values)

    side = choose(upper, 1.0, choose(small, -2.0, -1.0) if wants_upper else -1.0)
    integral = _integral(falling, scale, side, rate, a - 1.0, x)
    tail = density * choose(upper, integral * (a / x), x * integral + 1.0)
    rest = 1.0 - tail
    if not wants_upper:
        return choose(upper, rest, tail)
    return choose(upper, tail, choose(small, _without_leading(choose(small, a, 0.5), choose(small, x, 0.5), integral), rest))


def _gamma(upper: bool) -> Callable[[Real, Real], Real]:
    def function(a: Real, x: Real) -> Real:
        inside = test("logical_and", test("logical_and", a > 0.0, a < math.inf), test("logical_and", x > 0.0, x < math.inf))
        found = _gammas(choose(inside, a, 1.0), choose(inside, x, 1.0), upper)
        none, whole = (0.0, 1.0)[:: -1 if upper else 1]
        at_end = choose(a.equals(0.0), whole, choose(a.equals(math.inf), none, choose(x.equals(0.0), none, whole)))
        both = any_of(*(test("logical_and", a.equals(end), x.equals(end)) for end in (0.0, math.inf)))
        invalid = any_of(a.is_nan(), x.is_nan(), a < 0.0, x < 0.0, both)
        return choose(invalid, math.nan, choose(inside, found, at_end))

    return function


def _betas(a: Real, b: Real, x: Real, y: Real) -> tuple[Real, Real]:
    """Compute both functions of positive numbers, of which x and y add up to 1."""
    excess = b * x - a * y
    below = excess <= 0.0
    a, b, x, y = choose(below, a, b), choose(below, b, a), choose(below, x, y), choose(below, y, x)
    excess = -abs(excess)
    total = a + b
    first, second = of_each(_times_log, (a, excess / a, x * (total / a)), (b, -excess / b, y * (total / b)))
    of_total, of_a, of_b = of_each(beyond_stirling, total, a, b)
    root = function_of("sqrt", b / total * (0.5 / math.pi)) / function_of("sqrt", a)
    density = function_of("exp", first + second) * root * (of_total / (of_a * of_b))
    above, power, odds = a + 1.0, b - 1.0, x / y
    curve = function_of("sqrt", abs(power) * odds * (odds + 1.0)) + function_of("minimum", function_of("sqrt", above), above)
    slope = function_of("maximum", above - power * odds, 0.0)
    scale = _SCALE / choose(power > 0.0, slope + curve, above)

    def falling(t: Real, above: Real, power: Real, odds: Real) -> Real:
        return function_of("exp", power * function_of("log1p", -(odds * function_of("expm1", -t))) - above * t)

    integral = _integral(falling, scale, above, power, odds)
    tail = density * (x * (total / y) * integral + 1.0)
    rest = 1.0 - tail
    return choose(below, tail, rest), choose(below, rest, tail)


def _beta(upper: bool) -> Callable[[Real, Real, Real], Real]:
    def function(a: Real, b: Real, x: Real) -> Real:
        y = 1.0 - x
        known = test("logical_and", a > 0.0, b > 0.0)
        finite = test("logical_and", a < math.inf, b < math.inf)
        inside = test("logical_and", test("logical_and", known, finite), test("logical_and", x > 0.0, x < 1.0))
        found = _betas(choose(inside, a, 1.0), choose(inside, b, 1.0), choose(inside, x, 0.5), choose(inside, y, 0.5))[upper]
        # where one parameter is so small, or large, beside the other that all is at one end
        left = choose(x.equals(0.0), 0.0, choose(x.equals(1.0), 1.0, choose(any_of(a.equals(0.0), b.equals(math.inf)), 1.0, 0.0)))
        at_end = 1.0 - left if upper else left
        both = any_of(*(test("logical_and", a.equals(end), b.equals(end)) for end in (0.0, math.inf)))
        invalid = any_of(a.is_nan(), b.is_nan(), x.is_nan(), a < 0.0, b < 0.0, x < 0.0, x > 1.0, both)
        return choose(invalid, math.nan, choose(inside, found, at_end))

    return function


def _student(df: Real, t: Real) -> Real:
    """Compute the distribution function of Student's t: half of a beta function at either end, or what that leaves."""
    inside = test("logical_and", test("logical_and", df > 0.0, df < math.inf), test("logical_and", abs(t) > 0.0, abs(t) < math.inf))
    shape, size = choose(inside, df, 1.0), choose(inside, abs(t), 1.0)
    ratio = function_of("minimum", size / shape * size, _LARGEST)
    low, high = ratio + 1.0, 1.0 / function_of("maximum", ratio, 1.0 / _LARGEST) + 1.0
    tail = _betas(shape * 0.5, Real(constant_words(0.5)), 1.0 / low, 1.0 / high)[0] * 0.5
    normal = function_of("special.ndtr", t)
    far = choose(t.equals(0.0), 0.5, choose(df.equals(math.inf), normal, choose(t > 0.0, 1.0, 0.0)))
    found = choose(inside, choose(t > 0.0, 1.0 - tail, tail), far)
    return choose(any_of(df.is_nan(), t.is_nan(), df <= 0.0), math.nan, found)


def _halves(function: Callable[[Real, Real], Real]) -> Callable[[Real, Real], Real]:
    """Make the chi-square distribution, in which both operands are halved."""
    return lambda df, x: function(df * 0.5, x * 0.5)


def _rated(function: Callable[[Real, Real], Real]) -> Callable[[Real, Real, Real], Real]:
    """Make the gamma distribution, of a rate, a shape and an argument."""
    return lambda rate, shape, x: choose(x < 0.0, math.nan, function(shape, rate * x))


def _counted(function: Callable[[Real, Real], Real]) -> Callable[[Real, Real], Real]:
    """Make the Poisson distribution, of a count and a mean."""

    def run(count: Real, mean: Real) -> Real:
        found = function(function_of("floor", choose(count < 0.0, 0.0, count)) + 1.0, mean)
        return choose(count < 0.0, math.nan, found)

    return run


_LOWER, _UPPER = _gamma(upper=False), _gamma(upper=True)
_FUNCTIONS: Final[Mapping[str, Callable[..., Real]]] = {
    "gammainc": _LOWER, "gammaincc": _UPPER, "chdtr": _halves(_LOWER), "chdtrc": _halves(_UPPER), "gdtr": _rated(_LOWER),
    "gdtrc": _rated(_UPPER), "pdtr": _counted(_UPPER), "pdtrc": _counted(_LOWER), "betainc": _beta(upper=False),
    "betaincc": _beta(upper=True), "stdtr": _student,
}  # fmt: skip
TAILS: Final[Mapping[str, Callable[..., Any]]] = {f"special.{name}": of_words(function) for name, function in _FUNCTIONS.items()}
"""Functions of words."""
