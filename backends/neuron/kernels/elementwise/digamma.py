"""
The digamma function of float32, within 2 units in the last place, of negative numbers within 8.

The units are those of the result, but of 1 where it is smaller and the number negative.

From 2 up it is the logarithm and an asymptotic series; from 1 on ``(x - x0) P(x)`` with the zero x0, a pair; below, the value at x + 1
less 1 / x; and of negative numbers by reflection, of which the cotangent's largest part is a pair. Coefficients are nearly minimax ones,
from the script beside the tests.
"""

from __future__ import annotations

from typing import Final

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, limited, multiply, patch, subtract, then, twice
from .half_turns import is_pole, less_one, sine
from .logarithm import logarithm, pair_of
from .pairs import Pair, inverse, renormalized
from .polynomial import polynomial
from .significand import LARGEST, MINUS_INFINITY, NAN, decompose, is_below, magnitude_of, power_of_two, sign_bit
from .widening import float_loops

__all__ = ["ABOUT_ZERO", "DIGAMMAS", "SERIES", "ZERO", "digamma"]

ABOUT_ZERO: Final = (
    0.951055876, -0.423627499, 0.240542616, -0.148398786, 0.0949820814, -0.0620570766, 0.0408793583, -0.0257810109, 0.0169803142,
    -0.016384096, 0.0111188045,
)  # fmt: skip
"""psi(x) / (x - x0) in powers of x - 3 / 2, for 1 <= x <= 2, lowest power first."""
SERIES: Final = (0.0833327245, -0.00830739608, 0.00360842773, -0.00192244013)
"""``(log(x) - 1 / (2 x) - psi(x)) x**2`` in powers of 1 / x**2, for 2 <= x."""
ZERO: Final = (1.46163213253021240234375, 1.2438149937841e-08)
"""x0 in float32, and the rest."""
_REACH: Final = 2.0**21
"""As bits, the largest number whose reciprocal is infinite."""


def _reciprocal(magnitude: Tile) -> Pair:
    parts = decompose(magnitude)
    unscaled = inverse(parts.significand)
    half = power_of_two(limited(twice(parts.exponent, nl.multiply, -1.0, nl.add, 126.0), -100.0, 127.0))
    return Pair(*(then(part, nl.multiply, 2.0, nl.multiply, half) for part in unscaled))


def digamma(dst: Tile, x: Tile) -> None:
    """Compute the digamma function."""
    magnitude = magnitude_of(x)
    reciprocal = _reciprocal(magnitude)
    fractional = arithmetic(nl.less, magnitude, 1.0)
    inside = arithmetic(nl.minimum, magnitude, 2.0)
    from_zero = then(fractional, nl.subtract, ZERO[0], nl.add, inside)
    slope = polynomial(ABOUT_ZERO, then(fractional, nl.subtract, 1.5, nl.add, inside))
    near = multiply(arithmetic(nl.subtract, from_zero, ZERO[1]), slope)
    whole = arithmetic(nl.minimum, add(*reciprocal), 0.5)
    square = multiply(whole, whole)
    *parts, _ = logarithm(magnitude)
    large, small = pair_of(*parts)
    small = then(whole, nl.multiply, -0.5, nl.add, subtract(small, multiply(polynomial(SERIES, square), square)))
    close = arithmetic(nl.less, magnitude, 2.0, dtype=nl.uint8)
    patch(large, near, close)
    patch(small, 0.0, close)
    # psi(x) is psi(x + 1) - 1 / x; psi(-x) is psi(x) + 1 / x + pi / tan(pi x)
    below = arithmetic(nl.less, x.view(nl.int32), 0.0)  # subnormal ones, too
    of_pi = sine(magnitude)
    tiny = arithmetic(nl.less, of_pi.square, 2.0**-48, dtype=nl.uint8)
    patch(of_pi.value.high, 1.0, tiny)
    cotangent = inverse(*renormalized(*of_pi.value))
    lower = add(cotangent.low, multiply(less_one(of_pi.square), add(*cotangent)))
    least = is_below(x, 2.0**-24)
    patch(cotangent.high, reciprocal.high, least)
    patch(lower, reciprocal.low, least)
    times = subtract(below, fractional)
    upper = multiply(cotangent.high, below)
    lower = add(multiply(lower, below), multiply(reciprocal.low, times))
    rest = add(small, lower)
    total = add(add(large, multiply(reciprocal.high, times)), upper)
    arithmetic(nl.add, total, rest, dst)
    at_zero = arithmetic(nl.less_equal, magnitude.view(nl.uint32), _REACH, dtype=nl.uint8)
    patch(dst.view(nl.uint32), bits(nl.bitwise_xor, sign_bit(x), MINUS_INFINITY), at_zero)
    patch(dst.view(nl.uint32), NAN, is_pole(x, of_pi))
    patch(dst, x, arithmetic(nl.less_equal, x, LARGEST, dtype=nl.uint8), reverse=True)


DIGAMMAS: Final = (Emitter("special.psi", 1, float_loops(digamma), 8.0),)
