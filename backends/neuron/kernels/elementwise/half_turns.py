"""Sine and cosine of multiples of pi, which functions that reflect negative numbers need."""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nl
from ...function import Tile
from .alu import arithmetic, multiply, subtract, then, twice
from .pairs import Pair
from .polynomial import times_argument
from .significand import ROUND

__all__ = ["COSINE_PI", "SINE_PI", "Sine", "is_pole", "less_one", "sine"]

SINE_PI: Final = (-1.64493406, 0.81174223, -0.190748216, 0.0261187371, -0.00223908712)
"""(sin(pi f) / (pi f) - 1) / f**2 in powers of f**2, for abs(f) <= 1 / 2, lowest power first."""
COSINE_PI: Final = (-4.93480216, 4.0587096, -1.3352161, 0.234953926, -0.0244206997)
"""(cos(pi f) - 1) / f**2 in powers of f**2."""


class Sine(NamedTuple):
    """
    The sine of a multiple of pi.

    Attributes
    ----------
    value : Pair
        ``sin(pi f) / pi`` without its sign; the high part is f, which is what the nearest integer leaves.
    square : NkiTensor
        f**2.
    integer : NkiTensor
        uint32; the last bit is that of the integer.
    """

    value: Pair
    square: Tile
    integer: Tile


def sine(magnitude: Tile) -> Sine:
    """Take the sine of pi times numbers."""
    shift = twice(magnitude, nl.less, ROUND, nl.multiply, ROUND)
    shifted = arithmetic(nl.add, magnitude, shift)
    fraction = subtract(magnitude, arithmetic(nl.subtract, shifted, shift))
    square = multiply(fraction, fraction)
    return Sine(Pair(fraction, multiply(times_argument(SINE_PI, square), fraction)), square, shifted.view(nl.uint32))


def less_one(square: Tile) -> Tile:
    """Take the cosine less 1."""
    return times_argument(COSINE_PI, square)


def is_pole(x: Tile, of: Sine) -> Tile:
    """Find negative integers, and minus infinity."""
    return then(of.square, nl.greater, 0.0, nl.less, arithmetic(nl.less, x, -0.5), dtype=nl.uint8)
