"""Tiles of an iteration space: which elements are on which partition, and in which order along the free axis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..costs import Costs
from .balance import target_costs
from .reading import Reading, reading, time
from .row_distribution import spread_rows
from .sbuf import PARTITIONS

__all__ = ["Repeat", "Tile", "Traffic", "repeats", "tiles"]


class Tile(NamedTuple):
    """
    Some elements of an iteration space.

    Attributes
    ----------
    start : tuple of int
        Index of the first, by dim.
    partitions : tuple of (int, int, int)
        The dim that partitions go along (-1 if there is one partition only), by how much each, and how many there are.
    free : tuple of (int, int)
        Dims that the free axis goes along, slowest first, and how far.
    rows : int, optional
        How many of the dims count rows; those after are within a row.
    """

    start: tuple[int, ...]
    partitions: tuple[int, int, int]
    free: tuple[tuple[int, int], ...]
    rows: int = 0

    @property
    def shape(self) -> tuple[int, int]:
        """Extents on chip."""
        return self.partitions[2], math.prod(count for _, count in self.free)

    @property
    def along(self) -> int:
        """How many rows are on each partition."""
        return math.prod(count for dim, count in self.free if dim < self.rows)

    def moved(self, step: tuple[int, ...], times: int) -> Tile:
        """Take the same tile elsewhere."""
        return self._replace(start=tuple(at + times * by for at, by in zip(self.start, step, strict=True)))

    def offset(self, strides: tuple[int, ...]) -> int:
        """Place of the first element."""
        return sum(index * stride for index, stride in zip(self.start, strides, strict=True))

    def pattern(self, strides: tuple[int, ...]) -> list[list[int]]:
        """Access pattern."""
        dim, step, count = self.partitions
        merged: list[list[int]] = []
        for axis, length in self.free:
            stride = strides[axis]
            if merged and merged[-1][0] == stride * length:
                merged[-1] = [stride, merged[-1][1] * length]
            elif length > 1 or not merged:
                merged.append([stride, length])
        return [[strides[dim] * step, count], *merged]

    def pattern_of_rows(self, strides: tuple[int, ...]) -> list[list[int]]:
        """Access pattern of one element for each row."""
        return self._replace(free=tuple(pair for pair in self.free if pair[0] < self.rows) or ((0, 1),)).pattern(strides)


class Repeat(NamedTuple):
    """
    Tiles that come again and again, each time further on.

    Attributes
    ----------
    tiles : list of Tile
        Those of the first turn.
    step : tuple of int
        From one turn to the next, by dim.
    turns : int
        How many.
    """

    tiles: list[Tile]
    step: tuple[int, ...]
    turns: int


def _spans(length: int, chunk: int) -> Iterator[tuple[int, int, int]]:
    """Cut an axis over partitions: (start, partitions, chunk on each), full tiles first, then what is left."""
    whole = length // chunk
    start = 0
    while whole:
        count = min(PARTITIONS, whole)
        yield start, count, chunk
        start += count * chunk
        whole -= count
    if start < length:
        yield start, 1, length - start


class Traffic(NamedTuple):
    """
    What a stage reads or writes of each element.

    Attributes
    ----------
    strides : tuple of int
        By dim.
    itemsize : int
        Bytes of an element.
    more : int
        As of `reading`; -1 for what is written, which has no elements in between.
    of_rows : bool, optional
        Whether it is one of each row.
    """

    strides: tuple[int, ...]
    itemsize: int
    more: int
    of_rows: bool = False


class _Cut(NamedTuple):
    """
    A way to cut an iteration space.

    Attributes
    ----------
    spread, chunk : int
        The dim that goes over partitions, and how far on each.
    free : tuple of (int, int)
        As of `Tile`, without the chunk.
    loops : tuple of (int, int)
        Dims outside of the tile, and how far a tile goes along each.
    """

    spread: int
    chunk: int
    free: tuple[tuple[int, int], ...]
    loops: tuple[tuple[int, int], ...]


def _cut(dims: tuple[int, ...], width: int, columns: int, spread: int, fold: bool) -> _Cut:
    """Fill tiles: with rows, or fast dims, then with other dims if they are to be folded in, then with chunks of the dim that is spread."""
    rows = len(dims) - columns
    free = [(dim, dims[dim]) for dim in range(rows, len(dims))]
    taken = math.prod(dims[rows:])
    loops: list[tuple[int, int]] = []
    for dim in reversed(range(rows)):
        if dim == spread:
            continue
        far = min(dims[dim], width // taken) if fold and not loops and len(free) < columns + 2 else 1
        if far == dims[dim]:
            free.insert(0, (dim, far))
        else:
            # Of several dims, only the fastest is cut, where nothing else is in the tile.
            far = far if columns or not free else 1
            loops.append((dim, far))
            if far > 1:
                free.insert(0, (dim, far))
        taken *= far
    most = max(1, min(width // taken, -(-dims[spread] // PARTITIONS)))
    # Rows are dealt out evenly; else chunks have the full width, a power of two.
    chunk = -(-dims[spread] // (PARTITIONS * -(-dims[spread] // (PARTITIONS * most)))) if columns else most
    return _Cut(spread, chunk, tuple(free), tuple(loops))


def _time(costs: Costs, dims: tuple[int, ...], columns: int, cut: _Cut, traffic: Sequence[Traffic]) -> float:
    """Estimate the transfers of all tiles: what does not move along the inner loops is fetched once for all their turns."""
    turns = [(dim, math.ceil(dims[dim] / far)) for dim, far in cut.loops]
    count = min(PARTITIONS, dims[cut.spread] // cut.chunk)
    turns.append((cut.spread, math.ceil(dims[cut.spread] / (cut.chunk * count))))
    tile = _tile(len(dims) - columns, (0,) * len(dims), cut, cut.free, (count, cut.chunk))
    total = 0.0
    for strides, itemsize, more, of_rows in traffic:
        (step, _), *free = tile.pattern_of_rows(strides) if of_rows else tile.pattern(strides)
        pairs = tuple((stride, length) for stride, length in free)
        if more < 0:
            last = free[-1]
            run = last[1] if last[0] == 1 else 1
            found = Reading(((1, math.prod(length for _, length in free) // run),), run, ())
        else:
            found = reading(costs, pairs, more, itemsize)
        often = 1
        for number, (dim, _) in enumerate(turns):
            if strides[dim]:
                often = math.prod(times for _, times in turns[: number + 1])
        total += often * time(costs, found, count, step == 0 and more >= 0, itemsize)
    return total


def _tile(rows: int, start: tuple[int, ...], cut: _Cut, within: Sequence[tuple[int, int]], part: tuple[int, int]) -> Tile:
    count, along = part
    chunk = [(cut.spread, along)] if along > 1 or not within else []
    inner = [*within, *chunk] if cut.spread == rows - 1 == len(start) - 1 else [*chunk, *within]
    return Tile(start, (cut.spread, along if count > 1 else 0, count), tuple(inner), rows if rows < len(start) else 0)


def tiles(dims: tuple[int, ...], width: int, columns: int = 0, traffic: Sequence[Traffic] = ()) -> Iterator[Tile]:
    """Cut an iteration space into tiles, such that transfers are predicted to take the least time."""
    rows = len(dims) - columns
    if rows == 0:
        yield Tile((0,) * len(dims), (-1, 0, 1), tuple(enumerate(dims)))
        return
    # The longest dim goes over the partitions; the fastest one, whose elements are neighbours in memory, where the others do not fill them.
    candidates = sorted(range(max(1, rows if columns else rows - 1)), key=lambda dim: (dims[dim], dim), reverse=True)
    folds = (False, True) if columns else (True,)
    cuts = dict.fromkeys(_cut(dims, width, columns, spread, fold) for spread in candidates for fold in folds)
    if rows > 1 and not columns and max(dims[: rows - 1]) < PARTITIONS:
        cuts |= dict.fromkeys(_cut(dims, width, columns, rows - 1, fold) for fold in (False, True))
    cut = next(iter(cuts))
    if len(cuts) > 1:
        costs = target_costs()
        cut = min(cuts, key=lambda one: _time(costs, dims, columns, one, traffic))
    far_along = {dim: far for dim, far in cut.loops if far > 1}
    for starts in itertools.product(*(range(0, dims[dim], far) for dim, far in cut.loops)):
        start = [0] * len(dims)
        for (dim, _), at in zip(cut.loops, starts, strict=True):
            start[dim] = at
        within = [(dim, min(far, dims[dim] - start[dim]) if dim in far_along else far) for dim, far in cut.free]
        for at, count, along in spread_rows(dims[cut.spread], cut.chunk) if columns else _spans(dims[cut.spread], cut.chunk):
            start[cut.spread] = at
            yield _tile(rows, tuple(start), cut, within, (count, along))


def repeats(cut: list[Tile], body: int) -> Iterator[Repeat]:
    """Find what repeats in a sequence of tiles."""
    first = 0
    while first < len(cut):
        periods = range(1, min(body, (len(cut) - first) // 2) + 1)
        period, length = 1, 1
        for candidate in periods:
            found = _repeated(cut, first, candidate)
            if found > length:
                period, length = candidate, found
            if first + found == len(cut):
                break
        together = period * max(1, body // period)
        turns = length // together
        if turns < 2:
            together, turns = min(length, together), 1
        step = _difference(cut[first], cut[first + together]) if turns > 1 else (0,) * len(cut[first].start)
        yield Repeat(cut[first : first + together], step, turns)
        first += together * turns


def _difference(one: Tile, other: Tile) -> tuple[int, ...]:
    return tuple(b - a for a, b in zip(one.start, other.start, strict=True))


def _repeated(cut: list[Tile], first: int, period: int) -> int:
    """Count the tiles that are each like the one a period before, one step further."""
    step = _difference(cut[first], cut[first + period])
    last = first + period
    while last < len(cut):
        before, tile = cut[last - period], cut[last]
        if before.partitions != tile.partitions or before.free != tile.free or _difference(before, tile) != step:
            break
        last += 1
    return last - first
