"""Comparisons: of floats and narrow integers one instruction; of 32-bit integers by their halves, since float32 rounds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....isa import nl
from ...function import FLOATS, NARROW_INTEGERS, WIDE_INTEGERS, DtypeLoop, Emitter, Tile, loops
from .alu import arithmetic, in_dtype, then
from .integer import word

__all__ = ["COMPARISONS", "compare_words"]


def compare_words(op: Any, x: Tile, y: Tile, dst: Tile | None = None) -> Tile:
    """
    Compare 32-bit integers; 6 cycles per element of the Vector Engine.

    Notes
    -----
    With h and l the differences of high and low halves, ``x op y`` is ``65536 h + l op 0`` is ``l op -65536 h``, all exact in float32.
    """
    low = arithmetic(nl.subtract, word(x, False), word(y, False))
    high = arithmetic(nl.subtract, word(x, True), word(y, True))
    return then(high, nl.multiply, -65536.0, op, low, dst, nl.uint8, reverse=True)


def _values(op: Any) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        arithmetic(op, x, y, dst)

    return emit


def _words(op: Any, dtype: str) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        compare_words(op, in_dtype(x, dtype), in_dtype(y, dtype), dst)

    return emit


def _comparison(name: str, op: Any) -> Emitter:
    return Emitter(
        name,
        2,
        {
            **loops((*FLOATS, *NARROW_INTEGERS, "bool"), _values(op), "uint8"),
            **{dtype: DtypeLoop(_words(op, dtype), "uint8") for dtype in WIDE_INTEGERS},
        },
    )


COMPARISONS: Final = (
    _comparison("equal", nl.equal),
    _comparison("not_equal", nl.not_equal),
    _comparison("less", nl.less),
    _comparison("less_equal", nl.less_equal),
    _comparison("greater", nl.greater),
    _comparison("greater_equal", nl.greater_equal),
)
