"""
Trigonometric functions of binary64 numbers of any size.

Quarters of a turn are taken away by M. H. Payne and R. N. Hanek's method (Radian reduction for trigonometric functions, ACM SIGNUM
Newsletter 18, 1983): a table has those 224 bits of 2 / pi that matter for an exponent, which are multiplied by the significand; 128 bits of
the fraction of a quarter are kept. No binary64 number is nearer to a multiple than 2**-62, so that 64 of them are left. Sine and cosine of
the fraction f are polynomials of its square, from a table. Numbers below 2**-27 are their own sines and tangents.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .....isa import nl
from ....function import Table
from .constants import PI_4, TWO_OVER_PI, TWO_OVER_PI_BITS
from .extended import Extended, chosen, divided, fixed, multiplied, rounded
from .fixed_point import Fixed, difference, ones, product, squared, upper_product
from .frame import INFINITY, MAGNITUDE, NAN, SIGN, UNIT, leading, significand
from .instruction_graph import Graph, Word

__all__ = ["PAYNE_HANEK_TABLE", "SINE_TABLE", "TRIGONOMETRIC", "sine_and_cosine"]

Words = tuple[Word, Word]
_WINDOW: Final = 7
"""Words of 2 / pi that matter, the last of them first in its products."""
_SMALLEST: Final = -27.0  # exponents
_LARGEST: Final = 1024.0


def _windows() -> NDArray[np.uint32]:
    """Give words of 2 / pi from each bit on, the lowest ones first."""
    rows = [TWO_OVER_PI << first >> (TWO_OVER_PI_BITS - 32 * _WINDOW) for first in range(PAYNE_HANEK_TABLE.rows)]
    return np.array([[row >> 32 * place & 0xFFFFFFFF for row in rows] for place in range(_WINDOW)], np.uint32).ravel()


PAYNE_HANEK_TABLE: Final = Table(int(_LARGEST - _SMALLEST) + 1, _WINDOW, _windows)


def _quarters(high: Word, low: Word) -> tuple[Word, list[Word]]:
    """
    Divide a magnitude by pi / 2: the quotient modulo 4, and 128 bits of its fraction, the upper ones first.

    Its significand has parts of 21, 16 and 16 bits, so that a column of products modulo 2**32 is exact, and an estimate in float32 tells
    what is beyond that.
    """
    number = significand(high, low)
    first = number.exponent.scaled(1 / UNIT, -1021.0 - _SMALLEST)
    row = first.twice("maximum", 0.0, "minimum", _LARGEST - _SMALLEST, nl.uint32)
    window = [row.gathered(PAYNE_HANEK_TABLE, place) for place in range(_WINDOW)]
    above = low.high.scaled(1.0, dtype=nl.uint32)
    carry: Word | None = None
    found = []
    for place in range(1, _WINDOW):
        this, before = window[place], window[place - 1]
        shifted = this.low.fused(2.0**16, before.high)  # the word 16 bits further on, about
        estimate = ((low.high * shifted) + (low.low * this)) + (number.high * before)
        if carry is not None:
            across = above.mul(before.high.scaled(1.0, dtype=nl.uint32))
            exact = number.high.mul(before).add(low.mul(this)).add(across).add(carry.view(nl.uint32))
            found.append(exact)
            estimate = (estimate - exact) + carry
        if place < _WINDOW - 1:
            carry = estimate.scaled(2.0**-32, dtype=nl.uint32)
    return found[-1], found[-2::-1]


def _reduced(high: Word, low: Word) -> tuple[Word, Fixed, Extended, Word]:
    """
    Take quarters of a turn away from a magnitude.

    Give how many modulo 4, the magnitude of the fraction that is left, up to 1/2, the same number normalised, and all ones where it is
    negative, of which the complement is off by 2**-128.
    """
    whole, words = _quarters(high, low)
    up = words[0] >> 31
    negative = ones(up)
    first, second, third, fourth = (word ^ negative for word in words)
    none = first.test("equal", 0.0)
    upper, middle, lower = first.patched(none, second), second.patched(none, third), third.patched(none, fourth)
    place = leading(upper, bits=32)  # of the first bit, plus 127
    left, right = place.positive(-1.0, 158.0), place.positive(1.0, -127.0)
    bits = Fixed((upper << left).joined((middle >> 1) >> right), (middle << left).joined((lower >> 1) >> right))
    exponent = none.fused(-32.0, left.scaled(-1.0))
    return whole.add(up), Fixed(first, second), Extended(bits, exponent), negative


def _pieces() -> NDArray[np.uint32]:
    """
    Give polynomials of ``sin(f pi / 2) / 2 f`` and of ``cos(f pi / 2)`` in ``f**2``, from each multiple of 2**-12 on.

    Of four terms of a Taylor series: the fifth one is what a Chebyshev polynomial leaves of it, after C. Lanczos, "Applied analysis", 1956.
    """
    bits = 112
    pi_4 = round(PI_4 * 2**bits)
    ratio = 4 * pi_4 * pi_4 >> bits  # the square of pi / 2
    columns: list[list[int]] = [[] for _ in range(SINE_TABLE.columns)]
    for row in range(SINE_TABLE.rows):
        odd = row < _PIECES
        powers = [pi_4 if odd else 1 << bits]  # times f to a power
        scales = [1 << bits]
        for _ in range(_TERMS):
            powers.append((powers[-1] * ratio >> bits) * (row % _PIECES) >> _STEP_BITS)
            scales.append(scales[-1] * ratio >> bits)
        factorial = [math.factorial(2 * n + odd) for n in range(_TERMS)]
        terms = [
            sum((-1) ** n * math.comb(n, k) * (powers[n - k] * scales[k] >> bits) // factorial[n] for n in range(k, _TERMS))
            for k in range(5)
        ]
        last = terms[4] >> 2 * _STEP_BITS
        terms[3] += 2 * last << _STEP_BITS
        terms[2] -= 5 * last >> 2
        terms[1] += last >> 2 + _STEP_BITS
        first = min(terms[0] + (1 << (bits - 65)) >> (bits - 64), 2**64 - 1)
        second = -terms[1] >> (bits - 64 + _SLOPE_BITS)
        columns[0].append(first >> 32)
        columns[1].append(first & 0xFFFFFFFF)
        columns[2].append(second >> 32)
        columns[3].append(second & 0xFFFFFFFF)
        columns[4].append(terms[2] >> (bits - 32 - _CURVE_BITS))
        columns[5].append(int(np.float32(-terms[3] / 2.0**bits).view(np.uint32)))
    return np.array(columns, np.uint32).ravel()


_STEP_BITS: Final = 12
_PIECES: Final = (1 << (_STEP_BITS - 2)) + 1  # of squares up to 1/4
_TERMS: Final = 14
_SLOPE_BITS: Final = 1  # by which the second coefficient, up to 1.24, is smaller in its table
_CURVE_BITS: Final = 1  # by which the third one, up to 0.26, is larger
SINE_TABLE: Final = Table(2 * _PIECES, 6, _pieces)


def _evaluated(square: Fixed, cosine: Word | None) -> Extended:
    """Give ``sin(f pi / 2) / f`` of a square, or the cosine where a word is 1."""
    row = square.high >> (32 - _STEP_BITS)
    if cosine is not None:
        row = cosine.fused(_PIECES, row, nl.uint32)
    first, second = (Fixed(row.gathered(SINE_TABLE, place), row.gathered(SINE_TABLE, place + 1)) for place in (0, 2))
    rest = Fixed((square.high << _STEP_BITS).joined(square.low >> (32 - _STEP_BITS)), square.low << _STEP_BITS)
    bent = rest.high * row.gathered(SINE_TABLE, 5, nl.float32)
    third = row.gathered(SINE_TABLE, 4).sub(bent.scaled(2.0 ** (_CURVE_BITS - _STEP_BITS), dtype=nl.uint32))
    curve, shift = upper_product(rest.high, third), _STEP_BITS + _CURVE_BITS + _SLOPE_BITS
    slope = difference(second, Fixed(curve >> shift, curve << (32 - shift)))
    less, shift = product(rest, slope), _STEP_BITS - _SLOPE_BITS
    less = Fixed(less.high >> shift, (less.low >> shift).joined(less.high << (32 - shift)))
    exponent = square.high.graph.constant(1.0, nl.float32) if cosine is None else cosine.scaled(-1.0, 1.0)
    return Extended(difference(first, less), exponent)


def sine_and_cosine(quarters: Extended) -> tuple[Extended, Extended]:
    """Compute both of an angle up to half of a quarter of a turn."""
    square = squared(fixed(quarters))
    return multiplied(quarters, _evaluated(square, None)), _evaluated(square, square.high.graph.constant(1))


def _finished(found: Extended, sign: Word) -> Words:
    """Round a number from 1/4 to 1 times a power of two, which is not subnormal."""
    high, low = found.bits
    more = high >> 31
    half, right, across = more.scaled(512.0, 512.0, nl.uint32), more.scaled(1.0, 10.0, nl.uint32), more.scaled(-1.0, 22.0, nl.uint32)
    last = low.add(half)
    upper = high.add(((low + half) - last).scaled(2.0**-32, dtype=nl.uint32))
    over = (upper >> 30).positive(-(2.0**21), 2.0**21)  # where all bits were set, and none is now
    field = (found.exponent + more).scaled(UNIT, 1020.0 * UNIT, nl.uint32)
    return (upper >> right).add(field).add(over).joined(sign), (upper << across).joined(last >> right)


def _with_ends(found: Words, high: Word, low: Word, own: bool) -> Words:
    """Give NaN of infinities and NaN, and, if so, small numbers themselves."""
    size = high & MAGNITUDE
    beyond = size.high.test("greater_equal", float(INFINITY >> 16))
    top, bottom = found[0].patched(beyond, NAN), found[1]
    if not own:
        return top, bottom
    small = size.high.test("less", (1022.0 + _SMALLEST) * 2.0**4)
    return top.patched(small, high), bottom.patched(small, low)


def _turned(quarters: int) -> Callable[[Graph, Word, Word], Words]:
    """Make the sine of an angle and some quarters of a turn."""

    def build(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
        count, rest, number, negative = _reduced(high, low)
        count = count.add(quarters) if quarters else count
        odd = count & 1
        value, mask = _evaluated(squared(rest), odd), ones(odd)
        bits = product(Fixed(number.bits.high | mask, number.bits.low | mask), value.bits)
        exponent = (number.exponent * odd.scaled(-1.0, 1.0)) + value.exponent
        # The sine is odd, in what is left of the angle and, but for the cosine, in the angle.
        sign = (count << 30) ^ (negative & ~mask)
        sign = (sign if quarters else sign ^ high) & SIGN
        return _with_ends(_finished(Extended(bits, exponent), sign), high, low, not quarters)

    return build


def _tangent(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    count, _, number, negative = _reduced(high, low)
    sine, cosine = sine_and_cosine(number)
    odd = (count & 1).to(nl.uint8)
    found = divided(chosen(odd, cosine, sine), chosen(odd, sine, cosine))
    return _with_ends(rounded(found, ((count << 31) ^ negative ^ high) & SIGN), high, low, True)


TRIGONOMETRIC: Final = {"sin": _turned(0), "cos": _turned(1), "tan": _tangent}
