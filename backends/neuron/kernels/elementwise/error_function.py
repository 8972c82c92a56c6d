"""
The error function, the normal distribution and its logarithm, of float32, within 2 units in the last place.

From the middle on, the tail is ``t F(t) exp(-x**2)`` with ``t = 1 / (x + c)`` and a polynomial F: t, F and the square are pairs, so that
what is left to round is little (W. J. Cody, Rational Chebyshev approximations for the error function, Math. Comp. 23, 1969, has the same
parts). In the middle it is a polynomial. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import SIGN, add, arithmetic, bits, copy, is_nan, limited, multiply, patch, subtract, then, twice
from .exponential import exponential_product, pair_times_power, times_exponential
from .logarithm import log_of_sum
from .pairs import Pair, halves, inverse, renormalized
from .polynomial import times_argument, times_pair
from .significand import ROUND, is_below, magnitude_of, sign_bit
from .widening import float_loops

__all__ = [
    "ERF", "ERFC", "ERROR_FUNCTIONS", "NORMAL", "NORMAL_SLOPE", "NORMAL_TAIL", "WHOLE_TAIL", "Scale", "central", "normal_tail",
    "over_shifted",
]  # fmt: skip

ERF: Final = (-0.376126307, 0.112836299, -0.0268554843, 0.00519129208, -0.000803503408, 7.93311625e-05)
"""(erf(x) / x - 2 / sqrt(pi)) / x**2 in powers of x**2, for abs(x) <= 1, lowest power first."""
ERFC: Final = (
    0.939978153, 2.47664198, 4.2228281, 2.94864243, -4.30125734, -8.65179127, 8.403628, 23.3828687, -26.4966275, -50.8369997,
)  # fmt: skip
"""exp(x**2) erfc(x) (x + 2) in powers of 1 / (x + 2) - 7 / 32, for 0.72 <= x <= 10.1."""
NORMAL: Final = (-0.0664903666, 0.00997336446, -0.00118642928, 0.000113589799, -7.69297039e-06)
"""((ndtr(x) - 1 / 2) / x - 1 / sqrt(2 pi)) / x**2 in powers of x**2, for abs(x) <= 1."""
NORMAL_TAIL: Final = (
    1.2363219213, 3.753180826, 6.66342926, 1.32493487, -20.1691824, -13.8300881, 94.9146214, 41.963395, -571.115675, 53.9037473, 2749.55441,
)  # fmt: skip
"""2 exp(x**2 / 2) ndtr(-x) (x + 5 / 2) in powers of 1 / (x + 5 / 2) - 5 / 32, for 0.8 <= x."""
WHOLE_TAIL: Final = (
    1.3098607315, 5.292617935, 14.8754615, 22.4833232, -12.4126423, -114.455212, -20.8064703, 670.827415, -1.18538259, -4360.41371,
    6585.37643,
)  # fmt: skip
"""The same times (x + 3) instead, in powers of 1 / (x + 3) - 9 / 64, for 0 <= x."""
_ERF_SLOPE: Final = 1.1283791670955126  # 2 / sqrt(pi)
NORMAL_SLOPE: Final = 0.3989422804014327  # 1 / sqrt(2 pi)
_EDGE, _NORMAL_EDGE = 0.75, 0.84
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


def over_shifted(coefficients: tuple[float, ...], shift: float, middle: float, x: Tile) -> Pair:
    """Evaluate ``t F(t - middle)`` with ``t = 1 / (x + shift)``."""
    total = arithmetic(nl.add, x, shift)
    lost = subtract(x, arithmetic(nl.subtract, total, shift))
    t = inverse(total, lost)
    return times_pair(coefficients, then(t.high, nl.subtract, middle, nl.add, t.low), t)


def normal_tail(x: Tile) -> Pair:
    """Scale the tail of the normal distribution: ``2 exp(x**2 / 2) ndtr(-x)``."""
    return over_shifted(_WHOLE.coefficients, _WHOLE.shift, _WHOLE.middle, x)


def _tail(scale: Scale, magnitude: Tile) -> Tail:
    x = arithmetic(nl.minimum, magnitude, scale.most)
    value = over_shifted(scale.coefficients, scale.shift, scale.middle, x)
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


def _beyond(x: Tile) -> Tile:
    """Give erf(x) - x for abs(x) <= 1."""
    return multiply(arithmetic(nl.add, times_argument(ERF, multiply(x, x)), _ERF_SLOPE - 1.0), x)


def _erf(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    outside = _evaluated(_tail(_ERFC, arithmetic(nl.maximum, magnitude, 0.5)), 1.0)
    result = twice(outside, nl.multiply, -1.0, nl.add, 1.0)
    patch(result, add(magnitude, _beyond(magnitude)), is_below(x, 1.0))
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
    patch(dst, subtract(twice(middle, nl.multiply, -1.0, nl.add, 1.0), _beyond(middle)), is_below(x, _EDGE))
    patch(dst, x, is_nan(x))


def central(x: Tile) -> Pair:
    """Compute the normal distribution about zero: ``1 / 2 + x / 2 - x / 8``, exactly, and what is left."""
    inside = limited(x, -1.0, 1.0)
    less = arithmetic(nl.add, times_argument(NORMAL, multiply(inside, inside)), NORMAL_SLOPE - 0.375)
    half = twice(inside, nl.multiply, 0.5, nl.add, 0.5)
    lost = then(inside, nl.multiply, 0.5, nl.subtract, arithmetic(nl.subtract, half, 0.5))
    whole = renormalized(half, arithmetic(nl.multiply, inside, -0.125))
    return renormalized(whole.high, add(multiply(less, inside), add(whole.low, lost)))


def _ndtr(dst: Tile, x: Tile) -> None:
    tail = _evaluated(_tail(_NORMAL, arithmetic(nl.maximum, magnitude_of(x), _NORMAL_EDGE)), 0.5)
    copy(dst, tail)
    patch(dst, twice(tail, nl.multiply, -1.0, nl.add, 1.0), arithmetic(nl.greater, x, 0.0, dtype=nl.uint8))
    patch(dst, central(x).high, is_below(x, _NORMAL_EDGE))
    patch(dst, x, is_nan(x))


def _log_ndtr(dst: Tile, x: Tile) -> None:
    """From -1 down, take the logarithm of the tail without its exponential, and the exponent; else that of what it leaves of 1."""
    tail = _tail(_NORMAL._replace(most=_FAR), arithmetic(nl.maximum, magnitude_of(x), _NORMAL_EDGE))
    high, low = tail.exponent
    product, n = exponential_product(tail.value, arithmetic(nl.maximum, high, -104.0), limited(low, -1.0, 1.0))
    value = pair_times_power(renormalized(*product), arithmetic(nl.subtract, n, 1.0))
    total = twice(value.high, nl.multiply, -1.0, nl.add, 1.0)
    lost = subtract(subtract(twice(total, nl.multiply, -1.0, nl.add, 1.0), value.high), value.low)
    middle = central(x)
    near = is_below(x, 1.0)
    patch(total, middle.high, near)
    patch(lost, middle.low, near)
    far = arithmetic(nl.less_equal, x, -1.0)
    half = renormalized(*(arithmetic(nl.multiply, part, 0.5) for part in tail.value))
    patch(total, half.high, far.view(nl.uint32))
    patch(lost, half.low, far.view(nl.uint32))
    log = log_of_sum(total, lost)
    log = add(log, multiply(low, far))
    log = add(log, multiply(high, far))
    bits(nl.bitwise_or, log.view(nl.uint32), SIGN[4], dst.view(nl.uint32))  # of zero, too
    patch(dst, then(x, nl.multiply, -0.5, nl.multiply, x), arithmetic(nl.less, x, -_FAR, dtype=nl.uint8))
    patch(dst, x, is_nan(x))


_ERFC: Final = Scale(ERFC, 2.0, 0.21875, 1.0, 10.1)
_NORMAL: Final = Scale(NORMAL_TAIL, 2.5, 0.15625, 0.5, 14.35)
_WHOLE: Final = Scale(WHOLE_TAIL, 3.0, 0.140625, 0.5, 14.35)

ERROR_FUNCTIONS: Final = (
    Emitter("special.erf", 1, float_loops(_erf), 2.0),
    Emitter("special.erfc", 1, float_loops(_erfc), 2.0),
    Emitter("special.ndtr", 1, float_loops(_ndtr), 2.0),
    Emitter("special.log_ndtr", 1, float_loops(_log_ndtr), 2.0),
)
