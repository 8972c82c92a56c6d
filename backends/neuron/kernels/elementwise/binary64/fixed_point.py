"""
Fractions of 64 bits in two words, and polynomials of them.

Products drop what is below the last place, and err by a few units there. A polynomial is evaluated by Horner's scheme from its last term,
in float32 as long as 24 bits of a term suffice, in one word where 32 do, and then in two.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from .....isa import nl
from .conversions import with_carry
from .frame import leading
from .instruction_graph import Graph, Word

__all__ = [
    "Fixed", "Words3", "columns_added", "conditionally_negated", "constant", "difference", "economised", "full_product", "moved_left",
    "moved_right", "moved_words", "multiple", "negated_words", "normalised_bits", "ones", "polynomial", "product", "signed_polynomial",
    "squared", "total", "upper_product",
]  # fmt: skip

_BITS: Final = 66
"""What a polynomial is exact to, beside its first coefficient, in bits."""


Words3 = tuple[Word, Word, Word]
"""Integers of 96 bits, the high word first."""


class Fixed(NamedTuple):
    """
    A fraction, from 0 to 1.

    Attributes
    ----------
    high, low : Word
        Its 64 bits, in uint32.
    """

    high: Word
    low: Word


def constant(graph: Graph, value: Fraction) -> Fixed:
    """Make a fraction that all elements have."""
    bits = round(value * 2**64)
    return Fixed(graph.constant(bits >> 32), graph.constant(bits & 0xFFFFFFFF))


def ones(mask: Word) -> Word:
    """Make words of ones where a mask of bytes is 1, else of zeros."""
    return mask.scaled(-1.0, dtype=nl.int32).view(nl.uint32)


def _upper(word: Word) -> Word:
    return word.high.scaled(1.0, dtype=nl.uint32)


def full_product(a: Word, b: Word) -> Fixed:
    """Multiply words exactly: what is beyond 32 bits follows from float32 products of halves, which err by less than 2**31."""
    low = a.mul(b)
    inner = (a.high * b.low) + (a.low * b.high)
    carry = (((a.low * b.low) - low) + inner.scaled(2.0**16)).scaled(2.0**-32, dtype=nl.uint32)
    return Fixed(_upper(a).mul(_upper(b)).add(carry), low)


def upper_product(a: Word, b: Word) -> Word:
    """Multiply words, and give the upper one of the product, within 2 units."""
    return _upper(a).mul(_upper(b)).add(((a.high * b.low) + (a.low * b.high)).scaled(2.0**-16, dtype=nl.uint32))


def total(a: Fixed, b: Fixed) -> Fixed:
    """Add modulo 1."""
    return Fixed(*with_carry(a, b))


def difference(a: Fixed, b: Fixed) -> Fixed:
    """Subtract modulo 1."""
    low = a.low.sub(b.low)
    return Fixed(a.high.sub(b.high).add(((a.low - b.low) - low).scaled(2.0**-32, dtype=nl.int32)), low)


def columns_added(columns: Sequence[Sequence[Word]]) -> list[Word]:
    """Add up words of several weights, the lowest first, each modulo 2**32, and carry what is beyond to the next."""
    found: list[Word] = []
    carry: Word | None = None
    for column in columns:
        terms = [*column, carry] if carry is not None else column
        exact, estimate = terms[0], terms[0].scaled(1.0)
        for term in terms[1:]:
            exact, estimate = exact.add(term), estimate + term
        found.append(exact)
        carry = (estimate - exact).scaled(2.0**-32, dtype=nl.uint32)
    return found


def product(a: Fixed, b: Fixed) -> Fixed:
    """Multiply, within 5 units."""
    whole = full_product(a.high, b.high)
    crossed = upper_product(a.high, b.low), upper_product(a.low, b.high)
    low = whole.low.add(crossed[0]).add(crossed[1])
    carry = (((crossed[0] + crossed[1]) + whole.low) - low).scaled(2.0**-32, dtype=nl.uint32)
    return Fixed(whole.high.add(carry), low)


def squared(number: Fixed) -> Fixed:
    """Multiply by itself, within 5 units."""
    high = number.high
    low = high.mul(high)
    inner = (high.high * high.low).scaled(2.0**17)
    crossed = upper_product(high, number.low)
    last = low.add(crossed).add(crossed)
    carry = ((((high.low * high.low) - last) + inner) + crossed.scaled(2.0)).scaled(2.0**-32, dtype=nl.uint32)
    upper = _upper(high)
    return Fixed(upper.mul(upper).add(carry), last)


def conditionally_negated(number: Fixed, mask: Word) -> Fixed:
    """Change the sign modulo 1 where a word is all ones, and not where it is 0."""
    one = mask & 1
    low = (number.low ^ mask).add(one)
    carry = (low.arithmetic("equal", 0.0) * one).scaled(1.0, dtype=nl.uint32)
    return Fixed((number.high ^ mask).add(carry), low)


def _split(count: Word) -> tuple[Word, Word, Word]:
    """Split a count of bits, in float32, into whole words, less than 32 bits, and 31 less these; of 64 and more bits, into 63."""
    far = count.test("greater_equal", 32.0)
    near = (count - far.scaled(32.0)).arithmetic("minimum", 31.0, nl.uint32)
    return far, near, near.scaled(-1.0, 31.0, nl.uint32)


def moved_right(number: Fixed, count: Word) -> Fixed:
    """Divide by a power of two, of which the exponent is in float32 and not negative."""
    far, near, rest = _split(count)
    high, low = number.high.patched(far, 0), number.low.patched(far, number.high)
    return Fixed(high >> near, (low >> near).joined((high << 1) << rest))


def moved_words(words: Words3, count: Word) -> Words3:
    """Shift three words to the right by any count in float32."""
    first, second, third = words
    by_one, by_two = count.test("greater_equal", 32.0), count.test("greater_equal", 64.0)
    near = (count - (by_one + by_two).scaled(32.0)).arithmetic("minimum", 31.0, nl.uint32)
    rest = near.scaled(-1.0, 31.0, nl.uint32)
    high, middle = first.patched(by_one, 0), second.patched(by_one, first).patched(by_two, 0)
    low = third.patched(by_one, second).patched(by_two, first)
    return high >> near, ((high << 1) << rest).joined(middle >> near), ((middle << 1) << rest).joined(low >> near)


def negated_words(words: Words3, mask: Word) -> Words3:
    """Change the sign of three words in two's complement where a word is all ones, and not where it is 0."""
    carry, found = mask & 1, []
    for word in reversed(words):
        found.append((word ^ mask).add(carry))
        carry = (found[-1].arithmetic("equal", 0.0) * carry).scaled(1.0, dtype=nl.uint32)
    return found[2], found[1], found[0]


