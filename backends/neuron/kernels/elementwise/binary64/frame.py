"""binary64 numbers taken apart, shifted, normalised, rounded and put together.

A frame is the significand in limbs of 28 bits, of which the lowest bits are beyond the significand's 53: the last of them says whether
anything that is lost was not zero. After D. Goldberg, "What every computer scientist should know about floating-point arithmetic", 1991.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .....isa import nl
from .instruction_graph import Word

__all__ = [
    "EXPONENT", "INFINITY", "LIMB", "MAGNITUDE", "NAN", "SIGN", "UNIT", "Frame", "Number", "classes", "finished", "frame", "leading",
    "normalised", "packed", "shifted_left", "shifted_right", "significand", "unpacked", "usual_significand",
]  # fmt: skip

SIGN: Final = 0x80000000
MAGNITUDE: Final = 0x7FFFFFFF
EXPONENT: Final = 0x7FF00000
INFINITY: Final = 0x7FF00000
NAN: Final = 0x7FF80000
LIMB: Final = 0x0FFFFFFF
UNIT: Final = 2.0**20
"""One in the exponent's field of a high word."""
_BEYOND: Final = 0x7FF0  # the upper 16 bits of infinity


class Frame(NamedTuple):
    """
    A significand in two limbs.

    Attributes
    ----------
    high, low : Word
        Of up to 29 and of 28 bits, in uint32.
    """

    high: Word
    low: Word


class Number(NamedTuple):
    """
    The significand of a number, as an integer of 53 bits, and its exponent.

    Attributes
    ----------
    high, low : Word
        The upper 21 bits and the lower 32, in uint32.
    exponent : Word
        The exponent's field less 1, or 0 of a subnormal number, times 2**20, in uint32.
    """

    high: Word
    low: Word
    exponent: Word


def significand(high: Word, low: Word) -> Number:
    """Separate exponent and significand; the hidden bit is that of numbers with an exponent."""
    exponent = (high & EXPONENT).positive(1.0, -UNIT)
    return Number((high & MAGNITUDE).sub(exponent), low, exponent)


def usual_significand(high: Word, low: Word) -> Number:
    """Separate exponent, of which it is the field's bits, and significand of a normal number or of 0, and say that it is one."""
    exponent = high & EXPONENT
    upper = exponent.fused(UNIT, high & 0xFFFFF, nl.uint32, "minimum")
    high.graph.subnormal(upper + low, exponent)
    high.graph.beyond(exponent, 1.0 / UNIT, 2046.0)
    return Number(upper, low, exponent)


def frame(number: Number) -> Frame:
    """Make a frame of 56 bits, of which the lowest three are 0; 3 cycles of the Vector Engine."""
    return Frame(number.high.scaled(128.0, dtype=nl.uint32).add(number.low >> 25), (number.low << 3) & LIMB)


def leading(*limbs: Word, bits: int) -> Word:
    """
    Find the place of the leading bit, plus 127; 0 where there is none.

    A limb without the bits that follow a set one does not become the next power of two when it is rounded to float32.
    """
    total = None
    for limb in limbs:
        sparse = limb & ~(limb >> 1)
        total = sparse if total is None else (total.scaled(2.0**bits) + sparse)
    assert total is not None
    if len(limbs) == 1:
        total = total.to(nl.float32)
    return total.view(nl.uint32) >> 23


def shifted_left(number: Frame, count: Word) -> Frame:
    """Shift a frame of 57 bits by a count in float32 of which nothing is lost; 10 cycles of the Vector Engine."""
    near = count.arithmetic("minimum", 31.0, nl.uint32)
    high = (number.high << near).joined((number.low >> count.positive(-1.0, 28.0)) << count.positive(1.0, -28.0))
    return Frame(high, (number.low << near) & LIMB)


def shifted_right(number: Frame, count: Word) -> Frame:
    """Shift a frame of 56 bits by any count in float32, and remember what is lost; 17 cycles of the Vector Engine."""
    near = count.arithmetic("minimum", 31.0, nl.uint32)
    across, across_twice = count.positive(-1.0, 28.0), count.positive(-1.0, 56.0).arithmetic("minimum", 31.0, nl.uint32)
    beyond = count.positive(1.0, -28.0).arithmetic("minimum", 31.0, nl.uint32)
    low = (number.low >> near).joined(((number.high << across) & LIMB) >> beyond)
    lost = ((number.low << across) | (number.high << across_twice)) << 4
    return Frame(number.high >> near, low | lost.sign(dtype=nl.uint32))


def packed(number: Frame, exponent: Word) -> tuple[Word, Word]:
    """
    Round a frame of 57 bits to 53, to nearest even, and put it under an exponent, which counts from 0 for subnormal numbers.

    Carries reach the exponent, and from the largest one infinity, by themselves.
    """
    odd = ((number.low >> 4) & 1).scaled(1.0, 7.0, nl.uint32)
    low = number.low.add(odd)
    high = number.high.add(low >> 28)
    field = exponent.scaled(UNIT, dtype=nl.uint32)
    return (high >> 8).add(field), (high << 24).joined((low << 4) >> 8)


def normalised(number: Number) -> tuple[Number, Word]:
    """
    Move the leading bit to its place, which it has left in subnormal numbers only.

    The number has an exponent in float32 then, which may be negative: the field less 1. Beside it is 1.0 where it is 0, else 0.0.
    """
    high = number.high.scaled(16.0, dtype=nl.uint32).add(number.low >> 28)  # 25 bits and 28
    low = number.low & LIMB
    place = leading(high, low, bits=28)
    count = place.scaled(-1.0, 127.0 + 52.0)
    moved = shifted_left(Frame(high, low), count.arithmetic("minimum", 56.0))
    exponent = number.exponent.scaled(1.0 / UNIT) - count
    return Number(moved.high >> 4, (moved.high << 28).joined(moved.low), exponent), place.arithmetic("equal", 0.0)


def unpacked(high: Word, low: Word) -> tuple[Number, Word]:
    """Take a number apart, and normalise it."""
    return normalised(significand(high, low))


def classes(high: Word, low: Word) -> tuple[Word, Word]:
    """
    Tell infinities and NaN from numbers, by magnitudes.

    The first word, an int32, is not negative for infinities and NaN; the second one, a float32, is positive for NaN.
    """
    special = (high & MAGNITUDE).sub(INFINITY, nl.int32)
    return special, special + low.sign(dtype=nl.float32)


def finished(number: Frame, limit: Word, sign: Word, nan: Word | None = None) -> tuple[Word, Word]:
    """
    Round a quotient or a product: a frame of 56 bits, the leading one among the first two, or of nothing.

    The limit is what the exponent would be if the frame were a bit longer at its upper end; it is far below the range for 0 and far beyond
    it for infinity. `nan` is a mask of results that are NaN.
    """
    count = leading(number.high, number.low, bits=28).scaled(-1.0, 127.0 + 56.0)
    room = limit.positive(dtype=nl.float32)
    count = count.arithmetic("minimum", 2.0).arithmetic("minimum", room)
    small = shifted_right(number, limit.positive(-1.0, 0.0, nl.float32))
    exponent = (room - count).arithmetic("minimum", 2046.0)
    high, low = packed(shifted_left(small, count), exponent)
    infinite = high.high.test("greater_equal", float(_BEYOND))
    high = high.patched(infinite, INFINITY)
    high = high if nan is None else high.patched(nan, NAN)
    return high.joined(sign), low.patched(infinite, 0)
