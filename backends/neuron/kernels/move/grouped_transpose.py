"""Permutations that bring several short axes behind several others: as transposes of matrices of groups of axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ....isa import nisa
from ...costs import Costs
from ..evacuation import Evacuation
from ..sbuf import PARTITIONS
from ..tile_ring import BANK_BYTES, Ring, psum_ring
from .tile_transpose import itemsize

__all__ = ["Split", "split_axes", "time", "transpose_groups"]

_MOST_BYTES: Final = 48 * 1024  # of a partition, for a matrix and for its transpose
_MOST: Final = 4096  # transposes of a program, which has no loop of the device
_AXES: Final = 3  # of a group
_STORED: Final = 8  # parts of one matrix
_HELD: Final = 3  # matrices: one that is loaded, one that is transposed, one that is stored


class Split(NamedTuple):
    """
    Axes of the source in three groups.

    Attributes
    ----------
    rest : tuple of int
        In the order of the source, and of the result, those that are the slowest, for each index of which there is a matrix.
    rows : tuple of int
        Neighbours in the source, and the fastest ones of the result.
    columns : tuple of int
        The fastest ones of the source, and neighbours in the result.
    """

    rest: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def _splits(shape: tuple[int, ...], order: tuple[int, ...], size: int) -> Iterator[Split]:
    count = len(shape)
    for first in range(1, count):
        columns = tuple(range(first, count))
        length = next(length for length in range(count + 1) if length == count or order[count - 1 - length] >= first)
        rows = tuple(sorted(order[count - length :]))
        places = sorted(order.index(axis) for axis in columns)
        if not rows or rows[-1] - rows[0] + 1 != len(rows) or places[-1] - places[0] + 1 != len(places):
            continue
        elements = math.prod(shape[axis] for axis in (*rows, *columns))
        if max(len(rows), len(columns)) <= _AXES and elements * size <= PARTITIONS * _MOST_BYTES // (1 if first == len(rows) else _HELD):
            yield Split(tuple(axis for axis in range(first) if axis not in rows), rows, columns)


def _parts(extents: Sequence[int]) -> list[tuple[tuple[int, ...], int, int]]:
    """Cut a group of axes into runs of up to 128: indices of the first axes, and begin and length along the next one; others are whole."""
    level = next(level for level in range(len(extents)) if math.prod(extents[level + 1 :]) <= PARTITIONS)
    most = PARTITIONS // math.prod(extents[level + 1 :])
    starts = range(0, extents[level], most)
    indices = itertools.product(*map(range, extents[:level]))
    return [(index, start, min(most, extents[level] - start)) for index in indices for start in starts]


@lru_cache(maxsize=256)
def split_axes(costs: Costs, shape: tuple[int, ...], order: tuple[int, ...], size: int) -> tuple[Split | None, float]:
    """Find the groups of a permutation without axes that stay neighbours, and estimate it; None where there are none."""
    if costs.target.name == "trn1":  # whose Tensor Engine spoils NaN as it transposes
        return None, math.inf
    timed = [(_time(costs, shape, split, size), split) for split in _splits(shape, order, size)]
    if not timed:
        return None, math.inf
    seconds, split = min(timed)
    return split, seconds


def time(costs: Costs, shape: tuple[int, ...], order: tuple[int, ...], size: int) -> float:
    """Estimate the way; infinite where there is none."""
    return split_axes(costs, shape, order, size)[1]


def _time(costs: Costs, shape: tuple[int, ...], split: Split, size: int) -> float:
    rest, rows, columns = (math.prod(shape[axis] for axis in axes) for axes in split)
    down, along = (len(_parts([shape[axis] for axis in axes])) for axes in (split.rows, split.columns))
    if rest * down * along > _MOST:
        return math.inf
    loads = costs.moves(rest * rows, columns * size, rest * rows * columns * size) * max(1.0, PARTITIONS * down / rows)
    stores = costs.moves(rest * columns, rows * size, rest * rows * columns * size) * max(1.0, PARTITIONS * along / columns)
    turning = costs.instruction("nc_transpose", rows / down, "tensor", "float32" if size == 4 else "")
    copying = costs.instruction("tensor_copy", rows, apart=len(split.rows) > 1) / 2
    work = rest * along * max(down * turning, copying)
    return 2 * costs.transfer_waits + costs.waits("tensor") + costs.waits("vector") + max(loads + stores, work) + work / (rest * along)


def transpose_groups(dst: Any, src: Any, order: tuple[int, ...], split: Split) -> None:
    """
    Reorder axes, of which none stay neighbours.

    Notes
    -----
    *Layout.* An index of the rows lies on each partition, up to 128, with all columns, which are one run in HBM. The Tensor Engine
    transposes up to 128 columns, which it reads in the result's order; copies out of PSUM write rows in that order. Then columns lie on
    partitions with all rows, which are one run in HBM again.

    *Bound.* HBM; for few elements two transfers, one after the other.
    """
    rest, rows, columns = split
    by_row = tuple(axis for axis in order if axis in rows)
    by_column = tuple(axis for axis in order if axis in columns)
    source = src.permute((*rest, *rows, *columns))
    target = dst.permute(tuple(order.index(axis) for axis in (*rest, *by_column, *by_row)))
    shape = {axis: src.shape[axis] for axis in range(src.ndim)}
    heights, widths = [shape[axis] for axis in rows], [shape[axis] for axis in by_column]
    down, along = _parts(heights), _parts(widths)
    to_columns = [columns.index(axis) for axis in by_column]
    to_rows = [by_row.index(axis) for axis in rows]
    bank_elements = BANK_BYTES // itemsize(src.dtype)
    banks, evacuation = psum_ring(4), Evacuation()
    count, width = math.prod(heights), math.prod(widths)
    places = list(itertools.product(*(range(shape[axis]) for axis in rest)))
    held = min(_HELD, len(places))
    loaded = Ring(held * len(down), (PARTITIONS, width), src.dtype)
    stored = Ring(2 * held if held > 1 else min(len(along), _STORED), (PARTITIONS, count), src.dtype)

    def load(place: tuple[int, ...]) -> list[Any]:
        here, tiles, first = _flat(_at(source, place), len(rows)), [], 0
        for _, _, length in down:
            partitions = length * _inner(heights)
            tile = loaded.take()[:partitions]
            nisa.dma_copy(tile, here[first : first + partitions])
            tiles.append(tile.reshape_dim(1, tuple(shape[axis] for axis in columns)).permute((0, *(1 + axis for axis in to_columns))))
            first += partitions
        return tiles

    def turn(place: tuple[int, ...], tiles: list[Any]) -> None:
        there, begin = _flat(_at(target, place), len(columns)), 0
        for index, start, length in along:
            wide = length * _inner(widths)
            out = stored.take()[:wide]
            written = out.reshape_dim(1, tuple(shape[axis] for axis in by_row)).permute((0, *(1 + axis for axis in to_rows)))
            for group in _banks(down, _inner(heights), bank_elements):
                bank = banks.take().view(src.dtype)[:wide, : sum(length for _, _, length in group) * _inner(heights)]
                at = 0
                for part in group:
                    tile = tiles[down.index(part)]
                    nisa.nc_transpose(bank[:, at : at + tile.shape[0]], _within(tile, index, start, length), engine=nisa.engine.tensor)
                    at += tile.shape[0]
                to = _within(written, group[0][0], group[0][1], sum(length for _, _, length in group))
                evacuation.copy(to, bank.reshape_dim(1, tuple(to.shape[1:])) if to.ndim > 2 else bank)
            nisa.dma_copy(there[begin : begin + wide], out)
            begin += wide

    ahead = [load(place) for place in places[: held - 1 or 1]]
    for number, place in enumerate(places):
        if len(ahead) < held and number + len(ahead) < len(places):
            ahead.append(load(places[number + len(ahead)]))
        turn(place, ahead.pop(0))


def _inner(extents: Sequence[int]) -> int:
    """Count what a part has of each index of its axis."""
    level = next(level for level in range(len(extents)) if math.prod(extents[level + 1 :]) <= PARTITIONS)
    return math.prod(extents[level + 1 :])


def _banks(
    parts: list[tuple[tuple[int, ...], int, int]], inner: int, elements: int
) -> Iterator[list[tuple[tuple[int, ...], int, int]]]:
    """Gather parts that follow each other along an axis, as many as a bank of PSUM holds."""
    group: list[tuple[tuple[int, ...], int, int]] = []
    for part in parts:
        if group and (group[0][0] != part[0] or (sum(length for _, _, length in group) + part[2]) * inner > elements):
            yield group
            group = []
        group.append(part)
    yield group


def _within(tile: Any, index: tuple[int, ...], start: int, length: int) -> Any:
    """See the part of a tile (P, axes...)."""
    for one in index:
        tile = tile.select(1, one)
    return tile.slice(1, start, start + length)


def _at(view: Any, place: tuple[int, ...]) -> Any:
    for index in place:
        view = view.select(0, index)
    return view


def _flat(view: Any, count: int) -> Any:
    """See the first axes as one, and the others as one."""
    view = view.flatten_dims(count, view.ndim - 1) if view.ndim > count + 1 else view
    return view.flatten_dims(0, count - 1) if count > 1 else view
