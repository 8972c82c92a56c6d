"""
The exponentials of binary64 numbers, to the bases e and 2.

``exp(x)`` is ``2**k t (1 + p)``: t is one of 2048 powers of ``2**(1 / 2048)``, which a table has, and p the exponential of what is left,
less 1. After P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE floating-point arithmetic", ACM TOMS 15, 1989.
Integers have the upper bits of what is left, of p and of the product; what float32 adds to them is so small that it errs by less than
2**-57 of the result.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .....isa import nl
from ....function import Table
from .constants import LN2
from .frame import INFINITY, MAGNITUDE, NAN, SIGN, UNIT
from .instruction_graph import Graph, Word

__all__ = ["EXPONENTIAL_TABLE", "exp", "exp2"]

_ROWS: Final = 2048
_PLACES: Final = 67  # of the fraction of what is left, in two words
_UPPER: Final = _PLACES - 32
_LIMIT: Final = 1034  # the exponent's field of numbers beyond the range of both
_LEAST: Final = 1075 - _PLACES  # that of numbers whose last bit is a unit
_SHARE: Final = 12  # bits of the upper word of what is left that its square leaves out
_DEEPEST: Final = 53.0  # places by which subnormal results are shifted
_MOST: Final = 2046.0
_LN2_PLACES: Final = 30  # of ln(2), of which the product with the upper word is exact


def _powers() -> NDArray[np.uint32]:
    """Give ``2**(62 + j / 2048)``: the nearest multiple of 2**32, and what is missing."""
    bits = 160
    step = 2 << bits
    for _ in range(_ROWS.bit_length() - 1):
        step = math.isqrt(step << bits)
    found, power = [], 1 << bits
    for _ in range(_ROWS):
        found.append((power + (1 << (bits - 63))) >> (bits - 62))
        power = power * step >> bits
    high = [(word + (1 << 31)) >> 32 for word in found]
    low = [word - (upper << 32) & 0xFFFFFFFF for word, upper in zip(found, high, strict=True)]
    return np.array(high + low, np.uint32)


EXPONENTIAL_TABLE: Final = Table(_ROWS, 2, _powers)


class _Rest(NamedTuple):
    """
    What is left of a number, and how many steps were taken from it.

    Attributes
    ----------
    steps : Word
        In int32.
    upper : Word
        In 2**-35, an int32.
    lower : Word
        In 2**-67.
    """

    steps: Word
    upper: Word
    lower: Word


def _reduced(high: Word, low: Word, unit: Fraction) -> _Rest:
    """
    Take steps of a 2048th of a unit away.

    Numbers below 2**-15, which no step is taken from, are exact in float32 by parts.
    """
    room = ((high >> 20) & 0x7FF).positive(-1.0, _LIMIT, nl.float32)
    most = _LIMIT - _LEAST
    power = room.positive(-(2.0**23), (most + 127) * 2.0**23).view(nl.float32)  # of two, by which the significand is multiplied
    whole = power.to(nl.uint32)  # which is 0 of fractions
    significand = (high & 0xFFFFF) | 0x100000
    across = (low >> 1) >> room.positive(-1.0, most, nl.float32).scaled(-1.0, 31.0, nl.uint32)
    near, far = low.mul(whole), significand.mul(whole).add(across)
    step = unit / _ROWS * 2**_PLACES
    bits = math.floor(step)
    steps = (low.fused(2.0**-32, significand) * power).scaled(float(2**32 / step), dtype=nl.int32)
    count, above, below = steps.view(nl.uint32), bits >> 32, bits & 0xFFFFFFFF
    left = near.sub(count.mul(below)).view(nl.int32)
    borrow = (steps.fused(-float(below), near) - left).scaled(2.0**-32, dtype=nl.int32)
    top = far.sub(count.mul(above)).view(nl.int32).add(borrow)
    # What is below the last place: of steps, or of a small number, of which there are none.
    fraction = power - whole
    small = significand * fraction
    rounded = small.scaled(1.0, dtype=nl.int32)
    more = (small - rounded).fused(2.0**32, steps.fused(-float(step - bits), low * fraction))
    sign = high.part(1, nl.int16).sign(2.0, 1.0, nl.float32)
    upper = (top + rounded).arithmetic("multiply", sign, nl.int32)
    return _Rest(steps.arithmetic("multiply", sign, nl.int32), upper, (left + more) * sign)


def _natural(rest: _Rest) -> _Rest:
    """Multiply what is left by ln(2)."""
    factor = round(LN2 * 2**_LN2_PLACES)
    more = float(LN2 * 2**_LN2_PLACES - factor)
    upper = rest.upper.scaled(factor / 2.0**_LN2_PLACES, dtype=nl.int32)
    words = upper.view(nl.uint32), rest.upper.view(nl.uint32)
    missing = words[1].mul(factor).sub(words[0].mul(1 << _LN2_PLACES)).view(nl.int32)
    scale = 2.0 ** (32 - _LN2_PLACES)
    return _Rest(rest.steps, upper, missing.fused(scale, rest.lower.scaled(float(LN2)) + rest.upper.scaled(more * scale)))


def _less_one(rest: _Rest) -> tuple[Word, Word]:
    """
    Give ``exp(r) - 1``: a multiple of 2**-35, in int32, and what is missing in 2**-67.

    The square of the upper 12 bits is exact; the rest of the square and further terms are small.
    """
    upper, lower = rest.upper, rest.lower
    share = upper.scaled(2.0**-_SHARE, dtype=nl.int32)
    square = share * share
    half = square.scaled(2.0 ** (2 * _SHARE - _UPPER - 1), dtype=nl.int32)
    missing = half.fused(-(2.0 ** (_UPPER + 1 - 2 * _SHARE)), square)
    others = lower.fused(2.0**-32, share.fused(-(2.0**_SHARE), upper))
    cross = others * others.fused(2.0 ** -(_SHARE + 1), share)
    third = 2.0 ** (32 - 2 * _UPPER) / 6
    cube = (upper * upper) * (upper.scaled(2.0**-_UPPER * third / 4, third) * upper)
    tail = cross.fused(2.0 ** (32 - _UPPER + _SHARE), cube) + missing.fused(2.0 ** (31 - _UPPER + 2 * _SHARE), lower)
    return upper.arithmetic("add", half, nl.int32), tail


def _not_a_number(high: Word, low: Word) -> Word:
    """Give the upper word of NaN of NaN, else 0."""
    special = (high & MAGNITUDE).sub(INFINITY, nl.int32) + low.sign(dtype=nl.float32)
    return special.sign(dtype=nl.float32).positive(float(NAN))


def exp(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Compute ``e**x``."""
    return _power(_reduced(high, low, LN2), high, low)


