"""
Digits of integers, of base 256 or 65536, and integers of sums of products of digits.

Each is one instruction: of the Vector Engine, or, where a digit has 16 bits, of the Scalar Engine.
"""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ...function import DtypeLoop, Emit, Emitter, Tile
from ..move.tile_transpose import itemsize
from .alu import arithmetic, copy, in_dtype

__all__ = ["DIGITS"]

_MIDDLE: Final = 128.0


def _digit(place: int, dtype: str) -> Emit:
    def emit(dst: Tile, x: Tile) -> None:
        every = itemsize(dtype)
        arithmetic(nl.subtract, in_dtype(x, dtype).view(nl.uint8)[:, place::every], _MIDDLE, dst)

    return emit


def _half(place: int, dtype: str, result: str) -> DtypeLoop:
    def emit(dst: Tile, x: Tile, engine: Any = nisa.engine.vector) -> None:
        nisa.tensor_copy(dst, in_dtype(x, dtype).view(result)[:, place::2], engine=engine)

    return DtypeLoop(emit, result, with_tiles=(nisa.engine.scalar,))


def _loop(place: int, dtype: str) -> DtypeLoop:
    return DtypeLoop(_digit(place, dtype), "bfloat16")


DIGITS: Final = (
    *(Emitter(f"digit.{place}", 1, {dtype: _loop(place, dtype) for dtype in ("int16", "int32")}) for place in range(2)),
    *(Emitter(f"digit.{place}", 1, {"int32": _loop(place, "int32")}) for place in (2, 3)),
    Emitter("half.low", 1, {dtype: _half(0, dtype, "uint16") for dtype in ("int32", "uint32")}),
    Emitter("half.high", 1, {"int32": _half(1, "int32", "int16"), "uint32": _half(1, "uint32", "uint16")}),
    Emitter("digit.sum", 1, {"float32": DtypeLoop(copy, "int32")}),
)
"""``digit.k``: byte k of a number, less 128. ``half.low``, ``half.high``: 16 bits of a number, the high ones with its sign.
``digit.sum``: a float without a fraction as int32, which must hold it."""
