"""
Products of numbers with logarithms, of float32, within 2 units in the last place: 0 times any logarithm is 0.

The logarithm is a pair, so that the product is all there is to round. As in products, subnormal factors count as zeros where the Vector
Engine flushes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....isa import nl
from .emitter import Cost, Emitter, Tile
from .logarithm import corrected, finish, logarithm, pair_of, with_one
from .pairs import Pair
from .significand import MINUS_INFINITY, is_below, is_finite, magnitude_of
from .tile import arithmetic, is_nan, patch
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


ENTROPIES: Final = (
    Emitter("special.xlogy", 2, float_loops(_product(_log), Cost(57, 4, 26, 28), 2), 2.0),
    Emitter("special.xlog1py", 2, float_loops(_product(_log1p), Cost(71, 4, 36, 32), 2), 2.0),
    Emitter("special.entr", 1, float_loops(_entr, Cost(57, 4, 26, 32)), 2.0),
)