def exp2(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Compute ``2**x``."""
    return _power(_natural(_reduced(high, low, Fraction(1))), high, low)


def _power(rest: _Rest, high: Word, low: Word) -> tuple[Word, Word]:
    """
    Compute ``2**k t exp(r)``.

    Of the product of t and ``1 + p``, in 2**-62, the lower word is exact; what is beyond it follows from an estimate. It is below 1
    where t is 1 and p negative, and has a bit more then.
    """
    main, tail = _less_one(rest)
    row = rest.steps.view(nl.uint32) & (_ROWS - 1)
    first, second = row.gathered(EXPONENTIAL_TABLE, 0), row.gathered(EXPONENTIAL_TABLE, 1, nl.int32)
    factor = first >> 3  # of 2**-27
    small = (first * tail).fused(2.0**-32, main * second.fused(2.0**-32, first & 7))  # of 2**-65
    below = tail.fused(2.0**-56, main.fused(2.0**-24, row)).sign().sign(2.0, 1.0, nl.float32)  # -1 or 1
    field = below.fused(0.5, (rest.steps - row).scaled(1 / _ROWS, 1021.5))  # of the exponent, less 1
    room = field.positive(-1.0, _MOST, nl.float32)
    # The significand is shifted to its place: by 9 or 10 bits, and further where the result is subnormal.
    count = below.fused(0.5, field.positive(1.0, _DEEPEST, nl.float32).positive(-1.0, _DEEPEST, nl.float32))  # less 9.5
    half = count.scaled(2.0**23, 135.5 * 2.0**23, nl.uint32).view(nl.float32)
    upper_half = half.scaled(2.0**-32, dtype=nl.uint32)
    added = small.fused(2.0**-3, upper_half.fused(-(2.0**32), half), nl.int32)
    bottom = main.view(nl.uint32).mul(factor).add(second.view(nl.uint32)).add(added.view(nl.uint32))
    carry = (((main * factor) - bottom) + (second + added)).scaled(2.0**-32, dtype=nl.int32)
    top = first.add(carry.view(nl.uint32)).add(upper_half)
    further = count.positive(-1.0, 29.5, nl.float32).scaled(-1.0, 31.0, nl.uint32)  # than 8 bits, and up to 31
    across = (top << count.positive(-1.0, 22.5)) >> count.positive(1.0, -22.5)
    found, last = (top >> 8) >> further, across.joined((bottom >> 8) >> further)
    inside = (field.positive(1.0, _DEEPEST + 1.0, nl.float32) * room).sign(-1.0).view(nl.uint32)  # all ones, or 0 of infinity and 0
    exponent = room.positive(-UNIT, _MOST * UNIT)
    return (found.add(exponent) & (inside | (SIGN | INFINITY))) | _not_a_number(high, low), last & inside
