"""
The gamma function of float32, its reciprocal and its logarithm.

gammaln is within 3 units in the last place, of negative numbers within 8; there, they are units of the result, but of 1 where it is
smaller. The others are within 6 units.

From 5 / 2 up the logarithm is Stirling's series, of which the product with the logarithm less 1 is a pair; from 1 on
``(x - 1) (x - 2) P(x)``, which is exact about its zeros; below, the value at x + 1 less the logarithm of x; and of negative numbers by
reflection. The function itself is the exponential of that, the logarithms of x and of the sine left out and divided by instead.
Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import (
    SIGN,
    add,
    arithmetic,
    bits,
    bits_twice,
    is_nan,
    limited,
    minus_reciprocal,
    multiply,
    patch,
    scratch,
    subtract,
    then,
    twice,
)
from .exponential import EXP, reduced, times_power
from .half_turns import is_pole, sine
from .logarithm import logarithm, natural, pair_of
from .pairs import Pair, exact_product, halves, inverse, renormalized
from .polynomial import polynomial, times_argument
from .significand import INFINITY, NAN, ROUND, decompose, is_below, is_finite, is_zero, magnitude_of, sign_bit
from .widening import float_loops

__all__ = ["GAMMAS", "LOG_GAMMA", "STIRLING", "beyond_half", "near_zeros"]

LOG_GAMMA: Final = (
    0.450139311, -0.119481666, 0.0445205915, -0.0190512032, 0.00877344769, -0.00425280892, 0.00211696871, -0.000957578163, 0.000475257699,
    -0.000449330487, 0.000247538975,
)  # fmt: skip
"""gammaln(x) / (x - 1) / (x - 2) in powers of x - 7 / 4, for 1 <= x <= 5 / 2, lowest power first."""
STIRLING: Final = (0.0833331514, -0.00276818611, 0.000662794334)
"""x times what gammaln has beyond ``(x - 1 / 2) log(x) - x + log(2 pi) / 2``, in powers of 1 / x**2, for 5 / 2 <= x."""
_CENTRE: Final = 1.75
_HALF_LOG_2_PI: Final = 0.9189385332046728
_LARGE: Final = 2.0**40
"""From it on, what Stirling's series has beyond its first terms does not count."""
_MOST: Final = 48.0
"""From it on, the function is infinite, and of negative numbers 0."""


def _series(x: Tile, log: Pair) -> Pair:
    """Take x - 1 / 2 together with x, so that their difference is no term."""
    inside = limited(x, 2.5, _LARGE)
    minus = minus_reciprocal(inside)
    more = multiply(polynomial(STIRLING, multiply(minus, minus)), minus)
    factor = arithmetic(nl.subtract, x, 0.5)
    product = exact_product(halves(factor), halves(arithmetic(nl.subtract, log.high, 1.0)))
    small = add(product.low, multiply(factor, log.low))
    return Pair(product.high, subtract(arithmetic(nl.add, small, _HALF_LOG_2_PI - 0.5), more))


def near_zeros(x: Tile, fractional: Tile) -> Tile:
    """Take the logarithm of the gamma function where its argument is from 1 to 5 / 2."""
    inside = arithmetic(nl.minimum, x, 2.5)
    from_one, from_two, from_centre = (then(fractional, nl.subtract, place, nl.add, inside) for place in (1.0, 2.0, _CENTRE))
    return multiply(polynomial(LOG_GAMMA, from_centre), multiply(from_one, from_two))


def beyond_half(x: Tile) -> Tile:
    """Take what the quotient of the logarithm of the gamma function and ``x (x - 1)`` has beyond 1 / 2."""
    from_centre = arithmetic(nl.subtract, x, _CENTRE - 1.0)
    return arithmetic(nl.add, times_argument(LOG_GAMMA[1:], from_centre), LOG_GAMMA[0] - 0.5)


