"""
The error function, its complement, and the normal distribution of binary64 numbers.

``erfc(x)`` is ``exp(-x**2)``, of the square in 96 bits, times a function that decays as 1 / x: a polynomial in ``v = 4 / (x + 4)``, times
v.
After M. M. Shepherd, J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x**2) erfc(x) in 0 <= x < inf", Math. Comp. 36, 1981.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from .....isa import nl
from .constants import LOG2_E, PI_4
from .exponentials import binary, series
from .extended import Extended, chosen, divided, even, fixed, is_nan, known, minus, multiplied, normalised, plus, rounded, taken
from .fixed_point import (
    Fixed,
    columns_added,
    conditionally_negated,
    constant,
    difference,
    economised,
    full_product,
    ones,
    polynomial,
    product,
    signed_polynomial,
    total,
    upper_product,
)  # fmt: skip
from .frame import SIGN
from .instruction_graph import Graph, Word
from .powers import normalised_by_one, wide_product

__all__ = ["ERROR_FUNCTIONS"]

Words = tuple[Word, Word]
_COEFFICIENTS: Final = (
    1453648746790091238071, 1414366866198915729741, 1193273713081360217688, 869728063370304753104, 542385187170940668623,
    284077597919811143244, 120596974691137139961, 38392004684772087519, 7144403347261714930, -516886578939632745, -815070613450229509,
    -184790312725475851, 37861809665693525, 28204377191727141, 740173856266339, -3267327980038844, -479991066223804, 379874095060701,
    88765073669913, -49090123407124, -13400181089455, 7193392501961, 1789511777070, -1106754747936, -194232546537, 147475617919,
    12579533389, -11570043515,
)  # fmt: skip
"""Of ``exp(x**2) erfc(x) / v`` by powers of ``2 v - 9 / 8``, times 2**72: interpolated at Chebyshev's nodes, within 2**-66."""
_CENTRE: Final = Fraction(9, 32)
_MOST: Final = Fraction(1, 4)  # of the square of a number that has a series of its own
_FACTOR: Final = Fraction(math.isqrt(round(2**260 / PI_4)), 2**130)  # 2 / sqrt(pi)
_SERIES: Final = tuple(_FACTOR * Fraction((-1) ** n, math.factorial(n) * (2 * n + 1)) for n in range(18))
_ROOT: Final = Fraction(math.isqrt(2**259), 2**130)  # of 1/2


def _decaying(number: Extended, halved: bool) -> Extended:
    """Take the exponential of the square, or of half of it, with a negative sign."""
    high, low = number.bits
    first, second = full_product(high, high), full_product(high, low)
    columns = [[second.low, second.low, upper_product(low, low)], [first.low, second.high, second.high], [first.high]]
    last, middle, top = columns_added(columns)
    bits = round(LOG2_E * 2**95)
    factor = [high.graph.constant((bits >> place) & 0xFFFFFFFF) for place in (64, 32, 0)]
    words, exponent = wide_product((top, middle, last), factor), number.exponent.scaled(2.0, 0.0 if halved else 1.0)
    for _ in range(2):
        words, exponent = normalised_by_one(words, exponent)
    of = series(*binary(Extended(Fixed(words[0], words[1]), exponent), words[2]))
    return normalised(of.minus, of.power.scaled(-1.0, 1.0))


def _scaled(number: Extended) -> Extended:
    """Take ``exp(x**2) erfc(x)`` of a number that is not negative."""
    graph = number.bits.high.graph
    four = known(graph, Fraction(4))
    v = divided(four, plus(number, four))
    apart = difference(fixed(v, v.exponent.scaled(0.0, 1.0)), constant(graph, _CENTRE))
    negative = ones(apart.high.part(1, nl.int16).test("less", 0.0))
    size = conditionally_negated(apart, negative)
    s = Fixed((size.high << 2) | (size.low >> 30), size.low << 2)
    square = product(s, s)
    even, odd = (signed_polynomial(square, _COEFFICIENTS[first::2], 72, 1) for first in (0, 1))
    down = ones((odd.high >> 31) ^ 1)
    slope = product(s, conditionally_negated(Fixed(odd.high ^ SIGN, odd.low), down))
    whole = total(Fixed(even.high ^ SIGN, even.low), conditionally_negated(slope, negative ^ down))
    return multiplied(v, normalised(whole, 1.0))


def _complement(number: Extended, halved: bool = False) -> Extended:
    size = multiplied(number, known(number.bits.high.graph, _ROOT)) if halved else number
    return multiplied(_decaying(number, halved), _scaled(size))


def _near(number: Extended) -> Extended:
    inside = fixed(number)
    series_of_square = polynomial(product(inside, inside), economised(_SERIES, _MOST), _MOST, 1)
    return multiplied(number, normalised(series_of_square, 1.0))


def _erf(graph: Graph, high: Word, low: Word) -> Words:
    number, _ = taken(high, low)
    far = minus(known(graph, Fraction(1)), _complement(number))
    return rounded(chosen(number.exponent.test("less", 0.0), _near(number), far), high & SIGN, is_nan(high, low))


def _tail(halved: bool) -> Callable[[Graph, Word, Word], Words]:
    """Make the complement, of which 2 is the sum over both signs; or half of it at the root of 1/2, with the other sign."""

    def build(graph: Graph, high: Word, low: Word) -> Words:
        number, _ = taken(high, low)
        tail = _complement(number, halved)
        whole = minus(known(graph, Fraction(2)), tail)
        negative = high.part(1, nl.int16).test("less", 0.0)
        found = chosen(negative, tail, whole) if halved else chosen(negative, whole, tail)
        if halved:
            found = found._replace(exponent=found.exponent.scaled(1.0, -1.0))
        return rounded(found, graph.constant(0), is_nan(high, low))

    return build


ERROR_FUNCTIONS: Final = {"erf": _erf, "erfc": _tail(False), "ndtr": _tail(True), "scaled_erfc": even(_scaled)}
