"""
Bessel functions of the first and second kind, of orders 0 and 1, of float32, within 4 units in the last place.

The units are those of the result, or of the amplitude ``sqrt(2 / (pi x))`` where it is smaller, about zeros. Up to 5 / 2 they are the
series of `bessel_k` with ``-x**2 / 4`` in the place of ``x**2 / 4``, and from there on ``M(x) cos(x - pi / 4 + phase(x))`` and its like,
with modulus and phase by polynomials of 1 / x (NIST Digital Library of Mathematical Functions, 10.18); angles are reduced as those of
sine and cosine. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, copy, limited, minus_reciprocal, multiply, patch, then, twice
from .angle_reduction import Angle, reduced
from .bessel import over_root_anywhere
from .bessel_k import Series, near_zero
from .exponential import times_power
from .pairs import Pair
from .polynomial import polynomial
from .significand import LARGEST, MINUS_INFINITY, NAN, is_below, is_zero, magnitude_of, sign_bit
from .trigonometric import cosine
from .widening import float_loops

__all__ = ["BESSEL_JY", "FIRST", "ZEROTH", "Order"]


class Order(NamedTuple):
    """
    Functions of one order.

    Attributes
    ----------
    near : Series
        About 0.
    modulus, phase : tuple of float
        ``M sqrt(x)``, and x times the phase beyond that of the multiple of pi, in powers of 1 / x - 1 / 5.
    """

    near: Series
    modulus: tuple[float, ...]
    phase: tuple[float, ...]


ZEROTH: Final = Order(
    Series(
        (0.999999996, 0.249999946, 0.0277775531, 0.00173568061, 6.90259845e-05, 1.72719977e-06),
        (0.99999998884, 0.37499986063, 0.0509253458, 0.0036157862, 0.00015748347, 4.2041136e-06),
        first=False,
    ),
    (0.79600169, -0.0178647447, -0.036229505, 0.0324898997, -0.00241463162, -0.0499117361, 0.108195513, -0.0441496461, -0.22462899),
    (-0.122660419, 0.0212503139, 0.0353453217, -0.0611121182, 0.0354202812, 0.0796652992, -0.292645378, 0.370537542),
)  # fmt: skip
FIRST: Final = Order(
    Series(
        (1.0, 0.499999996, 0.0833333086, 0.00694437935, 0.000347130513, 1.15028302e-05, 2.4664375e-07),
        (0.49999992516, 0.62499906454, 0.13888499234, 0.013592061, 0.000750820682, 2.38672949e-05),
        first=True,
    ),
    (0.803652913, 0.0557686871, 0.122223839, -0.0699765608, -0.0132772494, 0.101140957, -0.163278519, 0.0232711984, 0.380363005),
    (0.368925022, -0.0566488503, -0.106480834, 0.130006401, -0.0309066086, -0.184878798, 0.455472288, -0.458467844),
)  # fmt: skip
_CENTRE: Final = 0.2
_EDGE: Final = 2.5
_FAR: Final = 2.0**40
"""From it on, the phase beyond the multiple of pi does not count."""
_PI_4: Final = 0.78539818525314331055
"""pi / 4 in float32."""
_REST: Final = -2.7827534e-08
"""How much more pi / 4 is, as a part of it."""
_2_PI: Final = 0.6366197723675814


def _far(order: Order, quarters: int, x: Tile) -> Tile:
    """Give the cosine of an angle that is less by so many quarters of a turn, times the modulus; x is overwritten."""
    angle, quadrant = reduced(x)
    inverse = arithmetic(nl.multiply, minus_reciprocal(arithmetic(nl.minimum, x, _FAR)), -1.0)
    phase = multiply(polynomial(order.phase, arithmetic(nl.subtract, inverse, _CENTRE)), inverse)
    total = add(angle.high, add(angle.low, phase))
    positive = arithmetic(nl.greater, total, 0.0)
    eighth = twice(positive, nl.multiply, -2.0 * _PI_4, nl.add, _PI_4)
    turned = then(positive, nl.add, float(3 - quarters), nl.add, bits(nl.bitwise_and, quadrant, 3), dtype=nl.uint32)
    of = cosine(Angle(Pair(add(total, eighth), arithmetic(nl.multiply, eighth, _REST)), turned))
    return multiply(of, over_root_anywhere(order.modulus, _CENTRE, x))


def _first_kind(order: Order) -> Callable[[Tile, Tile], None]:
    def emit(dst: Tile, x: Tile) -> None:
        magnitude = magnitude_of(x)
        result = _far(order, int(order.near.first), arithmetic(nl.maximum, magnitude, _EDGE))
        inside = arithmetic(nl.minimum, magnitude, _EDGE)
        square = then(inside, nl.multiply, -0.25, nl.multiply, inside)
        below = is_below(x, _EDGE)
        if order.near.first:
            patch(result, then(inside, nl.multiply, 0.5, nl.multiply, polynomial(order.near.times_logarithm, square)), below)
            bits(nl.bitwise_xor, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))
        else:
            patch(result, polynomial((1.0, *order.near.times_logarithm), square), below)
            copy(dst, result)
        patch(dst.view(nl.uint32), NAN, arithmetic(nl.less_equal, magnitude, LARGEST, dtype=nl.uint8), reverse=True)

    return emit


def _second_kind(order: Order) -> Callable[[Tile, Tile], None]:
    def emit(dst: Tile, x: Tile) -> None:
        magnitude = magnitude_of(x)
        result = _far(order, 2 if order.near.first else 1, arithmetic(nl.maximum, magnitude, _EDGE))
        below = is_below(x, _EDGE)
        inside = limited(magnitude, 0.0, _EDGE)
        patch(inside, magnitude, below)  # limits may flush subnormal numbers
        near, exponent = near_zero(order.near, inside, then(inside, nl.multiply, -0.25, nl.multiply, inside))
        total = arithmetic(nl.multiply, add(*near), -_2_PI)
        if exponent is not None:
            times_power(total, total, exponent)
        patch(result, total, below)
        copy(dst, result)
        patch(dst.view(nl.uint32), NAN, arithmetic(nl.less_equal, magnitude, LARGEST, dtype=nl.uint8), reverse=True)
        patch(dst.view(nl.uint32), NAN, arithmetic(nl.less, x.view(nl.int32), 0.0, dtype=nl.uint8))
        patch(dst.view(nl.uint32), MINUS_INFINITY, is_zero(magnitude.view(nl.uint32)))

    return emit


BESSEL_JY: Final = (
    Emitter("special.j0", 1, float_loops(_first_kind(ZEROTH)), 4.0),
    Emitter("special.j1", 1, float_loops(_first_kind(FIRST)), 3.0),
    Emitter("special.y0", 1, float_loops(_second_kind(ZEROTH)), 4.0),
    Emitter("special.y1", 1, float_loops(_second_kind(FIRST)), 3.0),
)
