"""
Powers of binary64 numbers: ``2**(y log2(x))`` with the logarithm to 96 bits, of which 68 are right.

That many are needed because the product has up to 11 bits before its fraction. The quotient of the logarithm's series has 84 bits, its
first term is a product of 96, and what the others add, a hundredth at most, one of 64. After P. W. Markstein, "IA-64 and elementary
functions", 2000, in fixed point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from .....isa import nl
from .constants import LOG2_E
from .exponentials import binary, combined, series
from .extended import Extended, digits, fixed, rounded, taken
from .fixed_point import (
    Fixed,
    Words3,
    columns_added,
    economised,
    full_product,
    moved_left,
    moved_words,
    negated_words,
    ones,
    polynomial,
    product,
    upper_product,
)  # fmt: skip
from .frame import INFINITY, NAN, SIGN, classes, leading
from .instruction_graph import Graph, Word
from .logarithms import separated

__all__ = ["logarithm", "normalised_by_one", "power", "wide_product"]

_FIRST: Final = 2 * LOG2_E / 4  # of the series, over 4
_MOST: Final = Fraction(472, 1000)  # of 16 times the square of the quotient
_SERIES: Final = tuple(2 * LOG2_E / (2 * n + 3) / 16 ** (n + 1) for n in range(16))
_BITS: Final = 12.0  # of an integer part


def wide_product(a: Words3, b: Sequence[Word]) -> Words3:
    """Multiply fractions of 96 bits, of which the second may have two words, within a few units."""
    first, second, third = full_product(a[0], b[0]), full_product(a[0], b[1]), full_product(a[1], b[0])
    last = [second.low, third.low, upper_product(a[1], b[1]), upper_product(a[2], b[0])]
    if len(b) > 2:
        last.append(upper_product(a[0], b[2]))
    low, middle, high = columns_added([last, [first.low, second.high, third.high], [first.high]])
    return high, middle, low


def _shifted_left(words: Words3, count: Word) -> Words3:
    """Multiply by a power of two of less than 32 bits."""
    rest = count ^ 31
    high, middle, low = words
    return (high << count).joined((middle >> 1) >> rest), (middle << count).joined((low >> 1) >> rest), low << count


def normalised_by_one(words: Words3, exponent: Word) -> tuple[Words3, Word]:
    """Shift to the left by a bit where the first one is not set."""
    count = (words[0] >> 31) ^ 1
    return _shifted_left(words, count), exponent - count


def _quotient(numerator: Extended, denominator: Extended) -> tuple[Words3, Word]:
    """Divide to 84 bits; beside the significand is the exponent."""
    first, second, third, fourth = digits(numerator, denominator, 4)
    low, middle, high = columns_added([[fourth << 11], [second << 21, third, fourth >> 21], [first << 10, second >> 11]])
    return normalised_by_one((high, middle, low), (numerator.exponent - denominator.exponent).scaled(1.0, 1.0))


def logarithm(number: Extended) -> tuple[Word, Words3, Word]:
    """Take the logarithm to base 2: words of ones where it is negative, its significand, and its exponent."""
    count, negative, numerator, denominator = separated(number)
    s, exponent = _quotient(numerator, denominator)
    leading_words = Fixed(s[0], s[1])
    inside = fixed(Extended(leading_words, exponent.scaled(1.0, 2.0)))
    square = product(inside, inside)
    rest = product(leading_words, product(square, polynomial(square, economised(_SERIES, _MOST), _MOST, -3)))
    bits = round(_FIRST * 2**96)
    main = wide_product(s, [number.bits.high.graph.constant((bits >> place) & 0xFFFFFFFF) for place in (64, 32, 0)])
    more = rest.high >> 5, (rest.high << 27).joined(rest.low >> 5), rest.low << 27
    low, middle, high = columns_added([[main[2], more[2]], [main[1], more[1]], [main[0], more[0]]])
    exponent = exponent.scaled(1.0, 2.0)
    integral = count.arithmetic("not_equal", 0.0)
    moved = moved_words((high, middle, low), exponent.scaled(-1.0, _BITS) * integral)
    high, middle, low = negated_words(moved, negative)
    high = high.add(count.scaled(2.0 ** (32 - _BITS), dtype=nl.int32))
    below = ones(high.part(1, nl.int16).test("less", 0.0)) & ones(integral.to(nl.uint8))
    below = below | (negative & ones(integral.test("equal", 0.0)))
    words = negated_words((high, middle, low), below)
    shift = leading(words[0], words[1], bits=32).scaled(-1.0, 127.0 + 63.0).arithmetic("minimum", 31.0)
    exponent = (exponent - exponent * integral) + integral.scaled(_BITS)
    return below, _shifted_left(words, shift.scaled(1.0, dtype=nl.uint32)), exponent - shift


def _parity(y: Extended) -> tuple[Word, Word]:
    """Find odd integers, and numbers that are no integers, as float32."""
    count = y.exponent.scaled(1.0, -1.0)
    bits = moved_left(y.bits, count.arithmetic("maximum", 0.0).arithmetic("minimum", 63.0))
    small = count.arithmetic("less", 0.0)
    some = ((bits.high << 1) | bits.low).arithmetic("not_equal", 0.0)
    odd = (bits.high >> 31) * (small.arithmetic("maximum", some)).scaled(-1.0, 1.0)
    return odd, small.arithmetic("maximum", some) * y.bits.high.arithmetic("not_equal", 0.0)


def power(graph: Graph, x_high: Word, x_low: Word, y_high: Word, y_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Take powers; negative numbers have those of integers only, and whatever has exponent 0, or is 1, is 1."""
    (x, x_zero), (y, y_zero) = taken(x_high, x_low), taken(y_high, y_low)
    below, words, exponent = logarithm(x)
    whole = wide_product(words, y.bits)
    words, exponent = normalised_by_one(whole, exponent + y.exponent)
    number = Extended(Fixed(words[0], words[1]), exponent)
    sign = ones(y_high.part(1, nl.int16).test("less", 0.0)) ^ below
    found = combined(series(*binary(number, words[2])), sign)
    odd, between = _parity(y)
    (special, nan), (_, other_nan) = classes(x_high, x_low), classes(y_high, y_low)
    infinite = special.arithmetic("greater_equal", 0.0)
    negative = x_high.part(1, nl.int16).arithmetic("less", 0.0)
    ordinary = x_zero.arithmetic("maximum", infinite).scaled(-1.0, 1.0)
    invalid = ((negative * between) * ordinary).arithmetic("maximum", nan).arithmetic("maximum", other_nan)
    high, low = rounded(found, ones((odd * negative).to(nl.uint8)) & SIGN)
    # Powers of 0 and infinity are 0 and infinity.
    shrinks = y_high.part(1, nl.int16).arithmetic("less", 0.0)
    grows = (infinite - shrinks).arithmetic("not_equal", 0.0).to(nl.uint8)
    extreme = x_zero.arithmetic("maximum", infinite).to(nl.uint8)
    edge = (high & 0).patched(grows, INFINITY) | (high & SIGN)
    high, low = high.patched(extreme, edge), low.patched(extreme, 0)
    high, low = high.patched(invalid.test("greater", 0.0), NAN), low.patched(invalid.test("greater", 0.0), 0)
    one = ((x_high ^ 0x3FF00000) | x_low).arithmetic("equal", 0.0).arithmetic("maximum", y_zero).to(nl.uint8)
    return high.patched(one, 0x3FF00000), low.patched(one, 0)
