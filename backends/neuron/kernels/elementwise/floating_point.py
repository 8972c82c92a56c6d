"""Floats taken apart, put together and counted, bit for bit: frexp, ldexp, nextafter, spacing."""

from __future__ import annotations

from typing import Final

from ....isa import nisa, nl
from ...function import LOW_FLOATS, Emitter, Pair, Tile, loops
from ..move.tile_transpose import itemsize
from .alu import SIGN, arithmetic, bits, copy, in_dtype, is_nan, patch, scratch, signed, spread, then, twice, unsigned
from .comparison import compare_words
from .integer import native, ones_if_negative
from .significand import INFINITY, LARGEST, NAN, Parts, compose, decompose, is_finite, is_zero, magnitude_of, sign_bit
from .widening import float_loops, through_float32

__all__ = ["FLOATING_POINT", "FREXP"]

_FRACTION_BITS: Final = 23.0


def _ordinary(parts: Parts) -> Tile:
    """Find numbers that are neither zero nor infinite nor NaN, which frexp gives back with the exponent 0."""
    finite = arithmetic(nl.less_equal, parts.magnitude.view(nl.float32), LARGEST, dtype=nl.uint8)
    return then(parts.magnitude, nl.not_equal, 0.0, nl.multiply, finite, dtype=nl.uint8)


def _fraction_of(dst: Tile, x: Tile, parts: Parts, ordinary: Tile) -> None:
    """Give what frexp does first: from 1 / 2 to 1, with the sign."""
    half = arithmetic(nl.multiply, parts.significand, 0.5).view(nl.uint32)
    bits(nl.bitwise_or, half, sign_bit(x), dst.view(nl.uint32))
    patch(dst, x, ordinary, reverse=True)


def _exponent_of(dst: Tile, parts: Parts, ordinary: Tile) -> None:
    then(parts.exponent, nl.subtract, 126.0, nl.multiply, ordinary, dst)


def _fraction(dst: Tile, x: Tile) -> None:
    parts = decompose(x)
    _fraction_of(dst, x, parts, _ordinary(parts))


def _exponent(dst: Tile, x: Tile) -> None:
    parts = decompose(in_dtype(x, nl.float32))
    _exponent_of(dst, parts, _ordinary(parts))


def _fraction_and_exponent(fraction: Tile, exponent: Tile, x: Tile) -> None:
    parts = decompose(x)
    ordinary = _ordinary(parts)
    _fraction_of(fraction, x, parts, ordinary)
    _exponent_of(exponent, parts, ordinary)


def _ldexp(dst: Tile, x: Tile, exponent: Tile) -> None:
    """Add exponents, of which the second one is in float32, limited, and an integer."""
    parts = decompose(x)
    result = compose(parts.significand, arithmetic(nl.add, parts.exponent, exponent), None)
    bits(nl.bitwise_or, result, spread(sign_bit(x), dst.shape[1]), dst.view(nl.uint32))
    patch(dst, x, arithmetic(nl.equal, parts.magnitude, 0.0, dtype=nl.uint8))
    patch(dst, x, is_finite(x), reverse=True)


def _spacing(dst: Tile, x: Tile) -> None:
    """Take the power of two 23 below: a bit of the fraction where that is subnormal."""
    magnitude = magnitude_of(x)
    exponent = arithmetic(nl.maximum, bits(nl.right_shift, magnitude.view(nl.uint32), 23), 1.0)
    result = bits(nl.left_shift, twice(exponent, nl.subtract, _FRACTION_BITS, nl.maximum, 0.0, nl.uint32), 23)
    one = scratch(x, nl.uint32)
    nisa.memset(one, 1)
    small = bits(nl.left_shift, one, twice(exponent, nl.subtract, 1.0, nl.minimum, _FRACTION_BITS, nl.uint32))
    patch(result, small, arithmetic(nl.less_equal, exponent, _FRACTION_BITS, dtype=nl.uint8))
    patch(result, INFINITY, arithmetic(nl.greater_equal, magnitude, LARGEST, dtype=nl.uint8))  # the next number is infinite
    bits(nl.bitwise_or, result, sign_bit(x), dst.view(nl.uint32))
    patch(dst.view(nl.uint32), 1, is_zero(magnitude.view(nl.uint32)))
    patch(dst.view(nl.uint32), NAN, is_finite(x), reverse=True)


def _ordered(x: Tile) -> Tile:
    """Give integers in the order of the numbers: the magnitude's bits with the sign, so that both zeros are 0."""
    minus = twice(signed(x), nl.less, 0.0, nl.multiply, -1.0, nl.int32)
    magnitude = bits(nl.bitwise_and, unsigned(x), SIGN[itemsize(x.dtype)] - 1)
    magnitude = magnitude.view(nl.int32) if magnitude.dtype == nl.uint32 else copy(scratch(x, nl.int32), magnitude)
    return native(nl.add, bits(nl.bitwise_xor, magnitude, minus), bits(nl.bitwise_and, minus, 1), magnitude)


def _nextafter(dst: Tile, x: Tile, y: Tile) -> None:
    """Count one up or down in the order of the numbers."""
    x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
    start, goal = _ordered(x), _ordered(y)
    up, down = (compare_words(op, goal, start, scratch(dst, nl.int32)) for op in (nl.greater, nl.less))
    there = native(nl.add, start, native(nl.subtract, up, down, up), up)
    minus = ones_if_negative(there)
    magnitude = native(nl.add, bits(nl.bitwise_xor, there, minus), bits(nl.bitwise_and, minus, 1), there)
    bit = SIGN[itemsize(dst.dtype)]
    result = copy(scratch(dst, unsigned(dst).dtype), magnitude.view(nl.uint32))
    from_zero = arithmetic(nl.equal, start, 0.0, dtype=nl.uint8)
    sign = copy(scratch(dst, result.dtype), bits(nl.bitwise_and, unsigned(x), bit))  # which only numbers beyond zero do not keep
    patch(sign, bits(nl.bitwise_and, unsigned(y), bit), from_zero)
    bits(nl.bitwise_or, result, sign, unsigned(dst))
    for operand in (x, y):
        patch(dst, operand, is_nan(operand))


FLOATING_POINT: Final = (
    Emitter("frexp.fraction", 1, float_loops(_fraction)),
    Emitter(
        "frexp.exponent",
        1,
        {
            **loops(("float32",), _exponent, "int32"),
            **loops(LOW_FLOATS, _exponent, "int32"),
        },
    ),
    Emitter("ldexp", 2, float_loops(_ldexp)),
    Emitter(
        "nextafter",
        2,
        {
            **loops(("float32",), _nextafter),
            **loops(("bfloat16", "float16"), _nextafter),
        },
    ),
    Emitter("spacing", 1, loops(("float32",), _spacing)),
)
FREXP: Final = Pair(
    "frexp",
    ("frexp.fraction", "frexp.exponent"),
    {
        **loops(("float32",), _fraction_and_exponent),
        **loops(LOW_FLOATS, through_float32(_fraction_and_exponent, 2)),
    },
)
