"""Casts between all native dtypes.

Of floats and to floats with one rounding, to nearest even; of integers the low bytes; to bool whether it is not zero. Floats lose
their fraction on the way to integers. What the integer dtype does not hold, NumPy leaves to the C compiler; here the number, limited
to -2**31 ... 2**31 - 1 (for uint32: 2**32 - 1), is taken modulo the range, which is what NumPy gives on x86-64 for numbers between.
"""

from __future__ import annotations

from ....isa import nl
from ...function import FLOATS, WIDE_INTEGERS, Tile
from ..move.tile_transpose import itemsize
from .alu import arithmetic, copy, in_dtype, patch, scratch, signed, then, twice
from .integer import low_part, word
from .rounding import truncate

__all__ = ["cast", "reinterpret"]

def cast(dst: Tile, x: Tile, target: str, source: str) -> None:
    """Emit a cast."""
    if target == "bool":
        arithmetic(nl.not_equal, x, 0.0, dst)
    elif target in FLOATS:
        if source in WIDE_INTEGERS and target == "bfloat16":
            _words_to_bfloat16(dst, x)
        else:
            copy(dst, x)
    elif source in FLOATS:
        _to_integers(dst, x)
    else:
        _between_integers(dst, x)


def reinterpret(dst: Tile, x: Tile, source: str) -> None:
    """Emit a copy of bits to a dtype of the same size."""
    copy(dst, in_dtype(x, source).view(dst.dtype))


def _words_to_bfloat16(dst: Tile, x: Tile) -> None:
    """
    Round integers of more than 24 bits once.

    From 2**24 on, the high half has the 9 leading bits; of the low half it only matters whether it is 0, so its leading bit stands for it.
    """
    high, low = word(x, True), word(x, False)
    nonzero = twice(low, nl.not_equal, 0.0, nl.multiply, 32768.0, nl.uint16)
    large = twice(high, nl.add, 0.5, nl.multiply, 2.0**-8)  # beyond 1 outside -256 ... 255
    small_part = copy(scratch(x, nl.uint16), low)
    beyond = scratch(x, nl.uint8)
    arithmetic(nl.greater_equal, arithmetic(nl.multiply, large, large), 1.0, beyond)
    patch(small_part, nonzero, beyond)
    result = then(high, nl.multiply, 65536.0, nl.add, small_part)
    copy(dst, result)


def _to_integers(dst: Tile, x: Tile) -> None:
    x = in_dtype(x, nl.float32)
    whole = scratch(x, nl.float32)
    truncate(whole, x)
    if dst.dtype == nl.int32:
        copy(dst, whole)
        return
    words = copy(scratch(x, nl.int32), whole)
    if dst.dtype == nl.uint32:
        copy(dst, whole)
        patch(signed(dst), words, arithmetic(nl.less, whole, 0.0, dtype=nl.uint8))
    else:
        copy(dst, low_part(words, dst.dtype))


def _between_integers(dst: Tile, x: Tile) -> None:
    size, old = itemsize(dst.dtype), itemsize(x.dtype)
    if size < old:
        copy(dst, x.view(dst.dtype)[:, :: old // size])
    elif size == old:
        copy(dst, x.view(dst.dtype))
    else:
        copy(signed(dst) if x.dtype.startswith("int") else dst, x)
