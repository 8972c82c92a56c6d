"""Permutations of the axes of tensors in HBM, bit for bit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ...isa import nisa, nl
from .spread import spread_rows
from .transpose_tile import TileTransposer, itemsize

__all__ = ["collapse_axes", "permute"]

_PARTITIONS: Final = 128
_RUN_BYTES: Final = 1024  # runs from which on a DMA alone is faster than two and a copy on chip
_TILE_BYTES: Final = 2048  # rows of a tile that the Tensor Engine transposes, on both sides
_BLOCK_BYTES: Final = 16384  # of a partition whose elements are reordered in place
_NARROW: Final = 32  # extents that leave most of the Tensor Engine idle


def collapse_axes(shape: Sequence[int], axes: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """
    Remove axes of one element, and merge those that stay neighbours.

    Parameters
    ----------
    shape : sequence of int
        Of the source.
    axes : sequence of int
        Axis of the source for each axis of the result.

    Returns
    -------
    tuple
        The shape and axes of a permutation of the same elements with fewer axes.

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


def permute(dst: Any, src: Any, axes: Sequence[int]) -> None:
    """
    Reorder axes: ``dst = transpose(src, axes)``.

    Parameters
    ----------
    dst, src : tensor
        In HBM, contiguous, of any one native dtype; `dst` has the permuted shape (or any shape of as many elements).
    axes : sequence of int
        Axis of `src` for each axis of `dst`.

    Notes
    -----
    *Layout.* Runs of 1 KiB that stay together go by DMA alone. Else, of the axis that is fastest in `src` and the one that is fastest in
    `dst`, long ones are transposed on chip in tiles whose rows are 2 KiB on both sides; a short one stays, with a piece of another, on a
    partition, within which a copy reorders it.

    *Bound.* HBM (each element once in, once out).
    """
    shape, order = collapse_axes(src.shape, axes)
    if len(shape) < 2:
        nisa.dma_copy(dst.reshape((src.size,)), src.reshape((src.size,)))
        return
    permuted = tuple(shape[axis] for axis in order)
    source, target = src.reshape(shape), dst.reshape(permuted)
    last = len(shape) - 1
    if order[last] == last and shape[last] * itemsize(src.dtype) >= _RUN_BYTES:
        nisa.dma_copy(target, source.permute(order))
        return
    if order[last] != last:  # every element is a run of its own
        source, target = source.reshape((*shape, 1)), target.reshape((*permuted, 1))
        shape, order, last = (*shape, 1), (*order, last + 1), last + 1
    fast, slow = last - 1, order[last - 1]  # fastest axis of the source, and of the result
    others = [axis for axis in range(last) if axis not in (fast, slow)]
    # (others..., slow, fast, run) and (others..., fast, slow, run)
    source = source.permute((*others, slow, fast, last))
    target = target.permute(tuple(order.index(axis) for axis in (*others, fast, slow, last)))
    _Planes(source, target).run()


