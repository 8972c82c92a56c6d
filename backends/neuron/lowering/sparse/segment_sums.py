"""Sums of segments: of consecutive elements, of which each result has any number."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...value import Value
from .. import Builder
from ..concatenation import join
from ..op_calls import call
from .structure import taken, with_zero

__all__ = ["Level", "levels", "repeating", "sum_level", "total"]

_LONGEST: Final = 64  # elements of a row of a level; longer segments are cut
_PADDED: Final = 1.5  # elements of rows of one length, for each that is there, up to which segments stay in order
_CLASSES: Final = (64, 32, 16, 8, 4, 2, 1)


class Level(NamedTuple):
    """
    Sums of rows of elements, in blocks of one length of rows each.

    Attributes
    ----------
    blocks : tuple of (int, int)
        Rows of a block, and elements of each of them.
    sources : ndarray
        Of each element of the blocks, which one it is; the number after the last one stands for zero.
    """

    blocks: tuple[tuple[int, int], ...]
    sources: npt.NDArray[np.int32]


def levels(counts: npt.NDArray[Any]) -> list[Level]:
    """
    Plan sums of consecutive segments of given lengths.

    Notes
    -----
    Where segments are nearly equally long, they are the rows of one block. Else they are cut at 64, and pieces are sorted into blocks by
    length, by powers of two; the sums of the pieces are then put in order, and added up, by the next level.
    """
    found: list[Level] = []
    while True:
        starts = np.cumsum(counts) - counts
        total, longest = int(counts.sum()), int(counts.max(initial=1))
        if longest <= 1 or (longest <= _LONGEST and longest * len(counts) <= _PADDED * total):
            longest = max(longest, 1)
            found.append(Level(((len(counts), longest),), _rows(starts, counts, longest, total)))
            return found
        pieces = -(-counts // _LONGEST)
        piece = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)  # of each piece, its number in its segment
        owner = np.repeat(np.arange(len(counts)), pieces)
        begins = starts[owner] + piece * _LONGEST
        lengths = np.minimum(counts[owner] - piece * _LONGEST, _LONGEST)
        blocks, sources, order = [], [], []
        for width, below in zip(_CLASSES, (*_CLASSES[1:], 0), strict=True):
            chosen = np.flatnonzero((lengths <= width) & (lengths > below))
            if len(chosen):
                blocks.append((len(chosen), width))
                sources.append(_rows(begins[chosen], lengths[chosen], width, total))
                order.append(chosen)
        found.append(Level(tuple(blocks), np.concatenate(sources)))
        counts = pieces
        if len(blocks) > 1:
            placed = np.empty(len(owner), np.int64)
            placed[np.concatenate(order)] = np.arange(len(owner))
            following = levels(counts)
            first = following[0]
            return [*found, first._replace(sources=np.append(placed, len(placed))[first.sources].astype(np.int32)), *following[1:]]


def _rows(starts: npt.NDArray[Any], counts: npt.NDArray[Any], width: int, beyond: int) -> npt.NDArray[np.int32]:
    step = np.arange(width)
    rows = np.where(step < counts[:, None], starts[:, None] + step, beyond)
    return rows.reshape(-1).astype(np.int32)


def repeating(level: Level, beyond: int) -> npt.NDArray[np.int32]:
    """Give the sources of a level, in which rows are padded by their first element: for extrema."""
    first, parts = 0, []
    for count, width in level.blocks:
        rows = level.sources[first : first + count * width].reshape(count, width)
        parts.append(np.where(rows == beyond, rows[:, :1], rows).reshape(-1))
        first += count * width
    return np.concatenate(parts)


def sum_level(builder: Builder, level: Level, elements: Value) -> Value:
    """Add up rows of elements that lie as the level has them; these may be rows of a matrix."""
    rest, first, parts = elements.shape[1:], 0, []
    for count, width in level.blocks:
        rows = elements.view(elements.shadow[first : first + count * width].reshape(count, width, *rest))
        sums = call(builder, "sum", rows, axis=1, dtype=elements.dtype)
        parts.append((sums.shape, sums.read()))
        first += count * width
    return join(builder, parts, 0, elements.dtype) if len(parts) > 1 else builder.make(parts[0][1], elements.dtype)


def total(builder: Builder, planned: list[Level], indices: list[Value], elements: Value) -> Value:
    """Add up elements that lie as the first level has them, by all levels; `indices` are the sources of the others."""
    sums = sum_level(builder, planned[0], elements)
    for level, at in zip(planned[1:], indices, strict=True):
        sums = sum_level(builder, level, taken(builder, with_zero(builder, sums), at))
    return sums
