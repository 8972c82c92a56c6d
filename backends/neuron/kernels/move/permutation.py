"""Permutations of the axes of tensors in HBM, bit for bit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, Variant, declare
from ..balance import target_costs
from ..emission import Emission
from ..products.blocking import even_parts
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS
from .grouped_transpose import split_axes, transpose_groups
from .permutation_ways import AN_AXIS, BLOCK_BYTES, BY_DMA, IN_GROUPS, LONG_BYTES, MATRICES, WAYS, collapse_axes, geometry, time
from .tile_transpose import TileTransposer, itemsize
from .transposed_elementwise import transposed

__all__ = ["permute"]

_ROOM_BYTES: Final = 36864  # of a partition, for a tile that is transposed
_LEAST: Final = 1 << 16  # elements of matrices that are transposed tile by tile where functions follow
_LARGEST: Final = 1 << 26


def permute(dst: Any, src: Any, axes: Sequence[int], *, way: str = "", budget: int = 100_000) -> None:
    """
    Reorder axes: ``dst = transpose(src, axes)``.

    Notes
    -----
    *Layout.* Long runs that stay together go by DMA alone. Else, of the axis that is fastest in `src` and the one that is fastest in
    `dst`, long ones are transposed on chip in tiles of long rows on both sides; a short one stays, with a piece of another, on a
    partition, within which a copy reorders it.

    *Bound.* HBM (each element once in, once out).
    """
    turned, size = (tuple(src.shape), tuple(axes)), itemsize(src.dtype)
    found = geometry(*turned)
    if found is None:
        nisa.dma_copy(dst.reshape((src.size,)), src.reshape((src.size,)))
        return
    if not way:
        times = {one: time(target_costs(), one, *turned, size) for one in WAYS}
        way = min(times, key=times.__getitem__)
    if way == IN_GROUPS:
        shape, order = collapse_axes(*turned)
        split, _ = split_axes(target_costs(), shape, order, size)
        assert split is not None
        transpose_groups(dst.reshape(tuple(shape[axis] for axis in order)), src.reshape(shape), order, split)
        return
    shape, order, slow, fast, others, *_ = found
    source, target = src.reshape(shape), dst.reshape(tuple(shape[axis] for axis in order))
    if way == BY_DMA:
        nisa.dma_copy(target, source.permute(order))
        return
    last = len(shape) - 1
    # (others..., slow, fast, run) and (others..., fast, slow, run)
    source = source.permute((*others, slow, fast, last))
    target = target.permute(tuple(order.index(axis) for axis in (*others, fast, slow, last)))
    _Planes(source, target, budget).run(way)


class _Planes:
    """Matrices of short runs, (others..., slow, fast, run), to be transposed into (others..., fast, slow, run)."""

    def __init__(self, source: Any, target: Any, budget: int) -> None:
        self.source, self.target, self.budget = source, target, budget
        self.slow, self.fast, self.run_length = source.shape[-3:]
        self.others = source.shape[:-3]
        self.size = itemsize(source.dtype)
        self.block = BLOCK_BYTES // self.size  # elements
        self.transposer, self.piece_bytes = TileTransposer(4), math.ceil(target_costs().piece_bytes)

    def run(self, way: str) -> None:
        """Go one of the ways."""
        if way == MATRICES:
            self._loop(self.others.index(max(self.others)), self._planes_on_partitions)
        elif way == AN_AXIS:
            self._loop(None, self._long_axis_on_partitions)
        else:
            self._batched_tiles()

    def _loop(self, kept: int | None, transpose: Callable[[Any, Any], None]) -> None:
        """Transpose for each index of the other axes but one, which then comes first."""
        source, target = self.source, self.target
        ahead = len(self.others)
        if kept is not None:
            moved = (*(axis for axis in range(ahead) if axis != kept), kept, *range(ahead, ahead + 3))
            source, target, ahead = source.permute(moved), target.permute(moved), ahead - 1
        self._each(source, target, ahead, transpose)

    def _each(self, source: Any, target: Any, ahead: int, transpose: Callable[[Any, Any], None]) -> None:
        """Loop over the first axes; the device counts along the longest one where the budget does not hold all (a view has one index)."""
        extents = source.shape[:ahead]
        count = math.prod(extents)
        if count > 1 and count * self._instructions(source.shape[ahead:]) > self.budget:
            axis = extents.index(max(extents))
            nl.fori_loop(0, extents[axis], lambda i: self._all(source.select(axis, i), target.select(axis, i), ahead - 1, transpose))
        else:
            self._all(source, target, ahead, transpose)

    @staticmethod
    def _all(source: Any, target: Any, ahead: int, transpose: Callable[[Any, Any], None]) -> None:
        for place in itertools.product(*map(range, source.shape[:ahead])):
            transpose(_at(source, place), _at(target, place))

    def _instructions(self, shape: tuple[int, ...]) -> int:
        """Count about how many one turn of a loop takes."""
        size = math.prod(shape)
        return 3 + size // (PARTITIONS * self.block) * 3 + size // (PARTITIONS * PARTITIONS)

    def _reorder(self, tile: Any, dims: tuple[int, ...]) -> Any:
        """Copy a tile to one whose axes come in another order."""
        result = nl.ndarray(tuple(tile.shape[dim] for dim in dims), tile.dtype, buffer=nl.sbuf)
        nisa.tensor_copy(result, tile.permute(dims), engine=nisa.engine.vector)
        return result

    def _planes_on_partitions(self, source: Any, target: Any) -> None:
        """Put matrices of a sequence, (count, slow, fast, run), on partitions, several on each."""
        plane = self.slow * self.fast * self.run_length
        for first, count, each in spread_rows(source.shape[0], max(1, self.block // plane)):
            some = slice(first, first + count * each)
            # In SBUF as in HBM, so that runs are long: matrix by matrix, or row by row of all of them.
            loaded, stored = (view[some].reshape_dim(0, (count, each)) for view in (source, target))
            by_row, to_row = loaded.strides[1] < loaded.strides[2], stored.strides[1] < stored.strides[2]
            loaded = loaded.permute((0, 2, 1, 3, 4)) if by_row else loaded
            stored = stored.permute((0, 2, 1, 3, 4)) if to_row else stored
            tile = nl.ndarray(loaded.shape, source.dtype, buffer=nl.sbuf)
            nisa.dma_copy(tile, loaded)
            one, slow = (2, 1) if by_row else (1, 2)
            nisa.dma_copy(stored, self._reorder(tile, (0, 3, one, slow, 4) if to_row else (0, one, 3, slow, 4)))

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
            nisa.dma_copy(stored, self._reorder(tile, (0, 2, 1, 3)))

    def _batched_tiles(self) -> None:
        """Transpose tiles on chip; where an axis is short, together with some of the one whose elements follow it in memory."""
        element = self.size * self.run_length
        length = min(LONG_BYTES // element, math.isqrt(_ROOM_BYTES * PARTITIONS // element))
        length = max(1, length // PARTITIONS) * PARTITIONS
        batches = dict.fromkeys(range(len(self.others)), 1)
        room = _ROOM_BYTES // self.size // (-(-min(length, self.slow) // PARTITIONS) * min(length, self.fast) * self.run_length)
        for view, extent in ((self.source, self.fast), (self.target, self.slow)):
            run = extent * self.run_length
            next_axis = next((axis for axis in batches if view.strides[axis] == run and self.others[axis] > 1), None)
            if next_axis is not None and extent <= length and run * self.size < self.piece_bytes:
                wanted = min(self.others[next_axis], -(-self.piece_bytes // (run * self.size)), max(1, room))
                room //= max(1, wanted // batches[next_axis])
                batches[next_axis] = max(batches[next_axis], wanted)
        chosen = [axis for axis in batches if batches[axis] > 1]
        rest = [axis for axis in batches if axis not in chosen]
        ahead = len(self.others)
        moved = (*rest, *chosen, *range(ahead, ahead + 3))
        sizes = [batches[axis] for axis in chosen]

        def transpose(source: Any, target: Any) -> None:
            for starts in itertools.product(*(range(0, source.shape[axis], size) for axis, size in enumerate(sizes))):
                views = [source, target]
                for axis, (start, size) in enumerate(zip(starts, sizes, strict=True)):
                    views = [view.slice(axis, start, min(start + size, source.shape[axis])) for view in views]
                self._tiles(views[0], views[1], length)

        self._each(self.source.permute(moved), self.target.permute(moved), len(rest), transpose)

    def _tiles(self, source: Any, target: Any, length: int) -> None:
        """Transpose (batches..., slow, fast, run), up to two of them, in tiles."""
        while source.ndim < 5:
            source, target = source.expand_dim(0), target.expand_dim(0)
        # Of each side, batches in the order in which they lie in HBM.
        order = (0, 1) if source.strides[0] >= source.strides[1] else (1, 0)
        swapped = (target.strides[0] >= target.strides[1]) == (order == (1, 0))
        source, target = (view.permute((*order, 2, 3, 4)) for view in (source, target))
        first, second = source.shape[:2]
        source = source.permute((2, 0, 1, 3, 4))
        target = target.permute((2, 1, 0, 3, 4) if swapped else (2, 0, 1, 3, 4))
        batches = (second, first) if swapped else (first, second)
        for (slow, height), (fast, width) in itertools.product(*(even_parts(n, length, PARTITIONS) for n in (self.slow, self.fast))):
            # Neighbours share a partition where only together they make a long run.
            rows, columns = (
                _groups(extent, partner * self.run_length * self.size < self.piece_bytes and 1 == first * second)
                for extent, partner in ((height, self.fast), (width, self.slow))
            )
            turned = [nl.ndarray((g.partitions, g.each, *batches, height, self.run_length), source.dtype, buffer=nl.sbuf) for g in columns]
            for group in rows:
                tile = nl.ndarray((group.partitions, group.each, first, second, width, self.run_length), source.dtype, buffer=nl.sbuf)
                nisa.dma_copy(tile, group.of(source[slow : slow + height, :, :, fast : fast + width]))
                for q, i, j, element in itertools.product(*map(range, (group.each, first, second, self.run_length))):
                    one, other = (j, i) if swapped else (i, j)
                    for result, to in zip(turned, columns, strict=True):
                        self.transposer.planes(
                            result[:, :, one, other, group.places(q), element], to.split(tile[:, q, i, j, :, element])
                        )
            for result, to in zip(turned, columns, strict=True):
                nisa.dma_copy(to.of(target[fast : fast + width, :, :, slow : slow + height]), result)


class _Group(NamedTuple):
    """Indices of an axis on partitions: that of (p, q) is first + p each + q if neighbours share a partition, else first + 128 q + p."""

    first: int
    partitions: int
    each: int
    neighbours: bool

    def of(self, view: Any) -> Any:
        """See the first axis of a view as (p, q)."""
        some = view[self.first : self.first + self.partitions * self.each]
        if self.neighbours:
            return some.reshape_dim(0, (self.partitions, self.each))
        blocks = some.reshape_dim(0, (self.each, self.partitions))
        return blocks.permute((1, 0, *range(2, blocks.ndim)))

    def split(self, tile: Any) -> Any:
        """See the last axis of (P, F) as (P, q, p)."""
        some = tile[:, self.first : self.first + self.partitions * self.each]
        if self.neighbours:
            return some.reshape_dim(1, (self.partitions, self.each)).permute((0, 2, 1))
        return some.reshape_dim(1, (self.each, self.partitions))

    def places(self, q: int) -> slice:
        """Find the indices of one q."""
        if self.neighbours:
            return slice(self.first + q, self.first + (self.partitions - 1) * self.each + q + 1, self.each)
        return slice(self.first + self.partitions * q, self.first + self.partitions * (q + 1))


def _groups(extent: int, neighbours: bool) -> list[_Group]:
    """Put an axis on partitions: as much of it as is regular, then the rest."""
    each = -(-extent // PARTITIONS) if neighbours else max(1, extent // PARTITIONS)
    count = min(PARTITIONS, extent // each)
    groups, rest = [_Group(0, count, each, neighbours)], extent - count * each
    return groups + ([_Group(count * each, rest, 1, False)] if rest else [])


def _at(view: Any, place: tuple[int, ...]) -> Any:
    """Select one index of each of the first axes."""
    for index in place:
        view = view.select(0, index)
    return view


def _rule(source: Signature, *, shape: tuple[int, ...], axes: tuple[int, ...]) -> Ruling:
    if math.prod(shape) != math.prod(source.shape) or sorted(axes) != list(range(len(shape))):
        raise InvalidCallError(f"permute of {source} as {shape} does not go by the axes {axes}")
    return (Signature(tuple(shape[axis] for axis in axes), source.dtype),), (shape, axes)


def _epilogue(shape: tuple[int, ...], axes: tuple[int, ...]) -> int:
    """Count the rows of a stack of matrices that is transposed: 0 where it is small, or so large that the device loops."""
    last = len(axes) - 1
    if not _LEAST <= math.prod(shape) <= _LARGEST or axes != (*range(last - 1), last, last - 1) or min(shape[-2:]) < PARTITIONS:
        return 0
    return shape[-2]


def _emit(way: str, emission: Emission, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    after = emission.stage.epilogue
    if after is None:
        permute(emission.result((math.prod(shape),)), emission.source(0, shape), axes, way=way, budget=emission.budget)
        return
    transposed(emission.source(0, (math.prod(shape[:-2]), *shape[-2:])), emission.functions(after).on_tiles)


def _time(way: str, costs: Costs, results: tuple[Signature, ...], shape: tuple[int, ...], axes: tuple[int, ...]) -> float:
    return time(costs, way, shape, axes, results[0].dtype.itemsize)


declare(
    Kernel(
        "permute",
        _rule,
        None,
        "permutation of axes",
        "{0} to {1}",
        epilogue=_epilogue,
        variants=tuple(Variant(way, partial(_time, way), partial(_emit, way)) for way in WAYS),
    )
)
