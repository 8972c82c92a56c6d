"""Operands of exact products: cut into slices or other planes on chip, and kept in HBM in the tiles that the Tensor Engine multiplies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....isa import nisa, nl
from ..epilogue import Span
from ..move.tile_transpose import TileTransposer
from ..sbuf import PARTITIONS, scratch
from .operands import row_of
from .slicing import scale_code, scale_of

__all__ = ["Cut", "SlicedOperand", "each_part", "window"]

Cut = Callable[[Sequence[Any], Any], list[Any]]
"""Makes tiles of bfloat16 of words and scales, (P, F) and (P, 1) or (P, F)."""

_CHUNK: Final = 512  # columns of a row tile that are cut at once
_CODES: Final = 2048  # columns whose exponents are compared at once
_BODY: Final = 4000  # instructions that are unrolled
_SLICING: Final = 70


def each_part(
    extent: int, length: int, instructions: int, body: Callable[[Any, Any, int], None], *, budget: int | None = None, together: int = 1
) -> None:
    """Go over parts of an extent, by ``body(number, first, length)``; many instructions are turns of the device, of several parts."""
    whole, rest = divmod(extent, length)
    counted = 0
    if whole > together and whole * instructions > (budget or _BODY):
        turns = whole // together
        counted = turns * together

        def turn(index: Any) -> None:
            for part in range(together):
                number = index * together + part
                body(number, number * length, length)

        nl.fori_loop(0, turns, turn)
    for number in range(counted, whole):
        body(number, number * length, length)
    if rest:
        body(whole, whole * length, rest)


def window(tensor: Any, step: int, rows: Span, columns: Span, turned: bool = False) -> Any:
    """See a part of a matrix in a flat tensor, or its transpose; both places may be known at run time only."""
    offset, more = 0, None
    for first, each in ((rows[0], step), (columns[0], 1)):
        if isinstance(first, int):
            offset += first * each
        else:
            more = first * each if more is None else more + first * each
    pattern = [[step, rows[1]], [1, columns[1]]][:: -1 if turned else 1]
    return tensor.ap(pattern=pattern, offset=offset) if more is None else tensor.ap(pattern=pattern, offset=offset, scalar_offset=more)


@dataclass
class SlicedOperand:
    """
    One side of a product.

    Parameters
    ----------
    words : sequence of tensor
        Of its elements, the high one first, flat: of (batch, rows, depth), or (batch, depth, rows) where `deep_first`.
    rows, depth : int
        Extents: rows of the left operand are columns of the right one.
    deep_first : bool
        Whether the contraction is the first axis.
    width : int
        Rows of a tile.
    scales : tensor or None
        HBM, float32 (rows,): exponents of `scale_of`, of float64 or float32; None for integers.
    """

    words: Sequence[Any]
    rows: int
    depth: int
    deep_first: bool
    width: int
    scales: Any

    @property
    def deep(self) -> int:
        """Count tiles of the contraction."""
        return -(-self.depth // PARTITIONS)

    @property
    def infinite(self) -> int:
        """Give the exponent of infinities."""
        return 2047 if len(self.words) == 2 else 255

    def shape(self, planes: int) -> tuple[int, int, int, int]:
        """Give extents of what elements are cut into: tiles of rows, then of the contraction; on each partition planes, then rows."""
        return -(-self.rows // self.width) * self.deep, PARTITIONS, planes, self.width

    def find_scales(self, batch: Any) -> None:
        """Find the largest exponent of each row."""
        by_depth = self.deep * 6 if self.deep_first else -(-self.depth // _CODES) * 5 * -(-self.width // PARTITIONS)

        transposer = TileTransposer(2)

        def some(_: Any, first: Any, length: int) -> None:
            if self.deep_first:
                self._scales_of_columns(batch, first, length, transposer)
                return
            for begin in range(0, length, PARTITIONS):
                self._scales_of_rows(batch, first + begin, min(PARTITIONS, length - begin))

        each_part(self.rows, self.width, by_depth, some)

    def _scales_of_rows(self, batch: Any, first: Any, height: int) -> None:
        largest = scratch((height, 1), nl.float32)
        nisa.memset(largest, 0.0)

        def chunk(_: Any, begin: Any, length: int) -> None:
            code = self._code((row_of(batch, self.rows, first), height), (begin, length))
            found = scratch((height, 1), nl.float32)
            nisa.tensor_reduce(found, nl.maximum, code, axis=1)
            nisa.tensor_tensor(largest, largest, found, nl.maximum, engine=nisa.engine.vector)

        each_part(self.depth, _CODES, 5, chunk)
        nisa.dma_copy(self.scales[nl.ds(first, height)].expand_dim(1), scale_of(largest, self.infinite))

    def _scales_of_columns(self, batch: Any, first: Any, width: int, transposer: TileTransposer) -> None:
        largest = scratch((PARTITIONS, width), nl.float32)
        nisa.memset(largest, 0.0)

        def tile(_: Any, begin: Any, length: int) -> None:
            code = self._code((row_of(batch, self.depth, begin), length), (first, width))
            nisa.tensor_tensor(largest[:length], largest[:length], code, nl.maximum, engine=nisa.engine.vector)

        each_part(self.depth, PARTITIONS, 4, tile)
        for begin in range(0, width, PARTITIONS):
            count = min(PARTITIONS, width - begin)
            turned, found = scratch((count, PARTITIONS), nl.float32), scratch((count, 1), nl.float32)
            transposer.tile(turned, largest[:, begin : begin + count])
            nisa.tensor_reduce(found, nl.maximum, turned, axis=1)
            nisa.dma_copy(self.scales[nl.ds(first + begin, count)].expand_dim(1), scale_of(found, self.infinite))

    def cut(self, batch: Any, into: Any, cut: Cut) -> None:
        """Cut all elements into planes, a tensor of `shape` in HBM."""
        transposer = TileTransposer(2)

        def some(number: Any, first: Any, length: int) -> None:
            if self.deep_first:
                self._cut_columns(batch, into, (number, first, length), cut)
                return
            for begin in range(0, length, PARTITIONS):
                height = min(PARTITIONS, length - begin)
                self._cut_rows(batch, into, (number, first + begin, height), begin, cut, transposer)

        several = -(-self.width // PARTITIONS)
        work = self.deep * (_SLICING + 1) if self.deep_first else -(-self.depth // _CHUNK) * (_SLICING + 7 * into.shape[2]) * several
        each_part(self.rows, self.width, work, some)

    def _cut_columns(self, batch: Any, into: Any, tile: tuple[Any, Any, int], cut: Cut) -> None:
        number, first, width = tile
        scale = None
        if self.scales is not None:
            scale = scratch((PARTITIONS, width), nl.float32)
            nisa.dma_copy(scale, self.scales[nl.ds(first, width)].expand_dim(0).broadcast(0, PARTITIONS))

        def deep(place: Any, begin: Any, length: int) -> None:
            words = [self._load(word, (row_of(batch, self.depth, begin), length), (first, width)) for word in self.words]
            found = cut(words, None if scale is None else scale[:length])
            for plane, one in enumerate(found):
                nisa.dma_copy(into.select(0, number * self.deep + place)[:length, plane, :width], one)

        each_part(self.depth, PARTITIONS, _SLICING, deep)

    def _cut_rows(self, batch: Any, into: Any, tile: tuple[Any, Any, int], at: int, cut: Cut, transposer: TileTransposer) -> None:
        number, first, height = tile
        scale = None
        if self.scales is not None:
            scale = scratch((height, 1), nl.float32)
            nisa.dma_copy(scale, self.scales[nl.ds(first, height)].expand_dim(1))

        def chunk(part: Any, begin: Any, length: int) -> None:
            words = [self._load(word, (row_of(batch, self.rows, first), height), (begin, length)) for word in self.words]
            found, deep = cut(words, scale), -(-length // PARTITIONS)
            turned = scratch((PARTITIONS, deep, len(found), height), nl.bfloat16)
            for plane, one in enumerate(found):
                transposer.blocks(turned[:, :, plane], one)
            for place in range(deep):
                kept = min(PARTITIONS, length - place * PARTITIONS)
                index = number * self.deep + part * (_CHUNK // PARTITIONS) + place
                nisa.dma_copy(into.select(0, index)[:kept, :, at : at + height], turned[:kept, place])

        each_part(self.depth, _CHUNK, _SLICING + 7 * into.shape[2], chunk)

    def _code(self, rows: Span, columns: Span) -> Any:
        return scale_code([self._load(self.words[0], rows, columns), *self.words[1:]])

    def _load(self, tensor: Any, rows: Span, columns: Span) -> Any:
        tile = scratch((rows[1], columns[1]), tensor.dtype)
        nisa.dma_copy(tile, window(tensor, self.rows if self.deep_first else self.depth, rows, columns))
        return tile

    def load_scales(self, first: Any, count: int, along: int | None = None) -> Any:
        """Load exponents: a column, or a row that all of so many partitions have."""
        view = self.scales[nl.ds(first, count)]
        tile = scratch((count, 1) if along is None else (along, count), nl.float32)
        nisa.dma_copy(tile, view.expand_dim(1) if along is None else view.expand_dim(0).broadcast(0, along))
        return tile
