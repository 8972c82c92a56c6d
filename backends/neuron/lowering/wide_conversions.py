"""Conversions between int64 or uint64, as two 32-bit words, and floats: rounded once to float, truncated to integer."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...dtypes import FLOAT32, INT32, DType
from ..graph.build import cast, elementwise
from ..graph.graph import Node
from .float_nodes import choose as either
from .float_nodes import number as constant
from .float_nodes import real, test
from .wide_integers import ALL_BITS, Words, choose, negative, number, word

__all__ = ["from_float", "to_float"]

_WORD: Final = np.dtype(np.uint32)
_LARGEST_SIGNED: Final = 0x7FFFFFFF
_SIGN: Final = 0x80000000
_STANDS: Final = 40960.0
"""1.25 * 2**15: for what is less than 2**16 beside a multiple of 2**16 of 24 bits; the sum is rounded to the right side of every tie."""


def to_float(words: Words, signed: bool, dtype: DType) -> Node:
    """
    Convert to a float.

    Notes
    -----
    The upper 24 bits, the next 24 and the last 16 are float32 numbers. The sum of the first two is rounded to nearest, and what that loses
    is exact. A second sum adds that and the last 16 bits, which count as a whole where there is a loss, and then the third one is rounded
    only once. A float of fewer bits is rounded from the upper 12 bits of that, moved a little towards what is left.
    """
    high = cast(words[0], INT32) if signed else words[0]
    top = cast(elementwise("right_shift", high, number(8, high.dtype), dtype=high.dtype), FLOAT32)
    middle = word("left_shift", word("bitwise_and", words[0], number(0xFF)), number(16))
    middle = cast(word("bitwise_or", middle, word("right_shift", words[1], number(16))), FLOAT32)
    bottom = cast(word("bitwise_and", words[1], number(0xFFFF)), FLOAT32)
    large, small = (real("multiply", part, constant(factor)) for part, factor in ((top, 2.0**40), (middle, 2.0**16)))
    total = real("add", large, small)
    lost = real("subtract", small, real("subtract", total, large))
    both = test("logical_and", *(test("not_equal", part, constant(0.0)) for part in (lost, bottom)))
    rest = real("add", lost, either(both, constant(_STANDS), bottom))
    result = real("add", total, rest)
    if dtype == FLOAT32:
        return result
    rest = real("subtract", rest, real("subtract", result, total))
    scaled = real("multiply", result, constant(4097.0))
    upper = real("subtract", scaled, real("subtract", scaled, result))
    rest = real("add", real("subtract", result, upper), rest)
    little = real("copysign", real("multiply", upper, constant(2.0**-14)), rest)
    little = either(test("not_equal", rest, constant(0.0)), little, constant(0.0))
    return cast(real("add", upper, little), dtype)


def from_float(x: Node, signed: bool) -> Words:
    """Convert to an integer, towards zero."""
    size = real("absolute", real("trunc", x))
    upper = real("trunc", real("multiply", size, constant(2.0**-32)))
    lower = real("subtract", size, real("multiply", upper, constant(2.0**32)))
    words = tuple(cast(part, _WORD) for part in (upper, lower))
    below = test("less", x, constant(0.0))
    words = choose(below, negative(words), words)
    least, most = (number(_SIGN), number(0)), (number(_LARGEST_SIGNED if signed else ALL_BITS), number(ALL_BITS))
    words = choose(test("less_equal", x, constant(-(2.0**63))), least, words)
    return choose(test("greater_equal", x, constant(2.0**63 if signed else 2.0**64)), most, words)
