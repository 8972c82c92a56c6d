"""
Logarithms of numbers near 1 and inverse hyperbolic functions of binary64 numbers.

A number is ``2**k m`` with m from the root of 1/2 to that of 2, and ``log(m)`` is ``2 artanh((m - 1) / (m + 1))``, a series in the square
of the quotient. Where k is 0, numerator and denominator may be given, so that no bits are lost near 1. After W. J. Cody, W. Waite,
"Software manual for the elementary functions", 1980.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from .....isa import nl
from .constants import LN2
from .extended import Extended, chosen, divided, fixed, known, minus, multiplied, normalised, plus, root, sum_with, taken
from .fixed_point import Fixed, conditionally_negated, economised, moved_right, ones, polynomial, product, total
from .frame import INFINITY, MAGNITUDE, NAN, SIGN, classes
from .instruction_graph import Graph, Word

__all__ = ["LOGARITHMS", "separated"]

Words = tuple[Word, Word]
_MOST: Final = Fraction(3, 100)  # of the square of the quotient
_SERIES: Final = tuple(Fraction(1, 2 * n + 1) for n in range(16))
_ROOT: Final = float(0xB504F334)  # of 1/2, in the high word


class Quotient(NamedTuple):
    """A quotient of which the inverse hyperbolic tangent is half a logarithm."""

    numerator: Extended
    denominator: Extended


def separated(number: Extended) -> tuple[Word, Word, Extended, Extended]:
    """Give k, words of ones where m is below 1, and the magnitude of m - 1, and m + 1."""
    below = number.bits.high.test("less", _ROOT)
    high, low = number.bits
    doubled = Fixed((high << 1).joined(low >> 31), low << 1)
    above = (below ^ 1).scaled(1.0, dtype=nl.uint8)
    wide = conditionally_negated(Fixed(high, low), ones(above))
    numerator = normalised(Fixed(wide.high.patched(below, doubled.high), wide.low.patched(below, doubled.low)), 0.0)
    less = Fixed(high >> 2, (low >> 2).joined(high << 30))
    quarter = Fixed(less.high.patched(below, high >> 1), less.low.patched(below, (low >> 1).joined(high << 31)))
    denominator = normalised(Fixed(quarter.high.add(SIGN >> 1), quarter.low), 2.0)
    count = number.exponent - below
    return count, ones(above), numerator, denominator


def _logarithm(graph: Graph, number: Extended, near: Quotient, negative: Word | None = None, halved: bool = False) -> Words:
    """
    Take a logarithm.

    `near` is used where k is 0, and its sign there is that of `negative`, which is all ones or 0; without that the quotient is positive.
    The logarithm is multiplied by 1/2 if it is `halved`.
    """
    count, sign, numerator, denominator = separated(number)
    none = count.test("equal", 0.0)
    numerator, denominator = chosen(none, near.numerator, numerator), chosen(none, near.denominator, denominator)
    sign = sign.patched(none, graph.constant(0) if negative is None else negative)
    s = divided(numerator, denominator)
    inside = fixed(s)
    sums = polynomial(product(inside, inside), economised(_SERIES, _MOST), _MOST, 1)
    part = multiplied(s, normalised(sums, 1.0 if halved else 2.0))
    return sum_with(graph, count.scaled(1.0, dtype=nl.int32), LN2 / 2 if halved else LN2, part, sign)


def _log1p(graph: Graph, high: Word, low: Word) -> Words:
    number, zero = taken(high, low)
    sign = ones(high.part(1, nl.int16).test("less", 0.0))
    exponent = number.exponent.arithmetic("maximum", 0.0).scaled(1.0, 1.0)
    first = moved_right(Fixed(graph.constant(SIGN), graph.constant(0)), exponent.scaled(1.0, -1.0))
    added = conditionally_negated(moved_right(number.bits, exponent - number.exponent), sign)
    above = normalised(total(first, added), exponent)
    shifted = conditionally_negated(moved_right(number.bits, number.exponent.positive(-1.0, 2.0, nl.float32)), sign)
    denominator = normalised(total(Fixed(graph.constant(SIGN), graph.constant(0)), shifted), 2.0)
    found = _logarithm(graph, above, Quotient(number, denominator), sign)
    special, nan = classes(high, low)
    same = special.arithmetic("greater_equal", 0.0).arithmetic("maximum", zero).to(nl.uint8)
    top, bottom = found[0].patched(same, high), found[1].patched(same, low)
    # -1 gives -infinity, and numbers below NaN.
    order = high.sub(0xBFF00000, nl.int32).scaled(2.0) + low.sign(dtype=nl.float32)
    negative = high.part(1, nl.int16).arithmetic("less", 0.0)
    invalid = (order.arithmetic("greater", 0.0) * negative).arithmetic("maximum", nan).test("greater", 0.0)
    minus_one = (order.arithmetic("equal", 0.0) * negative).to(nl.uint8)
    top, bottom = top.patched(invalid, NAN).patched(minus_one, INFINITY | SIGN), bottom.patched(invalid, 0).patched(minus_one, 0)
    return top, bottom


def _signed(found: Words, high: Word, low: Word, same: Word) -> Words:
    """Give the result of a magnitude the sign of the operand, or the operand where a mask is 1."""
    return (found[0] | (high & SIGN)).patched(same, high), found[1].patched(same, low)


def _arcsinh(graph: Graph, high: Word, low: Word) -> Words:
    """Take ``log(x + sqrt(1 + x**2))``, or ``2 artanh(x / (1 + sqrt(1 + x**2)))``."""
    number, zero = taken(high, low)
    one = known(graph, Fraction(1))
    hypotenuse = root(plus(multiplied(number, number), one))
    found = _logarithm(graph, plus(number, hypotenuse), Quotient(number, plus(hypotenuse, one)))
    same = classes(high, low)[0].arithmetic("greater_equal", 0.0).arithmetic("maximum", zero).to(nl.uint8)
    return _signed(found, high, low, same)


def _arccosh(graph: Graph, high: Word, low: Word) -> Words:
    """Take ``log(x + sqrt(x**2 - 1))``, or ``2 artanh(sqrt((x - 1) (x + 1)) / (x + 1))``."""
    number, _ = taken(high, low)
    one = known(graph, Fraction(1))
    above = plus(number, one)
    leg = root(multiplied(minus(number, one), above))
    found = _logarithm(graph, plus(number, leg), Quotient(leg, above))
    special, nan = classes(high, low)
    same = special.test("greater_equal", 0.0)
    below = high.sub(0x3FF00000, nl.int32).arithmetic("less", 0.0).arithmetic("maximum", high.part(1, nl.int16).arithmetic("less", 0.0))
    invalid = nan.arithmetic("maximum", below).test("greater", 0.0)
    return found[0].patched(same, high).patched(invalid, NAN), found[1].patched(same, low).patched(invalid, 0)


def _arctanh(graph: Graph, high: Word, low: Word) -> Words:
    """Take half the logarithm of ``(1 + x) / (1 - x)``, or ``artanh(x)``."""
    number, zero = taken(high, low)
    one = known(graph, Fraction(1))
    ratio = divided(plus(one, number), minus(one, number))
    found = _logarithm(graph, ratio, Quotient(number, one), halved=True)
    order = (high & MAGNITUDE).sub(0x3FF00000, nl.int32).scaled(2.0) + low.sign(dtype=nl.float32)
    found = _signed(found, high, low, zero.to(nl.uint8))
    edge = order.test("equal", 0.0)
    invalid = order.test("greater", 0.0)
    return found[0].patched(edge, (high & SIGN) | INFINITY).patched(invalid, NAN), found[1].patched(edge, 0).patched(invalid, 0)


LOGARITHMS: Final = {
    "log1p": _log1p,
    "arcsinh": _arcsinh,
    "arccosh": _arccosh,
    "arctanh": _arctanh,
}
