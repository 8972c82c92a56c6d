"""Tiles of an iteration space: which elements are on which partition, and in which order along the free axis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

from .row_distribution import spread_rows
from .sbuf import PARTITIONS

__all__ = ["Repeat", "Tile", "repeats", "tiles"]


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
    """

    start: tuple[int, ...]
    partitions: tuple[int, int, int]
    free: tuple[tuple[int, int], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Extents on chip."""
        return self.partitions[2], math.prod(count for _, count in self.free)

    @property
    def along(self) -> int:
        """How many of the dim that partitions go along are on each of them."""
        dim, count = self.free[0] if self.free else (-1, 1)
        return count if dim == self.partitions[0] else 1

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
        dim, step, count = self.partitions
        return [[strides[dim] * step, count], [strides[dim], self.along]]


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


def tiles(dims: tuple[int, ...], width: int, columns: int = 0) -> Iterator[Tile]:
    """Cut an iteration space into tiles."""
    rows = len(dims) - columns
    if rows == 0:
        yield Tile((0,) * len(dims), (-1, 0, 1), tuple(enumerate(dims)))
        return
    # The longest dim goes over the partitions, but the fastest one, whose elements are neighbours in memory, only if it is alone.
    candidates = range(max(1, rows if columns else rows - 1))
    spread = max(candidates, key=lambda dim: (dims[dim], dim))
    free = [(dim, dims[dim]) for dim in range(rows, len(dims))]
    taken = math.prod(dims[rows:])
    loops: list[tuple[int, int]] = []  # dims outside of the tile, and how far a tile goes along each
    for dim in reversed(range(rows)):
        if dim == spread:
            continue
        if not columns and taken * dims[dim] <= width and not loops and len(free) < 2:
            free.insert(0, (dim, dims[dim]))
            taken *= dims[dim]
        elif not columns and not free:
            loops.append((dim, min(width, dims[dim])))
            taken = min(width, dims[dim])
        else:
            loops.append((dim, 1))
    most = max(1, min(width // taken, -(-dims[spread] // PARTITIONS)))
    # Rows are dealt out evenly; else chunks have the full width, a power of two.
    chunk = -(-dims[spread] // (PARTITIONS * -(-dims[spread] // (PARTITIONS * most)))) if columns else most
    cut = {dim: far for dim, far in loops if far > 1}
    for starts in itertools.product(*(range(0, dims[dim], far) for dim, far in loops)):
        start = [0] * len(dims)
        within = list(free)
        for (dim, far), at in zip(loops, starts, strict=True):
            start[dim] = at
            if dim in cut:
                within.append((dim, min(far, dims[dim] - at)))
        for at, count, along in spread_rows(dims[spread], chunk) if columns else _spans(dims[spread], chunk):
            start[spread] = at
            inner = [(spread, along), *within] if along > 1 else within or [(spread, 1)]
            yield Tile(tuple(start), (spread, along if count > 1 else 0, count), tuple(inner))


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
