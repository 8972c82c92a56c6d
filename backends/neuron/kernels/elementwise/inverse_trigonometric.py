"""
Inverse sine, cosine and tangent of float32, and the angle of a point, within 2 units in the last place.

Beyond 1 / 2, the arcsine of x is that of sqrt((1 - x) / 2), doubled and taken from pi / 2; beyond 1, the arctangent of x is that of 1 / x
taken from pi / 2 (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980). Roots and quotients are pairs, so that
they add next to nothing to the error. Polynomials are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, copy, is_nan, limited, multiply, patch, scratch, spread, subtract, then, twice
from .pairs import Pair, inverse, quotient, root
from .polynomial import times_argument
from .significand import NAN, decompose, is_infinite, magnitude_of, power_of_two, sign_bit
from .widening import float_loops

__all__ = ["ARCSINE", "ARCTANGENT", "INVERSE_TRIGONOMETRIC"]

ARCTANGENT: Final = (
    -0.333333019, 0.199986386, -0.142652454, 0.109575762, -0.0841945882, 0.058234542, -0.0314556916, 0.0110644351, -0.00182721158,
)  # fmt: skip
"""(arctan(x) - x) / x**3 in powers of x**2, for abs(x) <= 1, lowest power first."""
ARCSINE: Final = (0.166667539, 0.0749524177, 0.0454770989, 0.0241476011, 0.0422185665)
"""(arcsin(x) - x) / x**3 in powers of x**2, for abs(x) <= 1 / 2."""
_PI_2: Final = (1.5707963705062866, -4.371139000186243e-08)
_PI: Final = (3.1415927410125732, -8.742278000372485e-08)
_TINY: Final = 2.0**-13
"""Below it, arctan and arcsin do not differ from their arguments by more than a quarter of a unit."""
_LARGE: Final = 2.0**40
"""Beyond it arctan is pi / 2, and this is where reciprocals end."""


def _from(angle: tuple[float, float], x: Pair, factor: float, small: Tile) -> Tile:
    """Take ``factor (x + small)`` from an angle; the factor is a power of two."""
    rest = twice(add(x.low, small), nl.multiply, -factor, nl.add, angle[1])
    return add(twice(x.high, nl.multiply, -factor, nl.add, angle[0]), rest)


def _arctan(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    beyond = arithmetic(nl.greater, magnitude, 1.0, dtype=nl.uint8)
    one_over = inverse(limited(magnitude, 0.5, _LARGE))
    argument = copy(scratch(x, nl.float32), magnitude)
    patch(argument, add(*one_over), beyond)
    small = multiply(times_argument(ARCTANGENT, multiply(argument, argument)), argument)
    result = add(argument, small)
    patch(result, _from(_PI_2, one_over, 1.0, small), beyond)
    patch(result, magnitude, arithmetic(nl.less, magnitude, _TINY, dtype=nl.uint8))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))


def _halved(x: Tile) -> tuple[Tile, Pair, Tile]:
    """
    Prepare an arcsine, of x or of sqrt((1 - abs(x)) / 2).

    Gives where it is the second one, that root, and what the arcsine has beyond its argument.
    """
    magnitude = magnitude_of(x)
    beyond = arithmetic(nl.greater, magnitude, 0.5, dtype=nl.uint8)
    halved = twice(magnitude, nl.multiply, -0.5, nl.add, 0.5)
    half = root(halved)
    argument = copy(scratch(x, nl.float32), x)
    patch(argument, add(*half), beyond)
    square = multiply(x, x)
    patch(square, halved, beyond)
    return beyond, half, multiply(times_argument(ARCSINE, square), argument)


def _arcsin(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    beyond, half, small = _halved(magnitude)
    result = add(magnitude, small)
    patch(result, _from(_PI_2, half, 2.0, small), beyond)
    patch(result, magnitude, arithmetic(nl.less, magnitude, _TINY, dtype=nl.uint8))
    patch(result.view(nl.uint32), NAN, arithmetic(nl.greater, magnitude, 1.0, dtype=nl.uint8))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))


def _arccos(dst: Tile, x: Tile) -> None:
    beyond, half, small = _halved(x)
    rest = twice(small, nl.multiply, -1.0, nl.add, _PI_2[1])
    result = add(twice(x, nl.multiply, -1.0, nl.add, _PI_2[0]), rest)
    patch(result, _from(_PI, half, 2.0, small), beyond)
    doubled = arithmetic(nl.multiply, add(half.high, add(half.low, small)), 2.0)
    patch(result, doubled, arithmetic(nl.greater, x, 0.5, dtype=nl.uint8))
    patch(result, 0.0, arithmetic(nl.equal, x, 1.0, dtype=nl.uint8))
    patch(result.view(nl.uint32), NAN, arithmetic(nl.greater, magnitude_of(x), 1.0, dtype=nl.uint8))
    copy(dst, result)


def _scaled(x: Tile) -> tuple[Tile, Tile]:
    """Give significand and exponent, of zero 0 and an exponent that is less than all others, of infinity one that is far beyond."""
    parts = decompose(x)
    significand = then(parts.magnitude, nl.not_equal, 0.0, nl.multiply, parts.significand)
    return significand, then(is_infinite(parts.magnitude), nl.multiply, 300.0, nl.add, parts.exponent)


def _arctan2(dst: Tile, y: Tile, x: Tile) -> None:
    """
    Divide the smaller by the larger coordinate, and add the arctangent to a multiple of pi / 2, or take it from that.

    The quotient is scaled by its power of two in two steps, the second one last: where it is the result it may be subnormal.
    """
    (upper, of_y), (lower, of_x) = _scaled(y), _scaled(x)
    upper, lower = (spread(part, dst.shape[1]) for part in (upper, lower))
    apart = arithmetic(nl.subtract, of_y, of_x)
    steep = arithmetic(nl.greater, then(apart, nl.multiply, 2.0, nl.add, arithmetic(nl.subtract, upper, lower)), 0.0)
    numerator, denominator = copy(scratch(dst, nl.float32), upper), copy(scratch(dst, nl.float32), lower)
    swapped = steep.view(nl.uint32)
    patch(numerator, lower, swapped)
    patch(denominator, upper, swapped)
    ratio = quotient(numerator, arithmetic(nl.maximum, denominator, 1.0))
    exponent = then(apart, nl.multiply, -1.0, nl.minimum, apart)
    near = arithmetic(nl.maximum, exponent, -100.0)
    first = power_of_two(near)
    second = power_of_two(arithmetic(nl.maximum, subtract(exponent, near), -100.0))
    high, low = multiply(ratio.high, first), multiply(ratio.low, first)
    argument = add(high, low)
    low = add(low, multiply(times_argument(ARCTANGENT, multiply(argument, argument)), argument))
    back = arithmetic(nl.less, x.view(nl.int32), 0.0)
    quarters = then(then(steep, nl.subtract, 1.0, nl.multiply, back), nl.multiply, -2.0, nl.add, steep)
    sign = twice(arithmetic(nl.logical_xor, steep, back), nl.multiply, -2.0, nl.add, 1.0)
    small = then(quarters, nl.multiply, _PI_2[1], nl.add, arithmetic(nl.multiply, sign, low))
    result = add(then(quarters, nl.multiply, _PI_2[0], nl.add, multiply(sign, high)), small)
    patch(second, 1.0, quarters.view(nl.uint32))
    result = arithmetic(nl.multiply, result, second)
    patch(result.view(nl.uint32), NAN, is_nan(x))
    patch(result.view(nl.uint32), NAN, is_nan(y))
    sign = spread(sign_bit(y), dst.shape[1])
    bits(nl.bitwise_or, result.view(nl.uint32), sign, dst.view(nl.uint32))


INVERSE_TRIGONOMETRIC: Final = (
    Emitter("arcsin", 1, float_loops(_arcsin), 2.0),
    Emitter("arccos", 1, float_loops(_arccos), 2.0),
    Emitter("arctan", 1, float_loops(_arctan), 2.0),
    Emitter("arctan2", 2, float_loops(_arctan2), 2.0),
)
