"""Products of binary64 numbers."""

from __future__ import annotations

from typing import NamedTuple

from .....isa import nl
from .frame import SIGN, UNIT, Frame, Number, classes, finished, unpacked, usual_significand
from .instruction_graph import Graph, Word

__all__ = ["balanced", "multiply", "square", "usual_multiply", "usual_square"]


class _Columns(NamedTuple):
    """
    A product of significands: 42 bits and two words.

    Attributes
    ----------
    top, middle, low : Word
        Modulo 2**32, in uint32.
    estimate : Word
        Of the upper 42 bits, in float32: it errs by 2**18 at most.
    """

    top: Word
    middle: Word
    low: Word
    estimate: Word


def balanced(high: Word, low: Word) -> tuple[Word, Word]:
    """Give a lower word a sign, with which it is half as large."""
    return low.view(nl.int32).fused(0.0, high, nl.uint32, "less"), low.view(nl.int32)


def _columns(first: Number, second: Number) -> _Columns:
    """
    Multiply significands.

    Sums of products are exact modulo 2**32, and float32 estimates, which err by 2**30 at most, give what they are beyond; lower words
    have a sign, so that this holds.
    """
    (a, a_rest), (b, b_rest) = balanced(first.high, first.low), balanced(second.high, second.low)
    low = first.low.mul(second.low)
    cross = (a_rest.part(1, nl.int16) * second.low.low).fused(2.0**16, first.low.low * b_rest)
    carry = (cross - low).scaled(2.0**-32, dtype=nl.int32)
    upper = a_rest.part(1, nl.int16).to(nl.int32).mul(b_rest.part(1, nl.int16).to(nl.int32)).add(carry)
    middle = a.mul(second.low).add(first.low.mul(b)).add(upper.view(nl.uint32))
    carry = (((a * b_rest) + (b * a_rest)) + (upper - middle)).scaled(2.0**-32, dtype=nl.int32)
    return _Columns(a.mul(b).add(carry.view(nl.uint32)), middle, low, (a * b) + carry)


def _product(a: Number, b: Number) -> Frame:
    """Multiply significands: 56 bits of 106, and in the last one whether there was anything below."""
    top, middle, low, estimate = _columns(a, b)
    above = (estimate - top).scaled(2.0**-32, dtype=nl.uint32)  # 10 bits
    high = (top >> 14).add(above.scaled(2.0**18, dtype=nl.uint32))
    lost = ((middle << 14) | low).sign(dtype=nl.uint32)
    return Frame(high, (((top << 14) & 0x0FFFFFFF).joined(middle >> 18)) | lost)


def _multiplied(a: tuple[Word, Word], b: tuple[Word, Word]) -> tuple[Word, Word]:
    (first, zero), (second, other_zero) = unpacked(*a), unpacked(*b)
    (special, nan), (other_special, other_nan) = classes(*a), classes(*b)
    none = zero.arithmetic("maximum", other_zero)
    beyond = special.arithmetic("maximum", other_special).arithmetic("greater_equal", 0.0)
    limit = (first.exponent + second.exponent).scaled(1.0, -1020.0)
    limit = limit + (beyond - none).scaled(8192.0)
    invalid = (nan.arithmetic("maximum", other_nan)).arithmetic("maximum", none * beyond).test("greater", 0.0)
    return finished(_product(first, second), limit, (a[0] ^ b[0]) & SIGN, invalid)


def multiply(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Multiply."""
    return _multiplied((a_high, a_low), (b_high, b_low))


def square(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Multiply by itself."""
    return _multiplied((high, low), (high, low))


def usual_multiply(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:
    """
    Multiply normal numbers and zeros whose product is one.

    The upper word of the significand follows from the estimate of the product, too, after the lower one was rounded.
    """
    first, second = usual_significand(a_high, a_low), usual_significand(b_high, b_low)
    top, middle, low, estimate = _columns(first, second)
    # The product has 106 bits or 105, which the bits beyond the 96th tell: 1.0 or -1.0.
    longer = (estimate - top).sign(2.0**-32, -511.5, nl.float32)
    cut = top << longer.scaled(-0.5, 11.5, nl.uint32)
    even = cut.joined(middle >> longer.scaled(0.5, 20.5, nl.uint32)) & 0xFFFFFFFE
    # The last bit, those after it, and in the 24th whether there are others are rounded to a number of 0 to 2.
    rest = low.sign(dtype=nl.float32).fused(2.0**8, middle << longer.scaled(-0.5, 10.5, nl.uint32))
    bottom = even.add(rest.scaled(2.0**-31, dtype=nl.uint32))
    high = ((estimate * longer.scaled(-(2.0**10), 3 * 2.0**10)) - bottom).scaled(2.0**-32, dtype=nl.uint32)
    some = (first.exponent * second.exponent).sign(dtype=nl.float32)  # or 0.0
    field = longer.fused(UNIT / 2, first.exponent.fused(-1023.5 * UNIT, second.exponent, op="add")) * some  # less 1
    graph.beyond(field, -1.0, 0.0)
    graph.beyond(field, 1.0 / UNIT, 2045.0)
    return high.add(field.scaled(1.0, dtype=nl.uint32)).joined((a_high ^ b_high) & SIGN), bottom


def usual_square(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:
    """Multiply a normal number or zero, whose square is one, by itself."""
    return usual_multiply(graph, high, low, high, low)
