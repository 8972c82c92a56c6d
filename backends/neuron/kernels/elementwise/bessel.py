"""
Modified Bessel functions of the first kind, of orders 0 and 1, of float32, within 2 units in the last place.

Up to 13 / 4 they are their power series, ``1 + t (1 + t Q(t))`` with ``t = x**2 / 4``, for order 1 times x / 2 and with t / 2 in front of
the parenthesis; from there on ``exp(x) P(1 / x) / sqrt(x)``. The first terms of the series, the reciprocal of the root and what they are
multiplied by are pairs. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, copy, is_nan, limited, multiply, patch, then
from .exponential import times_exponential
from .logarithm import with_one
from .pairs import Pair, halves, inverse, product, renormalized, root, split
from .polynomial import times_argument, times_pair
from .significand import NAN, is_below, is_infinite, is_zero, magnitude_of, sign_bit
from .widening import float_loops

__all__ = ["BESSEL", "FIRST", "ZEROTH", "Order", "over_root", "over_root_anywhere"]


class Order(NamedTuple):
    """
    One of the functions.

    Attributes
    ----------
    near : tuple of float
        Q, in powers of t.
    far : tuple of float
        P, in powers of 1 / x - 1 / 8.
    slope : float
        The factor of t.
    odd : bool
        Whether it has a factor x / 2.
    """

    near: tuple[float, ...]
    far: tuple[float, ...]
    slope: float
    odd: bool


ZEROTH: Final = Order(
    (0.250000479, 0.0277759416, 0.00173856563, 6.79678974e-05, 2.33444504e-06),
    (
        0.405686344, 0.0587950053, 0.0470514034, 0.0952911435, 0.327151087, 0.237037348, -10.2691321, -32.8380846, 239.602333, 432.480666,
        -3693.18739, 4272.11942,
    ),
    1.0,
    odd=False,
)  # fmt: skip
FIRST: Final = Order(
    (0.16666681, 0.0138883696, 0.00069510748, 2.27631372e-05, 6.54075428e-07),
    (
        0.379412264, -0.163891283, -0.0720381736, -0.120850599, -0.390236473, -0.397523518, 10.95401, 39.1525985, -248.868095, -524.508381,
        3900.6935, -4204.9801,
    ),
    0.5,
    odd=True,
)  # fmt: skip
_CENTRE: Final = 0.125
_EDGE: Final = 3.25
_MOST: Final = 95.0
"""Where the function is infinite."""
_FAR: Final = 2.0**40
"""From it on, 1 / x does not count but in the root."""


def _near(order: Order, x: Tile) -> Pair:
    """Give the function, from its series."""
    inside = arithmetic(nl.minimum, x, _EDGE)
    high, low = halves(inside)
    slope = 0.25 * order.slope
    upper = arithmetic(nl.multiply, multiply(high, high), slope)
    square = renormalized(upper, multiply(then(high, nl.multiply, 2.0, nl.add, low), arithmetic(nl.multiply, low, slope)))
    quarter = square.high if order.slope == 1.0 else arithmetic(nl.multiply, square.high, 1.0 / order.slope)
    total, lost = with_one(square.high)
    first = float(round(order.near[0] * 2**8)) / 2**8  # t**2 / 4 of order 0 has one rounding
    further = times_argument((order.near[0] - first, *order.near[1:]), quarter)
    half_slope = arithmetic(nl.add, then(quarter, nl.multiply, first, nl.add, further), 0.5)  # about
    by_low = then(square.low, nl.multiply, 2.0, nl.multiply, half_slope)
    upper = renormalized(total, then(quarter, nl.multiply, first, nl.multiply, square.high))
    whole = Pair(upper.high, add(upper.low, add(multiply(further, square.high), add(lost, by_low))))
    if not order.odd:
        return whole
    half = Pair(arithmetic(nl.multiply, high, 0.5), arithmetic(nl.multiply, low, 0.5))
    return product(half, split(whole))


def over_root(coefficients: tuple[float, ...], centre: float, x: Tile, beyond: Tile | None = None) -> Pair:
    """Give ``P(1 / x - centre) / sqrt(x)`` for x up to 2**80; that of 2**64 x, times 2**32, where it is so far."""
    reciprocal = inverse(*renormalized(*root(x)))
    whole = add(*reciprocal)
    square = multiply(whole, whole)
    if beyond is not None:
        patch(square, 0.0, beyond)
    return times_pair(coefficients, arithmetic(nl.subtract, square, centre), reciprocal)


def over_root_anywhere(coefficients: tuple[float, ...], centre: float, x: Tile) -> Tile:
    """Give ``P(1 / x - centre) / sqrt(x)``, which is 0 for infinity; large x are overwritten."""
    beyond = arithmetic(nl.greater_equal, x, _FAR, dtype=nl.uint8)
    patch(x, arithmetic(nl.multiply, x, 2.0**-64), beyond)
    result = add(*over_root(coefficients, centre, x, beyond))
    patch(result, arithmetic(nl.multiply, result, 2.0**-32), beyond)
    patch(result, 0.0, is_infinite(x.view(nl.uint32)))
    return result


def _finish(dst: Tile, x: Tile, order: Order, result: Tile) -> None:
    """Put in what is tiny, and signs."""
    if order.odd:
        patch(result, arithmetic(nl.multiply, magnitude_of(x), 0.5), is_below(x, 2.0**-40))
        bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))
        patch(dst, 0.0, is_zero(magnitude_of(x).view(nl.uint32)))
    else:
        copy(dst, result)
    patch(dst, x, is_nan(x))


def _function(order: Order) -> Callable[[Tile, Tile], None]:
    """Give NaN for infinity, as SciPy does."""

    def emit(dst: Tile, x: Tile) -> None:
        magnitude = magnitude_of(x)
        exponent = limited(magnitude, _EDGE, _MOST)
        result = times_exponential(over_root(order.far, _CENTRE, exponent), exponent)
        patch(result, add(*_near(order, magnitude)), is_below(x, _EDGE))
        patch(result.view(nl.uint32), NAN, is_infinite(magnitude.view(nl.uint32)))
        _finish(dst, x, order, result)

    return emit


def _scaled(order: Order) -> Callable[[Tile, Tile], None]:
    def emit(dst: Tile, x: Tile) -> None:
        magnitude = magnitude_of(x)
        far = over_root_anywhere(order.far, _CENTRE, arithmetic(nl.maximum, magnitude, _EDGE))
        near = times_exponential(_near(order, magnitude), limited(arithmetic(nl.multiply, magnitude, -1.0), -_EDGE, 0.0))
        patch(far, near, is_below(x, _EDGE))
        _finish(dst, x, order, far)

    return emit


BESSEL: Final = (
    Emitter("special.i0", 1, float_loops(_function(ZEROTH)), 2.0),
    Emitter("special.i0e", 1, float_loops(_scaled(ZEROTH)), 2.0),
    Emitter("special.i1", 1, float_loops(_function(FIRST)), 2.0),
    Emitter("special.i1e", 1, float_loops(_scaled(FIRST)), 2.0),
)