def moved_left(number: Fixed, count: Word) -> Fixed:
    """Multiply by a power of two modulo 1, of which the exponent is in float32, from 0 to 63."""
    far, near, rest = _split(count)
    high, low = number.high.patched(far, number.low), number.low.patched(far, 0)
    return Fixed((high << near).joined((low >> 1) >> rest), low << near)


def normalised_bits(number: Fixed) -> tuple[Fixed, Word]:
    """Shift to the left until the first bit is set, and count the bits, in float32: 63 of 0."""
    count = leading(*number, bits=32).scaled(-1.0, 127.0 + 63.0).arithmetic("minimum", 63.0)
    return moved_left(number, count), count


def multiple(number: Word, value: Fraction) -> tuple[Word, Word, Word]:
    """Multiply an int32 of up to 12 bits by a number up to 1: an integer and its fraction, in two's complement."""
    if value == 1:
        none = number.graph.constant(0)
        return number.view(nl.uint32), none, none
    bits = math.floor(value * 2**96)
    high, low, tail = bits >> 64, (bits >> 32) & 0xFFFFFFFF, (bits & 0xFFFFFFFF) / 2.0**32
    factor = number.view(nl.uint32)
    rest = number.scaled(tail, dtype=nl.int32)
    last = factor.mul(low).add(rest)
    carry = ((number.scaled(float(low)) + rest) - last).scaled(2.0**-32, dtype=nl.int32)
    middle = factor.mul(high).add(carry)
    first = ((number.scaled(float(high)) + carry) - middle).scaled(2.0**-32, dtype=nl.int32)
    return first.view(nl.uint32), middle, last


