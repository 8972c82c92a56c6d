"""Signed digits of base 256 of integers, and integers of sums of their products: each one instruction of the Vector Engine."""

from __future__ import annotations

from typing import Final

from ....isa import nl
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


def _loop(place: int, dtype: str) -> DtypeLoop:
    return DtypeLoop(_digit(place, dtype), "bfloat16")


DIGITS: Final = (
    *(Emitter(f"digit.{place}", 1, {dtype: _loop(place, dtype) for dtype in ("int16", "int32")}) for place in range(2)),
    *(Emitter(f"digit.{place}", 1, {"int32": _loop(place, "int32")}) for place in (2, 3)),
    Emitter("digit.sum", 1, {"float32": DtypeLoop(copy, "int32")}),
)
"""``digit.k``: byte k of a number, less 128. ``digit.sum``: a float without a fraction as int32, which must hold it."""
