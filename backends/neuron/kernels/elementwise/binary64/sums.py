"""Sums and differences of binary64 numbers."""

from __future__ import annotations

from .....isa import nl
from .frame import INFINITY, LIMB, MAGNITUDE, NAN, SIGN, UNIT, Frame, frame, leading, packed, shifted_left, shifted_right, significand
from .instruction_graph import Graph, Word

__all__ = ["add", "by_magnitude", "subtract"]


def by_magnitude(a: tuple[Word, Word], b: tuple[Word, Word]) -> Word:
    """Compare magnitudes: a float32 number with the sign of their difference, 0 where they are equal."""
    high = (a[0] & MAGNITUDE).sub(b[0] & MAGNITUDE, nl.int32)
    low = (a[1].high - b[1].high).scaled(2.0**16) + (a[1].low - b[1].low)
    return high.scaled(2.0**33) + low


def _sum(a: tuple[Word, Word], b: tuple[Word, Word]) -> tuple[Word, Word]:
    """
    Add.

    The number of smaller magnitude is shifted to the exponent of the larger one, or all of it is lost but the last bit of the frame.
    """
    order = by_magnitude(a, b)
    swapped = order.part(1, nl.int16).test("less", 0.0)
    large = [x.patched(swapped, y) for x, y in zip(a, b, strict=True)]
    small = [y.patched(swapped, x) for x, y in zip(a, b, strict=True)]
    first, second = significand(*large), significand(*small)
    upper = frame(first)
    lower = shifted_right(frame(second), (first.exponent - second.exponent).scaled(1 / UNIT))
    direction = (large[0] ^ small[0]).part(1, nl.int16).sign(2.0, 1.0)  # -1 where the signs differ
    low = (upper.low | (LIMB + 1)).add(lower.low.mul(direction))
    carry = (low >> 28).scaled(1.0, -1.0, nl.int32)
    total = Frame(upper.high.add(lower.high.mul(direction)).add(carry), low & LIMB)
    limit = first.exponent.scaled(1 / UNIT, 1.0)
    place = leading(*total, bits=28)
    count = place.scaled(-1.0, 127.0 + 56.0).arithmetic("minimum", limit)
    exponent = (limit - count) * place.sign(dtype=nl.float32)  # 0 where nothing is left
    high, bottom = packed(shifted_left(total, count), exponent)
    # Equal magnitudes of opposite signs: 0, or NaN of infinities.
    opposite = (order.scaled(1.0, function=nl.abs) + direction).part(1, nl.int16).test("less", 0.0)
    infinite = high.high.test("greater_equal", 0x7FF0)
    high, bottom = high.patched(infinite, INFINITY), bottom.patched(infinite, 0)
    high = high.joined((large[0] & SIGN).patched(opposite, 0))
    special = (large[0] & MAGNITUDE).high.test("greater_equal", 0x7FF0)
    return high.patched(special, large[0].patched(opposite, NAN)), bottom.patched(special, large[1])


def add(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Add."""
    return _sum((a_high, a_low), (b_high, b_low))


def subtract(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Subtract."""
    return _sum((a_high, a_low), (b_high ^ SIGN, b_low))
