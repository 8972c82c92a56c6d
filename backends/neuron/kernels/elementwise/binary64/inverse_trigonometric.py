"""
Inverse trigonometric functions of binary64 numbers: angles of points whose coordinates are given.

The smaller coordinate is divided by the larger one, or, beyond the tangent of pi / 8, their difference by their sum; the series in the
square of the quotient is added to a multiple of pi / 4.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .....isa import nl
from .constants import PI_4
from .extended import Extended, chosen, divided, fixed, known, minus, multiplied, normalised, plus, root, sum_with, taken
from .fixed_point import economised, polynomial, product
from .frame import MAGNITUDE, NAN, SIGN, classes
from .instruction_graph import Graph, Word

__all__ = ["INVERSE_TRIGONOMETRIC", "arctan2"]

Words = tuple[Word, Word]
_TANGENT: Final = 0.41421356  # of pi / 8; near it both ways are good
_MOST: Final = Fraction(1716, 10000)  # of the square of the quotient
_SERIES: Final = tuple(Fraction((-1) ** n, 2 * n + 1) for n in range(30))
_CLOSE: Final = 24.0  # exponents that differ by more do not matter to a comparison


def _less(a: Extended, b: Extended) -> Word:
    """Compare exactly: each difference of parts counts for more than all after it, also when these are rounded."""
    parts = [a.exponent - b.exponent]
    for one, other in zip(a.bits, b.bits, strict=True):
        parts.append((one.high - other.high).scaled(2.0**16) + (one.low - other.low))
    return (((parts[0].scaled(2.0**34) + parts[1]).scaled(2.0**34)) + parts[2]).test("less", 0.0)


def _near(a: Extended, b: Extended, factor: float) -> Word:
    """Compare a number with a multiple of another one, in float32."""
    apart = (a.exponent - b.exponent).arithmetic("minimum", _CLOSE).arithmetic("maximum", -_CLOSE)
    scale = apart.scaled(2.0**23, 127 * 2.0**23, nl.uint32).view(nl.float32)
    return ((a.bits.high.scaled(2.0**-32) * scale) - b.bits.high.scaled(factor * 2.0**-32)).test("less", 0.0)


def _angle(graph: Graph, y: Extended, x: Extended, left: Word | None = None) -> Words:
    """
    Give the angle of a point in the first quadrant; or, where a mask is 1, of the point with the other x.

    It is ``j pi / 4`` plus or minus the inverse tangent of the quotient.
    """
    flat = _less(y, x)
    small, large = chosen(flat, y, x), chosen(flat, x, y)
    near = _near(small, large, _TANGENT)
    q = divided(chosen(near, small, minus(large, small)), chosen(near, large, plus(large, small)))
    inside = fixed(q)
    part = multiplied(q, normalised(polynomial(product(inside, inside), economised(_SERIES, _MOST), _MOST, 1), 1.0))
    steep, far = flat.scaled(-1.0, 1.0), near.scaled(-1.0, 1.0)
    # Quotients are of y to x, 1 less that, 1 less that of x to y, of x to y: 0 +, 1 -, 1 +, 2 -.
    count = steep.scaled(2.0) + (far * steep.scaled(-2.0, 1.0))
    down = (steep - far).arithmetic("not_equal", 0.0)
    if left is not None:
        mirrored = left.scaled(-2.0, 1.0)
        count = (count * mirrored) + left.scaled(4.0)
        down = (down - left.scaled(1.0)).arithmetic("not_equal", 0.0)
    return sum_with(graph, count.to(nl.int32), PI_4, part, down.scaled(-1.0, dtype=nl.int32).view(nl.uint32))


def _one(graph: Graph) -> Extended:
    return known(graph, Fraction(1))


def _beyond_one(high: Word, low: Word) -> Word:
    """Find numbers of a magnitude beyond 1, and NaN."""
    return ((high & MAGNITUDE).sub(0x3FF00000, nl.int32).scaled(2.0) + low.sign(dtype=nl.float32)).test("greater", 0.0)


def _leg(number: Extended, one: Extended) -> Extended:
    return root(multiplied(minus(one, number), plus(one, number)))


def _negative(high: Word) -> Word:
    return high.part(1, nl.int16).test("less", 0.0)


def _arctan(graph: Graph, high: Word, low: Word) -> Words:
    number, zero = taken(high, low)
    # Beyond 2**100 the angle rounds as there.
    number = number._replace(exponent=number.exponent.arithmetic("minimum", 100.0))
    found = _angle(graph, number, _one(graph))
    same, nan = zero.to(nl.uint8), classes(high, low)[1].test("greater", 0.0)
    return (found[0] | (high & SIGN)).patched(same, high).patched(nan, NAN), found[1].patched(same, 0).patched(nan, 0)


def _arcsin(graph: Graph, high: Word, low: Word) -> Words:
    number, zero = taken(high, low)
    found = _angle(graph, number, _leg(number, _one(graph)))
    same, nan = zero.to(nl.uint8), _beyond_one(high, low)
    return (found[0] | (high & SIGN)).patched(same, high).patched(nan, NAN), found[1].patched(same, 0).patched(nan, 0)


def _arccos(graph: Graph, high: Word, low: Word) -> Words:
    number, _ = taken(high, low)
    found = _angle(graph, _leg(number, _one(graph)), number, _negative(high))
    nan = _beyond_one(high, low)
    return found[0].patched(nan, NAN), found[1].patched(nan, 0)


def arctan2(graph: Graph, y_high: Word, y_low: Word, x_high: Word, x_low: Word) -> Words:
    """Take the angle of a point; infinite coordinates are 1, and others 0 beside them, so are both coordinates of the origin."""
    (y, y_zero), (x, x_zero) = taken(y_high, y_low), taken(x_high, x_low)
    (special, nan), (other_special, other_nan) = classes(y_high, y_low), classes(x_high, x_low)
    invalid = nan.arithmetic("maximum", other_nan).test("greater", 0.0)
    infinite, other = special.arithmetic("greater_equal", 0.0), other_special.arithmetic("greater_equal", 0.0)
    # Far apart, so that no sum of exponents overflows; or both of one size.
    y, x = (item._replace(bits=item.bits._replace(high=item.bits.high | SIGN)) for item in (y, x))
    y = y._replace(exponent=(y.exponent + (infinite - other * (infinite.scaled(-1.0, 1.0))).scaled(4096.0)) - y_zero.scaled(8192.0))
    x = x._replace(exponent=x.exponent + (other - infinite * (other.scaled(-1.0, 1.0))).scaled(4096.0) - x_zero.scaled(4096.0))
    left = _negative(x_high)
    found = _angle(graph, y, x, left)
    return (found[0] | (y_high & SIGN)).patched(invalid, NAN), found[1].patched(invalid, 0)


INVERSE_TRIGONOMETRIC: Final = {"arctan": _arctan, "arcsin": _arcsin, "arccos": _arccos}
"""Of one operand."""
