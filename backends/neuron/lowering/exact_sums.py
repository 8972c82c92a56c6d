"""
Sums of float64 with one rounding: sums of limbs of integers that are all multiples of one power of two.

That is 2**-94 times the power of two of the largest exponent along the axes. Numbers whose last bits are below it lose these, each less
than one of its multiples; whatever the order, the sum has the same bits.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ...dtypes import FLOAT32, FLOAT64, INT32
from ..graph.build import bits, broadcast, cast, elementwise, reshape, transpose
from ..graph.graph import Node
from ..graph.primitives import Read
from ..layout import Layout
from .binary64 import Words, binary64, constant_words
from .plane_reductions import in_pairs, reduced

__all__ = ["sum64"]

_WORD: Final = np.dtype(np.uint32)
_UNSIGNED: Final = np.dtype(np.uint16)
_SIGNED: Final = np.dtype(np.int16)
_EACH: Final = 2**16
_MOST: Final = 2**30
"""Numbers that are added so."""


def _halves(words: tuple[Node, ...]) -> list[Node]:
    """Take integers apart, of which the last word given is signed: the lowest limb first."""
    found = []
    for place, word in enumerate(words):
        last = place == len(words) - 1
        found.append(elementwise("half.low", word, dtype=_UNSIGNED))
        dtype = _SIGNED if last else _UNSIGNED
        found.append(elementwise("half.high", bits(word, INT32) if last else word, dtype=dtype))
    return found


def _sums(limbs: list[Node], axis: int) -> list[Node]:
    return [cast(reduced("add", limb, (axis,), INT32), _WORD) for limb in limbs]


def _in_two_steps(limbs: list[Node], outer: int, length: int) -> list[Node]:
    """Add up runs of numbers, and then halves of their sums: the upper ones belong to the next limb, which is one more."""
    many = length // _EACH
    total: list[Node] | None = None
    for first, shape in ((0, (outer, many, _EACH)), (many * _EACH, (outer, 1, length % _EACH))):
        if not shape[2]:
            continue
        layout = Layout(first, shape, (length, shape[2], 1))
        runs = [cast(reduced("add", Node(Read(layout), (limb,)), (2,), INT32), _WORD) for limb in limbs]
        halves = []
        for place, run in enumerate(runs):
            last = place == len(runs) - 1
            upper = elementwise("half.high", bits(run, INT32) if last else run, dtype=_SIGNED if last else _UNSIGNED)
            halves.append((elementwise("half.low", run, dtype=_UNSIGNED), upper))
        lower, upper_sums = (_sums([pair[side] for pair in halves], 1) for side in (0, 1))
        found = [lower[0], *(elementwise("add", *pair, dtype=_WORD) for pair in zip(lower[1:], upper_sums, strict=False)), upper_sums[-1]]
        total = found if total is None else [elementwise("add", *pair, dtype=_WORD) for pair in zip(total, found, strict=True)]
    assert total is not None
    return total


def sum64(words: Words, axes: tuple[int, ...]) -> Words:
    """Add up along axes."""
    shape = words[0].shape
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    result = tuple(shape[axis] for axis in kept)
    length, outer = math.prod(shape[axis] for axis in axes), math.prod(result)
    if length * outer == 0:
        return constant_words(0.0, result)
    if length > _MOST:
        return in_pairs("add", words, axes, FLOAT64)
    high, low = (reshape(transpose(word, [*kept, *axes]), (outer, length)) for word in words)
    exponents = reduced("maximum", binary64("exponent_field", high, low), (1,), FLOAT32)
    special = reduced("add", binary64("nonfinite", high, low), (1,), FLOAT32)
    exponent = bits(exponents, _WORD)
    spread = broadcast(reshape(exponent, (outer, 1)), (outer, length))
    parts = binary64("aligned", high, low, spread)
    limbs = _halves(parts[::-1])
    if length <= _EACH:
        *sums, last = _sums(limbs, 1)
        top = elementwise("half.high", bits(last, INT32), dtype=_SIGNED)
        sums += [cast(elementwise("half.low", last, dtype=_UNSIGNED), _WORD), cast(cast(top, INT32), _WORD)]
    else:
        sums = _in_two_steps(limbs, outer, length)
    return tuple(reshape(word, result) for word in binary64("rounded_sum", *sums, exponent, bits(special, _WORD)))
