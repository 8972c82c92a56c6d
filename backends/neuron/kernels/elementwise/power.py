"""
Powers of float32, within 2 units in the last place, with all special values of C's pow.

``abs(x)**y = 2**(y log2(abs(x)))``, where the logarithm is a pair with a relative error of 2**-33, since y can make 2**7 of it, and so is
its product with y. It is a multiple of the inverse hyperbolic tangent of ``z = (m - 1) / (m + 1)``, of which z and the term of z**3 are
pairs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, is_nan, limited, minus_reciprocal, multiply, patch, subtract, then, twice
from .exponential import EXP2, parted, scaled
from .logarithm import SQRT_2
from .pairs import Pair, exact_product, halves, renormalized, upper_half
from .polynomial import times_argument
from .significand import INFINITY, NAN, ROUND, decompose, is_infinite, magnitude_of, sign_bit
from .widening import float_loops

__all__ = ["LOG2", "MOST", "POWERS", "Series", "inverse_tangent", "log2"]

LOG2: Final = (0.200000762, 0.142735589, 0.117094846)
"""(arctanh(z) - z - z**3 / 3) / z**5 in powers of z**2, for abs(z) <= 0.1716, lowest power first."""
MOST: Final = 2.0**33
"""Beyond it, the power of whatever is not 1 is 0 or infinite."""


class Series(NamedTuple):
    """
    The series of an inverse tangent, and a factor.

    Attributes
    ----------
    third : tuple of float
        Coefficient of z**3: 11 bits, and the rest.
    further : tuple of float
        Coefficients of z**5, z**7, …
    factor : tuple of float
        What to multiply by: 12 bits, and the rest.
    """

    third: tuple[float, float]
    further: tuple[float, ...]
    factor: tuple[float, float]


_LOG2: Final = Series((0.333251953125, 8.138020833333333e-05), LOG2, (2.884765625, 0.0006244567779267))  # 2 / log(2)


def inverse_tangent(f: Tile, total: Tile, lost: Tile, series: Series) -> tuple[Tile, Pair, Tile]:
    """Take the inverse tangent, circular or hyperbolic, of ``z = f / (total + lost)``."""
    minus = minus_reciprocal(total)
    upper, lower = halves(total)
    high = upper_half(then(f, nl.multiply, -1.0, nl.multiply, minus))
    rest = subtract(f, multiply(high, upper))
    rest = subtract(rest, multiply(high, add(lower, lost)))
    low = then(rest, nl.multiply, -1.0, nl.multiply, minus)
    # the square of z, a third of it and what follows
    whole = add(high, low)
    square = halves(multiply(high, high))
    remainder = then(high, nl.multiply, 2.0, nl.add, low)
    remainder = add(square.low, multiply(remainder, low))
    further = times_argument(series.further, multiply(whole, whole))
    third = arithmetic(nl.multiply, square.high, series.third[0])
    small = then(further, nl.add, series.third[1], nl.multiply, square.high)
    small = add(small, multiply(arithmetic(nl.add, further, sum(series.third)), remainder))
    cubic = renormalized(third, small)
    # times z and the factor
    linear = arithmetic(nl.multiply, high, series.factor[0])
    rest = then(low, nl.multiply, sum(series.factor), nl.add, arithmetic(nl.multiply, high, series.factor[1]))
    product = exact_product(halves(linear), halves(cubic.high))
    return linear, product, add(rest, add(multiply(rest, cubic.high), multiply(linear, cubic.low)))


def log2(x: Tile) -> Pair:
    """Take the logarithm to base 2."""
    parts = decompose(x)
    above = arithmetic(nl.greater, parts.significand, SQRT_2)
    m = multiply(twice(above, nl.multiply, -0.5, nl.add, 1.0), parts.significand)
    e = then(parts.exponent, nl.subtract, 127.0, nl.add, above)
    f, total = arithmetic(nl.subtract, m, 1.0), arithmetic(nl.add, m, 1.0)
    lost = subtract(m, arithmetic(nl.subtract, total, 1.0))
    linear, product, rest = inverse_tangent(f, total, lost, _LOG2)
    total_ = renormalized(e, linear)
    rest = add(rest, add(total_.low, product.low))
    return renormalized(total_.high, add(product.high, rest))


def _power(dst: Tile, x: Tile, y: Tile) -> None:
    logarithm = log2(x)
    split = halves(logarithm.high)
    exponent = limited(y, -MOST, MOST)
    product = exact_product(split, halves(exponent))
    small = add(product.low, multiply(logarithm.low, exponent))
    product = renormalized(product.high, small)
    n, r = parted(limited(product.high, -151.0, 129.0))
    r = add(r, limited(product.low, -1.0, 1.0))
    scaled(dst, times_argument(EXP2, r), n)
    _special(dst, x, y)


def _special(dst: Tile, x: Tile, y: Tile) -> None:
    """Put in powers of zeros, infinities, negative numbers and NaN, and those that are 1."""
    base, exponent = magnitude_of(x), magnitude_of(y)
    below, down = (arithmetic(nl.less, operand.view(nl.int32), 0.0) for operand in (x, y))
    zero = arithmetic(nl.equal, base.view(nl.uint32), 0.0)
    edge = arithmetic(nl.add, zero, is_infinite(base))
    patch(dst, 0.0, edge.view(nl.uint32))
    patch(dst.view(nl.uint32), INFINITY, arithmetic(nl.multiply, arithmetic(nl.equal, zero, down), edge, dtype=nl.uint8))
    shift = twice(exponent, nl.less, ROUND, nl.multiply, ROUND)
    whole = arithmetic(nl.subtract, arithmetic(nl.add, exponent, shift), shift)
    fractional = arithmetic(nl.not_equal, whole, exponent)
    odd = bits(nl.bitwise_and, arithmetic(nl.minimum, whole, 2.0 * ROUND, dtype=nl.uint32), 1)
    patch(fractional, 1.0, arithmetic(nl.less, exponent.view(nl.uint32), ROUND, dtype=nl.uint8))  # subnormal ones
    patch(odd, 0, fractional.view(nl.uint32))
    turned, sign = bits(nl.left_shift, odd, 31), sign_bit(x)
    turned, sign = (turned, sign) if sign.shape[1] <= turned.shape[1] else (sign, turned)
    bits(nl.bitwise_or, dst.view(nl.uint32), bits(nl.bitwise_and, turned, sign), dst.view(nl.uint32))
    negative = then(edge, nl.equal, 0.0, nl.multiply, below)
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.multiply, negative, fractional, dtype=nl.uint8))
    for operand in (x, y):
        patch(dst.view(nl.uint32), NAN, is_nan(operand))
    patch(dst, 1.0, arithmetic(nl.equal, exponent.view(nl.uint32), 0.0, dtype=nl.uint8))
    patch(dst, 1.0, arithmetic(nl.equal, x, 1.0, dtype=nl.uint8))


POWERS: Final = (Emitter("power", 2, float_loops(_power), 2.0),)
