"""Sorting rows of tensors in HBM: the bitonic network."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..move.gather import in_loops
from ..move.tile_transpose import TileTransposer
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch

__all__ = ["LAST", "sort_rows"]

_FREE: Final = 8192  # elements of a partition that are sorted at once
# Elements of a partition for which spreading a row wider saves nothing. On trn1 and trn2 sorts with 16 or 64 are predicted to take at most
# 5 % more, so that no figure decides it.
_LEAST_FREE: Final = 32
LAST: Final = 2.0**100  # a key beyond all others
_INSTRUCTIONS: Final = 8  # of a step
_TIE: Final = 2.0**-126  # the difference of unequal first keys is larger than that of second keys times this

Planes = list[Any]


def sort_rows(dst: Sequence[Any], src: Sequence[Any]) -> None:
    """
    Sort rows in ascending order: by a key, or by a first key and among equal ones by a second.

    Notes
    -----
    *Method.* K. E. Batcher, "Sorting networks and their applications", AFIPS 32, 1968: blocks of 2, 4, ... elements that rise and fall in
    turn are merged; for log2 n = m that takes m (m + 1) / 2 steps, in each of which all elements are compared in pairs. A block that has to
    fall is multiplied by -1 and rises: every step has one form. Rows are filled up to a power of two.

    *Layout.* A row lies on one partition, with others beside it, or is spread over 2, 4, ..., 128 of them, piece by piece. Steps between
    partitions are done on the transposed tile, in which they are steps along the free axis. Of rows of more than 2**20 elements,
    pieces are sorted, and merged in HBM: steps between pieces, then those within each.

    *Bound.* Vector Engine, GpSimd and Scalar Engine side by side: for n elements of a partition, a step takes the Vector Engine 5 n
    cycles (one key: n). First and second keys are compared together: the sign of ``a + 2**-126 b`` for their differences a and b.
    """
    rows, columns = src[0].shape
    exponent = max(1, (columns - 1).bit_length())
    length = 1 << exponent
    spread = 1
    while spread < PARTITIONS and (length // spread > _FREE or (2 * spread * rows <= PARTITIONS and length // spread > _LEAST_FREE)):
        spread *= 2
    inner = length // spread
    block = PARTITIONS // spread * max(1, _FREE // length)
    sorter = _LongRow(len(src), exponent) if inner > _FREE else _Sorter(len(src), spread, inner, exponent)
    steps = exponent * (exponent + 1) // 2

    def sort(part: Callable[[Any], Any], count: int) -> None:  # noqa: ARG001  # the views know it
        sorter.sort([part(plane) for plane in dst], [part(plane) for plane in src])

    in_loops(rows, block, _INSTRUCTIONS * steps, sort)


class _Sorter:
    """
    Sorts tiles: rows of 2**exponent elements, each on `spread` partitions with `free` elements on each.

    Tiles are (P, elements of a partition); a step reads one of two tiles of each plane and writes the other.
    """

    def __init__(self, planes: int, spread: int, free: int, exponent: int) -> None:
        self.planes, self.spread, self.free, self.exponent = planes, spread, free, exponent
        self.inner = free.bit_length() - 1  # bits of an element's place that are along the free axis
        self.copier = nisa.engine.scalar if nisa.get_nc_version() >= nisa.nc_version.gen3 else nisa.engine.vector
        if spread > 1:
            self.transposer = TileTransposer(4)
            self.signs = self._sign_columns()

    def _sign_columns(self) -> Any:
        """Make a column for each bit of a partition's number: 1 where it is not set, and -1 where it is."""
        count = self.spread.bit_length() - 1
        places = scratch((PARTITIONS, 1), nl.int32)
        bits, signs = (scratch((PARTITIONS, count), dtype) for dtype in (nl.int32, nl.float32))
        nisa.iota(places, [[0, 1]], channel_multiplier=1)
        for bit in range(count):
            nisa.tensor_scalar(bits[:, bit : bit + 1], places, nl.right_shift, bit, op1=nl.bitwise_and, operand1=1)
        nisa.tensor_scalar(signs, bits, nl.multiply, -2.0, op1=nl.add, operand1=1.0)
        return signs

    def sort(self, dst: Sequence[Any], src: Sequence[Any]) -> None:
        """Sort some rows, (rows, columns) in HBM: as many as tiles hold, or what is left."""
        rows, columns = src[0].shape
        for first, partitions, each in spread_rows(rows, max(1, _FREE // self.free)) if self.spread == 1 else ((0, rows, 1),):
            some = slice(first, first + partitions * each)
            tiles = self.make(partitions * self.spread, self.free * each)
            for tile, plane, rest in zip(tiles, src, (LAST, 0.0), strict=False):
                if columns < 1 << self.exponent:
                    nisa.memset(tile, rest)
                for part, view in self._parts(tile, plane[some]):
                    nisa.dma_copy(part, view)
            self.sort_tiles()
            for tile, plane in zip(self.now(), dst, strict=True):
                for part, view in self._parts(tile, plane[some]):
                    nisa.dma_copy(view, part)

    def make(self, partitions: int, width: int) -> Planes:
        """Make tiles, and give those that shall hold the keys."""
        room = (PARTITIONS, max(width, partitions)) if self.spread > 1 else (partitions, width)
        self.tiles = [[scratch(room, nl.float32) for _ in range(2)] for _ in range(self.planes)]
        self.shape = partitions, width
        return self.now()

    def sort_tiles(self) -> None:
        """Sort the rows in the tiles."""
        for block in range(1, self.exponent + 1):
            self.merge(block)

    def _parts(self, tile: Any, plane: Any) -> list[tuple[Any, Any]]:
        """Pair views of a tile with those of rows in HBM that belong there."""
        rows, columns = plane.shape
        if self.spread == 1:
            each = tile.shape[1] // self.free
            return [(tile.reshape_dim(1, (each, self.free))[:, :, :columns], plane.reshape_dim(0, (rows // each, each)))]
        whole, rest = divmod(columns, self.free)
        if whole == self.spread:
            return [(tile, plane.reshape((rows * self.spread, self.free)))]
        parts = []
        for row in range(rows):
            first = row * self.spread
            if whole:
                parts.append((tile[first : first + whole], plane[row, : whole * self.free].reshape((whole, self.free))))
            if rest:
                parts.append((tile[first + whole : first + whole + 1, :rest], plane[row : row + 1, whole * self.free :]))
        return parts

    def now(self, shape: tuple[int, int] | None = None) -> Planes:
        """Look at the tiles that hold the keys."""
        partitions, width = shape or self.shape
        return [pair[0][:partitions, :width] for pair in self.tiles]

    def _next(self, shape: tuple[int, int] | None = None) -> Planes:
        """Look at the tiles that are free."""
        partitions, width = shape or self.shape
        return [pair[1][:partitions, :width] for pair in self.tiles]

    def _swap(self) -> None:
        """Let the tiles that were free hold the keys."""
        for pair in self.tiles:
            pair.reverse()

    def merge(self, block: int) -> None:
        """Make blocks of 2**block elements that rise, or fall if that bit of their places is set, of two halves of which one falls."""
        if block < self.exponent:
            self._negate(block)
        step = block - 1
        if step >= self.inner:
            turned = min(self.free, PARTITIONS), max(1, self.free // PARTITIONS) * self.shape[0]
            self._turn(self._next(turned), self.now(), back=False)
            while step >= self.inner:
                self.exchange(1 << (step - self.inner), turned)
                step -= 1
            self._turn(self._next(), self.now(turned), back=True)
        while step >= 0:
            self.exchange(1 << step)
            step -= 1
        if block < self.exponent:
            self._negate(block)

    def _turn(self, dst: Planes, src: Planes, back: bool) -> None:
        """Transpose tiles: (p, 128 j + c) and (c, j p)."""
        columns, partitions = min(self.free, PARTITIONS), self.shape[0]
        blocks = max(1, self.free // PARTITIONS)
        for to, tile in zip(dst, src, strict=True):
            if back:
                self.transposer.planes(to.reshape_dim(1, (blocks, columns)), tile.reshape_dim(1, (blocks, partitions)))
            else:
                self.transposer.planes(to.reshape_dim(1, (blocks, partitions)), tile.reshape_dim(1, (blocks, columns)))
        self._swap()

    def _negate(self, bit: int) -> None:
        """Change the sign of the keys in places that have a bit."""
        for tile in self.now():
            if bit < self.inner:
                some = _pairs(tile, 1 << bit)[:, :, 1]
                nisa.tensor_scalar(some, some, nl.multiply, -1.0, engine=nisa.engine.vector)
            else:
                sign = self.signs[: tile.shape[0], bit - self.inner : bit - self.inner + 1]
                nisa.tensor_scalar(tile, tile, nl.multiply, sign, engine=nisa.engine.vector)

    def negate_all(self) -> None:
        """Change the sign of all keys."""
        for tile in self.now():
            nisa.tensor_scalar(tile, tile, nl.multiply, -1.0, engine=nisa.engine.vector)

    def exchange(self, distance: int, shape: tuple[int, int] | None = None) -> None:
        """Compare keys that are so far apart, and put the smaller ones first."""
        src, dst = self.now(shape), self._next(shape)
        pairs = [_pairs(tile, distance) for tile in src]
        results = [_pairs(tile, distance) for tile in dst]
        (low, high), (small, large) = ((view[:, :, 0], view[:, :, 1]) for view in (pairs[0], results[0]))
        if self.planes == 2:
            first, second = pairs[1][:, :, 0], pairs[1][:, :, 1]
            above, below = results[1][:, :, 0], results[1][:, :, 1]
            nisa.tensor_tensor(below, first, second, nl.subtract, engine=nisa.engine.gpsimd)
            nisa.tensor_tensor(above, low, high, nl.subtract, engine=nisa.engine.vector)
            wrong = nl.ndarray(low.shape, nl.uint8, buffer=nl.sbuf)
            nisa.scalar_tensor_tensor(wrong, below, nl.multiply, -_TIE, nl.less, above)
            nisa.tensor_copy(above, first, engine=self.copier)
            nisa.tensor_copy(below, second, engine=self.copier)
            nisa.tensor_copy_predicated(above, second, wrong)
            nisa.tensor_copy_predicated(below, first, wrong)
        nisa.tensor_tensor(small, low, high, nl.minimum, engine=nisa.engine.vector)
        nisa.tensor_tensor(large, low, high, nl.maximum, engine=nisa.engine.gpsimd)
        self._swap()


class _LongRow:
    """Sorts a row of 2**exponent elements, which lie in HBM in pieces of 2**20: (pieces, P, elements of a partition)."""

    def __init__(self, planes: int, exponent: int) -> None:
        self.inner = (PARTITIONS * _FREE).bit_length() - 1  # bits of an element's place that are within a piece
        self.exponent = exponent
        self.sorter = _Sorter(planes, PARTITIONS, _FREE, self.inner)
        shape = (1 << (exponent - self.inner), PARTITIONS, _FREE)
        self.planes = [nl.ndarray(shape, nl.float32, buffer=nl.private_hbm) for _ in range(planes)]

    def sort(self, dst: Sequence[Any], src: Sequence[Any]) -> None:
        """Sort a row, (1, columns) in HBM."""
        columns = src[0].shape[1]
        pieces, size = self.planes[0].shape[0], self.planes[0].size
        for plane, row, rest in zip(self.planes, src, (LAST, 0.0), strict=False):
            filled = scratch((PARTITIONS, _FREE), nl.float32)
            nisa.memset(filled, rest)
            for piece in range(columns >> self.inner, pieces):
                nisa.dma_copy(plane[piece], filled)
            nisa.dma_copy(plane.reshape((1, size))[:, :columns], row)
        pairs = [plane.reshape((pieces // 2, 2, PARTITIONS, _FREE)) for plane in self.planes]

        def sort_pair(index: Any) -> None:
            for second in (0, 1):
                self._run([[plane.select(0, index)[second]] for plane in pairs], self.sorter.sort_tiles, bool(second))

        nl.fori_loop(0, pieces // 2, sort_pair)
        for block in range(self.inner + 1, self.exponent + 1):
            self._merge(1 << (block - self.inner), pieces)
        for plane, row in zip(self.planes, dst, strict=True):
            nisa.dma_copy(row, plane.reshape((1, size))[:, :columns])

    def _merge(self, count: int, pieces: int) -> None:
        """Make blocks of so many pieces, which rise and fall in turn, of two halves of which one falls."""
        half = _FREE // 2
        distance = count // 2
        while distance:
            for first in (piece for piece in range(pieces) if not piece & distance):
                for side in (slice(0, half), slice(half, _FREE)):
                    views = [[plane[piece][:, side] for piece in (first, first + distance)] for plane in self.planes]
                    self._run(views, lambda: self.sorter.exchange(half), bool(first & count))
            distance //= 2
        for piece in range(pieces):
            self._run([[plane[piece]] for plane in self.planes], lambda: self.sorter.merge(self.inner), bool(piece & count))

    def _run(self, views: list[list[Any]], work: Callable[[], None], falls: bool) -> None:
        """Bring keys to tiles, side by side; work on them, with the other sign where they shall fall; and bring them back."""
        for tile, parts in zip(self.sorter.make(PARTITIONS, _FREE), views, strict=True):
            for part, view in zip(_columns(tile, len(parts)), parts, strict=True):
                nisa.dma_copy(part, view)
        if falls:
            self.sorter.negate_all()
        work()
        if falls:
            self.sorter.negate_all()
        for tile, parts in zip(self.sorter.now(), views, strict=True):
            for part, view in zip(_columns(tile, len(parts)), parts, strict=True):
                nisa.dma_copy(view, part)


def _columns(tile: Any, count: int) -> list[Any]:
    """Cut a tile into parts."""
    width = tile.shape[1] // count
    return [tile[:, place * width : (place + 1) * width] for place in range(count)]


def _pairs(tile: Any, distance: int) -> Any:
    """See a tile as (P, blocks, 2, distance)."""
    return tile.reshape_dim(1, (tile.shape[1] // (2 * distance), 2, distance))


def _rule(*planes: Signature) -> Ruling:
    if len(planes) not in (1, 2) or any(plane != planes[0] or plane.dtype != FLOAT32 or len(plane.shape) != 2 for plane in planes):
        raise InvalidCallError(f"sort takes one or two float32 planes of (rows, length), not {planes}")
    return planes, (len(planes), *planes[0].shape)


def _emit(emission: Emission, keys: int, rows: int, length: int) -> None:
    shape = (rows, length)
    sort_rows([emission.result(shape, key) for key in range(keys)], [emission.source(key, shape) for key in range(keys)])


def _time(costs: Costs, _results: tuple[Signature, ...], keys: int, rows: int, length: int) -> float:
    """Estimate the steps: each goes over all elements of a partition, in pairs, and its instructions wait for those of other engines."""
    exponent = max(1, (length - 1).bit_length())
    elements = max((rows << exponent) / PARTITIONS, min(length, _LEAST_FREE))
    tiles = math.ceil(elements / _FREE)
    half = elements / tiles / 2
    exchange = costs.instruction("tensor_tensor", half)
    if keys == 2:
        exchange += costs.instruction("scalar_tensor_tensor", half) + 2 * costs.instruction("tensor_copy_predicated", half)
        exchange += costs.instruction("tensor_tensor", half) + costs.waits("vector") + costs.waits("scalar")
    step = exchange + costs.waits("vector") + costs.waits("gpsimd")
    return 2 * costs.transfer_waits + exponent * (exponent + 1) // 2 * tiles * step


declare(Kernel("sort", _rule, _emit, "sort by {0} keys", "{1} rows of {2}", estimate=_time))
