"""
Inverses of the error function and of the normal distribution, of float32, within 2 units in the last place.

With ``w = -log(1 - x**2)``, erfinv(x) is x times a polynomial in w where w is small, and from there on the square root of w times one in
its reciprocal (M. Giles, Approximating the erfinv function, in GPU Computing Gems, 2011, has the same variables). The others are
this function of 1 - y and of 2 p - 1, whose w is that of the product of both probabilities. Coefficients are nearly minimax ones, from
the script beside the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import SIGN, add, arithmetic, bits, is_nan, minus_reciprocal, multiply, patch, then, twice
from .logarithm import SQRT_2, logarithm, natural
from .pairs import Pair, halves, root
from .polynomial import times_pair
from .significand import INFINITY, MINUS_INFINITY, NAN, is_below, is_zero, magnitude_of, sign_bit
from .widening import float_loops

__all__ = ["CENTRE", "FAR_TAIL", "INVERSE_ERROR_FUNCTIONS", "TAIL", "Tail"]

CENTRE: Final = (
    0.88622692, 0.232013818, 0.0115486539, -0.00233429618, -0.000127481648, 4.4565215e-05, 3.9832383e-06, -1.97646136e-06, 2.21030525e-07,
    -8.79101783e-09,
)  # fmt: skip
"""erfinv(x) / x in powers of w, for w <= 5, lowest power first."""


class Tail(NamedTuple):
    """
    A polynomial for large w.

    Attributes
    ----------
    coefficients : tuple of float
        Of the inverse over sqrt(w), in powers of 1 / sqrt(w) - middle.
    middle : float
        A number.
    """

    coefficients: tuple[float, ...]
    middle: float


TAIL: Final = Tail((0.942462844, -0.171247295, 0.193043288, 0.246206109, -0.882508682, -0.379032143, 1.41491878, 11.3304252), 0.34375)
"""From 4.95 on, for w up to 16.8, where 1 - abs(x) is the least that it can be."""
FAR_TAIL: Final = Tail(
    (
        0.953846682, -0.191662882, 0.12726588, 0.450968821, -0.79579099, 0.191328423, -3.02784898, 2.49044114, 10.0937709, 59.0399084,
    ),
    0.28125,
)  # fmt: skip
"""For w up to 104.5, that of the least number."""
_EDGE: Final = 5.0


def _inverse(x: Pair, w: Tile, tail: Tail, scale: float) -> Tile:
    """Give the magnitude of erfinv(x) times a number."""
    near = magnitude_of(add(*times_pair([scale * value for value in CENTRE], w, x)))
    size = root(w)
    whole = add(*size)
    minus = minus_reciprocal(whole)
    argument = twice(minus, nl.multiply, -1.0, nl.subtract, tail.middle)
    result = add(*times_pair([scale * value for value in tail.coefficients], argument, size))
    patch(result, near, arithmetic(nl.less_equal, w, _EDGE, dtype=nl.uint8))
    return result


def _erfinv(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    inside = arithmetic(nl.minimum, magnitude, 1.0 - 2.0**-24)
    product = then(inside, nl.add, 1.0, nl.multiply, twice(inside, nl.multiply, -1.0, nl.add, 1.0))
    *parts, _ = logarithm(product)
    value = _inverse(halves(inside), arithmetic(nl.multiply, natural(*parts), -1.0), TAIL, 1.0)
    patch(value, arithmetic(nl.multiply, magnitude, CENTRE[0]), is_below(x, 2.0**-60))
    result = value.view(nl.uint32)
    patch(result, INFINITY, arithmetic(nl.equal, magnitude, 1.0, dtype=nl.uint8))
    patch(result, NAN, arithmetic(nl.greater, magnitude, 1.0, dtype=nl.uint8))
    bits(nl.bitwise_or, result, sign_bit(x), dst.view(nl.uint32))
    patch(dst, 0.0, is_zero(magnitude.view(nl.uint32)))
    patch(dst, x, is_nan(x))


def _quantile(most: float, scale: float, rises: bool) -> Callable[[Tile, Tile], None]:
    """Make the inverse of a distribution, which rises or falls in probabilities up to `most`."""

    def emit(dst: Tile, p: Tile) -> None:
        magnitude = magnitude_of(p)
        inside = arithmetic(nl.minimum, magnitude, most * (1.0 - 2.0**-24))
        product = multiply(inside, twice(inside, nl.multiply, -1.0 / most, nl.add, 1.0))
        patch(product, magnitude, is_below(p, 2.0**-26))
        f, y, e, _ = logarithm(product)
        log = natural(f, y, arithmetic(nl.add, e, 2.0 if most == 1.0 else 1.0))  # of 1 - x**2 = 4 product / most
        middle = twice(inside, nl.multiply, 2.0 / most, nl.subtract, 1.0)
        high, low = halves(middle)
        lost = then(inside, nl.multiply, 2.0 / most, nl.subtract, arithmetic(nl.add, middle, 1.0))
        x = Pair(high, add(low, lost))
        result = _inverse(x, arithmetic(nl.multiply, log, -1.0), FAR_TAIL, scale).view(nl.uint32)
        least, greatest = (MINUS_INFINITY, INFINITY) if rises else (INFINITY, MINUS_INFINITY)
        sign = sign_bit(middle)
        bits(nl.bitwise_or, result, sign if rises else bits(nl.bitwise_xor, sign, SIGN[4]), dst.view(nl.uint32))
        for value, where in (
            (greatest, arithmetic(nl.equal, p, most, dtype=nl.uint8)),
            (NAN, arithmetic(nl.greater, p, most, dtype=nl.uint8)),
            (NAN, arithmetic(nl.less, p.view(nl.int32), 0.0, dtype=nl.uint8)),
            (least, is_zero(magnitude.view(nl.uint32))),
        ):
            patch(dst.view(nl.uint32), value, where)
        patch(dst, p, is_nan(p))

    return emit


INVERSE_ERROR_FUNCTIONS: Final = (
    Emitter("special.erfinv", 1, float_loops(_erfinv), 2.0),
    Emitter("special.erfcinv", 1, float_loops(_quantile(2.0, 1.0, rises=False)), 2.0),
    Emitter("special.ndtri", 1, float_loops(_quantile(1.0, SQRT_2, rises=True)), 2.0),
)
