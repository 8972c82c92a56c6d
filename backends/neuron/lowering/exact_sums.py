"""
Sums of float64 with one rounding: sums of limbs of integers that are all multiples of one power of two.

That is 2**-94 times the power of two of the largest exponent along the axes. Numbers whose last bits are below it lose these, each less
than one of its multiples; whatever the order, the sum has the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from ...dtypes import FLOAT32, FLOAT64, INT32, DType
from ..graph.build import bits, broadcast, cast, elementwise, reshape, transpose
from ..graph.graph import Node
from ..graph.primitives import Read
from ..layout import Layout
from .binary64 import Words, binary64, constant_words
from .plane_reductions import in_pairs, reduced

__all__ = ["sum64"]

_WORD: Final = np.dtype(np.uint32)
_EACH: Final = 2**16
"""Limbs whose sum has 32 bits."""
_RUN: Final = 2**11
"""Numbers that a program adds up while it makes their limbs, which are not kept."""
_SHORT: Final = 2**6
_MOST: Final = 2**30
"""Numbers that are added so."""


def _in_runs(name: str, plane: Node, run: int, dtype: DType, then: str) -> Node:
    """Reduce rows by runs, and these: of a length that is no multiple of them, at once."""
    outer, length = plane.shape
    if length <= run or length % run:
        return reduced(name, plane, (1,), dtype)
    return reduced(then, reduced(name, reshape(plane, (outer, length // run, run)), (2,), dtype), (1,), dtype)


def _limb_sums(words: Sequence[Node], run: int = _RUN) -> list[tuple[Node, Node]]:
    """Add up halves of integers along rows, the word first that the lowest bits are in; the last one is signed."""
    found = []
    for place, word in enumerate(words):
        signed = bits(word, INT32) if place == len(words) - 1 else word
        sums = _in_runs("add.low", word, run, INT32, "add"), _in_runs("add.high", signed, run, INT32, "add")
        found.append((bits(sums[0], _WORD), bits(sums[1], _WORD)))
    return found


def _next_limbs(pairs: Sequence[tuple[Node, Node]]) -> list[Node]:
    """Add sums of upper halves to those of the next word's lower halves: one limb more than there were words."""
    (first, upper), *others = pairs
    found = [first]
    for lower, following in others:
        found.append(elementwise("add", upper, lower, dtype=_WORD))
        upper = following
    return [*found, upper]


def _in_two_steps(words: Sequence[Node], outer: int, length: int) -> list[Node]:
    """Add up runs of numbers, and then halves of their sums."""
    total: list[Node] | None = None
    each = _RUN if length <= _RUN * _EACH else _EACH
    whole = length // each * each
    for first, shape in ((0, (outer, whole // each, each)), (whole, (outer, 1, length - whole))):
        if not shape[2]:
            continue
        layout = Layout(first, shape, (length, shape[2], 1))
        runs = [Node(Read(layout), (word,)) for word in words]
        flat = [reshape(run, (outer * shape[1], shape[2])) for run in runs]
        limbs = [reshape(half, shape[:2]) for pair in _limb_sums(flat) for half in pair]
        found = _next_limbs(_limb_sums(limbs, _SHORT))
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
    exponents = _in_runs("maximum", binary64("exponent_field", high, low), _RUN, FLOAT32, "maximum")
    special = _in_runs("add", binary64("nonfinite", high, low), _RUN, FLOAT32, "add")
    exponent = bits(exponents, _WORD)
    spread = broadcast(reshape(exponent, (outer, 1)), (outer, length))
    integers = binary64("aligned", high, low, spread)[::-1]
    if length <= _EACH:
        *sums, last = [half for pair in _limb_sums(integers) for half in pair]
        top = elementwise("half.high", bits(last, INT32), dtype=np.dtype(np.int16))
        sums += [cast(elementwise("half.low", last, dtype=np.dtype(np.uint16)), _WORD), cast(cast(top, INT32), _WORD)]
    else:
        sums = _in_two_steps(integers, outer, length)
    return tuple(reshape(word, result) for word in binary64("rounded_sum", *sums, exponent, bits(special, _WORD)))
