"""
Arithmetic and logarithms of numbers in pairs, which sums of large exponents need.

The methods are those of `pairs` (T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18, 1971).
Here results are renormalized, so that they can be operands again, and numbers of any size are taken apart from their powers of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....isa import nisa, nl
from ...function import Tile
from .alu import add, arithmetic, copy, estimate, limited, minus_reciprocal, multiply, patch, scratch, subtract, then
from .exponential import LOG2_E
from .pairs import Pair, exact_sum, product, ratio, renormalized, split
from .power import log2
from .significand import decompose, power_of_two

__all__ = [
    "Scaled", "apart", "choose", "constant", "difference_of_pairs", "log2_of", "minus", "product_of", "product_of_pairs",
    "quotient_of", "ratio_of_pairs", "reciprocal", "single", "sum_of_pairs", "times",
]  # fmt: skip


class Scaled(NamedTuple):
    """
    A number of any size: ``value 2**power``.

    Attributes
    ----------
    value : Pair
        Of moderate size.
    power : NkiTensor
        Integers in float32.
    """

    value: Pair
    power: Tile


def minus(x: Tile) -> Tile:
    """Negate numbers."""
    return arithmetic(nl.multiply, x, -1.0)


def reciprocal(x: Tile) -> Tile:
    """Take the reciprocal."""
    return minus(minus_reciprocal(x))


def single(x: Tile) -> Pair:
    """Make pairs of numbers."""
    return Pair(copy(scratch(x, nl.float32), x), arithmetic(nl.multiply, x, 0.0))


def choose(dst: Pair, src: Pair, where: Tile) -> None:
    """Copy both parts where a mask is true."""
    for old, new in zip(dst, src, strict=True):
        patch(old, new, where)


def constant(like: Tile, high: float, low: float) -> Pair:
    """Fill a pair."""
    parts = Pair(scratch(like, nl.float32), scratch(like, nl.float32))
    for part, number in zip(parts, (high, low), strict=True):
        nisa.memset(part, number)
    return parts


def times(x: Pair, factor: Tile | float) -> Pair:
    """Multiply both parts."""
    return Pair(*(arithmetic(nl.multiply, part, factor) for part in x))


def sum_of_pairs(x: Pair, y: Pair) -> Pair:
    """Add; 22 cycles per element, 18 of GpSimd and 4 of the Vector Engine."""
    total = exact_sum(x.high, y.high)
    return renormalized(total.high, add(total.low, add(x.low, y.low)))


def difference_of_pairs(x: Pair, y: Pair) -> Pair:
    """Subtract; 24 cycles per element, 18 of GpSimd and 6 of the Vector Engine."""
    return sum_of_pairs(x, times(y, -1.0))


def product_of_pairs(x: Pair, y: Pair) -> Pair:
    """Multiply; 26 cycles per element, 24 of GpSimd and 2 of the Vector Engine."""
    return renormalized(*product(split(x), split(y)))


def ratio_of_pairs(numerator: Pair, denominator: Pair) -> Pair:
    """Divide; 36 cycles per element of GpSimd and the Vector Engine, and two of the Scalar Engine."""
    value = ratio(numerator.high, denominator.high)
    rest = subtract(numerator.low, multiply(add(*value), denominator.low))
    return renormalized(value.high, add(value.low, multiply(rest, estimate(nl.reciprocal, denominator.high))))


def apart(x: Pair) -> Scaled:
    """Take the power of two out."""
    parts = decompose(x.high)
    power = arithmetic(nl.subtract, parts.exponent, 127.0)
    return Scaled(Pair(parts.significand, multiply(x.low, power_of_two(limited(minus(power), -126.0, 127.0)))), power)


def product_of(factors: Sequence[Scaled]) -> Scaled:
    """Multiply numbers of any size."""
    value, power = factors[0]
    for factor in factors[1:]:
        value, power = product_of_pairs(value, factor.value), add(power, factor.power)
    return Scaled(value, power)


def quotient_of(numerator: Scaled, denominator: Scaled) -> Scaled:
    """Divide numbers of any size."""
    return Scaled(ratio_of_pairs(numerator.value, denominator.value), subtract(numerator.power, denominator.power))


def log2_of(x: Scaled) -> Pair:
    """Take the logarithm to base 2."""
    log = log2(x.value.high)
    more = multiply(x.value.low, estimate(nl.reciprocal, x.value.high))
    total = exact_sum(x.power, log.high)
    return Pair(total.high, add(total.low, then(more, nl.multiply, LOG2_E, nl.add, log.low)))
