"""Sums and differences of binary64 numbers."""

from __future__ import annotations

from .....isa import nl
from .frame import INFINITY, LIMB, MAGNITUDE, NAN, SIGN, UNIT, Frame, Number, frame, leading, packed, shifted_left, shifted_right
from .instruction_graph import Graph, Word

__all__ = ["add", "by_magnitude", "subtract", "usual_add", "usual_subtract"]


def by_magnitude(a: tuple[Word, Word], b: tuple[Word, Word]) -> Word:
    """Compare magnitudes: a float32 number with the sign of their difference, 0 where they are equal."""
    high = (a[0] & MAGNITUDE).sub(b[0] & MAGNITUDE, nl.int32)
    low = (a[1].high - b[1].high).scaled(2.0**16) + (a[1].low - b[1].low)
    return high.scaled(2.0**33) + low


def _exponent(size: Word) -> Word:
    """Give the exponent's field less 1, or 0, of a number's magnitude: as many 16ths, rounded down, as its upper half has."""
    return size.high.positive(1 / 16, -1.0 - 15 / 32, nl.int32)


def _sum(a: tuple[Word, Word], b: tuple[Word, Word], usual: bool) -> tuple[Word, Word]:
    """
    Add; usual numbers are those whose sum cannot overflow.

    The number of smaller magnitude is shifted to the exponent of the larger one, or all of it is lost but the last bit of the frame.
    """
    order = by_magnitude(a, b)
    direction = (a[0] ^ b[0]).part(1, nl.int16).sign(2.0, 1.0)  # -1 where the signs differ
    # Positive where the result has the sign of `a`, 0 where magnitudes are equal and signs differ.
    same = direction.positive(2.0**70, dtype=nl.float32) + order
    swapped = order.part(1, nl.int16).test("less", 0.0)
    sizes = [(x[0] & MAGNITUDE, x[1]) for x in (a, b)]
    large = [x.patched(swapped, y) for x, y in zip(*sizes, strict=True)]
    small = [y.patched(swapped, x) for x, y in zip(*sizes, strict=True)]
    first, second = _exponent(large[0]), _exponent(small[0])
    upper, lower = (
        frame(Number(size[0].sub(exponent.scaled(UNIT, dtype=nl.uint32)), size[1], exponent))
        for size, exponent in ((large, first), (small, second))
    )
    lower = shifted_right(lower, first - second)
    low = (upper.low | (LIMB + 1)).add(lower.low.mul(direction))
    carry = (low >> 28).scaled(1.0, -1.0, nl.int32)
    total = Frame(upper.high.add(lower.high.mul(direction)).add(carry), low & LIMB)
    limit = first.scaled(1.0, 1.0)
    place = leading(*total, bits=28)
    count = place.scaled(-1.0, 127.0 + 56.0).arithmetic("minimum", limit)
    exponent = (limit - count) * place.sign(dtype=nl.float32)  # 0 where nothing is left
    high, bottom = packed(shifted_left(total, count), exponent)
    negative = (same * a[0].part(1, nl.int16).sign(2.0, 1.0, nl.float32)).positive(-1.0, dtype=nl.float32)
    sign = negative.sign(dtype=nl.float32).scaled(2.0**31, dtype=nl.uint32)
    if usual:
        order.graph.beyond(first, 1.0, 2044.0)
        return high.joined(sign), bottom
    infinite = high.high.test("greater_equal", 0x7FF0)
    high, bottom = high.patched(infinite, INFINITY), bottom.patched(infinite, 0)
    special = large[0].high.test("greater_equal", 0x7FF0)  # which the larger one is: NaN, too, where infinities have two signs
    high = high.patched(special, large[0].patched(same.test("equal", 0.0), NAN))
    return high.joined(sign), bottom.patched(special, large[1])


def add(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Add."""
    return _sum((a_high, a_low), (b_high, b_low), False)


def subtract(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Subtract."""
    return _sum((a_high, a_low), (b_high ^ SIGN, b_low), False)


def usual_add(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Add numbers below 2**1023."""
    return _sum((a_high, a_low), (b_high, b_low), True)


def usual_subtract(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Subtract numbers below 2**1023."""
    return _sum((a_high, a_low), (b_high ^ SIGN, b_low), True)
