"""Rounding to integers, bit for bit, signed zeros and large numbers included.

2**23 added to the magnitude and taken away again rounds it to nearest even; to magnitudes from 2**23 on, which are integers, 0 is added
instead. The sign bit comes back last, so that what rounds to zero keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....isa import nl
from ...function import INTEGERS, DtypeLoop, Emitter, Tile, loops
from .alu import SIGN, arithmetic, bits, copy, scratch, twice
from .significand import MAGNITUDE, ROUND
from .widening import float_loops

__all__ = ["ROUNDING", "truncate"]

_Round = Callable[[Tile, Tile], None]


def _nearest(x: Tile) -> tuple[Tile, Tile]:
    """Give the magnitudes and the nearest integers of them."""
    magnitude = bits(nl.bitwise_and, x.view(nl.uint32), MAGNITUDE).view(nl.float32)
    large = twice(magnitude, nl.less, ROUND, nl.multiply, ROUND)
    return magnitude, arithmetic(nl.subtract, arithmetic(nl.add, magnitude, large), large)


def _with_sign(dst: Tile, rounded: Tile, x: Tile) -> None:
    sign = bits(nl.bitwise_and, x.view(nl.uint32), SIGN[4])
    bits(nl.bitwise_or, rounded.view(nl.uint32), sign, dst.view(nl.uint32))


def _rint(dst: Tile, x: Tile) -> None:
    _, nearest = _nearest(x)
    _with_sign(dst, nearest, x)


def truncate(dst: Tile, x: Tile) -> None:
    """Round towards zero; 13 cycles per element of the Vector Engine."""
    magnitude, nearest = _nearest(x)
    above = arithmetic(nl.greater, nearest, magnitude)
    _with_sign(dst, arithmetic(nl.subtract, nearest, above), x)


def _floor(dst: Tile, x: Tile) -> None:
    nearest = scratch(x, nl.float32)
    _rint(nearest, x)
    above = arithmetic(nl.greater, nearest, x)
    arithmetic(nl.subtract, nearest, above, dst)


def _ceil(dst: Tile, x: Tile) -> None:
    nearest = scratch(x, nl.float32)
    _rint(nearest, x)
    below = arithmetic(nl.less, nearest, x)
    _with_sign(dst, arithmetic(nl.add, nearest, below), x)


def _same(dst: Tile, x: Tile) -> None:
    copy(dst, x)


def _rows(emit: _Round) -> dict[str, DtypeLoop]:
    return {
        **float_loops(emit, may_alias=(0,)),
        **loops(INTEGERS, _same, may_alias=(0,)),
        **loops(("bool",), _same, "uint8", (0,)),
    }


ROUNDING: Final = (
    Emitter("rint", 1, _rows(_rint)),
    Emitter("floor", 1, _rows(_floor)),
    Emitter("ceil", 1, _rows(_ceil)),
    Emitter("trunc", 1, _rows(truncate)),
)
