"""
Remainders and quotients, bit for bit: of float32 the remainder of division towards zero, of 32-bit integers also floor division.

The float32 remainder is long division, eleven bits of the quotient at a time, in a loop of the device that turns as often as the largest
distance between exponents in a tile asks for: not at all where every numerator is smaller than its denominator. An estimated digit is
off by one at most; its products with the two halves of the denominator are exact, and so is what they leave of the remainder.

Integers are divided by an estimate that is too small by less than 2**-19 relatively, what that leaves is divided once more, and a
comparison decides the last unit. No product, sum or difference that counts overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....isa import nisa, nl
from ...function import DtypeLoop, Emitter, Pair, Tile, loops
from .alu import (
    arithmetic,
    bits,
    copy,
    estimate,
    in_dtype,
    is_nan,
    limited,
    minus_reciprocal,
    multiply,
    patch,
    scratch,
    spread,
    subtract,
    then,
    twice,
    unsigned,
)
from .comparison import compare_words
from .integer import magnitude, native, ones_if_negative
from .pairs import halves
from .registers import greatest, turns
from .significand import NAN, compose, decompose, is_infinite, power_of_two, sign_bit
from .widening import float_loops

__all__ = ["DIVMOD", "REMAINDERS", "divided"]

_DIGIT: Final = 11.0  # bits of the quotient
_DIGITS: Final = 26  # of the quotient of the largest float32 by the smallest, 277 bits
_BELOW: Final = 1.0 - 2.0**-20
_TO_INTEGER: Final = 1.5 * 2.0**23

Parts = tuple[Tile, Tile, Tile, Tile, Tile]


def _fmod(dst: Tile, x: Tile, y: Tile) -> None:
    """Divide significands: the remainder begins as the numerator's, times a power of two that is left to do."""
    numerator, denominator = decompose(x), decompose(y)
    rest = copy(scratch(dst, nl.float32), numerator.significand)
    left = copy(scratch(dst, nl.float32), arithmetic(nl.subtract, numerator.exponent, denominator.exponent))
    smaller = arithmetic(nl.less, left, 0.0, dtype=nl.uint8)
    divisor = halves(denominator.significand)
    reciprocal = estimate(nl.reciprocal, denominator.significand)
    most = scratch(dst, nl.float32, 1)
    nisa.tensor_reduce(most, nl.maximum, left, axis=1)

    def digit(_: Any) -> None:
        shift = limited(left, 0.0, _DIGIT)
        arithmetic(nl.subtract, left, shift, left)
        shifted = multiply(rest, power_of_two(shift))
        quotient = arithmetic(nl.subtract, arithmetic(nl.add, multiply(shifted, reciprocal), _TO_INTEGER), _TO_INTEGER)
        new = subtract(shifted, arithmetic(nl.multiply, quotient, divisor.high))
        new = subtract(new, arithmetic(nl.multiply, quotient, divisor.low))
        arithmetic(nl.add, new, then(new, nl.less, 0.0, nl.multiply, denominator.significand), rest)

    # one more than a digit's bits go into the distance
    count = twice(greatest(most), nl.multiply, 1 / _DIGIT, nl.add, 0.5 + 0.5 / _DIGIT)
    nl.fori_loop(0, turns(count, likely=1, most=_DIGITS), digit)
    parts = decompose(rest)
    exponent = then(parts.exponent, nl.subtract, 127.0, nl.add, denominator.exponent)
    result = compose(parts.significand, exponent, None)
    patch(result, 0, arithmetic(nl.equal, rest, 0.0, dtype=nl.uint8))
    bits(nl.bitwise_or, result, spread(sign_bit(x), dst.shape[1]), dst.view(nl.uint32))
    patch(dst, x, smaller)
    invalid = then(denominator.magnitude, nl.equal, 0.0, nl.add, is_infinite(numerator.magnitude), dtype=nl.uint8)
    patch(dst.view(nl.uint32), NAN, invalid)
    for operand in (x, y):
        patch(dst.view(nl.uint32), NAN, is_nan(operand))


def _digit(x: Tile, minus: Tile) -> Tile:
    """Estimate a quotient, not too large, from minus the reciprocal."""
    near = then(x, nl.multiply, -_BELOW, nl.multiply, minus)
    return arithmetic(nl.subtract, near, 0.5, dtype=nl.uint32)


def _native(op: Any, left: Tile, right: Tile) -> Tile:
    return native(op, left, right, scratch(left if left.shape[1] >= right.shape[1] else right, left.dtype))


