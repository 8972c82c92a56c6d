"""Cube roots and hypotenuses of binary64 numbers."""

from __future__ import annotations

from typing import Final

from .....isa import nl
from .extended import Extended, is_nan, multiplied, plus, root, rounded, signed_word, taken
from .fixed_point import Fixed, difference, full_product, moved_right, product, total
from .frame import INFINITY, SIGN, classes
from .instruction_graph import Graph, Word
from .quotients import real

__all__ = ["cbrt", "hypot"]

Words = tuple[Word, Word]
_ESTIMATE: Final = (2.3561, -4.0275, 4.6141, -1.9587)  # of 1 / cbrt(x) from 1/8 to 1, by powers of x, within 4 %


def _cube_root(number: Extended) -> Extended:
    """Take the root of a number over a power of 8: two steps of Newton's method from a float32 estimate, as in `extended.root`."""
    third = number.exponent.scaled(1 / 3, 1 / 3, nl.int32)
    fraction = moved_right(number.bits, third.scaled(3.0) - number.exponent)
    size = fraction.high.scaled(2.0**-32)
    inverse = size.scaled(_ESTIMATE[-1])
    for coefficient in _ESTIMATE[-2:0:-1]:
        inverse = (inverse + coefficient) * size
    inverse = inverse + _ESTIMATE[0]
    for _ in range(3):
        inverse = inverse * (((inverse * inverse) * inverse) * size).scaled(-1 / 3, 4 / 3)
    slope = inverse * inverse
    estimate = (size * slope).arithmetic("minimum", 1.0 - 2.0**-23).scaled(2.0**32, dtype=nl.uint32)
    none = estimate.graph.constant(0)
    rest = difference(fraction, product(full_product(estimate, estimate), Fixed(estimate, none)))
    lacks = (real(rest) * slope).scaled(2.0**18 / 3, dtype=nl.int32)  # of 2**-50
    found = total(Fixed(estimate, none), signed_word(lacks, 14))
    rest = difference(fraction, product(product(found, found), found))
    lacks = (rest.low.view(nl.int32) * slope).scaled(1 / 3, dtype=nl.int32)
    return Extended(total(found, signed_word(lacks, 0)), third.to(nl.float32))


def cbrt(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    """Take the cube root."""
    number, zero = taken(high, low)
    found = rounded(_cube_root(number), high & SIGN, is_nan(high, low))
    same = classes(high, low)[0].arithmetic("greater_equal", 0.0).arithmetic("maximum", zero).to(nl.uint8)
    return found[0].patched(same, high), found[1].patched(same, low)


def hypot(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> Words:
    """Take the root of the sum of squares, whose exponents are beyond those of binary64; of an infinity it is infinity."""
    (a, zero), (b, other_zero) = taken(a_high, a_low), taken(b_high, b_low)
    nan = is_nan(a_high, a_low) | is_nan(b_high, b_low)
    high, low = rounded(root(plus(multiplied(a, a), multiplied(b, b))), graph.constant(0), nan)
    infinite = [((word << 1) ^ 0xFFE00000) | lower for word, lower in ((a_high, a_low), (b_high, b_low))]
    special = infinite[0].arithmetic("equal", 0.0).arithmetic("maximum", infinite[1].arithmetic("equal", 0.0)).to(nl.uint8)
    nothing = (zero * other_zero).to(nl.uint8)
    return high.patched(special, INFINITY).patched(nothing, 0), low.patched(special, 0).patched(nothing, 0)
