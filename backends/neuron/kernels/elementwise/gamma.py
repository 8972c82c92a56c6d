"""
Logarithm of the gamma function of float32, within 3 units in the last place, of negative numbers within 8.

The units are those of the result, but of 1 where it is smaller and the number negative.

From 5 / 2 up it is Stirling's series, of which the product with the logarithm less 1 is a pair; from 1 on
``(x - 1) (x - 2) P(x)``, which is exact about its zeros; below, the value at x + 1 less the logarithm of x; and of negative numbers by
reflection. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final

from ....isa import nl
from .emitter import Cost, Emitter, Tile
from .logarithm import logarithm, natural, pair_of
from .pairs import Pair, exact_product, halves
from .polynomial import polynomial, times_argument
from .significand import INFINITY, ROUND, is_finite, is_zero, magnitude_of
from .tile import add, arithmetic, estimate, limited, multiply, patch, subtract, then, twice
from .widening import float_loops

__all__ = ["GAMMAS", "LOG_GAMMA", "SINE_PI", "STIRLING"]

LOG_GAMMA: Final = (
    0.450139311, -0.119481666, 0.0445205915, -0.0190512032, 0.00877344769, -0.00425280892, 0.00211696871, -0.000957578163, 0.000475257699,
    -0.000449330487, 0.000247538975,
)  # fmt: skip
"""gammaln(x) / (x - 1) / (x - 2) in powers of x - 7 / 4, for 1 <= x <= 5 / 2, lowest power first."""
STIRLING: Final = (0.0833331514, -0.00276818611, 0.000662794334)
"""x times what gammaln has beyond ``(x - 1 / 2) log(x) - x + log(2 pi) / 2``, in powers of 1 / x**2, for 5 / 2 <= x."""
SINE_PI: Final = (-5.16771277, 2.55016343, -0.599253193, 0.0820544325, -0.00703429963)
"""(sin(pi f) / f - pi) / f**2 in powers of f**2, for abs(f) <= 1 / 2."""
_CENTRE: Final = 1.75
_HALF_LOG_2_PI: Final = 0.9189385332046728
_PI: Final = 3.141592653589793
_LARGE: Final = 2.0**40
"""From it on, what Stirling's series has beyond its first terms does not count."""


def _series(x: Tile, log: Pair) -> Tile:
    """Take x - 1 / 2 together with x, so that their difference is no term."""
    inside = limited(x, 2.5, _LARGE)
    reciprocal = estimate(nl.reciprocal, inside)
    minus = then(multiply(inside, reciprocal), nl.subtract, 2.0, nl.multiply, reciprocal)
    more = multiply(polynomial(STIRLING, multiply(minus, minus)), minus)
    factor = arithmetic(nl.subtract, x, 0.5)
    product = exact_product(halves(factor), halves(arithmetic(nl.subtract, log.high, 1.0)))
    small = add(product.low, multiply(factor, log.low))
    return add(product.high, subtract(arithmetic(nl.add, small, _HALF_LOG_2_PI - 0.5), more))


def _near(x: Tile, offset: float) -> Tile:
    """Give gammaln(x + offset) with an argument from 1 to 5 / 2."""
    value = polynomial(LOG_GAMMA, arithmetic(nl.subtract, x, _CENTRE - offset))
    return multiply(value, then(x, nl.subtract, 1.0 - offset, nl.multiply, arithmetic(nl.subtract, x, 2.0 - offset)))


def _gammaln(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    *parts, _ = logarithm(magnitude)
    log = pair_of(*parts)
    result = _series(magnitude, log)
    patch(result, _near(limited(magnitude, 1.0, 2.5), 0.0), arithmetic(nl.less, magnitude, 2.5, dtype=nl.uint8))
    below = subtract(_near(arithmetic(nl.minimum, magnitude, 1.0), 1.0), log.high)
    patch(result, below, arithmetic(nl.less, magnitude, 1.0, dtype=nl.uint8))
    # gammaln(-x) = log(pi / (x sin(pi x))) - gammaln(x)
    shift = twice(magnitude, nl.less, ROUND, nl.multiply, ROUND)
    fraction = subtract(magnitude, arithmetic(nl.subtract, arithmetic(nl.add, magnitude, shift), shift))
    sine = add(arithmetic(nl.multiply, fraction, _PI), multiply(times_argument(SINE_PI, multiply(fraction, fraction)), fraction))
    product = arithmetic(nl.multiply, multiply(magnitude_of(sine), arithmetic(nl.minimum, magnitude, ROUND)), 1 / _PI)
    *parts, _ = logarithm(arithmetic(nl.maximum, product, 2.0**-100))
    reflected = then(natural(*parts), nl.multiply, -1.0, nl.subtract, result)
    patch(result, reflected, arithmetic(nl.less, x, -(2.0**-24), dtype=nl.uint8))
    pole = then(fraction, nl.equal, 0.0, nl.multiply, arithmetic(nl.less, x, -0.5), dtype=nl.uint8)
    patch(result.view(nl.uint32), INFINITY, pole)
    patch(result.view(nl.uint32), INFINITY, is_zero(magnitude.view(nl.uint32)))
    arithmetic(nl.add, result, 0.0, dst)  # of minus 0, 0
    patch(dst, x, is_finite(x), reverse=True)


GAMMAS: Final = (Emitter("special.gammaln", 1, float_loops(_gammaln, Cost(167, 9, 82, 48)), 8.0),)
