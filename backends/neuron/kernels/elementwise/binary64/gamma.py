"""
The gamma function of binary64 numbers, and its logarithm next to 2.

From 8 on it is Stirling's formula, ``sqrt(2 pi) x**(x - 1/2) exp(-x)`` times a polynomial in 1 / x, with the exponent to base 2 in 96 bits,
as in `powers`; below, that of x + 8 over a product of eight factors. Negative numbers are reflected: ``gamma(-x)`` is
``-pi / (x sin(pi x) gamma(x))``. After J. Stirling, "Methodus differentialis", 1730.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from .....isa import nl
from .constants import LOG2_E, PI_4
from .exponentials import binary, series
from .extended import Extended, chosen, divided, fixed, known, minus, multiplied, normalised, plus, rounded, taken
from .fixed_point import (
    Fixed,
    Words3,
    columns_added,
    conditionally_negated,
    moved_left,
    moved_right,
    moved_words,
    negated_words,
    ones,
    signed_polynomial,
    total,
)  # fmt: skip
from .frame import INFINITY, NAN, SIGN, classes
from .instruction_graph import Graph, Word
from .powers import logarithm, wide_product
from .trigonometric import sine_and_cosine

__all__ = ["gamma", "log_gamma_slope", "scaled_gamma"]

_COEFFICIENTS: Final = (
    4722366482869645213696, 49191317529892137660, 256204778801520856, -24730877953749679, -264563311441804, 112991959078018, 1256118490870,
    -1333480682603, -14430952075, 29275944808, 680398168, -1387271571, 180157744,
)  # fmt: skip
"""Of gamma over Stirling's formula by powers of 8 / x, times 2**72: interpolated at Chebyshev's nodes, within 2**-66."""
_SLOPES: Final = (
    1140755981469357349433, 1936873902784284137997, -540730774396412896066, 223165615822785090896, -108189124209686422410,
    57066433783227867451, -31651158024409105641, 18135869287719781216, -10628194936986922065, 6331100164845847148,
    -3817795498176707829, 2322535272407068189, -1418518458275298723, 861312871330872071, -509801565301609696,
    284667755999191189, -143352879790854621, 61653856696897366, -21243967972811370, 5401585784965973, -889844034894812,
    70663476502052,
)  # fmt: skip
"""Of ``log(gamma(3/2 + t)) / (t - 1/2)`` by powers of t, times 2**72: interpolated at Chebyshev's nodes, within 2**-66."""
_ROOT: Final = Fraction(math.isqrt(round(PI_4 * 8 * 2**258)), 2**129)  # of 2 pi
_BITS: Final = 12.0  # of an integer part
_MOST: Final = 8.0  # numbers beyond this exponent are beyond the range


def _difference(a: Words3, b: Words3) -> Words3:
    """Subtract modulo 2**96."""
    opposite = negated_words(b, ones((a[0] & 0 | 1).to(nl.uint8)))
    low, middle, high = columns_added([[a[2], opposite[2]], [a[1], opposite[1]], [a[0], opposite[0]]])
    return high, middle, low


def _over_stirling(x: Extended) -> Extended:
    """Give what Stirling's formula lacks for a number from 8 up, as a factor."""
    inverse = divided(known(x.bits.high.graph, Fraction(4)), x)  # half of 8 / x
    inside = moved_right(inverse.bits, inverse.exponent.scaled(-1.0, 0.0))
    half = signed_polynomial(inside, [coefficient << place for place, coefficient in enumerate(_COEFFICIENTS)], 72, 2)
    return normalised(Fixed(half.high ^ SIGN, half.low), 2.0)


def _stirling(x: Extended, rest: Extended) -> Extended:
    """Take gamma of a number from 8 up."""
    graph = x.bits.high.graph
    _, words, exponent = logarithm(x)
    less = minus(x, known(graph, Fraction(1, 2)))
    grown = moved_words(wide_product(words, less.bits), (exponent + less.exponent).scaled(-1.0, _BITS))
    bits = round(LOG2_E * 2**95)
    factor: Words3 = (graph.constant(bits >> 64), graph.constant((bits >> 32) & 0xFFFFFFFF), graph.constant(bits & 0xFFFFFFFF))
    none = x.bits.low.sub(x.bits.low)
    decayed = moved_words(wide_product((x.bits.high, x.bits.low, none), factor), x.exponent.scaled(-1.0, _BITS - 1.0))
    left = _difference(grown, decayed)
    of = series(*binary(Extended(Fixed(left[0], left[1]), x.exponent.scaled(0.0, _BITS)), left[2]))
    power = normalised(of.plus, of.power.scaled(1.0, 1.0))
    return multiplied(multiplied(power, rest), known(graph, _ROOT))


