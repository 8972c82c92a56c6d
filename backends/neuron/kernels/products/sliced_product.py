"""Exact products of slices, tile by tile: sums in PSUM, planes of integers in SBUF, and one rounding at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ..elementwise.alu import arithmetic, bits, copy, then
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring, psum_ring
from .slicing import FAST, LEVELS, NOT_FINITE
from .wide_rounding import integer_of_planes, limbs_of_planes, round_to_float

__all__ = ["ProductOfSlices", "lacking"]

_PAIRS: Final = 8  # products of slices of 128 rows that PSUM adds exactly: 8 * 128 * 2**14 = 2**24
_DEEP: Final = {4: 128, 8: 64, 16: 24}  # tiles of the contraction between two normalisations of the planes: 64 * 128 * 8 * 2**14 = 2**30
_TOP: Final = 1 << 16  # products of the first slices that a plane holds
_KEPT: Final = 2  # sums of few pairs that stay in PSUM for several tiles of the contraction


Sides = tuple[Any, Any]
"""Of the left operand, and of the right one."""


class ProductOfSlices:
    """
    Products of tiles of sliced operands.

    Parameters
    ----------
    count : int
        Slices of each operand.
    depth : int
        Of the contraction.
    checked : bool
        Whether magnitudes and weights follow the slices, of floats: with `FAST` slices they are multiplied at once, else by `verdicts`.
    width : int
        Columns of a tile.
    """

    def __init__(self, count: int, depth: int, checked: bool, width: int) -> None:
        self.count, self.depth, self.checked = count, depth, checked
        self.deep = -(-depth // PARTITIONS)
        planes = count + 2 * (checked and count == FAST)
        self.sides = tuple([Ring(3, (PARTITIONS, planes, extent), nl.bfloat16) for extent in (PARTITIONS, width)])
        self.long = checked and depth > _TOP  # the first plane overflows, and has another one above it
        self.planes = [Ring(2 if count <= _PAIRS else 1, (PARTITIONS, width), nl.int32) for _ in range(count + self.long)]
        self.whole = Ring(4, (PARTITIONS, width), nl.int32)
        self.kept = [psum_ring(1) for _ in range(_KEPT)]
        self.banks = psum_ring(4)
        self.sums = psum_ring(1) if planes > count else None

    def tile(self, cut: Sides, tiles: Sides, height: int, width: int, count: int | None = None) -> tuple[list[Any], Any]:
        """Multiply (the first) slices: planes, the first one with products of the first slices, and what the check adds up to."""
        count = count or self.count
        rings = [*self.planes[:count], *self.planes[self.count :]]  # the plane above comes last
        planes = [ring.take()[:height, :width] for ring in rings]
        check = scratch((height, width), nl.float32) if self.sums is not None else None
        if check is not None:
            nisa.memset(check, 0.0)
        begun = [self.deep > _DEEP[self.count]] * count
        if begun[0]:
            for plane in planes:
                nisa.memset(plane, 0)
        self._each_block(lambda part: self._deep(cut, tiles, part, planes, check, begun), lambda: self.normalise(planes))
        return planes, check

    def verdicts(self, cut: Sides, tiles: Sides, height: int, width: int) -> list[Any]:
        """Multiply what tells whether slices are enough, for each of `LEVELS`: sums (P, F), negative where they are not."""
        totals = [scratch((height, width), nl.float32) for _ in LEVELS]
        for total in totals:
            nisa.memset(total, 0.0)
        planes = len(LEVELS) + 1, 2 * len(LEVELS)
        rings = [Ring(2, (PARTITIONS, many, extent), nl.bfloat16) for many, extent in zip(planes, (height, width), strict=True)]

        def block(part: tuple[Any, int]) -> None:
            banks: list[Any] = []
            for place, last, left, right in self._loaded(rings, cut, tiles, part, slice(self.count, None), (height, width)):
                if place % _PAIRS == 0:
                    banks = [self.banks.take()[:height, :width] for _ in LEVELS]
                for number, (bank, total) in enumerate(zip(banks, totals, strict=True)):
                    nisa.nc_matmul(bank, left[:, number], right[:, number], accumulate=place % _PAIRS > 0)
                    nisa.nc_matmul(bank, left[:, len(LEVELS)], right[:, len(LEVELS) + number], accumulate=True)
                    if place % _PAIRS == _PAIRS - 1 or last:
                        nisa.tensor_tensor(total, total, bank, nl.add, engine=nisa.engine.vector)

        self._each_block(block, lambda: None)
        return totals

    def _each_block(self, body: Callable[[tuple[Any, int]], None], between: Callable[[], None]) -> None:
        """Go over blocks of the contraction: from a tile on, so many elements."""
        most = _DEEP[self.count]
        if self.deep <= most:
            body((0, self.depth))
            return
        whole, rest = divmod(self.depth, most * PARTITIONS)

        def block(number: Any) -> None:
            body((number * most, most * PARTITIONS))
            between()

        if whole > 1:
            nl.fori_loop(0, whole, block)
        else:
            block(0)
        if rest:
            body((whole * most, rest))

    def _loaded(
        self, rings: Sequence[Ring], cut: Sides, tiles: Sides, part: tuple[Any, int], planes: slice, extents: tuple[int, int]
    ) -> Iterator[tuple[int, bool, Any, Any]]:
        """Load planes of both sides for a part of the contraction, tile by tile: its number, whether it is the last one, and the planes."""
        first, length = part
        count = -(-length // PARTITIONS)
        for place in range(count):
            rows = min(PARTITIONS, length - place * PARTITIONS)
            loaded = []
            for ring, source, tile, extent in zip(rings, cut, tiles, extents, strict=True):
                some = source.select(0, tile * self.deep + first + place)[:rows, planes, :extent]
                side = ring.take()[:rows, : some.shape[1], :extent]
                nisa.dma_copy(side, some)
                loaded.append(side)
            yield place, place == count - 1, *loaded

    def _deep(self, cut: Sides, tiles: Sides, part: tuple[Any, int], planes: list[Any], check: Any, begun: list[bool]) -> None:
        """Add a part of the contraction."""
        height, width = planes[0].shape
        count = len(begun)
        sums = self.sums.take()[:height, :width] if self.sums is not None else None
        open_banks: list[Any] = [None] * count
        some = slice(0, count + 2 * (sums is not None))
        for place, last, left, right in self._loaded(self.sides, cut, tiles, part, some, (height, width)):
            if sums is not None:
                for number in range(2):
                    plane = count + number
                    nisa.nc_matmul(sums, left[:, plane], right[:, plane], accumulate=place % _PAIRS + number > 0)
                if place % _PAIRS == _PAIRS - 1 or last:
                    nisa.tensor_tensor(check, check, sums, nl.add, engine=nisa.engine.vector)
            for order in range(count):
                pairs = [(one, order - one) for one in range(order + 1)]
                for begin in range(0, len(pairs), _PAIRS):
                    together = pairs[begin : begin + _PAIRS]
                    several = _PAIRS // len(together) if order < _KEPT else 1
                    if open_banks[order] is None:
                        open_banks[order] = (self.kept[order] if order < _KEPT else self.banks).take()[:height, :width]
                        fresh = True
                    else:
                        fresh = False
                    bank = open_banks[order]
                    for number, (one, other) in enumerate(together):
                        nisa.nc_matmul(bank, left[:, one], right[:, other], accumulate=not fresh or number > 0)
                    if (place + 1) % several == 0 or last:
                        self._add(planes[order], bank, begun[order])
                        begun[order], open_banks[order] = True, None

    def add(self, left: list[Any], right: list[Any], planes: list[Any]) -> None:
        """Add the products of slices (up to 128 of the contraction, rows) to planes."""
        for order, plane in enumerate(planes):
            pairs = [(one, order - one) for one in range(order + 1)]
            for begin in range(0, len(pairs), _PAIRS):
                bank = self.banks.take()[: plane.shape[0], : plane.shape[1]]
                for number, (one, other) in enumerate(pairs[begin : begin + _PAIRS]):
                    nisa.nc_matmul(bank, left[one], right[other], accumulate=number > 0)
                self._add(plane, bank, True)

    def _add(self, plane: Any, bank: Any, begun: bool) -> None:
        """Add sums to a plane: the Scalar Engine makes integers of them, GpSimd adds."""
        height, width = plane.shape
        whole = self.whole.take()[:height, :width] if begun else plane
        nisa.activation(whole, nl.copy, bank)
        if begun:
            nisa.tensor_tensor(plane, plane, whole, nl.add, engine=nisa.engine.gpsimd)

    def normalise(self, planes: list[Any]) -> None:
        """Carry what planes have beyond a byte to those that count more, so that there is room for more products."""
        count = len(planes) - self.long
        order = range(count - 1, -self.long, -1) if self.checked else range(count)
        for place in order:
            plane = planes[place]
            up = place - 1 if self.checked else place + 1  # above the first one is the last one, -1
            carry = arithmetic(nl.subtract, _floor(plane), float(1 << 23), dtype=nl.int32)
            copy(plane.view(nl.uint32), bits(nl.bitwise_and, plane.view(nl.uint32), 0xFF))
            if up < count or self.checked:
                nisa.tensor_tensor(planes[up], planes[up], carry, nl.add, engine=nisa.engine.gpsimd)

    def rounded(self, planes: list[Any], scales: Sides, bias: int, results: int) -> list[Any]:
        """Round to so many words: planes count as many slices, by exponents of rows (P, 1) and columns (P, F)."""
        count = len(planes) - self.long
        # slices count 2**(-7 - 8 p) of twice the scales, whose exponents are biased
        unit = arithmetic(nl.add, arithmetic(nl.add, scales[1], scales[0]), float(-14 - 8 * (count - 1) + 2 - 2 * bias))
        return round_to_float(limbs_of_planes([*planes[count - 1 :: -1], *planes[count:]], -(-count // 4) * 2 + 2), unit, results)

    def integers(self, planes: list[Any]) -> list[Any]:
        """Join planes modulo 2**64: words, the high one first."""
        return integer_of_planes(planes, self.count // 4)


def lacking(totals: Sequence[Any], scales: Sides) -> Any:
    """Tell whether slices are not enough somewhere, by each of some sums of checks, and whether numbers are not finite: (P, sums + 1)."""
    height, both = totals[0].shape[0], arithmetic(nl.add, scales[1], scales[0])
    found = scratch((height, len(totals) + 1), nl.float32)
    for number, total in enumerate(totals):
        nisa.tensor_reduce(found[:, number : number + 1], nl.minimum, then(both, nl.less, NOT_FINITE, nl.multiply, total), axis=1)
    nisa.tensor_reduce(found[:, len(totals) :], nl.maximum, both, axis=1)
    arithmetic(nl.less, found[:, : len(totals)], 0.0, found[:, : len(totals)])
    arithmetic(nl.greater_equal, found[:, len(totals) :], NOT_FINITE, found[:, len(totals) :])
    return found


def _floor(plane: Any) -> Any:
    """Divide by 256, rounding down, plus 2**23."""
    biased = scratch(plane.shape, nl.uint32)
    nisa.tensor_scalar(biased, plane.view(nl.uint32), nl.bitwise_xor, 0x80000000, op1=nl.right_shift, operand1=8)
    return biased
