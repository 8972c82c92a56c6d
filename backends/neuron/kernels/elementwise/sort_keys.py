"""Keys for sorting: two float32 for each number, in the order of the numbers, and the numbers they stand for.

float32 arithmetic compares no more than 2**32 - 2**24 numbers, and those without subnormal ones, which an engine may flush. So the leading
key has all bits of a 32-bit number but the last one: as sign and magnitude, with exponents from 51 on, so that keys differ by 2**-99 at
least. The trailing key is 0 or -2**24 for the last bit, and 1 more for -0.0, which has the order of 0.0; between these fits twice the place
of the number. 16-bit floats have their magnitude for leading key. All NaN are one, above infinity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ....isa import nisa, nl
from ...function import WIDE_INTEGERS, DtypeLoop, Emit, Emitter, Tile
from .alu import SIGN, arithmetic, bits, bits_twice, copy, in_dtype, is_nan, patch, scratch, signed, then, twice, unsigned
from .integer import native, ones_if_negative
from .significand import MAGNITUDE, NAN, is_zero

__all__ = ["ORDER"]

_OFFSET: Final = 51 << 23
_HALF: Final = 2.0**24
_NAN: Final = {"bfloat16": 0x7FC0, "float16": 0x7E00}


def _shifted(op: Any, words: Tile) -> Tile:
    """Add or subtract the offset, in integers."""
    offset = scratch(words, nl.uint32, 1)
    nisa.memset(offset, _OFFSET)
    return native(op, words, offset, words)


def _for_last_bit(dst: Tile, bit: Tile) -> None:
    nisa.tensor_scalar(dst, bit, nl.subtract, 1.0, op1=nl.multiply, operand1=_HALF)


def _leading_float(dst: Tile, x: Tile) -> None:
    words = x.view(nl.uint32)
    sign = bits(nl.bitwise_and, words, SIGN[4])
    patch(sign, 0, is_zero(bits(nl.bitwise_and, words, MAGNITUDE)))
    high = _shifted(nl.add, bits_twice(words, nl.bitwise_and, MAGNITUDE, nl.right_shift, 1))
    bits(nl.bitwise_or, high, sign, dst.view(nl.uint32))
    patch(dst.view(nl.uint32), (NAN >> 1) + _OFFSET, is_nan(x))


def _trailing_float(dst: Tile, x: Tile) -> None:
    """Of negative numbers the larger magnitude comes first."""
    words = x.view(nl.uint32)
    minus = bits(nl.right_shift, words, 31)
    last = bits(nl.bitwise_xor, bits(nl.bitwise_and, words, 1), minus)
    _for_last_bit(dst, last)
    patch(dst, arithmetic(nl.subtract, minus, _HALF), is_zero(bits(nl.bitwise_and, words, MAGNITUDE)))
    patch(dst, -_HALF, is_nan(x))


def _leading_integer(dst: Tile, x: Tile) -> None:
    x = bits(nl.bitwise_xor, x, SIGN[4]).view(nl.int32) if x.dtype == nl.uint32 else x
    minus = ones_if_negative(x).view(nl.uint32)
    high = _shifted(nl.add, bits(nl.right_shift, bits(nl.bitwise_xor, x.view(nl.uint32), minus), 1))
    bits(nl.bitwise_or, high, bits(nl.bitwise_and, minus, SIGN[4]), dst.view(nl.uint32))


def _trailing_integer(dst: Tile, x: Tile) -> None:
    _for_last_bit(dst, bits(nl.bitwise_and, x.view(nl.uint32), 1))


def _leading_short(dst: Tile, x: Tile) -> None:
    minus_two = twice(signed(x), nl.less, 0.0, nl.multiply, -2.0)
    then(minus_two, nl.add, 1.0, nl.multiply, bits(nl.bitwise_and, unsigned(x), SIGN[2] - 1), dst)
    patch(dst, float(_NAN[x.dtype]), is_nan(x))


def _trailing_short(dst: Tile, x: Tile) -> None:
    arithmetic(nl.equal, signed(x), -float(SIGN[2]), dst)


def _words(leading: Tile, trailing: Tile) -> tuple[Tile, Tile, Tile]:
    """Take keys apart: the number's magnitude but for its last bit, whether the trailing key is positive, and that key as an integer."""
    high = _shifted(nl.subtract, bits(nl.bitwise_and, leading.view(nl.uint32), MAGNITUDE))
    upper = arithmetic(nl.greater_equal, trailing, 0.0, dtype=nl.uint32)
    return bits(nl.left_shift, high, 1), upper, copy(scratch(trailing, nl.int32), trailing).view(nl.uint32)


def _to_float(dst: Tile, leading: Tile, trailing: Tile) -> None:
    words, upper, place = _words(leading, trailing)
    last = bits(nl.bitwise_xor, upper, bits(nl.right_shift, leading.view(nl.uint32), 31))
    sign = bits(nl.bitwise_or, bits(nl.bitwise_and, leading.view(nl.uint32), SIGN[4]), bits(nl.left_shift, place, 31))
    bits(nl.bitwise_or, bits(nl.bitwise_or, words, last), sign, dst.view(nl.uint32))


def _to_integer(flip: int) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, leading: Tile, trailing: Tile) -> None:
        words, upper, _ = _words(leading, trailing)
        minus = ones_if_negative(leading.view(nl.int32)).view(nl.uint32)
        high = bits_twice(bits(nl.bitwise_xor, words, minus), nl.bitwise_and, 0xFFFFFFFE, nl.bitwise_xor, flip)
        bits(nl.bitwise_or, high, upper, dst.view(nl.uint32))

    return emit


def _to_short(dst: Tile, leading: Tile, trailing: Tile) -> None:
    place = copy(scratch(trailing, nl.int32), trailing)
    sign = then(leading, nl.less, 0.0, nl.maximum, bits(nl.bitwise_and, place, 1))
    magnitude = bits(nl.bitwise_and, leading.view(nl.uint32), MAGNITUDE).view(nl.float32)
    then(sign, nl.multiply, float(SIGN[2]), nl.add, magnitude, unsigned(dst))


_SHORT: Final = ("bfloat16", "float16")


def _keys(name: str, table: Mapping[str, Emit]) -> Emitter:
    """Make an emitter whose operand may be a scalar in float32."""

    def of(dtype: str, emit: Emit) -> Emit:
        return lambda dst, x: emit(dst, in_dtype(x, dtype))

    return Emitter(name, 1, {dtype: DtypeLoop(of(dtype, emit), "float32") for dtype, emit in table.items()})


ORDER: Final = (
    _keys(
        "order.leading",
        {
            "float32": _leading_float,
            "int32": _leading_integer,
            "uint32": _leading_integer,
            **dict.fromkeys(_SHORT, _leading_short),
        },
    ),
    _keys(
        "order.trailing",
        {
            "float32": _trailing_float,
            **dict.fromkeys(WIDE_INTEGERS, _trailing_integer),
            **dict.fromkeys(_SHORT, _trailing_short),
        },
    ),
    *(
        Emitter(f"order.{dtype}", 2, {"float32": DtypeLoop(emit, dtype)})
        for dtype, emit in (
            ("float32", _to_float),
            ("int32", _to_integer(0)),
            ("uint32", _to_integer(SIGN[4])),
            *((dtype, _to_short) for dtype in _SHORT),
        )
    ),
)
