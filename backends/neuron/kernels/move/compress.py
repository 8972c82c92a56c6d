"""Elements that a mask keeps, moved together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch
from .gather import NOWHERE, in_loops
from .tile_transpose import TileTransposer

__all__ = ["compress"]

_MOST: Final = 2**24  # elements, whose places float32 counts exactly
_WIDEST: Final = 2048  # elements of a partition, a power of two
_TOGETHER: Final = 2  # tiles
_INSTRUCTIONS: Final = 120  # of a tile


def compress(dst: Any, mask: Any, src: Any) -> None:
    """
    Copy the elements that a mask keeps, in their order, to the beginning of a tensor.

    Notes
    -----
    *Layout.* A tile has up to 2048 neighbouring elements on each partition. A running sum of the mask tells how many elements are kept up
    to each one; where element k of those comes from is the first place at which the sum is k + 1, which GpSimd and the Vector Engine look
    for by bisection, for all k at once. What a partition keeps, c elements, goes to HBM in two pieces of b elements, its first and its
    last ones, where b is the power of two with b <= c < 2b: pieces of different partitions do not overlap, and no write has to wait for
    another. There is an instruction for each power, in which partitions of other counts are left out. Two tiles are searched in turns, so
    that each engine works on one of them.

    *Bound.* Vector Engine and GpSimd: three and two cycles per element and step of the bisection, of which there are eleven.
    """
    nothing = scratch((PARTITIONS, _WIDEST), dst.dtype)
    nisa.memset(nothing, 0)
    for first, partitions, each in spread_rows(dst.shape[0], _WIDEST):
        nisa.dma_copy(dst[first : first + partitions * each].reshape_dim(0, (partitions, each)), nothing[:partitions, :each])
    work = _Constants()
    transposer = TileTransposer(2)
    before = scratch((1, 1), nl.float32)  # elements that earlier tiles keep
    nisa.memset(before, 0.0)

    def some(part: Callable[[Any], Any], elements: int) -> None:
        tiles = []
        for first, partitions, each in spread_rows(elements, _WIDEST):
            views = (part(tensor)[first : first + partitions * each].reshape_dim(0, (partitions, each)) for tensor in (mask, src))
            tiles.append(_Tile.loaded(*views))
        steps = zip_longest(*map(work.search, tiles))
        while next(steps, None):
            pass
        for tile in tiles:
            work.store(dst, tile, _offsets(tile.counts, before, transposer))

    in_loops(src.shape[0], _TOGETHER * PARTITIONS * _WIDEST, _TOGETHER * _INSTRUCTIONS, some)


class _Tile(NamedTuple):
    """Elements, (P, n); how many are kept up to each one, (P, width), and in all, (P, 1); where those that are kept come from."""

    values: Any
    ranks: Any
    counts: Any
    places: Any

    @classmethod
    def loaded(cls, mask: Any, src: Any) -> _Tile:
        """Load elements, and count those that are kept."""
        partitions, each = mask.shape
        width = 1 << (each - 1).bit_length()
        marks, ones = scratch((partitions, each), mask.dtype), scratch((partitions, each), nl.int16)
        nisa.dma_copy(marks, mask)
        nisa.memset(ones, 1)
        ranks, counts = scratch((partitions, width), nl.int16), scratch((partitions, 1), nl.float32)
        nisa.tensor_tensor_scan(ranks[:, :each], ones, marks, 0.0, nl.multiply, nl.add)
        nisa.tensor_copy(counts, ranks[:, each - 1 : each], engine=nisa.engine.vector)
        values = scratch((partitions, min(each + 1, width)), src.dtype)
        nisa.dma_copy(values[:, :each], src)
        if each < width:  # what nobody looks for comes first after all others, and is nothing
            nisa.memset(ranks[:, each:], 2 * _WIDEST)
            nisa.memset(values[:, each:], 0)
        return cls(values, ranks, counts, scratch(ranks.shape, nl.uint32))


class _Constants:
    """What all tiles need, and the steps that need it."""

    def __init__(self) -> None:
        self.wanted = scratch((PARTITIONS, _WIDEST), nl.int16)  # 1, 2, 3, ...
        nisa.iota(self.wanted, [[1, _WIDEST]], offset=1)
        self.powers = [1 << power for power in range(_WIDEST.bit_length())]
        self.sizes = scratch((PARTITIONS, len(self.powers)), nl.float32)
        self.from_end = scratch((PARTITIONS, 2 * _WIDEST - 1), nl.float32)  # for each power b: -b, ..., -1
        for place, power in enumerate(self.powers):
            nisa.memset(self.sizes[:, place : place + 1], float(power))
            nisa.iota(self.from_end[:, power - 1 : 2 * power - 1], [[1, power]], offset=-power)

    def search(self, tile: _Tile) -> Iterator[bool]:
        """Bisect, step by step: the first place of each partition at which the rank is that of the column."""
        partitions, width = tile.ranks.shape
        wanted, step = self.wanted[:partitions, :width], width // 2
        if not step:
            nisa.memset(tile.places, 0)
            return
        middle = scratch((partitions, 1), nl.float32)
        nisa.tensor_copy(middle, tile.ranks[:, step - 1 : step], engine=nisa.engine.vector)
        nisa.tensor_scalar(tile.places, wanted, nl.greater, middle, op1=nl.multiply, operand1=float(step), engine=nisa.engine.vector)
        while step := step // 2:
            yield True
            there, below = scratch((partitions, width), nl.int16), scratch((partitions, width), nl.int16)
            nisa.nc_n_gather(there, tile.ranks[:, step - 1 :], tile.places)
            nisa.tensor_tensor(below, there, wanted, nl.less, engine=nisa.engine.vector)
            nisa.scalar_tensor_tensor(tile.places, below, nl.multiply, float(step), nl.add, tile.places)

    def store(self, dst: Any, tile: _Tile, offsets: Any) -> None:
        """Write what partitions keep to where it belongs."""
        partitions, width = tile.ranks.shape
        kept = scratch((partitions, width), dst.dtype)
        nisa.nc_n_gather(kept, tile.values, tile.places)
        powers = self.powers[: width.bit_length()]
        sizes = self.sizes[:partitions, : len(powers)]
        firsts, lasts = self._targets(sizes, tile.counts, offsets)
        places, from_end = scratch((partitions, 2 * width - 1), nl.uint32), self.from_end[:partitions, : 2 * width - 1]
        nisa.tensor_scalar(places, from_end, nl.add, tile.counts, op1=nl.maximum, operand1=0.0, engine=nisa.engine.vector)
        ends = scratch(places.shape, kept.dtype)
        nisa.nc_n_gather(ends, kept, places)
        for level, power in enumerate(powers):
            for at, piece in ((firsts, kept[:, :power]), (lasts, ends[:, power - 1 : 2 * power - 1])):
                target = dst.ap([[1, partitions], [1, power]], vector_offset=at[:, level : level + 1], indirect_dim=0)
                nisa.dma_copy(target, piece, oob_mode=nisa.oob_mode.skip)

    def _targets(self, sizes: Any, counts: Any, offsets: Any) -> tuple[Any, Any]:
        """Find where the first and the last pieces of each size go: nowhere, unless the size is the largest that a count has."""
        larger, fits = scratch(sizes.shape, nl.float32), scratch(sizes.shape, nl.uint8)
        nisa.tensor_scalar(larger, sizes, nl.multiply, 2.0, op1=nl.greater, operand1=counts, engine=nisa.engine.vector)
        nisa.scalar_tensor_tensor(fits, sizes, nl.less_equal, counts, nl.multiply, larger)
        end = scratch(counts.shape, nl.float32)
        nisa.tensor_tensor(end, offsets, counts, nl.add, engine=nisa.engine.vector)
        targets = []
        for factor, start in ((0.0, offsets), (-1.0, end)):
            target, place = scratch(sizes.shape, nl.int32), scratch(sizes.shape, nl.int32)
            nisa.tensor_scalar(place, sizes, nl.multiply, factor, op1=nl.add, operand1=start, engine=nisa.engine.vector)
            nisa.memset(target, NOWHERE)
            nisa.tensor_copy_predicated(target, place, fits)
            targets.append(target)
        return targets[0], targets[1]


def _offsets(counts: Any, before: Any, transposer: TileTransposer) -> Any:
    """Count what comes before each partition, (P, 1), and add the tile's to what comes before the next one."""
    partitions = counts.shape[0]
    row, ones = scratch((1, partitions + 1), nl.float32), scratch((1, partitions + 1), nl.float32)
    nisa.memset(ones, 1.0)
    nisa.tensor_copy(row[:, :1], before, engine=nisa.engine.vector)
    transposer.tile(row[:, 1:], counts)
    sums, result = scratch(row.shape, nl.float32), scratch((partitions, 1), nl.float32)
    nisa.tensor_tensor_scan(sums, ones, row, 0.0, nl.multiply, nl.add)
    transposer.tile(result, sums[:, :partitions])
    nisa.tensor_copy(before, sums[:, partitions:], engine=nisa.engine.vector)
    return result


def _rule(mask: Signature, source: Signature) -> Ruling:
    if mask.shape != source.shape or len(source.shape) != 1 or source.shape[0] >= _MOST:
        raise InvalidCallError(f"compress takes a mask and a vector of one length below {_MOST}, not {mask.shape} and {source.shape}")
    return (source,), source.shape


def _emit(emission: Emission, size: int) -> None:
    compress(emission.result((size,)), emission.source(0, (size,)), emission.source(1, (size,)))


declare(Kernel("compress", _rule, _emit, "elements where a mask holds", "of {0}"))
