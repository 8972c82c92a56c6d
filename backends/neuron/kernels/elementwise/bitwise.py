"""Bitwise functions, shifts and counts of bits. Shifts by the width or more, which hardware need not know, leave what NumPy leaves."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nl
from ...function import INTEGERS, DtypeLoop, Emitter, Tile, loops
from ..move.tile_transpose import itemsize
from .alu import arithmetic, bits, bits_twice, in_dtype, patch, scratch, spread, then, unsigned
from .integer import magnitude, native, ones_if_negative

__all__ = ["BITWISE"]

_SIGNED: Final = ("int8", "int16", "int32")
_UNSIGNED: Final = ("uint8", "uint16", "uint32")
_ONES: Final = {1: 0xFF, 2: 0xFFFF, 4: 0xFFFFFFFF}


def _commutative(name: str, op: Any) -> Emitter:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
        x, y = (y, x) if x.shape[1] < y.shape[1] else (x, y)
        bits(op, x, y, dst)

    return Emitter(name, 2, {**loops(INTEGERS, emit, may_alias=(0, 1)), **loops(("bool",), emit, "uint8", (0, 1))})


def _invert(dst: Tile, x: Tile) -> None:
    bits(nl.bitwise_xor, unsigned(x), _ONES[itemsize(dst.dtype)], unsigned(dst))


def _invert_bool(dst: Tile, x: Tile) -> None:
    bits(nl.bitwise_xor, x, 1, dst)


def _shifted(op: Any, x: Tile, count: Tile, dst: Tile) -> Tile:
    return bits(op, spread(x, dst.shape[1]), count if count.shape[1] == 1 else spread(count, dst.shape[1]), dst)


def _counts(count: Tile, dtype: str) -> tuple[Tile, Tile]:
    """Give counts as unsigned numbers, negative ones as large, and the same limited to the width less one."""
    count = unsigned(in_dtype(count, dtype))
    return count, arithmetic(nl.minimum, count, float(8 * itemsize(dtype) - 1), dtype=count.dtype)


def _logical(op: Any, dtypes: tuple[str, ...]) -> dict[str, DtypeLoop]:
    def emit(dst: Tile, x: Tile, count: Tile) -> None:
        count, limited = _counts(count, dst.dtype)
        gone = arithmetic(nl.greater_equal, count, float(8 * itemsize(dst.dtype)), dtype=nl.uint8)
        _shifted(op, unsigned(in_dtype(x, dst.dtype)), limited, unsigned(dst))
        patch(unsigned(dst), 0, gone)

    return loops(dtypes, emit, may_alias=(0, 1))


def _arithmetic(dst: Tile, x: Tile, count: Tile) -> None:
    """Shift the inverse of negative numbers and invert it again; the last useful count leaves nothing but copies of the sign."""
    x = in_dtype(x, dst.dtype)
    _, limited = _counts(count, dst.dtype)
    minus = ones_if_negative(x)
    inverse = bits(nl.bitwise_xor, unsigned(x), unsigned(minus))
    shifted = _shifted(nl.right_shift, inverse, limited, scratch(dst, inverse.dtype))
    bits(nl.bitwise_xor, shifted, unsigned(minus), unsigned(dst))


def _count(dst: Tile, x: Tile) -> None:
    """Add bits side by side: those of pairs, then of four and eight (H. S. Warren, "Hacker's Delight", 5-1); then of the bytes."""
    if x.dtype == nl.int32:
        number = magnitude(x)
    elif x.dtype in _SIGNED:
        number = then(x, nl.multiply, -1.0, nl.maximum, x, dtype=nl.uint32)
    else:
        number = in_dtype(x, nl.uint32)
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F)):
        upper = bits_twice(number, nl.right_shift, shift, nl.bitwise_and, mask)
        number = native(nl.add, bits(nl.bitwise_and, number, mask), upper, upper)
    number = native(nl.add, number, bits(nl.right_shift, number, 16), scratch(number, nl.uint32))
    low, high = (number.view(nl.uint8)[:, place::4] for place in (0, 1))
    arithmetic(nl.add, low, high, dst)


BITWISE: Final = (
    _commutative("bitwise_and", nl.bitwise_and),
    _commutative("bitwise_or", nl.bitwise_or),
    _commutative("bitwise_xor", nl.bitwise_xor),
    Emitter(
        "invert",
        1,
        {
            **loops(INTEGERS, _invert, may_alias=(0,)),
            **loops(("bool",), _invert_bool, "uint8", (0,)),
        },
    ),
    Emitter(
        "bitwise_count",
        1,
        {
            **loops(INTEGERS, _count, "uint8"),
        },
    ),
    Emitter("left_shift", 2, _logical(nl.left_shift, INTEGERS)),
    Emitter(
        "right_shift",
        2,
        {
            **_logical(nl.right_shift, _UNSIGNED),
            **loops(_SIGNED, _arithmetic, may_alias=(0, 1)),
        },
    ),
)
