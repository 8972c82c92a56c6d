"""The ways to permute axes, and what they are estimated to take: by the runs of DMA, and by what engines do on chip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ...costs import Costs
from ..sbuf import PARTITIONS
from . import grouped_transpose

__all__ = [
    "AN_AXIS", "BLOCK_BYTES", "BY_DMA", "IN_GROUPS", "IN_TILES", "LONG_BYTES", "MATRICES", "WAYS", "collapse_axes", "geometry", "time",
]  # fmt: skip

BLOCK_BYTES: Final = 16384
"""Of a partition, whose elements are reordered in place."""
LONG_BYTES: Final = 4096
"""Rows of a tile that is transposed, on both sides."""
BY_DMA, MATRICES, AN_AXIS, IN_TILES = "by DMA", "matrices on partitions", "an axis on partitions", "in tiles"
IN_GROUPS: Final = "axes in groups"
WAYS: Final = BY_DMA, MATRICES, AN_AXIS, IN_TILES, IN_GROUPS
_ROOM_BYTES: Final = 128 * 1024  # of a partition, for a tile of runs before and after
_BLOCK: Final = 32  # rows and columns that the Vector Engine transposes at once


def collapse_axes(shape: Sequence[int], axes: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """
    Remove axes of one element, and merge those that stay neighbours.

    Examples
    --------
    >>> collapse_axes((2, 1, 3, 4, 5), (3, 4, 1, 0, 2))
    ((6, 20), (1, 0))
    """
    groups: list[list[int]] = []
    for axis in (axis for axis in axes if shape[axis] != 1):
        last = groups[-1][-1] if groups else None
        if last is not None and last < axis and all(shape[between] == 1 for between in range(last + 1, axis)):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    order = sorted(range(len(groups)), key=lambda place: groups[place][0])
    merged = tuple(math.prod(shape[axis] for axis in groups[place]) for place in order)
    return merged, tuple(order.index(place) for place in range(len(groups)))


class Geometry(NamedTuple):
    """
    A permutation as the transposition of matrices of short runs.

    Attributes
    ----------
    shape, order : tuple of int
        Of the source, with an axis of runs at the end, and its axes in the order of the result.
    slow, fast : int
        The axes of the source that are fastest in the result, and in the source, before the runs.
    others : tuple of int
        The axes beside.
    source, target : tuple of int
        By axis of the source, elements from one to the next, there and in the result.
    together : bool
        Whether runs are of the last axis of the source, which stays the last.
    """

    shape: tuple[int, ...]
    order: tuple[int, ...]
    slow: int
    fast: int
    others: tuple[int, ...]
    source: tuple[int, ...]
    target: tuple[int, ...]
    together: bool

    @property
    def run(self) -> int:
        """Elements of a run."""
        return self.shape[-1]


def _strides(shape: Sequence[int]) -> list[int]:
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]


@lru_cache(maxsize=256)
def geometry(shape: tuple[int, ...], axes: tuple[int, ...]) -> Geometry | None:
    """See a permutation as transpositions."""
    shape, order = collapse_axes(shape, axes)
    if len(shape) < 2:
        return None
    last = len(shape) - 1
    together = order[last] == last
    if not together:  # every element is a run of its own
        shape, order, last = (*shape, 1), (*order, last + 1), last + 1
    fast, slow = last - 1, order[last - 1]
    target = dict(zip(order, _strides([shape[axis] for axis in order]), strict=True))
    others = tuple(axis for axis in range(last) if axis not in (fast, slow))
    return Geometry(
        shape, order, slow, fast, others, tuple(_strides(shape)), tuple(target[axis] for axis in range(last + 1)), together
    )


def time(costs: Costs, way: str, shape: tuple[int, ...], axes: tuple[int, ...], size: int) -> float:
    """Estimate a way."""
    found = geometry(shape, axes)
    nbytes = math.prod(shape) * size
    if found is None:
        return costs.transfer_waits + costs.moves(0, 0, 2 * nbytes) if way == BY_DMA else math.inf
    if way == BY_DMA:
        piece = found.run * size
        return costs.transfer_waits + costs.moves(nbytes / piece, piece, 2 * nbytes) if found.together else math.inf
    if way == IN_GROUPS:
        return grouped_transpose.time(costs, *collapse_axes(shape, axes), size)
    parts = {MATRICES: _of_matrices, AN_AXIS: _of_an_axis, IN_TILES: _of_tiles}[way](costs, found, size)
    if parts is None:
        return math.inf
    loads, stores, share, work, tiles = parts
    moved = sum(costs.moves(nbytes / (run * size), run * size, nbytes) for run in (loads, stores)) / share
    return 2 * costs.transfer_waits + costs.waits("vector") + max(moved, work) + min(moved, work) / tiles


_Parts = tuple[float, float, float, float, float]  # elements of a run that is loaded, and stored; partitions' share; work in ns; tiles


def _of_matrices(costs: Costs, g: Geometry, size: int) -> _Parts | None:
    """Put matrices on partitions, several of the longest other axis on each."""
    slow, fast, run = g.shape[g.slow], g.shape[g.fast], g.run
    plane, block = slow * fast * run, BLOCK_BYTES // size
    if not g.others or plane > 2 * block:
        return None
    kept = max(g.others, key=lambda axis: g.shape[axis])
    count = g.shape[kept]
    each = max(1, min(block // plane, count // PARTITIONS))
    share = min(1.0, count / each / PARTITIONS)
    runs = []
    for inner, outer, strides in ((g.fast, g.slow, g.source), (g.slow, g.fast, g.target)):
        length = g.shape[inner] * run
        if strides[outer] == length:
            length *= g.shape[outer] * (each if strides[kept] == plane else 1)
        elif strides[kept] == length:
            length *= each
        runs.append(length)
    elements = math.prod(g.shape) / (PARTITIONS * share)
    return runs[0], runs[1], share, _copying(costs, elements, g, size), max(1.0, elements / (each * plane))


def _copying(costs: Costs, elements: float, g: Geometry, size: int) -> float:
    """Estimate copies on chip that read runs apart from each other."""
    when = "16-bit strided, or half in PSUM" if size == 2 else ""
    return costs.instruction("tensor_copy", elements, when=when, apart=g.run == 1 and g.shape[g.fast] * size > costs.apart_bytes)


def _of_an_axis(costs: Costs, g: Geometry, size: int) -> _Parts | None:
    """Spread the longer axis over partitions; the shorter one stays whole on each."""
    slow, fast, run = g.shape[g.slow], g.shape[g.fast], g.run
    short, long, block = min(slow, fast), max(slow, fast), BLOCK_BYTES // size
    if short * run > block:
        return None
    each = max(1, min(block // (short * run), long // PARTITIONS))
    share = min(1.0, long / each / PARTITIONS)
    if slow >= fast:
        loads, stores = fast * run * (each if g.source[g.slow] == fast * run else 1), each * run
    else:
        loads, stores = each * run, slow * run * (each if g.target[g.fast] == slow * run else 1)
    elements = math.prod(g.shape) / (PARTITIONS * share)
    return loads, stores, share, _copying(costs, elements, g, size), max(1.0, elements / (each * short * run))


def _of_tiles(costs: Costs, g: Geometry, size: int) -> _Parts | None:
    """Transpose on chip, 128 x 128 at a time; where an axis is short, together with some of the one whose elements follow it."""
    slow, fast, run = g.shape[g.slow], g.shape[g.fast], g.run
    longest = max(1, LONG_BYTES // (size * run))
    if (min(slow, PARTITIONS) + min(fast, PARTITIONS)) * run * size > _ROOM_BYTES:
        return None
    runs = []
    for length, other, strides in ((fast, slow, g.source), (slow, fast, g.target)):
        elements = min(length, longest) * run
        if not g.others and length * run * size < costs.piece_bytes:  # neighbours share a partition
            elements *= math.ceil(min(other, longest) / PARTITIONS)
        follows = [axis for axis in g.others if strides[axis] == length * run]
        if follows and elements * size < costs.piece_bytes:
            elements *= min(g.shape[follows[0]], math.ceil(costs.piece_bytes / (elements * size)))
        runs.append(elements)
    count = math.prod(g.shape[axis] for axis in g.others) * run
    tiles = count * math.ceil(slow / PARTITIONS) * math.ceil(fast / PARTITIONS)
    rows, columns = min(slow, PARTITIONS), min(fast, PARTITIONS)
    if costs.target.name == "trn1":
        blocks = math.ceil(rows / _BLOCK) * math.ceil(columns / _BLOCK)
        work = tiles * blocks * costs.instruction("nc_transpose", _BLOCK)
    else:
        turning = costs.instruction("nc_transpose", rows, "tensor", "float32" if size == 4 else "")
        work = tiles * max(turning, costs.instruction("tensor_copy", rows) / 2)  # the Scalar Engine copies as much out of PSUM
    share = min(1.0, max(rows, columns) / PARTITIONS)
    return runs[0], runs[1], share, work, max(1.0, math.prod(g.shape) * size / (PARTITIONS * LONG_BYTES * 8))
