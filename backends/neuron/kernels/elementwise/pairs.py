"""Unevaluated sums of two float32: what sums, products, quotients and roots lose to rounding is kept beside them.

T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18, 1971. Without a fused multiply-add,
products are exact of numbers that have been split into halves of 12 bits. No number in between may be subnormal or overflow.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nl
from ...function import Tile
from .alu import add, arithmetic, bits, estimate, minus_reciprocal, multiply, subtract, then

__all__ = [
    "Pair", "exact_product", "exact_sum", "halves", "inverse", "product", "quotient", "ratio", "renormalized",
    "root", "rounded_product", "split", "upper_half",
]  # fmt: skip

_HALF: Final = 0xFFFFF000  # the upper 12 bits of a significand


class Pair(NamedTuple):
    """
    A number in two parts.

    Attributes
    ----------
    high, low : NkiTensor
        In float32; the low one is small.
    """

    high: Tile
    low: Tile


def upper_half(x: Tile) -> Tile:
    """Cut numbers to 12 bits, towards zero; a cycle per element of the Vector Engine."""
    return bits(nl.bitwise_and, x.view(nl.uint32), _HALF).view(nl.float32)


def halves(x: Tile) -> Pair:
    """Split numbers into two of 12 bits each."""
    high = upper_half(x)
    return Pair(high, subtract(x, high))


def renormalized(large: Tile, small: Tile) -> Pair:
    """Add numbers without loss, the first of larger magnitude; 6 cycles per element of GpSimd."""
    total = add(large, small)
    return Pair(total, subtract(small, subtract(total, large)))


def exact_sum(x: Tile, y: Tile) -> Pair:
    """Add numbers without loss; 12 cycles per element, 8 of GpSimd and 4 of the Vector Engine."""
    total = add(x, y)
    of_y = subtract(total, x)
    of_x = arithmetic(nl.subtract, total, of_y)
    return Pair(total, add(arithmetic(nl.subtract, x, of_x), subtract(y, of_y)))


def split(x: Pair) -> Pair:
    """Move what the high part has beyond 12 bits to the low one."""
    high = upper_half(x.high)
    return Pair(high, add(subtract(x.high, high), x.low))


def exact_product(x: Pair, y: Pair) -> Pair:
    """Multiply numbers without loss; 14 cycles per element, 8 of GpSimd and 6 of the Vector Engine."""
    across = add(multiply(x.high, y.low), arithmetic(nl.multiply, x.low, y.high))
    return Pair(multiply(x.high, y.high), add(arithmetic(nl.multiply, x.low, y.low), across))


def rounded_product(x: Tile, y: Tile) -> Pair:
    """Multiply numbers without loss; 24 cycles per element, 22 of GpSimd and 2 of the Vector Engine."""
    total, (a, b), (c, d) = multiply(x, y), halves(x), halves(y)
    rest = add(add(subtract(multiply(a, c), total), multiply(a, d)), multiply(b, c))
    return Pair(total, add(rest, multiply(b, d)))


def product(x: Pair, y: Pair) -> Pair:
    """Multiply; 10 cycles per element of GpSimd."""
    return Pair(multiply(x.high, y.high), add(multiply(x.high, y.low), multiply(x.low, add(y.high, y.low))))


def quotient(numerator: Tile, denominator: Tile) -> Pair:
    """Divide; 16 cycles per element of GpSimd and the Vector Engine, and one of the Scalar Engine."""
    reciprocal = estimate(nl.reciprocal, denominator)
    split = halves(denominator)
    high = upper_half(multiply(numerator, reciprocal))
    remainder = subtract(numerator, arithmetic(nl.multiply, high, split.high))
    remainder = subtract(remainder, arithmetic(nl.multiply, high, split.low))
    return Pair(high, multiply(remainder, reciprocal))


def ratio(numerator: Tile, denominator: Tile) -> Pair:
    """Divide, with a better reciprocal than `quotient`; 20 cycles per element of GpSimd and DVE, and one of ACT."""
    minus = minus_reciprocal(denominator)
    split = halves(denominator)
    high = upper_half(then(numerator, nl.multiply, -1.0, nl.multiply, minus))
    remainder = subtract(subtract(numerator, multiply(high, split.high)), multiply(high, split.low))
    return Pair(high, then(remainder, nl.multiply, -1.0, nl.multiply, minus))


def inverse(denominator: Tile, lost: Tile | None = None) -> Pair:
    """Take the reciprocal; 12 cycles per element of GpSimd and the Vector Engine, and one of the Scalar Engine."""
    reciprocal = estimate(nl.reciprocal, denominator)
    high, upper = upper_half(reciprocal), upper_half(denominator)
    lower = subtract(denominator, upper)
    lower = lower if lost is None else add(lower, lost)
    remainder = then(arithmetic(nl.multiply, high, upper), nl.subtract, 1.0, nl.add, multiply(high, lower))
    return Pair(high, then(remainder, nl.multiply, -1.0, nl.multiply, reciprocal))


def root(x: Tile) -> Pair:
    """Take the square root."""
    near = estimate(nl.sqrt, arithmetic(nl.maximum, x, 2.0**-80))
    high = upper_half(near)
    remainder = subtract(x, multiply(high, high))
    # the root is high + remainder / (root + high)
    return Pair(high, multiply(remainder, estimate(nl.reciprocal, arithmetic(nl.add, near, high))))
