"""
The logarithms of binary64 numbers, to the bases e, 2 and 10.

A number is ``2**k m``, and a table has a short c near ``1 / m`` and its logarithm: ``z = m c - 1`` is exact, and ``log(1 + z)`` is
``z (1 + d)`` with d near ``-z / 2``. Near 1 the table has c = 1 and 1/2, whose logarithms cancel those of ``2**k``, so that no bits are
lost there. After P. T. P. Tang, "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic", ACM TOMS 16,
1990.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .....isa import nl
from ....function import Table
from .constants import LN2, LOG2_E, LOG10_E
from .fixed_point import Fixed, constant, ones, product
from .frame import INFINITY, NAN, SIGN, UNIT, leading, unpacked
from .instruction_graph import Graph, Word

__all__ = ["LOGARITHM_TABLE", "TABLED_LOGARITHMS"]

Words = tuple[Word, Word]
_ROWS: Final = 2048
_PLACES: Final = 67  # of the fraction of a sum, in two words
_SHORT: Final = _PLACES - 52  # bits of c
_TURN: Final = 848  # the row from which on numbers are beyond the root of 2
_SHARE: Final = 12  # bits of the upper word of z that its square leaves out


def _negative_logarithm(value: Fraction) -> int:
    """Give ``-log(value)`` in units of the last place."""
    bits = _PLACES + 40
    ratio = (1 - value) / (1 + value)
    power = (abs(ratio.numerator) << bits) // ratio.denominator
    square, total, place = power * power >> bits, 0, 1
    while power:
        total += power // place
        power, place = power * square >> bits, place + 2
    size = (total + (1 << 38)) >> 39
    return size if ratio > 0 else -size


def _inverses() -> NDArray[np.uint32]:
    """Give c in the lower half of a word and the integer part of a logarithm in the upper one, and the two words of its fraction."""
    columns: list[list[int]] = [[], [], []]
    for row in range(_ROWS):
        middle = Fraction(2 * row + 1, 2 * _ROWS) + 1
        short = round(2**_SHORT / middle) if 0 < row < _ROWS - 1 else 2**_SHORT >> (row > 0)
        found = _negative_logarithm(Fraction(short << (row >= _TURN), 2**_SHORT))
        columns[0].append(short | (found >> 64 & 0xFFFF) << 16)
        columns[1].append(found >> 32 & 0xFFFFFFFF)
        columns[2].append(found & 0xFFFFFFFF)
    return np.array(columns, np.uint32).ravel()


LOGARITHM_TABLE: Final = Table(_ROWS, 3, _inverses)


def _slope(upper: Word, lower: Word) -> tuple[Word, Word]:
    """
    Give ``log(1 + z) / z - 1``: a multiple of 2**-32, in int32, and what is missing in units of that.

    The words of z are in 2**-35 and 2**-67. Of z and of the square of its upper 12 bits, the integers are the nearest ones, and the
    rest is exact.
    """
    first = upper.scaled(-1 / 16, dtype=nl.int32)
    rest = first.fused(16.0, upper)  # of z / 2, times -16
    share = upper.scaled(2.0**-_SHARE, dtype=nl.int32)
    square = share * share  # in 2**-46
    second = square.scaled(2.0**-14 / 3, dtype=nl.int32)
    left = second.fused(-3.0 * 2**14, square)
    others = lower.fused(2.0**-32, share.fused(-(2.0**_SHARE), upper))
    cross = others * others.fused(2.0 ** -(_SHARE + 1), share)  # half of what the square lacks, in 2**-58
    cube = (upper * upper) * (upper.scaled(-(2.0**-35) * 2.0**-73 / 5, 2.0**-73 / 4) * upper)
    linear = lower.fused(2.0**-32, rest)
    thirds = cross.fused(2.0**-11, left).scaled(2.0**-14 / 3)
    return first.arithmetic("add", second, nl.int32), linear.fused(-1 / 16, thirds - cube)


def _logarithm(high: Word, low: Word, base: Fraction | None = None) -> Words:
    """Compute the logarithm, times a number from 1/4 to 2 if there is one."""
    number, zero = unpacked(high, low)
    row = (number.high >> 9) & (_ROWS - 1)
    packed = row.gathered(LOGARITHM_TABLE, 0)
    short = packed.low.scaled(1.0, dtype=nl.uint32)
    lower = number.low.mul(short)
    upper = number.high.mul(short).add(((number.low * short) - lower.view(nl.int32)).scaled(2.0**-32, dtype=nl.uint32))
    lower, upper = lower.view(nl.int32), upper.view(nl.int32)
    main, tail = _slope(upper, lower)
    more = (lower * main).fused(2.0**-32, lower.fused(2.0**-32, upper) * tail)
    # Of numbers below 1 the sum is negative: less 1, its complement is its magnitude.
    below = number.exponent.test("less", 1022.0)
    near = more.scaled(1.0, dtype=nl.int32)
    whole = near.arithmetic("subtract", below, nl.int32)
    # The sum of k log(2), the logarithm of the table, and z (1 + d), in columns of 32 bits.
    count = (number.exponent + row.arithmetic("greater_equal", _TURN)).scaled(1.0, -1022.0, nl.int32)
    step = math.floor(LN2 * 2**_PLACES)
    words = step >> 64, (step >> 32) & 0xFFFFFFFF, step & 0xFFFFFFFF
    factor, second, third = count.view(nl.uint32), row.gathered(LOGARITHM_TABLE, 1), row.gathered(LOGARITHM_TABLE, 2)
    bottom = factor.mul(words[2]).add(third).add(lower.view(nl.uint32)).add(main.view(nl.uint32).mul(upper.view(nl.uint32)))
    bottom = bottom.add(whole.view(nl.uint32))
    estimate = (count.fused(float(words[2]), third) + (lower + whole)) + ((main * upper) - bottom)
    carry = estimate.scaled(2.0**-32, dtype=nl.int32)
    middle = factor.mul(words[1]).add(second).add(upper.view(nl.uint32)).add(carry.view(nl.uint32))
    estimate = (count.fused(float(words[1]), second) - middle) + (upper + carry)
    carry = estimate.scaled(2.0**-32, dtype=nl.int32)
    top = count.fused(float(words[0]), packed.part(1, nl.int16)).arithmetic("add", carry, nl.int32)
    negative = ones(below)
    sign = number.exponent.sign(2.0, -2043.0, nl.float32)
    found = _rounded((top.view(nl.uint32) ^ negative, middle ^ negative, bottom ^ negative), (more - near) * sign, base)
    return _with_poles(high, low, (found[0].joined(negative & SIGN), found[1]), zero)


def _rounded(words: tuple[Word, Word, Word], rest: Word, base: Fraction | None) -> Words:
    """
    Round a sum of three words, the first one of up to 13 bits, and of a number in units of the last place that is small beside them.

    They are multiplied by the base, if there is one. Of nothing it makes 0.
    """
    top, middle, bottom = words
    once, twice = top.test("equal", 0.0), (top + middle).test("equal", 0.0)
    first = top.patched(once, middle).patched(twice, bottom)
    second, third = middle.patched(once, bottom).patched(twice, 0), bottom.patched(once, 0)
    place = leading(first, bits=32)  # of the first bit, plus 127
    count, left = place.scaled(-1.0, 158.0), place.positive(1.0, -127.0)
    near = count.positive()
    high = (first << near).joined((second >> 1) >> left)
    low = (second << near).joined((third >> 1) >> left)
    moved = once + twice
    power = moved.fused(32.0, count).scaled(2.0**23, (127.0 - 32.0) * 2.0**23, nl.uint32).view(nl.float32)
    places = 0.0 if base is None else 1.0 if base >= 1 else -1.0
    factor = 1.0 if base is None else float(base / Fraction(2) ** int(places))
    more = (rest * power).scaled(factor, dtype=nl.int32)
    # -1 where the first bit is 0, else 1; of what is not multiplied, where it is a power of two that is made a little less.
    if base is None:
        less = (low + more).fused(2.0**-32, high ^ SIGN).sign().sign(2.0, 1.0, nl.float32)
    else:
        high, low = product(Fixed(high, low), constant(high.graph, base / Fraction(2) ** int(places)))
        less = (high >> 31).scaled(2.0, -1.0)
    added = low + more
    half = less.scaled(256.0, 768.0, nl.uint32)
    last = low.add(more.view(nl.uint32)).add(half)
    upper = high.add(((added + half) - last).scaled(2.0**-32, dtype=nl.int32).view(nl.uint32))
    over = (upper >> 30).positive(-(2.0**21), 2.0**21)  # where all bits were set, and none is now
    field = less.fused(0.5, moved.fused(-32.0, place)).scaled(UNIT, (1021.5 - 127.0 + 64.0 - _PLACES + places) * UNIT, nl.uint32)
    right, across = less.scaled(0.5, 10.5, nl.uint32), less.scaled(-0.5, 21.5, nl.uint32)
    found = (upper >> right).add(field).add(over).patched(first.test("equal", 0.0), 0)
    return found, (upper << across).joined(last >> right)


def _with_poles(high: Word, low: Word, found: Words, zero: Word) -> Words:
    """Give -infinity of 0, infinity of itself, and NaN of other numbers that are negative or not finite."""
    beyond = high.high.test("greater_equal", float(INFINITY >> 16))
    infinite = (high.sub(INFINITY, nl.int32).scaled(1.0, function=nl.abs) + low).test("equal", 0.0)
    others = infinite.scaled(INFINITY - NAN, NAN, nl.uint32)
    none = zero.to(nl.uint8)
    top = found[0].patched(beyond, others).patched(none, INFINITY | SIGN)
    return top, found[1].patched(beyond | none, 0)


def _to_base(base: Fraction | None) -> Callable[[Graph, Word, Word], Words]:
    def build(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
        return _logarithm(high, low, base)

    return build


TABLED_LOGARITHMS: Final = {"log": _to_base(None), "log2": _to_base(LOG2_E), "log10": _to_base(LOG10_E)}
