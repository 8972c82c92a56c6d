"""Exact products of one row with one column: contraction on both axes of tiles, of whose products the diagonal counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ..elementwise.alu import arithmetic
from ..elementwise.registers import greatest
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import psum_ring
from .sliced_operand import each_part, window
from .sliced_product import ProductOfSlices, lacking
from .slicing import float_slices, integer_slices, least_average, scale_code, scale_of
from .special_values import class_of
from .wide_rounding import carried, limbs_of_planes, round_to_float, words_of_limbs

__all__ = ["LEAST_DEPTH", "InnerProduct"]

LEAST_DEPTH: Final = 1024
"""Elements from which on it pays."""
_CHUNK: Final = 512
_BLOCKS: Final = 64  # of 128 x 128 elements between two normalisations of planes


class InnerProduct:
    """
    Sums of products of two vectors, in words.

    Parameters
    ----------
    a, b : sequence of tensor
        Words in HBM, the high one first, flat, batches one after the other.
    depth : int
        Elements of a vector.
    floating : bool
        float64 or float32; else integers modulo 2**32 for each word.

    Notes
    -----
    *Layout.* Element k = p F + f of a vector lies on partition p of column f, for F columns, so that loads are contiguous; what is left
    over is one more column. The Tensor Engine multiplies 128 columns of one vector with 128 of the other: the diagonal of the result has
    the products that count. Slices stay in SBUF.

    *Bound.* Vector Engine, which cuts slices: about 100 cycles for 128 elements of both vectors.
    """

    def __init__(self, a: Sequence[Any], b: Sequence[Any], depth: int, floating: bool) -> None:
        self.sides, self.depth, self.floating = (a, b), depth, floating
        self.columns, self.rest = divmod(depth, PARTITIONS)
        self.scales = [nl.ndarray((1,), nl.float32, buffer=nl.private_hbm) for _ in range(2)] if floating else []
        self.infinite, self.bias = (2047, 1023) if len(a) == 2 else (255, 127)

    def find_scales(self, batches: Sequence[Any]) -> None:
        """Find the largest exponent of each vector."""
        for words, batch, scale in zip(self.sides, batches, self.scales, strict=True):
            largest = scratch((PARTITIONS, 1), nl.float32)
            nisa.memset(largest, 0.0)

            def chunk(loaded: list[Any], largest: Any = largest) -> None:
                found = scratch((loaded[0].shape[0], 1), nl.float32)
                nisa.tensor_reduce(found, nl.maximum, scale_code(loaded), axis=1)
                some = largest[: found.shape[0]]
                nisa.tensor_tensor(some, some, found, nl.maximum, engine=nisa.engine.vector)

            self._each_chunk([words], [batch], lambda loaded, chunk=chunk: chunk(loaded[0]))  # type: ignore[misc]
            nisa.dma_copy(scale.expand_dim(0), scale_of(greatest(largest), self.infinite))

    def _each_chunk(self, sides: Sequence[Sequence[Any]], batches: Sequence[Any], body: Callable[[list[list[Any]]], None]) -> None:
        """Load parts of vectors: columns of all partitions, and one of what is left over."""

        def load(first: Any, partitions: int, width: int, step: int) -> None:
            loaded = []
            for words, batch in zip(sides, batches, strict=True):
                tiles = []
                for word in words:
                    tile = scratch((partitions, width), word.dtype)
                    nisa.dma_copy(tile, window(word, step, (0, partitions), (_place(batch, self.depth, first), width)))
                    tiles.append(tile)
                loaded.append(tiles)
            body(loaded)

        if self.columns:
            each_part(self.columns, _CHUNK, 300, lambda _, first, width: load(first, PARTITIONS, width, self.columns))
        if self.rest:
            load(self.columns * PARTITIONS, self.rest, 1, 1)

    def multiply(self, batches: Sequence[Any], count: int, results: int) -> tuple[list[Any], Any]:
        """Multiply by so many slices: words (1, 1), and whether those are too few and numbers are not finite, (1, 2)."""
        product = ProductOfSlices(count, PARTITIONS * _BLOCKS, self.floating, PARTITIONS)
        planes = [scratch((PARTITIONS, PARTITIONS), nl.int32) for _ in range(count)]
        check, sums = scratch((PARTITIONS, PARTITIONS), nl.float32), psum_ring(1)
        for plane in planes:
            nisa.memset(plane, 0)
        nisa.memset(check, 0.0)
        scales = [scratch((PARTITIONS, 1), nl.float32) for _ in self.scales]
        for tile, scale in zip(scales, self.scales, strict=True):
            nisa.dma_copy(tile, scale.expand_dim(0).broadcast(0, PARTITIONS))
        weights = 1.0, -least_average(count)

        def chunk(loaded: list[list[Any]]) -> None:
            rows, width = loaded[0][0].shape
            cut = [
                float_slices(words, scales[side][:rows], count, [count], [weights[side]]) if self.floating else integer_slices(words)
                for side, words in enumerate(loaded)
            ]
            for first in range(0, width, PARTITIONS):
                columns = min(PARTITIONS, width - first)
                left, right = ([tile[:, first : first + columns] for tile in side] for side in cut)
                parts = [plane[:columns, :columns] for plane in planes]
                product.add(left[:count], right[:count], parts)
                if self.floating:
                    bank, total = sums.take()[:columns, :columns], check[:columns, :columns]
                    for place in range(count, len(left)):
                        nisa.nc_matmul(bank, left[place], right[place], accumulate=place > count)
                    nisa.tensor_tensor(total, total, bank, nl.add, engine=nisa.engine.vector)
            product.normalise(planes)

        self._each_chunk(self.sides, batches, chunk)
        return self._summed(product, planes, check, scales, results)

    def _summed(self, product: ProductOfSlices, planes: list[Any], check: Any, scales: list[Any], results: int) -> tuple[list[Any], Any]:
        """Add up the diagonals, limb by limb, and round."""
        number, other = scratch((PARTITIONS, 1), nl.float32), scratch((PARTITIONS, PARTITIONS), nl.float32)
        nisa.iota(number, [[1, 1]], channel_multiplier=1)
        nisa.iota(other, [[1, PARTITIONS]])
        diagonal = arithmetic(nl.equal, other, number)
        count = product.count // 2 + 2 if self.floating else product.count // 2
        limbs = limbs_of_planes(planes[::-1] if self.floating else planes, count)
        parts = [limb.view(nl.uint16)[:, 0::2] for limb in limbs] + [check] * self.floating
        rows = scratch((PARTITIONS, len(parts)), nl.float32)
        for place, part in enumerate(parts):
            chosen = arithmetic(nl.multiply, diagonal, part)
            nisa.tensor_reduce(rows[:, place : place + 1], nl.add, chosen, axis=1)
        ones, bank = scratch((PARTITIONS, 1), nl.float32), psum_ring(1).take()[:1, : len(parts)]
        nisa.memset(ones, 1.0)
        nisa.nc_matmul(bank, ones, rows)
        totals = scratch((1, len(parts)), nl.float32)
        nisa.tensor_copy(totals, bank, engine=nisa.engine.vector)
        summed = carried([totals[:, place : place + 1] for place in range(count)])
        if not self.floating:
            return words_of_limbs(summed)[::-1], None
        both = arithmetic(nl.add, scales[0][:1], scales[1][:1])
        unit = arithmetic(nl.add, both, float(-14 - 8 * (product.count - 1) + 2 - 2 * self.bias))
        lacks = lacking([totals[:, count:]], (scales[0][:1], scales[1][:1]))
        return round_to_float(summed, unit, results), lacks

    def special(self, batches: Sequence[Any]) -> Any:
        """Multiply classes of numbers: (1, 1), of which only NaN and infinities mean something."""
        total = scratch((PARTITIONS, 1), nl.float32)
        nisa.memset(total, 0.0)

        def chunk(loaded: list[list[Any]]) -> None:
            one, other = (class_of(words, nl.float32) for words in loaded)
            some = scratch((one.shape[0], 1), nl.float32)
            nisa.tensor_reduce(some, nl.add, arithmetic(nl.multiply, one, other), axis=1)
            part = total[: one.shape[0]]
            nisa.tensor_tensor(part, part, some, nl.add, engine=nisa.engine.vector)

        self._each_chunk(self.sides, batches, chunk)
        ones, narrow = (scratch((PARTITIONS, 1), nl.bfloat16) for _ in range(2))
        nisa.memset(ones, 1.0)
        nisa.tensor_copy(narrow, total, engine=nisa.engine.vector)
        bank, found = psum_ring(1).take()[:1, :1], scratch((1, 1), nl.float32)
        nisa.nc_matmul(bank, ones, narrow)
        nisa.tensor_copy(found, bank, engine=nisa.engine.vector)
        return found


def _place(batch: Any, depth: int, first: Any) -> Any:
    return first if isinstance(batch, int) and batch == 0 else batch * depth + first
