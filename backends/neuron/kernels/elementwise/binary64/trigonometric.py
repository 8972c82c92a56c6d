"""
Trigonometric functions of binary64 numbers of any size.

Multiples of a quarter of a turn are taken away by M. H. Payne and R. N. Hanek's method (Radian reduction for trigonometric functions, ACM
SIGNUM Newsletter 18, 1983): of 2 / pi those 224 bits that matter for an exponent are multiplied by the significand, of which products 128
bits of the fraction of a quarter are kept. No binary64 number is nearer to a multiple than 2**-62, so that 64 of them are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from .....isa import nl
from .constants import PI_4, TWO_OVER_PI
from .extended import Extended, chosen, divided, fixed, is_nan, known, multiplied, normalised, rounded, taken
from .fixed_point import Fixed, columns_added, conditionally_negated, economised, full_product, ones, polynomial, product, upper_product
from .frame import SIGN, classes
from .instruction_graph import Graph, Word

__all__ = ["TRIGONOMETRIC", "sine_and_cosine"]

Words = tuple[Word, Word]
_MOST: Final = Fraction(617, 1000)  # of the square of an angle up to pi / 4
_SINE: Final = tuple(Fraction((-1) ** n, math.factorial(2 * n + 1)) for n in range(13))
_COSINE: Final = tuple(Fraction((-1) ** n, math.factorial(2 * n)) for n in range(13))
_WINDOW: Final = 7
"""Words of 2 / pi that matter, the last of them first in its products."""
_STRIDES: Final = (16, 8, 4, 2, 1)


def _window(offset: Word) -> list[Word]:
    """Give words of 2 / pi, the upper one first, from a bit on; each step goes over some words where a bit of their number is set."""
    index = offset >> 5
    words: list[Any] = [*TWO_OVER_PI]
    for stride in _STRIDES:
        needed = _WINDOW + stride
        bit = (index & stride) >> (stride.bit_length() - 1)
        if stride == _STRIDES[0]:
            mask = ones(bit)
            words = [(mask & (words[place] ^ words[place + stride])) ^ words[place] for place in range(needed)]
        else:
            flag = bit.to(nl.uint8)
            words = [words[place].patched(flag, words[place + stride]) for place in range(needed)]
    near = offset & 31
    rest = near ^ 31
    return [(words[place] << near).joined((words[place + 1] >> 1) >> rest) for place in range(_WINDOW)]


def _quarters(number: Extended) -> tuple[Word, list[Word]]:
    """Divide a number from 1/2 up by pi / 2: the quotient modulo 4, and 128 bits of its fraction, the upper ones first."""
    exponent = number.exponent.arithmetic("maximum", 0.0)
    half = exponent.arithmetic("equal", 0.0).scaled(1.0, dtype=nl.uint32)
    high = number.bits.high >> half
    low = (number.bits.low >> half).joined((number.bits.high & half) << 31)
    offset = exponent.arithmetic("maximum", 1.0).arithmetic("minimum", 1024.0).scaled(1.0, -1.0, nl.uint32)
    window = _window(offset)[::-1]
    # The product of the low word by that of place j is at place j and the next one; of the high word one further.
    of_low = {place: full_product(low, window[place]) for place in range(2, 6)}
    of_high = {place: full_product(high, window[place]) for place in range(1, 5)}
    columns = [[of_low[2].low, upper_product(low, window[1]), of_high[1].low, upper_product(high, window[0])]]
    columns += [[of_low[place].low, of_low[place - 1].high, of_high[place - 1].low, of_high[place - 2].high] for place in (3, 4, 5)]
    columns.append([low.mul(window[6]), of_low[5].high, high.mul(window[5]), of_high[4].high])
    sums = columns_added(columns)
    return sums[4], sums[3::-1]


def _reduced(number: Extended) -> tuple[Word, Extended, Word]:
    """
    Take quarters of a turn away.

    Give how many modulo 4, the magnitude of the angle that is left, up to pi / 4, and all ones where that is negative.
    """
    whole, fraction = _quarters(number)
    up = fraction[0] >> 31
    negative = ones(up)
    lower = conditionally_negated(Fixed(fraction[2], fraction[3]), negative)
    # Of 0 the complement carries on.
    carry = (lower.high | lower.low).arithmetic("equal", 0.0).scaled(1.0, dtype=nl.uint32) & up
    upper = _complement(Fixed(fraction[0], fraction[1]), negative, carry)
    words = [upper.high, upper.low, lower.high, lower.low, number.bits.high.graph.constant(0)]
    skipped = None
    for _ in range(2):
        none = words[0].test("equal", 0.0)
        skipped = none.scaled(1.0) if skipped is None else skipped + none
        words = [word.patched(none, following) for word, following in pairwise(words)]
    assert skipped is not None
    place = normalised(Fixed(words[0], words[1]), 0.0)
    rest = place.exponent.scaled(1.0, 31.0).positive()
    bits = Fixed(place.bits.high, place.bits.low | ((words[2] >> 1) >> rest))
    angle = multiplied(Extended(bits, place.exponent - skipped.scaled(32.0)), known(number.bits.high.graph, 2 * PI_4))
    small = number.exponent.test("less", 0.0)
    zero = small.test("equal", 0.0).scaled(-1.0, dtype=nl.int32).view(nl.uint32)
    return whole.add(up) & zero, chosen(small, number, angle), negative & zero


def _complement(number: Fixed, mask: Word, carry: Word) -> Fixed:
    """Complement where a word is all ones, and add a carry."""
    low = (number.low ^ mask).add(carry)
    further = (low.arithmetic("equal", 0.0) * carry).scaled(1.0, dtype=nl.uint32)
    return Fixed((number.high ^ mask).add(further), low)


def sine_and_cosine(angle: Extended) -> tuple[Extended, Extended]:
    """Sum the series of an angle up to pi / 4."""
    inside = fixed(angle)
    square = product(inside, inside)
    sine = multiplied(angle, normalised(polynomial(square, economised(_SINE, _MOST), _MOST, 1), 1.0))
    return sine, normalised(polynomial(square, economised(_COSINE, _MOST), _MOST, 1), 1.0)


def _finished(high: Word, low: Word, found: Extended, sign: Word) -> Words:
    nan = is_nan(high, low) | classes(high, low)[0].test("greater_equal", 0.0)
    return rounded(found, sign & SIGN, nan)


def _turned(quarters: int) -> Callable[[Graph, Word, Word], Words]:
    """Make the sine of an angle and some quarters of a turn."""

    def build(graph: Graph, high: Word, low: Word) -> Words:
        number, _ = taken(high, low)
        count, angle, negative = _reduced(number)
        sine, cosine = sine_and_cosine(angle)
        count = count.add(quarters) if quarters else count
        odd = (count & 1).to(nl.uint8)
        # The sine is odd, in what is left of the angle and, but for the cosine, in the angle.
        sign = (count << 30) ^ (negative & (odd.scaled(1.0, -1.0, nl.int32).view(nl.uint32)))
        if not quarters:
            sign = sign ^ high
        del graph
        return _finished(high, low, chosen(odd, cosine, sine), sign)

    return build


def _tangent(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    number, _ = taken(high, low)
    count, angle, negative = _reduced(number)
    sine, cosine = sine_and_cosine(angle)
    odd = (count & 1).to(nl.uint8)
    found = divided(chosen(odd, cosine, sine), chosen(odd, sine, cosine))
    return _finished(high, low, found, (count << 31) ^ negative ^ high)


TRIGONOMETRIC: Final = {"sin": _turned(0), "cos": _turned(1), "tan": _tangent}
