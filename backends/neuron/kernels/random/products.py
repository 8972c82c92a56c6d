"""Products of 32-bit words, both halves of them exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ....isa import nisa, nl
from .interleaving import Schedule, Step

__all__ = ["Factor", "constant_factor", "product"]


class Factor(NamedTuple):
    """
    What words are multiplied by.

    Attributes
    ----------
    whole, high : column
        The factor, and its high half, of 32-bit integers.
    low_scale, high_scale : float or column
        The factor times 2**-32, and its low half times 2**-16, of float32.
    """

    whole: Any
    high: Any
    low_scale: Any
    high_scale: Any


def product(
    schedule: Schedule, x: Step, factor: Factor, given: Callable[[], Any] | None = None, given_high: Callable[[], Any] | None = None
) -> tuple[Step, Step]:
    """
    Multiply: the high and the low words, into given tiles.

    Notes
    -----
    With M the factor and c = c1 2**16 + c0, the high word is M1 c1 + K, where K = (M c0 + M0 c1 2**16 - W) 2**-32 and W is the low word.
    K is an integer, whose terms in float32 are off by less than 2**-7 together, so that rounding to the nearest integer gives it: no
    carries. GpSimd, which wraps: 3 products and sums; Scalar Engine: 4 conversions with a scale; Vector Engine: 2 sums with an operand in
    PSUM.
    """
    low = schedule.native(nl.multiply, x, factor.whole, given)
    wide = schedule.scalar(x, half=1, dtype=nl.uint32)
    base = schedule.native(nl.multiply, wide, factor.high)
    terms = schedule.scalar(x, factor.low_scale, half=0, psum=True), schedule.scalar(x, factor.high_scale, half=1)
    rest = schedule.scalar(low, -(2.0**-32), psum=True)
    carried = schedule.vector(nl.add, schedule.vector(nl.add, *terms), rest, dtype=nl.uint32)
    return schedule.native(nl.add, base, carried, given_high), low


def constant_factor(value: int, partitions: int) -> Factor:
    """Make a factor that belongs to the program."""
    columns = [nl.ndarray((partitions, 1), nl.uint32, buffer=nl.sbuf) for _ in range(2)]
    for column, number in zip(columns, (value, value >> 16), strict=True):
        nisa.memset(column, number)
    return Factor(columns[0], columns[1], value * 2.0**-32, (value & 0xFFFF) * 2.0**-16)
