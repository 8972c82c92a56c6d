"""float32 numbers taken apart into significand and exponent, subnormal ones included, and rounded together again."""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nisa, nl
from ...function import Tile
from .alu import SIGN, arithmetic, bits, bits_twice, copy, limited, patch, scratch, then

__all__ = [
    "FRACTION", "INFINITY", "LARGEST", "MAGNITUDE", "MINUS_INFINITY", "NAN", "ONE", "ROUND", "Parts", "compose", "decompose", "is_below",
    "is_finite", "is_infinite", "is_negative", "is_zero", "magnitude_of", "power_of_two", "sign_bit", "sign_of",
]  # fmt: skip

FRACTION: Final = 0x7FFFFF
MAGNITUDE: Final = 0x7FFFFFFF
INFINITY: Final = 0x7F800000
MINUS_INFINITY: Final = 0xFF800000
NAN: Final = 0x7FC00000
ONE: Final = 0x3F800000
LARGEST: Final = (2.0 - 2.0**-23) * 2.0**127
ROUND: Final = 2.0**23
"""Added to a number below and taken away again, it rounds that to an integer, to nearest even."""
_SUBNORMAL: Final = 149  # the least float32 is 2**-149


class Parts(NamedTuple):
    """
    A tile taken apart.

    Attributes
    ----------
    magnitude : NkiTensor
        Bits without the sign, uint32; of subnormal numbers those of another number that is not 0.
    significand : NkiTensor
        In float32, from 1 to 2; 1 for zeros.
    exponent : NkiTensor
        Integers in float32: the biased exponent, down to -22 for subnormal numbers.
    """

    magnitude: Tile
    significand: Tile
    exponent: Tile


def decompose(x: Tile) -> Parts:
    """
    Take numbers apart; 9 cycles per element of the Vector Engine.

    Notes
    -----
    The bits of a subnormal number, read as an integer and converted to float32, are that number times 2**149 in normal form. No
    arithmetic on subnormal numbers takes part, so it does not matter whether an engine flushes them.
    """
    magnitude = magnitude_of(x).view(nl.uint32)
    subnormal = arithmetic(nl.less, magnitude, ROUND, dtype=nl.uint8)
    patch(magnitude, copy(scratch(x, nl.float32), magnitude).view(nl.uint32), subnormal)
    significand = bits_twice(magnitude, nl.bitwise_and, FRACTION, nl.bitwise_or, ONE).view(nl.float32)
    exponent = then(subnormal, nl.multiply, -float(_SUBNORMAL), nl.add, bits(nl.right_shift, magnitude, 23))
    return Parts(magnitude, significand, exponent)


def is_zero(magnitude: Tile) -> Tile:
    """Find zeros."""
    return arithmetic(nl.equal, magnitude, 0.0, dtype=nl.uint8)


def is_infinite(magnitude: Tile) -> Tile:
    """Find infinities."""
    return arithmetic(nl.greater, magnitude.view(nl.float32), LARGEST, dtype=nl.uint8)


def magnitude_of(x: Tile) -> Tile:
    """Take the absolute value."""
    return bits(nl.bitwise_and, x.view(nl.uint32), MAGNITUDE).view(nl.float32)


def sign_bit(x: Tile) -> Tile:
    """Take the sign bit alone."""
    return bits(nl.bitwise_and, x.view(nl.uint32), SIGN[4])


def is_negative(x: Tile) -> Tile:
    """Find numbers below zero, also where an engine flushes them; 2 cycles per element of the Vector Engine."""
    return arithmetic(nl.greater, bits(nl.bitwise_xor, x.view(nl.uint32), SIGN[4]).view(nl.int32), 0.0, dtype=nl.uint8)


def power_of_two(exponent: Tile) -> Tile:
    """Put powers of two together."""
    return bits(nl.left_shift, arithmetic(nl.add, exponent, 127.0, dtype=nl.uint32), 23).view(nl.float32)


def is_below(x: Tile, bound: float) -> Tile:
    """Find numbers whose magnitude is below a bound."""
    return arithmetic(nl.less, magnitude_of(x), bound, dtype=nl.uint8)


def is_finite(x: Tile) -> Tile:
    """Find numbers that are neither infinite nor NaN."""
    return arithmetic(nl.less_equal, magnitude_of(x), LARGEST, dtype=nl.uint8)


def sign_of(x: Tile, dst: Tile | None = None) -> Tile:
    """Find the sign of numbers that are not NaN."""
    return then(x, nl.less, 0.0, nl.subtract, arithmetic(nl.greater, x, 0.0), dst, reverse=True)


def compose(significand: Tile, exponent: Tile, beyond: Tile | None) -> Tile:
    """
    Round numbers to float32, subnormal ones to their fewer bits; about 20 cycles per element of the Vector Engine.

    Notes
    -----
    A subnormal result is an integer times 2**-149. The significand is scaled to that and rounded to an integer; where that was a tie and
    the significand had been rounded, the part beyond it decides. The integer is the bit pattern, so that no arithmetic gives a
    subnormal number.
    """
    low = arithmetic(nl.add, limited(exponent, -30.0, 1.0), float(_SUBNORMAL), dtype=nl.uint32)
    exact = arithmetic(nl.multiply, significand, bits(nl.left_shift, low, 23).view(nl.float32), engine=nisa.engine.gpsimd)
    integer = arithmetic(nl.subtract, arithmetic(nl.add, exact, ROUND), ROUND)
    if beyond is not None:
        tie = then(arithmetic(nl.subtract, exact, integer, engine=nisa.engine.gpsimd), nl.multiply, 2.0, nl.equal, beyond)
        integer = arithmetic(nl.add, integer, arithmetic(nl.multiply, tie, beyond, engine=nisa.engine.gpsimd))
    subnormal = copy(scratch(integer, nl.uint32), integer)
    fraction = bits(nl.bitwise_and, significand.view(nl.uint32), FRACTION)
    result = bits(nl.bitwise_or, bits(nl.left_shift, limited(exponent, 0.0, 255.0, nl.uint32), 23), fraction)
    patch(result, subnormal, arithmetic(nl.less, exponent, 1.0, dtype=nl.uint8))
    patch(result, INFINITY, arithmetic(nl.greater, exponent, 254.0, dtype=nl.uint8))
    return result
