"""Sums, differences, products and squares. Of floats, one instruction that rounds once; of integers, modulo their range."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nl
from .emitter import FLOATS, INTEGERS, Cost, Emitter, Loop, Tile, loops
from .integer import ADD, MULTIPLY, SQUARE, SUBTRACT
from .tile import arithmetic, bits, copy, in_dtype

__all__ = ["ARITHMETIC"]


def _floats(op: Any) -> dict[str, Loop]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        arithmetic(op, x, y, dst)

    return loops(FLOATS, emit, Cost(vector=2), may_alias=(0, 1))


def _booleans(op: Any) -> dict[str, Loop]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
        bits(op, *((y, x) if x.shape[1] < y.shape[1] else (x, y)), dst)

    return loops(("bool",), emit, Cost(vector=2), "uint8", (0, 1))


def _square(dst: Tile, x: Tile) -> None:
    arithmetic(nl.multiply, x, x, dst)


def _positive(dst: Tile, x: Tile) -> None:
    copy(dst, x)


ARITHMETIC: Final = (
    Emitter("add", 2, {**_floats(nl.add), **ADD, **_booleans(nl.bitwise_or)}),
    Emitter("subtract", 2, {**_floats(nl.subtract), **SUBTRACT}),
    Emitter("multiply", 2, {**_floats(nl.multiply), **MULTIPLY, **_booleans(nl.bitwise_and)}),
    Emitter("square", 1, {**loops(FLOATS, _square, Cost(vector=2), may_alias=(0,)), **SQUARE}),
    Emitter("positive", 1, loops((*FLOATS, *INTEGERS), _positive, Cost(vector=1), may_alias=(0,))),
)
