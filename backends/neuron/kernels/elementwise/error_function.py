"""
The error function, the normal distribution and its logarithm, of float32, within 2 to 4 units in the last place.

From the middle on, the tail is ``t F(t) exp(-x**2)`` with ``t = 1 / (x + c)`` and a polynomial F: t, F and the square are pairs, so that
what is left to round is little (W. J. Cody, Rational Chebyshev approximations for the error function, Math. Comp. 23, 1969, has the same
parts). In the middle it is a polynomial. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nl
from .emitter import Cost, Emitter, Tile
from .exponential import times_exponential
from .logarithm import log_of_sum
from .pairs import Pair, halves, inverse, renormalized
from .polynomial import times_argument, times_pair
from .significand import ROUND, is_below, magnitude_of, sign_bit
from .tile import SIGN, add, arithmetic, bits, copy, is_nan, limited, multiply, patch, subtract, then, twice
from .widening import float_loops

__all__ = ["ERF", "ERFC", "ERROR_FUNCTIONS", "NORMAL", "NORMAL_TAIL", "Scale"]

ERF: Final = (-0.376126307, 0.112836299, -0.0268554843, 0.00519129208, -0.000803503408, 7.93311625e-05)
"""(erf(x) / x - 2 / sqrt(pi)) / x**2 in powers of x**2, for abs(x) <= 1, lowest power first."""
ERFC: Final = (
    1.02158271, 2.74864261, 4.47154827, 2.33237644, -5.50505587, -6.64605573, 12.4712962, 14.4001515, -34.7327804, -25.4624531,
)  # fmt: skip
"""exp(x**2) erfc(x) (x + 2) in powers of 1 / (x + 2) - 1 / 4, for 0.44 <= x <= 10.1."""
NORMAL: Final = (-0.0664903582, 0.00997306698, -0.00118389804, 0.000105895868)
"""((ndtr(x) - 1 / 2) / x - 1 / sqrt(2 pi)) / x**2 in powers of x**2, for abs(x) <= 0.66."""
NORMAL_TAIL: Final = (
    1.36013695, 4.17101589, 6.66662197, -1.27281737, -20.9358971, 3.85067332, 89.5254925, -85.3059119, -441.773526, 775.338312,
    2415.54786,
)  # fmt: skip
"""2 exp(x**2 / 2) ndtr(-x) (x + 5 / 2) in powers of 1 / (x + 5 / 2) - 3 / 16, for 0.62 <= x."""
_ERF_SLOPE: Final = 1.1283791670955126  # 2 / sqrt(pi)
_NORMAL_SLOPE: Final = 0.3989422804014327  # 1 / sqrt(2 pi)
_EDGE, _NORMAL_EDGE = 0.45, 0.64
"""Where tails begin."""
_FAR: Final = 2.0**20
"""Where the logarithm of a tail is but its exponent."""


class Scale(NamedTuple):
    """
    A tail.

    Attributes
    ----------
    coefficients : tuple of float
        Of F, in powers of t - middle.
    shift, middle : float
        With ``t = 1 / (x + shift)``.
    factor : float
        Of the square in the exponent, a power of two.
    most : float
        Where the tail is less than all numbers.
    """

    coefficients: tuple[float, ...]
    shift: float
    middle: float
    factor: float
    most: float


class Tail(NamedTuple):
    """
    A tail in factors: ``value exp(exponent)``.

    Attributes
    ----------
    value : Pair
        From 0.05 to 1.
    exponent : Pair
        Minus the square.
    """

    value: Pair
    exponent: Pair


def _tail(scale: Scale, magnitude: Tile) -> Tail:
    x = arithmetic(nl.minimum, magnitude, scale.most)
    total = arithmetic(nl.add, x, scale.shift)
    lost = subtract(x, arithmetic(nl.subtract, total, scale.shift))
    t = inverse(total, lost)
    argument = then(t.high, nl.subtract, scale.middle, nl.add, t.low)
    value = times_pair(scale.coefficients, argument, t)
    split = halves(x)
    low = then(split.high, nl.multiply, 2.0, nl.add, split.low)
    factor = scale.factor
    minus = renormalized(
        arithmetic(nl.multiply, multiply(split.high, split.high), -factor), arithmetic(nl.multiply, multiply(low, split.low), -factor)
    )
    return Tail(value, minus)


def _evaluated(tail: Tail, factor: float) -> Tile:
    """Multiply a tail's factors, and a power of two."""
    return times_exponential(tail.value, *tail.exponent, factor)


def _middle(x: Tile) -> Tile:
    """Give erf(x) for abs(x) <= 1."""
    more = arithmetic(nl.add, times_argument(ERF, multiply(x, x)), _ERF_SLOPE - 1.0)
    return add(x, multiply(more, x))


