"""Cube root and hypotenuse of float32, within 2 units in the last place, over all exponents."""

from __future__ import annotations

from typing import Final

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, copy, estimate, is_nan, limited, multiply, patch, scratch, spread, subtract, then, twice
from .pairs import halves, root, upper_half
from .significand import INFINITY, NAN, decompose, is_finite, is_infinite, magnitude_of, power_of_two, sign_bit
from .widening import float_loops

__all__ = ["ROOTS"]

_TO_INTEGER: Final = 1.5 * 2.0**23


def _cbrt(dst: Tile, x: Tile) -> None:
    """
    Take the cube root of m, from 1 / 2 to 4, where ``abs(x) = 8**k m``.

    Of an estimate, 12 bits h are kept; what the exact m - h**3 is of h**2 + h y + y**2, with y the estimate, is the rest of the root.
    """
    parts = decompose(x)
    e = arithmetic(nl.subtract, parts.exponent, 127.0)
    k = arithmetic(nl.subtract, twice(e, nl.multiply, 1 / 3, nl.add, _TO_INTEGER), _TO_INTEGER)
    m = multiply(parts.significand, power_of_two(then(k, nl.multiply, -3.0, nl.add, e)))
    near = estimate(nl.exp, estimate(nl.log, m), 1 / 3)
    high = upper_half(near)
    square = multiply(high, high)
    upper, lower = halves(square)
    rest = subtract(subtract(m, multiply(upper, high)), multiply(lower, high))
    slope = multiply(add(near, high), near)
    cube_root = add(high, multiply(rest, estimate(nl.reciprocal, add(slope, square))))
    result = multiply(cube_root, power_of_two(k))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))
    patch(dst, x, arithmetic(nl.equal, parts.magnitude, 0.0, dtype=nl.uint8))
    patch(dst, x, is_finite(x), reverse=True)


def _hypot(dst: Tile, x: Tile, y: Tile) -> None:
    """Take the root of the sum of squares, scaled by the power of two of the larger."""
    (of_x, left, left_exponent), (of_y, right, right_exponent) = decompose(x), decompose(y)
    apart = arithmetic(nl.subtract, left_exponent, right_exponent)
    ahead = arithmetic(nl.greater, apart, 0.0)
    large, small = (copy(scratch(dst, nl.float32), spread(part, dst.shape[1])) for part in (right, left))
    patch(large, left, ahead.view(nl.uint32))
    patch(small, right, ahead.view(nl.uint32))
    behind = arithmetic(nl.maximum, then(apart, nl.multiply, -1.0, nl.minimum, apart), -60.0)
    small = multiply(small, power_of_two(behind))
    half = root(add(multiply(large, large), multiply(small, small)))
    exponent = arithmetic(nl.subtract, arithmetic(nl.maximum, left_exponent, right_exponent), 127.0)
    first = limited(exponent, -100.0, 100.0)
    result = multiply(add(*half), power_of_two(first))
    arithmetic(nl.multiply, result, power_of_two(subtract(exponent, first)), dst)
    zero = then(of_x, nl.equal, 0.0, nl.multiply, arithmetic(nl.equal, of_y, 0.0), dtype=nl.uint8)
    patch(dst, 0.0, zero)
    for operand in (x, y):
        patch(dst.view(nl.uint32), NAN, is_nan(operand))
    for operand in (x, y):
        patch(dst.view(nl.uint32), INFINITY, is_infinite(magnitude_of(operand)))


ROOTS: Final = (
    Emitter("cbrt", 1, float_loops(_cbrt), 2.0),
    Emitter("hypot", 2, float_loops(_hypot), 2.0),
)
