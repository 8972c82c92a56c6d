"""
Products of numbers with logarithms, of float32, within 2 units in the last place: 0 times any logarithm is 0.

The logarithm is a pair, so that the product is all there is to round. As in products, subnormal factors count as zeros where the Vector
Engine flushes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, is_nan, limited, multiply, patch, subtract
from .logarithm import corrected, finish, logarithm, pair_of, with_one
from .pairs import Pair, ratio, renormalized
from .significand import (
    INFINITY,
    LARGEST,
    MINUS_INFINITY,
    NAN,
    decompose,
    is_below,
    is_finite,
    is_infinite,
    magnitude_of,
    power_of_two,
)
from .widening import float_loops

__all__ = ["ENTROPIES"]


def _times(dst: Tile, x: Tile, log: Pair) -> None:
    """Multiply by a logarithm; 0 where the factor is 0."""
    product, small = arithmetic(nl.multiply, x, log.high), arithmetic(nl.multiply, x, log.low)
    arithmetic(nl.add, product, small, dst)
    patch(dst, product, arithmetic(nl.equal, small, 0.0, dtype=nl.uint8))  # which might change the sign of zero
    patch(dst, product, is_finite(product), reverse=True)
    patch(dst, 0.0, arithmetic(nl.equal, x, 0.0, dtype=nl.uint8))


def _log(x: Tile) -> Pair:
    *parts, magnitude = logarithm(x)
    log = pair_of(*parts)
    finish(log.high, x, magnitude)
    return log


def _log1p(x: Tile) -> Pair:
    total, lost = with_one(x)
    log = pair_of(*corrected(total, lost))
    patch(log.high, x, is_below(x, 2.0**-25))
    finish(log.high, total, magnitude_of(total).view(nl.uint32))
    return log


def _product(logarithm_of: Callable[[Tile], Pair]) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        _times(dst, x, logarithm_of(y))
        patch(dst, y, is_nan(y))

    return emit


def _entr(dst: Tile, x: Tile) -> None:
    _times(dst, arithmetic(nl.multiply, x, -1.0), _log(x))
    patch(dst.view(nl.uint32), MINUS_INFINITY, arithmetic(nl.less, x, 0.0, dtype=nl.uint8))


def _log_of_ratio(x: Tile, y: Tile) -> Pair:
    """Take the logarithm of x / y, where they are near each other from their difference."""
    of_x, of_y = decompose(x), decompose(y)
    power = subtract(of_x.exponent, of_y.exponent)
    scaled = multiply(of_x.significand, power_of_two(limited(power, -2.0, 2.0)))
    less_one = ratio(subtract(scaled, of_y.significand), of_y.significand)
    whole = renormalized(*less_one)
    total, lost = with_one(whole.high)
    lost = add(lost, whole.low)
    quotient = renormalized(*ratio(of_x.significand, of_y.significand))
    near = arithmetic(nl.less, magnitude_of(whole.high), 0.5)
    far = arithmetic(nl.equal, near, 0.0, dtype=nl.uint8)
    patch(total, quotient.high, far)
    patch(lost, quotient.low, far)
    patch(power, 0.0, near.view(nl.uint32))
    f, rest, e = corrected(total, lost)
    return pair_of(f, rest, add(e, power))


def _rel_entr(dst: Tile, x: Tile, y: Tile) -> None:
    log = _log_of_ratio(x, y)
    patch(log.high.view(nl.uint32), MINUS_INFINITY, is_infinite(magnitude_of(y).view(nl.uint32)))
    patch(log.high.view(nl.uint32), INFINITY, arithmetic(nl.equal, y, 0.0, dtype=nl.uint8))
    _times(dst, x, log)
    for operand in (x, y):
        patch(dst.view(nl.uint32), INFINITY, arithmetic(nl.less, operand, 0.0, dtype=nl.uint8))
    both = arithmetic(nl.minimum, x, y)
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.greater, both, LARGEST, dtype=nl.uint8))
    for operand in (x, y):
        patch(dst, operand, is_nan(operand))


ENTROPIES: Final = (
    Emitter("special.xlogy", 2, float_loops(_product(_log)), 2.0),
    Emitter("special.xlog1py", 2, float_loops(_product(_log1p)), 2.0),
    Emitter("special.rel_entr", 2, float_loops(_rel_entr), 2.0),
    Emitter("special.entr", 1, float_loops(_entr), 2.0),
)