class _Planes:
    """Matrices of short runs, (others..., slow, fast, run), to be transposed."""

    def __init__(self, source: Any, target: Any) -> None:
        self.source, self.target = source, target
        self.slow, self.fast, self.run_length = source.shape[-3:]
        self.others = source.shape[:-3]
        self.size = itemsize(source.dtype)
        self.block = _BLOCK_BYTES // self.size  # elements
        self.transposer = TileTransposer(4)

    def run(self) -> None:
        """Choose how."""
        plane = self.slow * self.fast * self.run_length
        narrow = min(self.slow, self.fast) * self.run_length
        widest = max(self.others, default=1)
        if plane <= self.block and min(self.slow, self.fast) < _PARTITIONS and widest * plane >= max(self.slow, self.fast) * narrow:
            self._planes_on_partitions(self.others.index(widest) if widest > 1 else None)
            return
        for source, target in self._matrices():
            if narrow <= self.block and min(self.slow, self.fast) < _NARROW:
                self._long_axis_on_partitions(source, target)
            else:
                self._tiles(source, target)

    def _matrices(self) -> Iterator[tuple[Any, Any]]:
        for place in itertools.product(*map(range, self.others)):
            yield _at(self.source, place), _at(self.target, place)

    def _reorder(self, tile: Any, shape: tuple[int, ...], dims: tuple[int, ...]) -> Any:
        """Copy a tile whose free axes, of `shape`, come in another order."""
        result = nl.ndarray((tile.shape[0], *(shape[dim - 1] for dim in dims[1:])), tile.dtype, buffer=nl.sbuf)
        nisa.tensor_copy(result, tile.permute(dims), engine=nisa.engine.vector)
        return result

    def _planes_on_partitions(self, axis: int | None) -> None:
        """Put whole matrices on partitions, several of a sequence on each."""
        rest = [extent for place, extent in enumerate(self.others) if place != axis]
        for place in itertools.product(*map(range, rest)):
            source, target = (_all_but(view, axis, place) for view in (self.source, self.target))  # (count, slow, fast, run), ...
            plane = self.slow * self.fast * self.run_length
            for first, count, each in spread_rows(source.shape[0], max(1, self.block // plane)):
                some = slice(first, first + count * each)
                tile = nl.ndarray((count, each, self.slow, self.fast, self.run_length), source.dtype, buffer=nl.sbuf)
                nisa.dma_copy(tile, source[some].reshape_dim(0, (count, each)))
                result = self._reorder(tile, tile.shape[1:], (0, 1, 3, 2, 4))
                nisa.dma_copy(target[some].reshape_dim(0, (count, each)), result)

    def _long_axis_on_partitions(self, source: Any, target: Any) -> None:
        """Spread the longer axis over partitions; the shorter one stays whole on each."""
        short = min(self.slow, self.fast)
        for first, count, each in spread_rows(max(self.slow, self.fast), max(1, self.block // (short * self.run_length))):
            some = slice(first, first + count * each)
            if self.slow >= self.fast:
                loaded = source[some].reshape_dim(0, (count, each))  # (count, each, fast, run)
                stored = target[:, some].reshape_dim(1, (count, each)).permute((1, 0, 2, 3))  # (count, fast, each, run)
            else:
                loaded = source[:, some].reshape_dim(1, (count, each)).permute((1, 0, 2, 3))  # (count, slow, each, run)
                stored = target[some].reshape_dim(0, (count, each))  # (count, each, slow, run)
            tile = nl.ndarray(loaded.shape, source.dtype, buffer=nl.sbuf)
            nisa.dma_copy(tile, loaded)
            nisa.dma_copy(stored, self._reorder(tile, tile.shape[1:], (0, 2, 1, 3)))

    def _tiles(self, source: Any, target: Any) -> None:
        """Transpose tiles on chip."""
        length = max(_PARTITIONS, _TILE_BYTES // self.size // self.run_length // _PARTITIONS * _PARTITIONS)
        for slow in range(0, self.slow, length):
            for fast in range(0, self.fast, length):
                height, width = min(length, self.slow - slow), min(length, self.fast - fast)
                down, across = -(-height // _PARTITIONS), -(-width // _PARTITIONS)
                tile = nl.ndarray((min(height, _PARTITIONS), down, width, self.run_length), source.dtype, buffer=nl.sbuf)
                for part, view in _in_blocks(tile, source[slow : slow + height, fast : fast + width]):
                    nisa.dma_copy(part, view)
                turned = nl.ndarray((min(width, _PARTITIONS), across, height, self.run_length), source.dtype, buffer=nl.sbuf)
                for block in range(down):
                    low, high = block * _PARTITIONS, min(height, (block + 1) * _PARTITIONS)
                    for element in range(self.run_length):
                        self.transposer.blocks(turned[:, :, low:high, element], tile[: high - low, block, :, element])
                for part, view in _in_blocks(turned, target[fast : fast + width, slow : slow + height]):
                    nisa.dma_copy(view, part)


def _at(view: Any, place: tuple[int, ...]) -> Any:
    """Select one index of each of the first axes."""
    for index in place:
        view = view.slice(0, index, index + 1).squeeze_dim(0)
    return view


def _all_but(view: Any, axis: int | None, place: tuple[int, ...]) -> Any:
    """Select one index of each of the first axes but one, which comes first."""
    ahead = len(view.shape) - 3
    if axis is None:
        return view.expand_dim(0)
    moved = view.permute((*(a for a in range(ahead) if a != axis), axis, *range(ahead, ahead + 3)))
    return _at(moved, place)


def _in_blocks(tile: Any, view: Any) -> Iterator[tuple[Any, Any]]:
    """Match (128, blocks, columns, run) in SBUF with (rows, columns, run) in HBM: all whole blocks, and the rest."""
    rows = view.shape[0]
    whole = rows // _PARTITIONS
    if whole:
        yield tile[:, :whole], view[: whole * _PARTITIONS].reshape_dim(0, (whole, _PARTITIONS)).permute((1, 0, 2, 3))
    if rows % _PARTITIONS:
        yield tile[: rows % _PARTITIONS, whole], view[whole * _PARTITIONS :]
