"""
Numbers of extended precision, which functions compute with: significands of 64 bits, and exponents far beyond binary64's.

They are magnitudes; signs are kept beside them. Sums, products, quotients and roots err by a few units of the last of 60 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from .....isa import nl
from .conversions import from_fixed
from .fixed_point import (
    Fixed,
    conditionally_negated,
    difference,
    full_product,
    moved_right,
    multiple,
    normalised_bits,
    ones,
    product,
    total,
)  # fmt: skip
from .frame import SIGN, Frame, classes, finished, unpacked
from .instruction_graph import Graph, Word
from .quotients import estimated_inverse, less_product, real

__all__ = [
    "Extended", "chosen", "digits", "divided", "even", "fixed", "is_nan", "known", "minus", "multiplied", "normalised", "odd", "plus",
    "root", "rounded", "signed_word", "sum_with", "taken",
]  # fmt: skip

_DIGIT = 21


class Extended(NamedTuple):
    """
    A number that is not negative: a significand from 1/2 to 1, or 0, times a power of two.

    Attributes
    ----------
    bits : Fixed
        The significand.
    exponent : Word
        An integer in float32.
    """

    bits: Fixed
    exponent: Word


def taken(high: Word, low: Word) -> tuple[Extended, Word]:
    """Take the magnitude of a number; beside it is 1.0 where that is 0, else 0.0."""
    number, zero = unpacked(high, low)
    bits = Fixed((number.high << 11).joined(number.low >> 21), number.low << 11)
    return Extended(bits, number.exponent.scaled(1.0, -1021.0)), zero


def known(graph: Graph, value: Fraction) -> Extended:
    """Make a number that all elements have."""
    exponent = 0
    while value >= 1:
        value, exponent = value / 2, exponent + 1
    while value < Fraction(1, 2):
        value, exponent = value * 2, exponent - 1
    bits = round(value * 2**64)
    words = Fixed(graph.constant(bits >> 32), graph.constant(bits & 0xFFFFFFFF))
    return Extended(words, graph.constant(float(exponent), nl.float32))


def rounded(number: Extended, sign: Word, nan: Word | None = None) -> tuple[Word, Word]:
    """Round to binary64; exponents beyond its range give infinity and 0."""
    high, low = number.bits
    frame = Frame(high >> 4, ((high << 28) >> 4) | (low >> 8) | (low << 24).sign(dtype=nl.uint32))
    return finished(frame, number.exponent.scaled(1.0, 1022.0), sign, nan)


def is_nan(high: Word, low: Word) -> Word:
    """Find NaN."""
    return classes(high, low)[1].test("greater", 0.0)


def even(function: Callable[[Extended], Extended]) -> Callable[[Graph, Word, Word], tuple[Word, Word]]:
    """Make a function of numbers of one of magnitudes."""

    def build(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:
        return rounded(function(taken(high, low)[0]), graph.constant(0), is_nan(high, low))

    return build


def odd(function: Callable[[Extended], Extended]) -> Callable[[Graph, Word, Word], tuple[Word, Word]]:
    """Make a function of numbers, with their signs, of one of magnitudes."""

    def build(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:  # noqa: ARG001
        return rounded(function(taken(high, low)[0]), high & SIGN, is_nan(high, low))

    return build


def chosen(mask: Word, one: Extended, other: Extended) -> Extended:
    """Take a number where a mask is 1, else the other one."""
    bits = Fixed(*(second.patched(mask, first) for first, second in zip(one.bits, other.bits, strict=True)))
    return Extended(bits, other.exponent.patched(mask, one.exponent))


def _by_one(bits: Fixed, exponent: Word) -> Extended:
    """Normalise a fraction from 1/4 to 1."""
    count = (bits.high >> 31) ^ 1
    return Extended(Fixed((bits.high << count).joined((bits.low >> 31) & count), bits.low << count), exponent - count)


def multiplied(a: Extended, b: Extended) -> Extended:
    """Multiply."""
    return _by_one(product(a.bits, b.bits), a.exponent + b.exponent)


def fixed(number: Extended, exponent: Word | None = None) -> Fixed:
    """Give a number below 1, or below a power of two, as a fraction of that."""
    count = number.exponent.positive(-1.0, 0.0, nl.float32) if exponent is None else (exponent - number.exponent)
    return moved_right(number.bits, count)


def normalised(bits: Fixed, exponent: Word | float) -> Extended:
    """Make a number of a fraction of a power of two; 0 has an exponent below all numbers."""
    found, count = normalised_bits(bits)
    return Extended(found, exponent - count if isinstance(exponent, Word) else count.scaled(-1.0, exponent))


def plus(a: Extended, b: Extended) -> Extended:
    """Add."""
    exponent = a.exponent.arithmetic("maximum", b.exponent).scaled(1.0, 1.0)
    return _by_one(total(fixed(a, exponent), fixed(b, exponent)), exponent)


def minus(a: Extended, b: Extended) -> Extended:
    """Subtract a number that is not larger; numbers of 63 bits exactly, if their exponents are near."""
    exponent = a.exponent.arithmetic("maximum", b.exponent)
    return normalised(difference(fixed(a, exponent), fixed(b, exponent)), exponent)


def _of_60_bits(bits: Fixed) -> tuple[Word, Word]:
    return bits.high >> 4, (bits.high << 28).joined(bits.low >> 4)


def digits(a: Extended, b: Extended, count: int) -> list[Word]:
    """Divide significands: digits of 21 bits, as in `quotients`, made positive by what is taken from the digits before them."""
    rest, divisor = _of_60_bits(a.bits), _of_60_bits(b.bits)
    inverse = estimated_inverse(divisor)
    found = []
    for place in range(count):
        digit = (real(rest) * inverse).scaled(2.0**_DIGIT, dtype=nl.int32)
        shifted = (rest[0] << _DIGIT).joined(rest[1] >> (32 - _DIGIT)), rest[1] << _DIGIT
        rest = less_product(shifted, digit, divisor)
        taken_away = 2.0 if place < count - 1 else 0.0
        found.append(digit.scaled(1.0, (2.0**22 if place else 0.0) - taken_away, nl.int32).view(nl.uint32))
    return found


def divided(a: Extended, b: Extended) -> Extended:
    """Divide."""
    first, second, third = digits(a, b, 3)
    upper = Fixed((first << 10).add(second >> 11), second << 21)
    bits = total(upper, Fixed(first.graph.constant(0), third))
    return _by_one(bits, (a.exponent - b.exponent).scaled(1.0, 1.0))


def root(number: Extended) -> Extended:
    """
    Take the square root; of 0 it is a number below all others.

    Two steps of Newton's method from a float32 estimate: what the square of the root still lacks is exact, and is divided in float32.
    """
    half = number.exponent.scaled(0.5, 0.25, nl.int32)  # rounded up where the exponent is odd
    odd = (half.scaled(2.0) - number.exponent).scaled(1.0, dtype=nl.uint32)
    high, low = number.bits.high >> odd, (number.bits.low >> odd).joined((number.bits.high & odd) << 31)
    square = Fixed(high, low)  # from 1/4 to 1
    size = high.scaled(2.0**-32).arithmetic("maximum", 0.25)
    near = size.scaled(1.0, function=nl.rsqrt)
    inverse = near * ((size * near) * near).scaled(-0.5, 1.5)
    estimate = (size * inverse).arithmetic("minimum", 1.0 - 2.0**-23).scaled(2.0**32, dtype=nl.uint32)
    rest = difference(square, full_product(estimate, estimate))
    lacks = (real(rest) * inverse).scaled(2.0**17, dtype=nl.int32)  # of 2**-50
    found = total(Fixed(estimate, estimate.graph.constant(0)), signed_word(lacks, 14))
    rest = difference(square, product(found, found))
    lacks = (rest.low.view(nl.int32) * inverse).scaled(0.5, dtype=nl.int32)
    found = total(found, signed_word(lacks, 0))
    over = ones(found.high.test("less", 2.0**30))  # beyond 1, by a few units
    found = Fixed(found.high | over, found.low | over)
    nothing = number.bits.high.arithmetic("equal", 0.0)
    return _by_one(found, half - nothing.scaled(8192.0))


def signed_word(number: Word, bits: int) -> Fixed:
    """Shift an int32 to the left, of which the sign goes to the high word."""
    word = number.view(nl.uint32)
    sign = number.part(1, nl.int16).twice("less", 0.0, "multiply", -1.0, nl.int32).view(nl.uint32)
    if not bits:
        return Fixed(sign, word)
    return Fixed((sign << bits).joined(word >> (32 - bits)), word << bits)


def sum_with(graph: Graph, count: Word, value: Fraction, part: Extended, negative: Word) -> tuple[Word, Word]:
    """
    Round ``count * value + part``, with the part negative where a word is all ones.

    The count is an int32 of up to 12 bits; where it is 0, the sum is the part, of which no bits are lost.
    """
    none = count.arithmetic("equal", 0.0)
    bits = moved_right(part.bits, part.exponent.positive(-1.0, 0.0, nl.float32) * count.arithmetic("not_equal", 0.0))
    exponent = (part.exponent * none) - 64.0
    sum_of_words = multiple(count, value)
    signed = conditionally_negated(bits, negative)
    extension = negative & (bits.high | bits.low).sign(-1.0, dtype=nl.int32).view(nl.uint32)
    low = sum_of_words[2].add(signed.low)
    carry = ((sum_of_words[2] + signed.low) - low).scaled(2.0**-32, dtype=nl.uint32)
    middle = sum_of_words[1].add(signed.high).add(carry)
    carry = (((sum_of_words[1] + signed.high) + carry) - middle).scaled(2.0**-32, dtype=nl.uint32)
    high = sum_of_words[0].add(extension).add(carry)
    return from_fixed(graph, high, middle, low, exponent.scaled(1.0, dtype=nl.int32).view(nl.uint32))
