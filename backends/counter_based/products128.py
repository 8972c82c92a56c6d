"""Integers below others by products with 128 random bits, without rejection: probabilities are off by 2**-64 at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dtypes import UINT64

__all__ = ["below"]

_LOW = 0xFFFFFFFF


def below(m: Any, words: Sequence[Any], count: Any) -> Any:
    """Draw uint64 below counts of uint64, of which 0 stands for 2**64: the high 64 bits of a product with four words, the highest first."""
    high, low = (m("left_shift", words[place].astype(UINT64), 32) + words[place + 1].astype(UINT64) for place in (0, 2))
    carried = _upper(m, low, count)
    more = high * count + carried
    found = _upper(m, high, count) + m("less", more, carried).astype(UINT64)
    return m("where", m("equal", count, 0), high, found)


def _upper(m: Any, a: Any, b: Any) -> Any:
    """Give the high 64 bits of a product."""
    (a1, a0), (b1, b0) = ((m("right_shift", item, 32), m("bitwise_and", item, _LOW)) for item in (a, b))
    middle = a1 * b0 + m("right_shift", a0 * b0, 32)
    other = a0 * b1 + m("bitwise_and", middle, _LOW)
    return a1 * b1 + m("right_shift", middle, 32) + m("right_shift", other, 32)
