"""Sorting rows of tensors in HBM: the bitonic network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...isa import nisa, nl
from .sbuf import PARTITIONS, scratch
from .spread import spread_rows
from .transpose_tile import TileTransposer

__all__ = ["LAST", "sort_rows"]

_FREE: Final = 8192  # elements of a partition that are sorted at once
_LEAST_FREE: Final = 32  # elements of a partition for which spreading a row wider saves nothing
LAST: Final = 2.0**100  # a key beyond all others
_TIE: Final = 2.0**-126  # the difference of unequal first keys is larger than that of second keys times this

Planes = list[Any]


def sort_rows(dst: Sequence[Any], src: Sequence[Any]) -> None:
    """
    Sort rows in ascending order: by a key, or by a first key and among equal ones by a second.

    Parameters
    ----------
    dst, src : sequence of tensor
        One or two of float32, (rows, columns) in HBM, contiguous: the keys. First keys are multiples of 2**-101 of magnitudes below 2**100
        (no NaN, no infinity), second ones integers of magnitudes up to 2**24. No row is longer than 2**20 elements.

    Notes
    -----
    *Method.* K. E. Batcher, "Sorting networks and their applications", AFIPS 32, 1968: blocks of 2, 4, ... elements that rise and fall in
    turn are merged; for log2 n = m that takes m (m + 1) / 2 steps, in each of which all elements are compared in pairs. A block that has to
    fall is multiplied by -1 and rises: every step has one form. Rows are filled up to a power of two.

    *Layout.* A row lies on one partition, with others beside it, or is spread over 2, 4, ..., 128 of them, piece by piece. Steps between
    partitions are done on the transposed tile, in which they are steps along the free axis.

    *Bound.* Vector Engine, GpSimd and Scalar Engine side by side: for n elements of a partition, a step takes the Vector Engine 5 n
    cycles (one key: n). First and second keys are compared together: the sign of ``a + 2**-126 b`` for their differences a and b.
    """
    rows, columns = src[0].shape
    exponent = max(1, (columns - 1).bit_length())
    length = 1 << exponent
    spread = 1
    while spread < PARTITIONS and (length // spread > _FREE or (2 * spread * rows <= PARTITIONS and length // spread > _LEAST_FREE)):
        spread *= 2
    sorter = _Sorter(len(src), spread, length // spread, exponent)
    if spread == 1:
        for first, count, each in spread_rows(rows, max(1, _FREE // length)):
            some = slice(first, first + count * each)
            views = [[plane[some].reshape_dim(0, (count, each)) for plane in planes] for planes in (src, dst)]
            sorter.sort(views[1], views[0], columns)
        return
    together = PARTITIONS // spread
    for first in range(0, rows, together):
        some = slice(first, min(first + together, rows))
        sorter.sort([plane[some] for plane in dst], [plane[some] for plane in src], columns)


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

    def sort(self, dst: Sequence[Any], src: Sequence[Any], columns: int) -> None:
        """Sort some rows: (P, rows on each, columns) in HBM, or (rows, columns) of which each is spread."""
        rows = src[0].shape[0]
        partitions, width = rows * self.spread, self.free * (src[0].shape[1] if self.spread == 1 else 1)
        room = (PARTITIONS, max(width, partitions)) if self.spread > 1 else (partitions, width)
        self.tiles = [[scratch(room, nl.float32) for _ in range(2)] for _ in range(self.planes)]
        self.shape = partitions, width
        now = self._now()
        for tile, plane, rest in zip(now, src, (LAST, 0.0), strict=False):
            if columns < 1 << self.exponent:
                nisa.memset(tile, rest)
            for part, view in self._parts(tile, plane, columns):
                nisa.dma_copy(part, view)
        for block in range(1, self.exponent + 1):
            self._merge(block)
        for tile, plane in zip(self._now(), dst, strict=True):
            for part, view in self._parts(tile, plane, columns):
                nisa.dma_copy(view, part)

    def _parts(self, tile: Any, plane: Any, columns: int) -> list[tuple[Any, Any]]:
        """Pair views of a tile with those of HBM that belong there."""
        if self.spread == 1:
            each = plane.shape[1]
            return [(tile.reshape_dim(1, (each, self.free))[:, :, :columns], plane)]
        rows, whole, rest = plane.shape[0], columns // self.free, columns % self.free
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

    def _now(self, shape: tuple[int, int] | None = None) -> Planes:
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

    def _merge(self, block: int) -> None:
        """Make blocks of 2**block elements that rise, or fall if that bit of their places is set, of two halves of which one falls."""
        if block < self.exponent:
            self._negate(block)
        step = block - 1
        if step >= self.inner:
            turned = min(self.free, PARTITIONS), max(1, self.free // PARTITIONS) * self.shape[0]
            self._turn(self._next(turned), self._now(), back=False)
            while step >= self.inner:
                self._exchange(self._now(turned), self._next(turned), 1 << (step - self.inner))
                step -= 1
            self._turn(self._next(), self._now(turned), back=True)
        while step >= 0:
            self._exchange(self._now(), self._next(), 1 << step)
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
        for tile in self._now():
            if bit < self.inner:
                some = _pairs(tile, 1 << bit)[:, :, 1]
                nisa.tensor_scalar(some, some, nl.multiply, -1.0, engine=nisa.engine.vector)
            else:
                sign = self.signs[: tile.shape[0], bit - self.inner : bit - self.inner + 1]
                nisa.tensor_scalar(tile, tile, nl.multiply, sign, engine=nisa.engine.vector)

    def _exchange(self, src: Planes, dst: Planes, distance: int) -> None:
        """Compare keys that are so far apart, and put the smaller ones first."""
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


def _pairs(tile: Any, distance: int) -> Any:
    """See a tile as (P, blocks, 2, distance)."""
    return tile.reshape_dim(1, (tile.shape[1] // (2 * distance), 2, distance))
