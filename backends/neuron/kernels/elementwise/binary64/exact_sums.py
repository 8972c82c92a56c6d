"""
Numbers as integers of 96 bits, of which sums are exact.

The integers are multiples of one power of two, 2**-94 times the one that the largest exponent gives: numbers of exponents up to 41 below
that are exact, and what others have below it is cut off. After U. Kulisch, "Computer arithmetic and validity", 2008, with a narrower frame.
"""

from __future__ import annotations

from typing import Final

from .....isa import nl
from .conversions import from_words
from .fixed_point import Words3, columns_added, moved_words, negated_words
from .frame import EXPONENT, INFINITY, NAN, SIGN, UNIT, classes, significand
from .instruction_graph import Graph, Word

__all__ = ["aligned", "exponent_field", "nonfinite", "rounded_sum", "usual_aligned", "usual_nonfinite"]

Words = tuple[Word, Word]
_UNIT: Final = 1116.0  # less the exponent's field less 1: the power of two of an integer
_NAN32: Final = 0x7FC00000
_INFINITY32: Final = 0x7F800000


def exponent_field(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    """Give the exponent's field less 1, or 0 of subnormal numbers, as float32."""
    return ((high & EXPONENT).positive(1.0 / UNIT, -1.0, nl.float32),)


def nonfinite(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    """Give infinities and NaN as float32, and 0 of numbers."""
    special, nan = classes(high, low)
    found = (high & SIGN) | _INFINITY32
    found = found.patched(nan.test("greater", 0.0), _NAN32).patched(special.test("less", 0.0), 0)
    return (found.view(nl.float32),)


def usual_nonfinite(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    """Give 0 of numbers."""
    graph.beyond(high & EXPONENT, 1.0 / UNIT, 2046.0)
    return (graph.constant(0.0, nl.float32),)


def usual_aligned(graph: Graph, high: Word, low: Word, exponent: Word) -> Words3:
    """
    Give the integer of a number whose exponent is at most 31 below the largest one, or of 0.

    It is an integer of 64 bits times a power of two up to 2**32.
    """
    number = significand(high, low)
    apart = exponent.view(nl.float32) - number.exponent.scaled(1.0 / UNIT)
    graph.beyond(apart * (number.high + low).sign(dtype=nl.float32), 1.0, 31.0)
    near = apart.arithmetic("minimum", 31.0, nl.uint32)
    unit = near.scaled(-(2.0**23), 158 * 2.0**23, nl.uint32).view(nl.float32).scaled(1.0, dtype=nl.uint32)  # 2**(31 - near)
    direction = high.part(1, nl.int16).sign(2.0, 1.0)
    last = (low << 10).mul(direction.view(nl.uint32))
    borrow = direction.positive(-1.0, dtype=nl.float32).arithmetic("multiply", last.sign(dtype=nl.float32), nl.uint32)
    first = (number.high << 10).joined(low >> 22).mul(direction.view(nl.uint32)).sub(borrow)
    # The upper word is shifted with its sign: without, of a number that is 2**31 more, and then that is taken away.
    top, factor = ((first ^ SIGN) >> near).sub(unit), unit << 1
    return top, first.mul(factor).add(last >> near), last.mul(factor)


def aligned(graph: Graph, high: Word, low: Word, exponent: Word) -> Words3:  # noqa: ARG001
    """Give the integer in two's complement; the largest exponent has the bits of a float32."""
    number = significand(high, low)
    apart = exponent.view(nl.float32) - number.exponent.scaled(1.0 / UNIT)
    last = number.low << 10
    words = (number.high << 10) | (number.low >> 22), last, last.sub(last)  # 94 bits, of which the lowest are 0
    negative = high.part(1, nl.int16).twice("less", 0.0, "multiply", -1.0, nl.int32).view(nl.uint32)
    return negated_words(moved_words(words, apart), negative)


def rounded_sum(graph: Graph, *operands: Word) -> Words:  # noqa: ARG001
    """
    Round a sum of integers of `aligned`.

    The operands are sums of its seven 16-bit limbs, of which the last is signed; the largest exponent; the sum of infinities and NaN.
    """
    limbs, exponent, special = operands[:7], operands[7].view(nl.float32), operands[8]
    words = columns_added(
        (
            (limbs[0], limbs[1] << 16),
            (limbs[1] >> 16, limbs[2], limbs[3] << 16),
            (limbs[3] >> 16, limbs[4], limbs[5] << 16),
            (limbs[5] >> 16, limbs[6]),
        )
    )
    high, low = from_words(tuple(words[::-1]), exponent.scaled(1.0, -_UNIT))
    size = (special & 0x7FFFFFFF).sub(_INFINITY32, nl.int32)
    beyond, nan = size.test("greater_equal", 0.0), size.test("greater", 0.0)
    high = high.patched(beyond, (special & SIGN) | INFINITY).patched(nan, NAN)
    return high, low.patched(beyond, 0)
