"""
Hyperbolic functions of binary64 numbers, and what others make of exponentials.

``exp(abs(x))`` is ``2**k exp(r)`` with r up to ln(2) / 2, and ``exp(r)`` is ``cosh(r) + sinh(r)``, of which both are series in ``r**2``;
``exp(-r)`` needs no more. After W. J. Cody, W. Waite, "Software manual for the elementary functions", 1980, in fixed point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple

from .....isa import nl
from .constants import LN2
from .extended import Extended, chosen, divided, even, is_nan, multiplied, normalised, odd, rounded, taken
from .fixed_point import Fixed, conditionally_negated, constant, difference, economised, moved_right, ones, polynomial, product, total
from .frame import SIGN
from .instruction_graph import Graph, Word

__all__ = ["EXPONENTIALS", "Parts", "binary", "combined", "parts", "series"]

Words = tuple[Word, Word]
_BEYOND: Final = 12.0  # numbers of this exponent have exponentials beyond the range
_MOST: Final = Fraction(1, 8)  # of r**2
_SINH: Final = tuple(Fraction(1, math.factorial(2 * n + 1)) for n in range(10))
_COSH: Final = tuple(Fraction(1, math.factorial(2 * n + 2)) for n in range(9))


class Parts(NamedTuple):
    """
    What exponentials are made of.

    Attributes
    ----------
    power : Word
        k, an int32.
    plus, minus : Fixed
        ``exp(r) / 2`` and ``exp(-r) / 2``.
    slope : Fixed
        ``sinh(r) / (2 r)``.
    curve : Fixed
        ``(cosh(r) - 1) / r**2``.
    rest : Fixed
        The magnitude of r.
    negative : Word
        All ones where r is negative.
    """

    power: Word
    plus: Fixed
    minus: Fixed
    slope: Fixed
    curve: Fixed
    rest: Fixed
    negative: Word


def _in_fixed_point(number: Extended, below: Word | None = None) -> tuple[Word, Fixed]:
    """
    Give the integer and the fraction of a number below 2**12, or of one below that with the same significand.

    Its significand may go on in a further word.
    """
    exponent = number.exponent.arithmetic("minimum", _BEYOND)
    right = moved_right(number.bits, exponent.positive(-1.0, 0.0, nl.float32))
    left = exponent.positive()
    rest = left.scaled(-1.0, 31.0, nl.uint32)
    whole = (right.high >> 1) >> rest
    low = right.low << left if below is None else (right.low << left) | ((below >> 1) >> rest)
    return whole, Fixed((right.high << left).joined((right.low >> 1) >> rest), low)


def _natural(number: Extended) -> tuple[Word, Fixed, Word]:
    """Take multiples of ln(2) away, and give their number, what is left, and all ones where that is negative."""
    whole, fraction = _in_fixed_point(number)
    size = whole.scaled(1.0) + fraction.high.scaled(2.0**-32)
    power = size.scaled(1 / math.log(2), dtype=nl.int32)
    bits = math.floor(LN2 * 2**64)
    high, low, tail = bits >> 32, bits & 0xFFFFFFFF, float(LN2 * 2**64 - bits)
    factor, extra = power.view(nl.uint32), power.scaled(tail, dtype=nl.uint32)
    last = fraction.low.sub(factor.mul(low)).sub(extra)
    carry = (((fraction.low - power.scaled(float(low))) - extra) - last).scaled(2.0**-32, dtype=nl.int32)
    rest = Fixed(fraction.high.sub(factor.mul(high)).add(carry), last)
    negative = ones(rest.high.part(1, nl.int16).test("less", 0.0))
    return power, conditionally_negated(rest, negative), negative


def binary(number: Extended, below: Word | None = None) -> tuple[Word, Fixed, Word]:
    """Do so with the integer next to a number, whose fraction is multiplied by ln(2)."""
    whole, fraction = _in_fixed_point(number, below)
    up = fraction.high >> 31
    negative = ones(up)
    rest = product(conditionally_negated(fraction, negative), constant(number.bits.high.graph, LN2))
    return whole.scaled(1.0, dtype=nl.int32).add(up, nl.int32), rest, negative


def parts(number: Extended, reduction: Callable[[Extended], tuple[Word, Fixed, Word]] = _natural) -> Parts:
    """Compute what exponentials of a magnitude are made of."""
    power, rest, negative = reduction(number)
    return series(power, rest, negative)


def series(power: Word, rest: Fixed, negative: Word) -> Parts:
    """Sum the series."""
    square = product(rest, rest)
    slope = polynomial(square, economised(_SINH, _MOST), _MOST, 1)
    curve = polynomial(square, economised(_COSH, _MOST), _MOST, 0)
    sinh = product(rest, slope)
    cosh = product(square, curve)
    half = Fixed((cosh.high >> 1) | SIGN, (cosh.low >> 1).joined(cosh.high << 31))
    signed = conditionally_negated(sinh, negative)
    return Parts(power, total(half, signed), difference(half, signed), slope, curve, rest, negative)


def _negative(high: Word) -> Word:
    """Make words of ones of negative numbers."""
    return ones(high.part(1, nl.int16).test("less", 0.0))


def combined(of: Parts, negative: Word) -> Extended:
    """Give the exponential, or its reciprocal where a word is all ones."""
    away = negative.part(1, nl.int16).scaled(2.0, 1.0)  # -1 or 1
    mask = (negative >> 31).to(nl.uint8)
    bits = Fixed(*(one.patched(mask, other) for one, other in zip(of.plus, of.minus, strict=True)))
    return normalised(bits, (of.power * away).scaled(1.0, 1.0))


def _expm1(graph: Graph, high: Word, low: Word) -> Words:
    """
    Take ``2**k exp(r) - 1`` with the smaller one shifted to the exponent of the larger one.

    Where k is 0 it is x times ``sinh(r) / r + r (cosh(r) - 1) / r**2``.
    """
    number, _ = taken(high, low)
    of, sign = parts(number), _negative(high)
    inverse = (sign >> 31).to(nl.uint8)
    bent = product(of.rest, of.curve)
    half = conditionally_negated(Fixed(bent.high >> 1, (bent.low >> 1).joined(bent.high << 31)), sign)
    near = multiplied(number, normalised(total(of.slope, half), 1.0))
    bits = Fixed(*(one.patched(inverse, other) for one, other in zip(of.plus, of.minus, strict=True)))
    away = sign.part(1, nl.int16).scaled(2.0, 1.0)
    power = of.power * away
    left, right = power.positive(dtype=nl.float32), power.positive(-1.0, 0.0, nl.float32)
    one = moved_right(Fixed(graph.constant(SIGN), graph.constant(0)), left.arithmetic("minimum", 90.0))
    apart = conditionally_negated(difference(moved_right(bits, right), one), sign)
    far = normalised(apart, left.scaled(1.0, 1.0))
    found = chosen(of.power.test("equal", 0.0), near, far)
    return rounded(found, high & SIGN, is_nan(high, low))


def _both(number: Extended) -> tuple[Extended, Extended]:
    """Give the hyperbolic sine and cosine of a magnitude."""
    of = parts(number)
    power = of.power.to(nl.float32)
    apart = moved_right(of.minus, power.scaled(2.0, 1.0))
    upper = Fixed(of.plus.high >> 1, (of.plus.low >> 1).joined(of.plus.high << 31))
    exponent = power.scaled(1.0, 1.0)
    far = normalised(difference(upper, apart), exponent)
    near = multiplied(number, normalised(of.slope, 1.0))
    return chosen(of.power.test("equal", 0.0), near, far), normalised(total(upper, apart), exponent)


def _sinh(number: Extended) -> Extended:
    return _both(number)[0]


def _cosh(number: Extended) -> Extended:
    return _both(number)[1]


def _tanh(number: Extended) -> Extended:
    return divided(*_both(number))


def _expit(graph: Graph, high: Word, low: Word) -> Words:
    """Take ``1 / (1 + u)``, or ``u / (1 + u)`` of negative numbers, with ``u = exp(-abs(x))``."""
    number, _ = taken(high, low)
    of = parts(number)
    power = of.power.to(nl.float32)
    shifted = moved_right(of.minus, power.scaled(1.0, 1.0))
    below = normalised(total(shifted, Fixed(graph.constant(SIGN >> 1), graph.constant(0))), 2.0)
    small = normalised(of.minus, power.scaled(-1.0, 1.0))
    negative = high.part(1, nl.int16).test("less", 0.0)
    bits = Fixed(small.bits.high.patched(negative, SIGN, reverse=True), small.bits.low.patched(negative, 0, reverse=True))
    exponent = (small.exponent.scaled(1.0, -1.0) * high.part(1, nl.int16).arithmetic("less", 0.0)).scaled(1.0, 1.0)
    return rounded(divided(Extended(bits, exponent), below), graph.constant(0), is_nan(high, low))


EXPONENTIALS: Final = {
    "expm1": _expm1,
    "sinh": odd(_sinh),
    "cosh": even(_cosh),
    "tanh": odd(_tanh),
    "expit": _expit,
}