@functools.cache
def economised(coefficients: tuple[Fraction, ...], most: Fraction) -> tuple[Fraction, ...]:
    """
    Shorten a power series on an interval from 0 by multiples of Chebyshev polynomials.

    After C. Lanczos, "Applied analysis", 1956: each takes the last power away and errs by the same everywhere.
    """
    left, found = Fraction(1, 2**_BITS), list(coefficients)
    while True:
        degree = len(found) - 1
        before, last = [1], [-1, 2]  # shifted Chebyshev polynomials of x
        for _ in range(degree - 1):
            doubled = [2 * number for number in last]
            following = [0, *[2 * number for number in doubled]]
            for place, number in enumerate(doubled):
                following[place] -= number
            for place, number in enumerate(before):
                following[place] -= number
            before, last = last, following
        factor = found[-1] * most**degree / last[-1]
        if abs(factor) > left:
            return tuple(found)
        left -= abs(factor)
        found = [number - factor * term / most**place for place, (number, term) in enumerate(zip(found, last, strict=True))][:-1]


def _scale(value: Fraction) -> int:
    """Find the least power of two beyond a number."""
    return math.frexp(float(value))[1]


def _shifted(word: Word, count: int) -> Fixed:
    """Shift a word to the right, from the upper end of a fraction."""
    none = word.graph.constant(0)
    if count >= 32:
        return Fixed(none, word >> (count - 32) if count > 32 else word)
    return Fixed(word >> count, word << (32 - count)) if count else Fixed(word, none)


def polynomial(x: Fixed, coefficients: Sequence[Fraction], most: Fraction, scale: int) -> Fixed:
    """
    Sum ``coefficients[n] x**n`` over ``2**scale``.

    Each coefficient is larger than what follows it, whose sign it may not have.
    """
    graph = x.high.graph
    sizes = [abs(coefficients[-1])]  # of sums from a coefficient on
    for coefficient in reversed(coefficients[:-1]):
        sizes.insert(0, abs(coefficient) + most * sizes[0])
    exact = sizes[0] / 2**_BITS
    real: Word | None = None
    word: Word | None = None
    found: Fixed | None = None
    small, place = x.high.scaled(2.0**-32), 0
    for number in range(len(coefficients) - 1, -1, -1):
        coefficient, weight = coefficients[number], most**number
        same = number + 1 < len(coefficients) and (coefficient > 0) == (coefficients[number + 1] > 0)
        if found is None and word is None and weight * sizes[number] / 2**24 < exact:
            if real is None:
                real = graph.constant(float(coefficient), nl.float32)
            else:
                real = (small * real) + float(coefficient)
            continue
        if found is None and weight * sizes[number] / 2**30 < exact:
            part = _scale(sizes[number] * Fraction(17, 16))
            bits = graph.constant(round(abs(coefficient) * Fraction(2) ** (32 - part)))
            if word is None and real is None:
                word = bits
            else:
                if word is None:
                    assert real is not None
                    added = (small * real).scaled((1.0 if coefficients[number + 1] > 0 else -1.0) * 2.0 ** (32 - part), dtype=nl.uint32)
                else:
                    added = upper_product(word, x.high) >> (part - place) if part > place else upper_product(word, x.high)
                word = bits.add(added) if same else bits.sub(added)
            place = part
            continue
        if found is None:
            if word is None and real is not None:
                place = _scale(sizes[number + 1] * Fraction(17, 16))
                word = real.scaled((1.0 if coefficients[number + 1] > 0 else -1.0) * 2.0 ** (32 - place), dtype=nl.uint32)
            if word is not None:
                found = _shifted(word, scale - place)
        bits64 = constant(graph, abs(coefficient) / Fraction(2) ** scale)
        if found is None:
            found = bits64
        else:
            found = (total if same else difference)(bits64, product(found, x))
    assert found is not None
    return found


def signed_polynomial(x: Fixed, coefficients: Sequence[int], place: int, scale: int) -> Fixed:
    """
    Sum ``coefficients[n] x**n`` over ``2**(place + scale)``, and add 1/2.

    So no sum is negative, if all are below 1/2 in magnitude; the half is made up for in each step.
    """
    graph = x.high.graph
    half = Fixed(~x.high >> 1, (~x.low >> 1).joined(~x.high << 31))  # of 1 - x
    found: Fixed | None = None
    for coefficient in reversed(coefficients):
        bits = (round(Fraction(coefficient, 2 ** (place + scale - 64))) + (0 if found else 1 << 63)) & (2**64 - 1)
        own = Fixed(graph.constant(bits >> 32), graph.constant(bits & 0xFFFFFFFF))
        if found is None:
            found = own
        else:
            more = product(found, x)
            low, high = columns_added([[more.low, half.low, own.low], [more.high, half.high, own.high]])
            found = Fixed(high, low)
    assert found is not None
    return found