def _product(x: Extended) -> Extended:
    """Multiply eight numbers from x on: ``q (q + 6) (q + 10) (q + 12)``, with q their first times the last."""
    graph = x.bits.high.graph
    q = multiplied(x, plus(x, known(graph, Fraction(7))))
    found = q
    for apart in (6, 10, 12):
        found = multiplied(found, plus(q, known(graph, Fraction(apart))))
    return found


def _positive(x: Extended) -> Extended:
    graph = x.bits.high.graph
    beyond = x.exponent.arithmetic("greater", _MOST).scaled(8192.0)
    x = x._replace(exponent=x.exponent.arithmetic("minimum", _MOST))
    eight = known(graph, Fraction(8))
    small = x.exponent.test("less", 4.0)
    moved = chosen(small, plus(x, eight), x)
    found = _stirling(moved, _over_stirling(moved))
    near = x._replace(exponent=x.exponent.arithmetic("minimum", 3.0))
    return chosen(small, divided(found, _product(near)), found._replace(exponent=found.exponent + beyond))


def gamma(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:
    """Take gamma: an infinity of the zero's sign at 0, NaN at negative integers."""
    x, zero = taken(high, low)
    found = _positive(x)
    # What x has beyond an integer, of numbers from 1 up; exact.
    count = x.exponent.arithmetic("maximum", 0.0).arithmetic("minimum", 63.0)
    fraction = moved_left(x.bits, count)
    whole = moved_left(x.bits, count.scaled(1.0, -1.0).arithmetic("maximum", 0.0))
    odd = (whole.high >> 31) & x.exponent.test("greater", 0.0).scaled(1.0, dtype=nl.uint32)
    up = ones(fraction.high >> 31)
    near = normalised(conditionally_negated(fraction, up), 0.0)
    near = chosen(x.exponent.test("less", 0.0), x, near)
    steep = near.exponent.test("greater", -2.0)
    quarter = minus(known(graph, Fraction(1, 2)), near)
    turn = known(graph, 4 * PI_4)
    angle = chosen(steep, quarter, near)
    sine, cosine = sine_and_cosine(angle._replace(exponent=angle.exponent.scaled(1.0, 1.0)))
    reflected = divided(turn, multiplied(multiplied(x, chosen(steep, cosine, sine)), found))
    negative = high.part(1, nl.int16).test("less", 0.0)
    sign = (high & SIGN) ^ ((odd << 31) & ones(negative))
    top, bottom = rounded(chosen(negative, reflected, found), sign)
    special, nan = classes(high, low)
    edge = special.test("greater_equal", 0.0)
    nothing = zero.to(nl.uint8)
    integer = (fraction.high | fraction.low).arithmetic("equal", 0.0) * x.exponent.arithmetic("greater", 0.0)
    pole = negative.scaled(1.0) * integer.arithmetic("maximum", special.arithmetic("greater_equal", 0.0))
    invalid = pole.arithmetic("maximum", nan) * zero.scaled(-1.0, 1.0)
    top = top.patched(edge, INFINITY).patched(nothing, (high & SIGN) | INFINITY)
    mask = invalid.test("greater", 0.0)
    return top.patched(mask, NAN), bottom.patched(edge, 0).patched(nothing, 0).patched(mask, 0)


def scaled_gamma(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:
    """Take gamma of a positive number below 8, and from there on gamma over Stirling's formula."""
    x, _ = taken(high, low)
    small = x.exponent.test("less", 4.0)
    moved = chosen(small, plus(x, known(graph, Fraction(8))), x)
    rest = _over_stirling(moved)
    near = _stirling(moved._replace(exponent=moved.exponent.arithmetic("minimum", 4.0)), rest)
    below = _product(x._replace(exponent=x.exponent.arithmetic("minimum", 3.0)))
    return rounded(chosen(small, divided(near, below), rest), graph.constant(0))


def log_gamma_slope(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:
    """Take ``log(gamma(2 + z)) / z`` of z from -1/2 up, and below 1/2."""
    number, _ = taken(high, low)
    inside = fixed(number._replace(exponent=number.exponent.arithmetic("minimum", 0.0)))
    negative = ones(high.part(1, nl.int16).test("less", 0.0))
    above = total(Fixed(graph.constant(SIGN), graph.constant(0)), conditionally_negated(inside, negative))
    sum_with_half = signed_polynomial(above, _SLOPES, 72, 1)
    return rounded(normalised(Fixed(sum_with_half.high ^ SIGN, sum_with_half.low), 1.0), graph.constant(0))
