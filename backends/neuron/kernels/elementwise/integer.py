"""Integer arithmetic modulo 2**8, 2**16 and 2**32.

float32 holds sums of 8- and 16-bit integers and products of 8-bit ones: the Vector Engine gives them as 32-bit integers, of which the low
bytes are the result. Other products, and 32-bit integers, are left to the native integers of GpSimd where the self-test says that they
wrap; elsewhere, and in products of reductions, to the loops of `WITHOUT_WRAPPING`, in which no integer of GpSimd exceeds 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....isa import nisa, nl
from ...function import NARROW_INTEGERS, WIDE_INTEGERS, DtypeLoop, Emitter, Tile, loops
from ..move.tile_transpose import itemsize
from .alu import arithmetic, bits, bits_twice, copy, in_dtype, scratch, spread, then, twice, unsigned

__all__ = [
    "ABSOLUTE", "ADD", "MODULAR", "MULTIPLY", "NEGATIVE", "SQUARE", "SUBTRACT", "WITHOUT_WRAPPING", "low_part", "magnitude", "native",
    "ones_if_negative", "word",
]  # fmt: skip

_BYTES: Final = ("int8", "uint8")
_SHORTS: Final = ("int16", "uint16")
_SHORT: Final = {"int32": nl.int16, "uint32": nl.uint16}


def low_part(tile: Tile, dtype: str) -> Tile:
    """Look at the low bytes of 32-bit integers."""
    return tile.view(dtype)[:, :: 4 // itemsize(dtype)]


def word(tile: Tile, high: bool) -> Tile:
    """Look at the halves of 32-bit integers."""
    return tile.view(_SHORT[tile.dtype])[:, 1::2] if high else tile.view(nl.uint16)[:, ::2]


def ones_if_negative(x: Tile) -> Tile:
    """Give all bits of negative numbers, and none of others."""
    return twice(x, nl.less, 0.0, nl.multiply, -1.0, x.dtype)


def native(op: Any, left: Tile, right: Tile, dst: Tile) -> Tile:
    """Combine 32-bit integers as such, on GpSimd."""
    width = dst.shape[1]
    nisa.tensor_tensor(dst, spread(left, width), spread(right, width), op, engine=nisa.engine.gpsimd)
    return dst


def _narrow(op: Any) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        copy(dst, low_part(arithmetic(op, x, y, dtype=nl.int32), dst.dtype))

    return emit


def _wide(op: Any) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        native(op, in_dtype(x, dst.dtype), in_dtype(y, dst.dtype), dst)

    return emit


def _multiply_shorts(dst: Tile, x: Tile, y: Tile) -> None:
    wide = nl.int32 if dst.dtype == nl.int16 else nl.uint32
    product = native(nl.multiply, in_dtype(x, wide), in_dtype(y, wide), scratch(dst, wide))
    copy(dst, low_part(product, dst.dtype))


def _square_bytes(dst: Tile, x: Tile) -> None:
    _narrow(nl.multiply)(dst, x, x)


def _square_shorts(dst: Tile, x: Tile) -> None:
    wide = nl.int32 if dst.dtype == nl.int16 else nl.uint32
    factor = in_dtype(x, wide)
    copy(dst, low_part(native(nl.multiply, factor, factor, scratch(dst, wide)), dst.dtype))


def _square(dst: Tile, x: Tile) -> None:
    native(nl.multiply, x, x, dst)


def _halves(op: Any) -> Callable[[Tile, Tile, Tile], None]:
    """Add or subtract the halves in float32, where they are exact, and carry."""

    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
        low = arithmetic(op, word(x, False), word(y, False), dtype=nl.int32)
        high = arithmetic(op, word(x, True), word(y, True))
        high = arithmetic(nl.add, high, word(low, True), dtype=nl.int32)
        copy(word(dst, False), word(low, False))
        copy(dst.view(nl.uint16)[:, 1::2], word(high, False))

    return emit


def _multiply_halves(dst: Tile, x: Tile, y: Tile) -> None:
    """Multiply the halves, which do not overflow 32 bits, and add what reaches the high one."""
    x, y = (unsigned(in_dtype(operand, dst.dtype)) for operand in (x, y))
    (x_low, x_high), (y_low, y_high) = (
        [copy(scratch(operand, nl.uint32), word(operand, high)) for high in (False, True)] for operand in (x, y)
    )
    low, left, right = (
        native(nl.multiply, a, b, scratch(dst, nl.uint32)) for a, b in ((x_low, y_low), (x_low, y_high), (x_high, y_low))
    )
    high = arithmetic(nl.add, word(low, True), word(left, False))
    high = arithmetic(nl.add, high, word(right, False), dtype=nl.uint32)
    copy(dst.view(nl.uint16)[:, ::2], word(low, False))
    copy(dst.view(nl.uint16)[:, 1::2], word(high, False))


def _square_halves(dst: Tile, x: Tile) -> None:
    _multiply_halves(dst, x, x)


def _negative_narrow(dst: Tile, x: Tile) -> None:
    copy(dst, low_part(arithmetic(nl.multiply, x, -1.0, dtype=nl.int32), dst.dtype))


def _negative(dst: Tile, x: Tile) -> None:
    """Invert and add 1: to 31 bits, which cannot overflow; the sign bit is the carry's and the inverse's."""
    x, dst = unsigned(x), unsigned(dst)
    one = scratch(x, nl.uint32, 1)
    nisa.memset(one, 1)
    rest = bits_twice(x, nl.bitwise_xor, 0xFFFFFFFF, nl.bitwise_and, 0x7FFFFFFF)
    sign = bits_twice(x, nl.bitwise_xor, 0xFFFFFFFF, nl.bitwise_and, 0x80000000)
    bits(nl.bitwise_xor, native(nl.add, rest, one, scratch(rest, nl.uint32)), sign, dst)


def _absolute_narrow(dst: Tile, x: Tile) -> None:
    magnitude = then(x, nl.multiply, -1.0, nl.maximum, x, dtype=nl.int32)
    copy(dst, low_part(magnitude, dst.dtype))


def magnitude(x: Tile) -> Tile:
    """Take absolute values, which all are unsigned numbers; 4 cycles per element of the Vector Engine and 2 of GpSimd."""
    minus = unsigned(ones_if_negative(x))
    inverse = bits(nl.bitwise_xor, unsigned(x), minus)
    one = bits(nl.bitwise_and, minus, 1)
    return native(nl.add, inverse, one, one)


def _absolute(dst: Tile, x: Tile) -> None:
    copy(dst, magnitude(x).view(nl.int32))


def _same(dst: Tile, x: Tile) -> None:
    copy(dst, x)


_SHORT_PRODUCT: Final = loops(_SHORTS, _multiply_shorts, may_alias=(0, 1))
_SHORT_SQUARE: Final = loops(_SHORTS, _square_shorts, may_alias=(0,))
ADD: Final = {
    **loops(NARROW_INTEGERS, _narrow(nl.add), may_alias=(0, 1)),
    **loops(WIDE_INTEGERS, _wide(nl.add), may_alias=(0, 1)),
}
SUBTRACT: Final = {
    **loops(NARROW_INTEGERS, _narrow(nl.subtract), may_alias=(0, 1)),
    **loops(WIDE_INTEGERS, _wide(nl.subtract), may_alias=(0, 1)),
}
MULTIPLY: Final = {
    **loops(_BYTES, _narrow(nl.multiply), may_alias=(0, 1)),
    **_SHORT_PRODUCT,
    **loops(WIDE_INTEGERS, _wide(nl.multiply), may_alias=(0, 1)),
}
SQUARE: Final = {
    **loops(_BYTES, _square_bytes, may_alias=(0,)),
    **_SHORT_SQUARE,
    **loops(WIDE_INTEGERS, _square, may_alias=(0,)),
}
NEGATIVE: Final = {
    **loops(NARROW_INTEGERS, _negative_narrow, may_alias=(0,)),
    **loops(WIDE_INTEGERS, _negative, may_alias=(0,)),
}
ABSOLUTE: Final = {
    **loops(("int8", "int16"), _absolute_narrow, may_alias=(0,)),
    **loops(("int32",), _absolute, may_alias=(0,)),
    **loops(("uint8", "uint16", "uint32"), _same, may_alias=(0,)),
}
WITHOUT_WRAPPING: Final[dict[str, dict[str, DtypeLoop]]] = {
    "add": loops(WIDE_INTEGERS, _halves(nl.add), may_alias=(0, 1)),
    "subtract": loops(WIDE_INTEGERS, _halves(nl.subtract), may_alias=(0, 1)),
    "multiply": loops(WIDE_INTEGERS, _multiply_halves, may_alias=(0, 1)),
    "square": loops(WIDE_INTEGERS, _square_halves, may_alias=(0,)),
}
"""What to emit instead, by function, where nobody knows that GpSimd's 32-bit arithmetic wraps."""
MODULAR: Final = tuple(
    Emitter(f"without_wrapping.{name}", 1 if name == "square" else 2, table) for name, table in WITHOUT_WRAPPING.items()
)