def _erf(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    outside = _evaluated(_tail(_ERFC, arithmetic(nl.maximum, magnitude, 0.5)), 1.0)
    result = twice(outside, nl.multiply, -1.0, nl.add, 1.0)
    patch(result, _middle(magnitude), is_below(x, 1.0))
    patch(result, arithmetic(nl.multiply, magnitude, _ERF_SLOPE), is_below(x, 2.0**-90))
    integer = magnitude.view(nl.uint32)  # times the least number is what a subnormal one is, and its result
    product = arithmetic(nl.multiply, integer, _ERF_SLOPE, dtype=nl.uint32)
    patch(result.view(nl.uint32), product, arithmetic(nl.less, integer, ROUND, dtype=nl.uint8))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))
    patch(dst, x, is_nan(x))


def _erfc(dst: Tile, x: Tile) -> None:
    tail = _evaluated(_tail(_ERFC, arithmetic(nl.maximum, magnitude_of(x), _EDGE)), 1.0)
    copy(dst, tail)
    patch(dst, twice(tail, nl.multiply, -1.0, nl.add, 2.0), arithmetic(nl.less, x, 0.0, dtype=nl.uint8))
    middle = limited(x, -1.0, 1.0)
    patch(dst, twice(_middle(middle), nl.multiply, -1.0, nl.add, 1.0), is_below(x, _EDGE))
    patch(dst, x, is_nan(x))


def _central(x: Tile) -> Tile:
    """Give ndtr(x) - 1 / 2 for small abs(x)."""
    return multiply(arithmetic(nl.add, times_argument(NORMAL, multiply(x, x)), _NORMAL_SLOPE), x)


def _ndtr(dst: Tile, x: Tile) -> None:
    tail = _evaluated(_tail(_NORMAL, arithmetic(nl.maximum, magnitude_of(x), _NORMAL_EDGE)), 0.5)
    copy(dst, tail)
    patch(dst, twice(tail, nl.multiply, -1.0, nl.add, 1.0), arithmetic(nl.greater, x, 0.0, dtype=nl.uint8))
    patch(dst, arithmetic(nl.add, _central(limited(x, -1.0, 1.0)), 0.5), is_below(x, _NORMAL_EDGE))
    patch(dst, x, is_nan(x))


def _log_ndtr(dst: Tile, x: Tile) -> None:
    """From -1 down, take the logarithm of the tail without its exponential, and the exponent; else that of what it leaves of 1."""
    magnitude = magnitude_of(x)
    tail = _tail(_NORMAL._replace(most=_FAR), arithmetic(nl.maximum, magnitude, _NORMAL_EDGE))
    value = _evaluated(tail, 0.5)
    total = twice(value, nl.multiply, -1.0, nl.add, 1.0)
    lost = subtract(twice(total, nl.multiply, -1.0, nl.add, 1.0), value)
    left = arithmetic(nl.less, x, 0.0, dtype=nl.uint8)
    patch(total, value, left)
    patch(lost, 0.0, left)
    central = _central(limited(x, -1.0, 1.0))
    middle = arithmetic(nl.add, central, 0.5)
    near = is_below(x, _NORMAL_EDGE)
    patch(total, middle, near)
    patch(lost, subtract(central, arithmetic(nl.subtract, middle, 0.5)), near)
    far = arithmetic(nl.less, x, -1.0)
    half = renormalized(*(arithmetic(nl.multiply, part, 0.5) for part in tail.value))
    patch(total, half.high, far.view(nl.uint32))
    patch(lost, half.low, far.view(nl.uint32))
    log = log_of_sum(total, lost)
    log = add(log, multiply(tail.exponent.low, far))
    log = add(log, multiply(tail.exponent.high, far))
    bits(nl.bitwise_or, log.view(nl.uint32), SIGN[4], dst.view(nl.uint32))  # of zero, too
    patch(dst, then(x, nl.multiply, -0.5, nl.multiply, x), arithmetic(nl.less, x, -_FAR, dtype=nl.uint8))
    patch(dst, x, is_nan(x))


_ERFC: Final = Scale(ERFC, 2.0, 0.25, 1.0, 10.1)
_NORMAL: Final = Scale(NORMAL_TAIL, 2.5, 0.1875, 0.5, 14.35)

ERROR_FUNCTIONS: Final = (
    Emitter("special.erf", 1, float_loops(_erf, Cost(99, 1, 52, 40)), 2.0),
    Emitter("special.erfc", 1, float_loops(_erfc, Cost(93, 1, 52, 36)), 2.5),
    Emitter("special.ndtr", 1, float_loops(_ndtr, Cost(92, 1, 50, 36)), 3.0),
    Emitter("special.log_ndtr", 1, float_loops(_log_ndtr, Cost(145, 5, 86, 40)), 4.0),
)
