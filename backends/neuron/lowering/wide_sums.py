"""
Sums of 64 bits, of sums of 32 bits: of the 16-bit limbs of numbers, of which 2**16 cannot overflow.

Of an array of n integers that takes one reduction for each limb, whatever n; a tree of sums in words would take log2(n) steps of which
each has carries.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from ...dtypes import INT32, UINT64, DType
from ..graph.build import bits, cast, elementwise, fill, reshape, transpose
from ..graph.graph import Node
from ..graph.primitives import Read
from ..layout import Layout
from .plane_reductions import reduced
from .wide_integers import Words, add, number, word

__all__ = ["MOST", "Limb", "from_limbs", "limbs", "word_sum"]

_WORD: Final = np.dtype(np.uint32)
_UNSIGNED: Final = np.dtype(np.uint16)
_SIGNED: Final = np.dtype(np.int16)
_BITS: Final = 32
_ROWS: Final = 128  # that are added at once
MOST: Final = 2**16
"""Numbers whose limbs' sums have 32 bits."""


class Limb(NamedTuple):
    """
    Some bits of numbers, or sums of them.

    Attributes
    ----------
    node : Node
        Integers of at most 16 bits; or their sums, in int32, of which unsigned ones have all bits.
    place : int
        Of the lowest bit, a multiple of 16.
    signed : bool
        Whether they are negative where their highest bit is set.
    """

    node: Node
    place: int
    signed: bool


def limbs(planes: tuple[Node, ...], dtype: DType) -> list[Limb]:
    """Take integers apart."""
    signed = dtype.kind == "i"
    if dtype.itemsize <= _UNSIGNED.itemsize:
        return [Limb(planes[0], 0, signed)]
    found = []
    for place, plane in enumerate(reversed(planes)):
        last = place == len(planes) - 1
        upper = bits(plane, INT32 if signed and last else _WORD)
        found.append(Limb(elementwise("half.low", plane, dtype=_UNSIGNED), 32 * place, False))
        high = elementwise("half.high", upper, dtype=_SIGNED if signed and last else _UNSIGNED)
        found.append(Limb(high, 32 * place + 16, signed and last))
    return found


def from_limbs(sums: list[Limb]) -> Words:
    """Put sums together, modulo 2**64."""
    high, low = _high(sums[0]), _low(sums[0])
    for limb in sums[1:]:
        if limb.place < _BITS:
            high, low = add((high, low), (_high(limb), _low(limb)))
        else:
            high = word("add", high, _high(limb))
    return high, low


def _high(limb: Limb) -> Node:
    """Give the high word of a sum, where it belongs."""
    bits = cast(limb.node, _WORD)
    if limb.place >= _BITS:
        return bits if limb.place == _BITS else word("left_shift", bits, number(limb.place - _BITS))
    if limb.signed:  # at 0, only the sign is there
        return cast(elementwise("right_shift", limb.node, number(min(_BITS - limb.place, _BITS - 1), INT32), dtype=INT32), _WORD)
    return fill(0, bits.shape, _WORD) if limb.place == 0 else word("right_shift", bits, number(_BITS - limb.place))


def _low(limb: Limb) -> Node:
    bits = cast(limb.node, _WORD)
    return bits if limb.place == 0 else word("left_shift", bits, number(limb.place))


def _limb_sums(planes: tuple[Node, ...], dtype: DType, axes: tuple[int, ...]) -> list[Limb]:
    """Add up limbs, which are taken from words as these are added."""
    found = []
    for place, plane in enumerate(reversed(planes)):
        signed = dtype.kind == "i" and place == len(planes) - 1
        upper = bits(plane, INT32 if signed else _WORD)
        found.append(Limb(reduced("add.low", upper, axes, INT32), 32 * place, False))
        found.append(Limb(reduced("add.high", upper, axes, INT32), 32 * place + 16, signed))
    return found


def word_sum(planes: tuple[Node, ...], dtype: DType, axes: tuple[int, ...]) -> Words:
    """Add up integers along axes, modulo 2**64."""
    shape = planes[0].shape
    length = math.prod(shape[axis] for axis in axes)
    if length <= MOST:
        if length > 1 and dtype.itemsize > _UNSIGNED.itemsize:
            return from_limbs(_limb_sums(planes, dtype, axes))
        return from_limbs([limb._replace(node=reduced("add", limb.node, axes, INT32)) for limb in limbs(planes, dtype)])
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    result = tuple(shape[axis] for axis in kept)
    outer = math.prod(result)
    each = min(MOST, length // -(-_ROWS // max(outer, 1)))
    many = length // each
    rows = tuple(reshape(transpose(plane, [*kept, *axes]), (outer, length)) for plane in planes)
    parts = [word_sum(_piece(rows, (outer, many, each), 0), dtype, (2,))]
    if length % each:
        parts.append(word_sum(_piece(rows, (outer, 1, length % each), many * each), dtype, (2,)))
    total = word_sum(parts[0], UINT64, (1,))
    for part in parts[1:]:
        total = add(total, tuple(reshape(plane, (outer,)) for plane in part))
    return tuple(reshape(plane, result) for plane in total)


def _piece(rows: tuple[Node, ...], shape: tuple[int, int, int], first: int) -> tuple[Node, ...]:
    """Look at elements of each row, from some place on, in runs."""
    layout = Layout(first, shape, (rows[0].shape[1], shape[2], 1))
    return tuple(Node(Read(layout), (row,)) for row in rows)
