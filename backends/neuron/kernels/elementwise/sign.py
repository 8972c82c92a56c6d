"""Functions of the sign: of floats by their bits, NaN, infinities and subnormal numbers included."""

from __future__ import annotations

from typing import Final

from ....isa import nisa, nl
from ...function import FLOATS, Emitter, Tile, loops
from ..move.tile_transpose import itemsize
from .alu import SIGN, arithmetic, bits, copy, in_dtype, is_nan, patch, signed, unsigned
from .integer import ABSOLUTE, NEGATIVE
from .significand import sign_of

__all__ = ["SIGNS"]

_SIGNED: Final = ("int8", "int16", "int32")
_UNSIGNED: Final = ("uint8", "uint16", "uint32")


def _negative(dst: Tile, x: Tile) -> None:
    x = in_dtype(x, dst.dtype)
    bits(nl.bitwise_xor, unsigned(x), SIGN[itemsize(dst.dtype)], unsigned(dst))


def _absolute(dst: Tile, x: Tile) -> None:
    x = in_dtype(x, dst.dtype)
    bits(nl.bitwise_and, unsigned(x), SIGN[itemsize(dst.dtype)] - 1, unsigned(dst))


def _copysign(dst: Tile, x: Tile, y: Tile) -> None:
    sign = SIGN[itemsize(dst.dtype)]
    magnitude = bits(nl.bitwise_and, unsigned(in_dtype(x, dst.dtype)), sign - 1)
    minus = bits(nl.bitwise_and, unsigned(in_dtype(y, dst.dtype)), sign)
    magnitude, minus = (minus, magnitude) if magnitude.shape[1] < minus.shape[1] else (magnitude, minus)
    bits(nl.bitwise_or, magnitude, minus, unsigned(dst))


def _signbit(dst: Tile, x: Tile) -> None:
    arithmetic(nl.less, signed(x), 0.0, dst)


def _never(dst: Tile, _: Tile) -> None:
    nisa.memset(dst, 0)


def _sign_of_float(dst: Tile, x: Tile) -> None:
    sign_of(x, dst)
    patch(dst, in_dtype(x, dst.dtype), is_nan(x))


def _sign(dst: Tile, x: Tile) -> None:
    sign_of(x, dst)


def _is_positive(dst: Tile, x: Tile) -> None:
    arithmetic(nl.not_equal, x, 0.0, dst)


def _same(dst: Tile, x: Tile) -> None:
    copy(dst, x)


SIGNS: Final = (
    Emitter("negative", 1, {**loops(FLOATS, _negative, may_alias=(0,)), **NEGATIVE}),
    Emitter(
        "absolute",
        1,
        {**loops(FLOATS, _absolute, may_alias=(0,)), **ABSOLUTE, **loops(("bool",), _same, "uint8", (0,))},
    ),
    Emitter("copysign", 2, loops(FLOATS, _copysign, may_alias=(0, 1))),
    Emitter(
        "signbit",
        1,
        {
            **loops((*FLOATS, *_SIGNED), _signbit, "uint8"),
            **loops((*_UNSIGNED, "bool"), _never, "uint8", (0,)),
        },
    ),
    Emitter(
        "sign",
        1,
        {
            **loops(FLOATS, _sign_of_float),
            **loops(_SIGNED, _sign, may_alias=(0,)),
            **loops(_UNSIGNED, _is_positive, may_alias=(0,)),
        },
    ),
)
