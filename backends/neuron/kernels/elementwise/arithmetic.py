"""Sums, differences, products and squares. Of floats, one instruction that rounds once; of integers, modulo their range."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ....isa import nisa, nl
from ...function import FLOATS, INTEGERS, DtypeLoop, Emitter, Tile, loops
from .alu import arithmetic, bits, copy, in_dtype
from .integer import ADD, MULTIPLY, SQUARE, SUBTRACT

__all__ = ["ARITHMETIC"]


def _elsewhere(table: dict[str, DtypeLoop], *with_scalar: Any) -> dict[str, DtypeLoop]:
    """Let GpSimd and the Scalar Engine help with float32; the Vector Engine is fast enough with halves."""
    return {**table, "float32": replace(table["float32"], with_tiles=(nisa.engine.gpsimd,), with_scalar=with_scalar)}


def _floats(op: Any, *with_scalar: Any) -> dict[str, DtypeLoop]:
    def emit(dst: Tile, x: Tile, y: Tile, engine: Any = None) -> None:
        arithmetic(op, x, y, dst, engine=engine)

    return _elsewhere(loops(FLOATS, emit, may_alias=(0, 1)), *with_scalar)


def _booleans(op: Any) -> dict[str, DtypeLoop]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
        bits(op, *((y, x) if x.shape[1] < y.shape[1] else (x, y)), dst)

    return loops(("bool",), emit, "uint8", (0, 1))


def _square(dst: Tile, x: Tile, engine: Any = None) -> None:
    arithmetic(nl.multiply, x, x, dst, engine=engine)


def _positive(dst: Tile, x: Tile) -> None:
    copy(dst, x)


ARITHMETIC: Final = (
    Emitter("add", 2, {**_floats(nl.add, nisa.engine.scalar), **ADD, **_booleans(nl.bitwise_or)}),
    Emitter("subtract", 2, {**_floats(nl.subtract, nisa.engine.scalar), **SUBTRACT}),
    Emitter("multiply", 2, {**_floats(nl.multiply, nisa.engine.scalar), **MULTIPLY, **_booleans(nl.bitwise_and)}),
    Emitter("square", 1, {**_elsewhere(loops(FLOATS, _square, may_alias=(0,))), **SQUARE}),
    Emitter("positive", 1, loops((*FLOATS, *INTEGERS), _positive, may_alias=(0,))),
)
