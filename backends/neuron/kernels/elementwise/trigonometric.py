"""
Sine, cosine and tangent of float32, within 2 units in the last place for all angles.

The angle is reduced to the quadrant around a multiple of pi / 2, in two parts (`angle_reduction`). Polynomials there are nearly minimax
ones, within 2**-27 of the function, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final

from ....isa import nl
from ...function import Emitter, Pair, Tile
from .alu import SIGN, add, bits, bits_twice, copy, multiply, patch, scratch, then
from .angle_reduction import Angle, reduced
from .pairs import inverse, renormalized
from .polynomial import polynomial, times_argument
from .significand import magnitude_of
from .widening import float_loops

__all__ = ["COSINE", "SINE", "SIN_AND_COS", "TANGENT", "TRIGONOMETRIC", "cosine"]

SINE: Final = (-0.166666548, 0.00833216893, -0.000195160119)
"""(sin(r) - r) / r**3 in powers of r**2, for abs(r) <= pi / 4, lowest power first."""
COSINE: Final = (-0.499999997, 0.0416666228, -0.00138867468, 2.43888171e-05)
"""(cos(r) - 1) / r**2 in powers of r**2."""
TANGENT: Final = (0.333333503, 0.133326436, 0.0540622259, 0.0212698852, 0.0108686393, 4.67795442e-05, 0.00439790873)
"""(tan(r) - r) / r**3 in powers of r**2."""


def _sine_and_cosine(angle: Angle) -> tuple[Tile, Tile]:
    high, low = angle.angle
    square = multiply(high, high)
    sine = add(high, add(multiply(times_argument(SINE, square), high), low))
    return sine, polynomial((1.0, *COSINE), square)


def _sin(dst: Tile, x: Tile) -> None:
    angle = reduced(magnitude_of(x))
    sine, cosine = _sine_and_cosine(angle)
    patch(sine, cosine, bits(nl.bitwise_and, angle.quadrant, 1))
    _signed_sine(dst, sine, x, angle)


def _signed_sine(dst: Tile, sine: Tile, x: Tile, angle: Angle) -> None:
    sign = bits(nl.bitwise_xor, bits(nl.left_shift, angle.quadrant, 30), x.view(nl.uint32))
    bits(nl.bitwise_xor, sine.view(nl.uint32), bits(nl.bitwise_and, sign, SIGN[4]), dst.view(nl.uint32))


def _signed_cosine(dst: Tile | None, cosine: Tile, angle: Angle) -> Tile:
    turned = bits(nl.bitwise_xor, angle.quadrant, bits(nl.left_shift, angle.quadrant, 1))  # bit 1: of the second and third quadrant
    sign = bits_twice(turned, nl.left_shift, 30, nl.bitwise_and, SIGN[4])
    return bits(nl.bitwise_xor, cosine.view(nl.uint32), sign, None if dst is None else dst.view(nl.uint32)).view(nl.float32)


def cosine(angle: Angle, dst: Tile | None = None) -> Tile:
    """Take the cosine."""
    sine, result = _sine_and_cosine(angle)
    patch(result, sine, bits(nl.bitwise_and, angle.quadrant, 1))
    return _signed_cosine(dst, result, angle)


def _cos(dst: Tile, x: Tile) -> None:
    cosine(reduced(magnitude_of(x)), dst)


def _sin_and_cos(sine: Tile, cosine: Tile, x: Tile) -> None:
    """Swap them in odd quadrants."""
    angle = reduced(magnitude_of(x))
    near, far = _sine_and_cosine(angle)
    odd = bits(nl.bitwise_and, angle.quadrant, 1)
    swapped = copy(scratch(near, nl.float32), near)
    patch(swapped, far, odd)
    patch(far, near, odd)
    _signed_sine(sine, swapped, x, angle)
    _signed_cosine(cosine, far, angle)


def _tan(dst: Tile, x: Tile) -> None:
    """In odd quadrants take minus the reciprocal."""
    angle = reduced(magnitude_of(x))
    high, low = angle.angle
    square = multiply(high, high)
    small = add(multiply(times_argument(TANGENT, square), high), then(square, nl.add, 1.0, nl.multiply, low))
    tangent = renormalized(high, small)
    odd = bits(nl.bitwise_and, angle.quadrant, 1)
    result = tangent.high
    cotangent = add(*inverse(*tangent))
    patch(result, cotangent, odd)
    sign = bits(nl.bitwise_xor, bits(nl.left_shift, odd, 31), x.view(nl.uint32))
    bits(nl.bitwise_xor, result.view(nl.uint32), bits(nl.bitwise_and, sign, SIGN[4]), dst.view(nl.uint32))


TRIGONOMETRIC: Final = (
    Emitter("sin", 1, float_loops(_sin), 2.0),
    Emitter("cos", 1, float_loops(_cos), 2.0),
    Emitter("tan", 1, float_loops(_tan), 2.0),
)
SIN_AND_COS: Final = Pair("sin and cos", ("sin", "cos"), float_loops(_sin_and_cos, results=2))