def divided(x: Tile, y: Tile) -> tuple[Tile, Tile]:
    """Divide; 23 cycles per element of the Vector Engine and 16 of GpSimd."""
    divisor = arithmetic(nl.maximum, y, 1.0)
    minus = minus_reciprocal(divisor)
    quotient = _digit(x, minus)
    rest = _native(nl.subtract, x, _native(nl.multiply, quotient, y))
    more = _digit(rest, minus)
    rest = _native(nl.subtract, rest, _native(nl.multiply, more, y))
    once = compare_words(nl.greater_equal, rest, y, scratch(rest, nl.uint32))
    quotient = _native(nl.add, _native(nl.add, quotient, more), once)
    patch(rest, _native(nl.subtract, rest, y), once)
    nothing = arithmetic(nl.equal, y, 0.0, dtype=nl.uint8)
    patch(quotient, 0, nothing)
    patch(rest, 0, nothing)
    return quotient, rest


def _with_sign(size: Tile, minus: Tile) -> Tile:
    """Invert and add 1, but for 0."""
    one = then(size, nl.not_equal, 0.0, nl.multiply, bits(nl.bitwise_and, minus, 1), dtype=nl.uint32)
    result = native(nl.add, bits(nl.bitwise_xor, size, minus), one, one)
    patch(result, 0, arithmetic(nl.equal, size, 0.0, dtype=nl.uint8))
    return result


def _parts(x: Tile, y: Tile) -> Parts:
    """Give quotient and remainder of the magnitudes, the divisor's, and the signs."""
    divisor = magnitude(y)
    return *divided(magnitude(x), divisor), divisor, unsigned(ones_if_negative(x)), unsigned(ones_if_negative(y))


def _floored(dst: Tile, x: Tile, y: Tile, parts: Parts) -> None:
    """Invert the quotient where signs differ, and add 1 where nothing remains."""
    quotient, rest, _, of_x, of_y = parts
    minus = bits(nl.bitwise_xor, of_x, of_y)
    one = then(rest, nl.equal, 0.0, nl.multiply, bits(nl.bitwise_and, minus, 1), dtype=nl.uint32)
    result = native(nl.add, bits(nl.bitwise_xor, quotient, minus), one, quotient)
    patch(result, 0, then(x, nl.equal, 0.0, nl.add, arithmetic(nl.equal, y, 0.0), dtype=nl.uint8))
    copy(dst, result.view(nl.int32))


def _remaining(dst: Tile, parts: Parts) -> None:
    """Take the rest from the divisor where signs differ and something remains, and give it the divisor's sign; the rest is written over."""
    _, rest, divisor, of_x, of_y = parts
    differ = arithmetic(nl.logical_and, rest, bits(nl.bitwise_xor, of_x, of_y), dtype=nl.uint8)
    patch(rest, _native(nl.subtract, divisor, rest), differ)
    copy(dst, _with_sign(rest, of_y).view(nl.int32))


def _floor_divide(dst: Tile, x: Tile, y: Tile) -> None:
    _floored(dst, x, y, _parts(x, y))


def _remainder(dst: Tile, x: Tile, y: Tile) -> None:
    _remaining(dst, _parts(x, y))


def _divmod(quotient: Tile, rest: Tile, x: Tile, y: Tile) -> None:
    x, y = in_dtype(x, nl.int32), in_dtype(y, nl.int32)
    parts = _parts(x, y)
    _floored(quotient, x, y, parts)
    _remaining(rest, parts)


def _divmod_unsigned(quotient: Tile, rest: Tile, x: Tile, y: Tile) -> None:
    for dst, part in zip((quotient, rest), divided(in_dtype(x, nl.uint32), in_dtype(y, nl.uint32)), strict=True):
        copy(dst, part)


def _fmod_signed(dst: Tile, x: Tile, y: Tile) -> None:
    _, rest, _, of_x, _ = _parts(x, y)
    copy(dst, _with_sign(rest, of_x).view(nl.int32))


def _unsigned(place: int) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        copy(dst, divided(in_dtype(x, nl.uint32), in_dtype(y, nl.uint32))[place])

    return emit


def _signed(emit: Callable[[Tile, Tile, Tile], None]) -> Callable[[Tile, Tile, Tile], None]:
    def run(dst: Tile, x: Tile, y: Tile) -> None:
        emit(dst, in_dtype(x, nl.int32), in_dtype(y, nl.int32))

    return run


def _words(signed: Callable[[Tile, Tile, Tile], None], place: int) -> dict[str, DtypeLoop]:
    return {**loops(("int32",), _signed(signed)), **loops(("uint32",), _unsigned(place))}


REMAINDERS: Final = (
    Emitter("floor_divide", 2, _words(_floor_divide, 0)),
    Emitter("remainder", 2, _words(_remainder, 1)),
    Emitter("fmod", 2, {**float_loops(_fmod), **_words(_fmod_signed, 1)}),
)
DIVMOD: Final = Pair(
    "divmod",
    ("floor_divide", "remainder"),
    {
        **loops(("int32",), _divmod),
        **loops(("uint32",), _divmod_unsigned),
    },
)