def _gammaln(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    *parts, _ = logarithm(magnitude)
    log = pair_of(*parts)
    result = add(*_series(magnitude, log))
    fractional = arithmetic(nl.less, magnitude, 1.0)
    near = subtract(near_zeros(magnitude, fractional), multiply(log.high, fractional))
    patch(result, near, arithmetic(nl.less, magnitude, 2.5, dtype=nl.uint8))
    # gammaln(-x) = log(pi / (x sin(pi x))) - gammaln(x)
    of_pi = sine(magnitude)
    product = multiply(magnitude_of(add(*of_pi.value)), arithmetic(nl.minimum, magnitude, ROUND))
    *parts, _ = logarithm(arithmetic(nl.maximum, product, 2.0**-100))
    reflected = then(natural(*parts), nl.multiply, -1.0, nl.subtract, result)
    patch(result, reflected, arithmetic(nl.less, x, -(2.0**-24), dtype=nl.uint8))
    patch(result.view(nl.uint32), INFINITY, is_pole(x, of_pi))
    patch(result.view(nl.uint32), INFINITY, is_zero(magnitude.view(nl.uint32)))
    arithmetic(nl.add, result, 0.0, dst)  # of minus 0, 0
    patch(dst, x, is_finite(x), reverse=True)


class _Factors(NamedTuple):
    """gamma(x) as ``exp(exponent) / (significand 2**power)``, its sign bit, and where its poles are but for 0."""

    exponent: Pair
    significand: Tile
    power: Tile
    sign: Tile
    poles: Tile


def _factors(x: Tile, direction: float) -> _Factors:
    """
    Give the exponent times 1 or -1.

    Below 1, gamma(x) is ``gamma(x + 1) / x``; gamma(-x) is ``-1 / (gamma(x + 1) sin(pi x) / pi)``.
    """
    magnitude = magnitude_of(x)
    inside = arithmetic(nl.minimum, magnitude, _MOST)
    *logarithm_parts, _ = logarithm(inside)
    exponent = renormalized(*_series(inside, pair_of(*logarithm_parts)))
    small = arithmetic(nl.less, magnitude, 2.5, dtype=nl.uint8)
    patch(exponent.high, near_zeros(inside, arithmetic(nl.less, magnitude, 1.0)), small)
    patch(exponent.low, 0.0, small)
    turned = twice(arithmetic(nl.less, x, 0.0), nl.multiply, -2.0 * direction, nl.add, direction)
    of_pi = sine(magnitude)
    divisor = multiply(magnitude_of(add(*of_pi.value)), arithmetic(nl.maximum, inside, 1.0))
    patch(divisor, arithmetic(nl.minimum, inside, 1.0), arithmetic(nl.greater_equal, x, 0.0, dtype=nl.uint8))
    patch(divisor, magnitude, is_below(x, 2.0**-24))
    parts = decompose(divisor)
    sign = bits(nl.bitwise_xor, bits_twice(of_pi.integer, nl.left_shift, 31, nl.bitwise_xor, SIGN[4]), of_pi.value.high.view(nl.uint32))
    return _Factors(
        Pair(multiply(exponent.high, turned), multiply(exponent.low, turned)),
        parts.significand,
        arithmetic(nl.subtract, parts.exponent, 127.0),
        bits(nl.bitwise_and, sign, sign_bit(x)),
        is_pole(x, of_pi),
    )


def _gamma(dst: Tile, x: Tile) -> None:
    factors = _factors(x, 1.0)
    n, r = reduced(*factors.exponent)
    reciprocal = inverse(factors.significand)
    more = multiply(times_argument((1.0, *EXP), r), add(*reciprocal))
    result = scratch(x, nl.float32)
    times_power(result, add(reciprocal.high, add(reciprocal.low, more)), limited(subtract(n, factors.power), -159.0, 129.0))
    patch(result.view(nl.uint32), INFINITY, is_zero(magnitude_of(x).view(nl.uint32)))
    bits(nl.bitwise_or, result.view(nl.uint32), factors.sign, dst.view(nl.uint32))
    patch(dst.view(nl.uint32), NAN, factors.poles)
    patch(dst, x, is_nan(x))


def _rgamma(dst: Tile, x: Tile) -> None:
    factors = _factors(x, -1.0)
    n, r = reduced(*factors.exponent)
    more = multiply(times_argument((1.0, *EXP), r), factors.significand)
    result = scratch(x, nl.float32)
    times_power(result, add(factors.significand, more), limited(add(n, factors.power), -159.0, 129.0))
    patch(result, 0.0, is_zero(magnitude_of(x).view(nl.uint32)))
    bits(nl.bitwise_or, result.view(nl.uint32), factors.sign, dst.view(nl.uint32))
    patch(dst, 0.0, factors.poles)
    patch(dst, x, is_nan(x))


GAMMAS: Final = (
    Emitter("special.gamma", 1, float_loops(_gamma), 6.0),
    Emitter("special.rgamma", 1, float_loops(_rgamma), 6.0),
    Emitter("special.gammaln", 1, float_loops(_gammaln), 8.0),
)
