"""
Logarithms of sums of exponentials, and the logistic function and its inverse, of float32.

``log(exp(x) + exp(y))`` is the larger operand and ``log(1 + exp(-d))``, with d the distance between them. Where the two cancel, the
result is within 2 units in the last place of the larger term, not its own. Where the Vector Engine flushes subnormal numbers, as in
sums, they count as zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, copy, estimate, is_nan, limited, multiply, patch, scratch, subtract, then, twice
from .exponential import EXP, EXP2, pair_times_power, parted, reduced, scaled
from .hyperbolic import ARCTANH
from .logarithm import BINARY, corrected, finish, in_base, log_of_sum, natural, with_one
from .pairs import Pair, halves, quotient, renormalized, upper_half
from .polynomial import times_argument
from .significand import INFINITY, NAN, is_finite, magnitude_of
from .widening import float_loops

__all__ = ["LOG_SUMS", "decaying"]

_MOST: Final = 2.0**126
"""Operands beyond it are so far from others, or from rounding's reach, that their distance does not count."""
_LOG_2: Final = 0.6931471805599453


def decaying(x: Tile) -> Tile:
    """Take the exponential of numbers that are not positive."""
    result = scratch(x, nl.float32)
    n, r = reduced(arithmetic(nl.maximum, x, -104.0))
    scaled(result, times_argument((1.0, *EXP), r), n)
    return result


def _pair(grown: Tile, n: Tile) -> Pair:
    """Give ``2**n (1 + grown)``."""
    total = arithmetic(nl.add, grown, 1.0)
    return pair_times_power(Pair(total, subtract(grown, arithmetic(nl.subtract, total, 1.0))), n)


def _natural_pair(x: Tile) -> Pair:
    n, r = reduced(arithmetic(nl.maximum, x, -104.0))
    return _pair(times_argument((1.0, *EXP), r), n)


def _binary_pair(x: Tile) -> Pair:
    n, r = parted(arithmetic(nl.maximum, x, -151.0))
    return _pair(times_argument(EXP2, r), n)


def _log_of_sum(exponential: Callable[[Tile], Pair], slope: float, logarithm: Callable[..., Tile]) -> Callable[[Tile, Tile, Tile], None]:
    """Make it for a base: `slope` is that of the exponential at 0."""

    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        left, right = (limited(operand, -_MOST, _MOST) for operand in (x, y))
        difference = arithmetic(nl.subtract, left, right)
        back = arithmetic(nl.subtract, difference, left)
        lost = subtract(arithmetic(nl.subtract, left, subtract(difference, back)), arithmetic(nl.add, right, back))
        sign = arithmetic(nl.add, twice(difference, nl.greater, 0.0, nl.multiply, -2.0), 1.0)
        ratio = exponential(multiply(difference, sign))
        lost = then(multiply(lost, sign), nl.multiply, slope, nl.multiply, ratio.high)
        larger = arithmetic(nl.maximum, x, y)
        total, below = with_one(ratio.high)
        more = logarithm(*corrected(total, add(below, add(ratio.low, lost))))
        arithmetic(nl.add, larger, more, dst)
        patch(dst, larger, is_finite(larger), reverse=True)
        for operand in (x, y):
            patch(dst, operand, is_nan(operand))

    return emit


def _in_binary(f: Tile, y: Tile, e: Tile) -> Tile:
    return in_base(BINARY, f, y, e)


def _expit(dst: Tile, x: Tile) -> None:
    """Divide 1, or for negative numbers the exponential, by 1 + exp(-abs(x))."""
    ratio = decaying(arithmetic(nl.multiply, magnitude_of(x), -1.0))
    numerator = copy(scratch(x, nl.float32), ratio)
    patch(numerator, 1.0, arithmetic(nl.greater_equal, x, 0.0, dtype=nl.uint8))
    reciprocal = estimate(nl.reciprocal, arithmetic(nl.add, ratio, 1.0))
    high = upper_half(multiply(numerator, reciprocal))
    split = halves(ratio)
    rest = subtract(subtract(numerator, high), arithmetic(nl.multiply, high, split.high))
    rest = subtract(rest, arithmetic(nl.multiply, high, split.low))
    arithmetic(nl.add, high, multiply(rest, reciprocal), dst)
    patch(dst, numerator, arithmetic(nl.less, ratio, 2.0**-26, dtype=nl.uint8))
    patch(dst, x, is_nan(x))


def _logit(dst: Tile, x: Tile) -> None:
    """Take the logarithm of x / (1 - x), and near 1 / 2 twice the inverse hyperbolic tangent of 2 x - 1."""
    total = quotient(x, arithmetic(nl.maximum, twice(x, nl.multiply, -1.0, nl.add, 1.0), 2.0**-30))
    odds = renormalized(*total)
    tiny = arithmetic(nl.less, x, 2.0**-30, dtype=nl.uint8)
    patch(odds.high, x, tiny)
    patch(odds.low, 0.0, tiny)
    copy(dst, log_of_sum(*odds))
    middle = twice(x, nl.multiply, 2.0, nl.subtract, 1.0)
    small = multiply(times_argument(ARCTANH, multiply(middle, middle)), middle)
    near = arithmetic(nl.multiply, add(middle, small), 2.0)
    patch(dst, near, arithmetic(nl.less, magnitude_of(middle), 0.5, dtype=nl.uint8))
    finish(dst, x, magnitude_of(x).view(nl.uint32))
    patch(dst.view(nl.uint32), INFINITY, arithmetic(nl.equal, x, 1.0, dtype=nl.uint8))
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.greater, x, 1.0, dtype=nl.uint8))


LOG_SUMS: Final = (
    Emitter("logaddexp", 2, float_loops(_log_of_sum(_natural_pair, 1.0, natural)), 2.0),
    Emitter("logaddexp2", 2, float_loops(_log_of_sum(_binary_pair, _LOG_2, _in_binary)), 2.0),
    Emitter("special.expit", 1, float_loops(_expit), 2.0),
    Emitter("special.logit", 1, float_loops(_logit), 2.0),
)
