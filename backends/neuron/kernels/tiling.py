"""Tiles of an iteration space: which elements are on which partition, and in which order along the free axis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["PARTITIONS", "Tile", "tiles"]

PARTITIONS: Final = 128


class Tile(NamedTuple):
    """
    Some elements of an iteration space.

    Attributes
    ----------
    start : tuple of int
        Index of the first, by dim.
    partitions : tuple of (int, int, int)
        The dim that partitions go along, by how much each, and how many there are.
    free : tuple of (int, int)
        Dims that the free axis goes along, slowest first, and how far.
    """

    start: tuple[int, ...]
    partitions: tuple[int, int, int]
    free: tuple[tuple[int, int], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """
        Extents on chip.

        Returns
        -------
        tuple of int
            Partitions and elements of each.
        """
        return self.partitions[2], math.prod(count for _, count in self.free)

    def offset(self, strides: tuple[int, ...]) -> int:
        """
        Place of the first element.

        Parameters
        ----------
        strides : tuple of int
            By dim.

        Returns
        -------
        int
            Elements from that of index 0.
        """
        return sum(index * stride for index, stride in zip(self.start, strides, strict=True))

    def pattern(self, strides: tuple[int, ...]) -> list[list[int]]:
        """
        Access pattern.

        Parameters
        ----------
        strides : tuple of int
            By dim.

        Returns
        -------
        list of [stride, count]
            Partitions first; neighbours are merged where one stride does for both.
        """
        dim, step, count = self.partitions
        merged: list[list[int]] = []
        for axis, length in self.free:
            stride = strides[axis]
            if merged and merged[-1][0] == stride * length:
                merged[-1] = [stride, merged[-1][1] * length]
            elif length > 1 or not merged:
                merged.append([stride, length])
        return [[strides[dim] * step, count], *merged]


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
    """
    Cut an iteration space into tiles.

    Parameters
    ----------
    dims : tuple of int
        Lengths.
    width : int
        Most elements on a partition.
    columns : int, optional
        How many dims, the last ones, stay on one partition whatever their size.

    Yields
    ------
    Tile
        Each element is in one of them.
    """
    rows = len(dims) - columns
    if rows == 0:
        yield Tile((0,) * len(dims), (0, 0, 1), tuple(enumerate(dims)))
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
    chunk = 1 if columns else max(1, min(width // taken, -(-dims[spread] // PARTITIONS)))
    cut = {dim: far for dim, far in loops if far > 1}
    for starts in itertools.product(*(range(0, dims[dim], far) for dim, far in loops)):
        start = [0] * len(dims)
        within = list(free)
        for (dim, far), at in zip(loops, starts, strict=True):
            start[dim] = at
            if dim in cut:
                within.append((dim, min(far, dims[dim] - at)))
        for at, count, along in _spans(dims[spread], chunk):
            start[spread] = at
            inner = [(spread, along), *within] if chunk > 1 else within or [(spread, 1)]
            yield Tile(tuple(start), (spread, along if count > 1 else 0, count), tuple(inner))
