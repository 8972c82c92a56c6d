"""Exact products of slices, tile by tile: sums in PSUM, planes of integers in SBUF, and one rounding at the end."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ..elementwise.alu import arithmetic, bits, copy, then
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring, psum_ring
from .slicing import CHECKS, NOT_FINITE
from .wide_rounding import integer_of_planes, limbs_of_planes, round_to_float

__all__ = ["ProductOfSlices"]

_PAIRS: Final = 8  # products of slices of 128 rows that PSUM adds exactly: 8 * 128 * 2**14 = 2**24
_DEEP: Final = {4: 128, 8: 64, 16: 24}  # tiles of the contraction between two normalisations of the planes: 64 * 128 * 8 * 2**14 = 2**30
_TOP: Final = 1 << 16  # products of the first slices that a plane holds
_KEPT: Final = 2  # sums of few pairs that stay in PSUM for several tiles of the contraction


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
        Whether magnitudes and weights follow the slices, of float64.
    width : int
        Columns of a tile.
    """

    def __init__(self, count: int, depth: int, checked: bool, width: int) -> None:
        self.count, self.depth, self.checked = count, depth, checked
        self.deep = -(-depth // PARTITIONS)
        planes = count + CHECKS * checked
        self.left = Ring(3, (PARTITIONS, planes, PARTITIONS), nl.bfloat16)
        self.right = Ring(3, (PARTITIONS, planes, width), nl.bfloat16)
        self.long = checked and depth > _TOP  # the first plane overflows, and has another one above it
        self.planes = [Ring(2 if count <= _PAIRS else 1, (PARTITIONS, width), nl.int32) for _ in range(count + self.long)]
        self.whole = Ring(4, (PARTITIONS, width), nl.int32)
        self.kept = [psum_ring(1) for _ in range(_KEPT)]
        self.banks = psum_ring(4)
        self.sums = psum_ring(1) if checked else None

    def tile(self, a: Any, b: Any, tiles: tuple[Any, Any], height: int, width: int) -> tuple[list[Any], Any]:
        """Multiply: planes, the first one with the products of the first slices, and what the check adds up to."""
        planes = [ring.take()[:height, :width] for ring in self.planes]  # the one above comes last
        check = scratch((height, width), nl.float32) if self.checked else None
        if check is not None:
            nisa.memset(check, 0.0)
        most = _DEEP[self.count]
        begun = [False] * self.count
        if self.deep <= most:
            self._deep(a, b, tiles, (0, self.depth), planes, check, begun)
            return planes, check
        for plane in planes:
            nisa.memset(plane, 0)
        begun = [True] * self.count
        whole, rest = divmod(self.depth, most * PARTITIONS)

        def block(number: Any) -> None:
            self._deep(a, b, tiles, (number * most, most * PARTITIONS), planes, check, begun)
            self.normalise(planes)

        if whole > 1:
            nl.fori_loop(0, whole, block)
        else:
            block(0)
        if rest:
            self._deep(a, b, tiles, (whole * most, rest), planes, check, begun)
        return planes, check

    def _deep(
        self, a: Any, b: Any, tiles: tuple[Any, Any], part: tuple[Any, int], planes: list[Any], check: Any, begun: list[bool]
    ) -> None:
        """Add a part of the contraction: from a tile on, so many elements."""
        first, length = part
        height, width = planes[0].shape
        count = -(-length // PARTITIONS)
        sums = self.sums.take()[:height, :width] if self.sums is not None else None
        open_banks: list[Any] = [None] * self.count
        for place in range(count):
            rows = min(PARTITIONS, length - place * PARTITIONS)
            left, right = self.left.take()[:rows], self.right.take()[:rows]
            for side, source, tile, extent in ((left, a, tiles[0], height), (right, b, tiles[1], width)):
                nisa.dma_copy(side[:, :, :extent], source.select(0, tile * self.deep + first + place)[:rows, :, :extent])
            left, right = left[:, :, :height], right[:, :, :width]
            if sums is not None:
                for number in range(CHECKS):
                    plane = self.count + number
                    nisa.nc_matmul(sums, left[:, plane], right[:, plane], accumulate=place % _PAIRS + number > 0)
                if place % _PAIRS == _PAIRS - 1 or place == count - 1:
                    nisa.tensor_tensor(check, check, sums, nl.add, engine=nisa.engine.vector)
            for order in range(self.count):
                pairs = [(one, order - one) for one in range(order + 1)]
                for begin in range(0, len(pairs), _PAIRS):
                    some = pairs[begin : begin + _PAIRS]
                    several = _PAIRS // len(some) if order < _KEPT else 1
                    if open_banks[order] is None:
                        open_banks[order] = (self.kept[order] if order < _KEPT else self.banks).take()[:height, :width]
                        fresh = True
                    else:
                        fresh = False
                    bank = open_banks[order]
                    for number, (one, other) in enumerate(some):
                        nisa.nc_matmul(bank, left[:, one], right[:, other], accumulate=not fresh or number > 0)
                    if (place + 1) % several == 0 or place == count - 1:
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
        order = range(self.count - 1, -self.long, -1) if self.checked else range(self.count)
        for place in order:
            plane = planes[place]
            up = place - 1 if self.checked else place + 1  # above the first one is the last one, -1
            carry = arithmetic(nl.subtract, _floor(plane), float(1 << 23), dtype=nl.int32)
            copy(plane.view(nl.uint32), bits(nl.bitwise_and, plane.view(nl.uint32), 0xFF))
            if up < self.count or self.checked:
                nisa.tensor_tensor(planes[up], planes[up], carry, nl.add, engine=nisa.engine.gpsimd)

    def rounded(self, planes: list[Any], scales: tuple[Any, Any], bias: int, results: int) -> list[Any]:
        """Round to so many words: planes count as many slices, by exponents of rows (P, 1) and columns (P, F)."""
        # slices count 2**(-7 - 8 p) of twice the scales, whose exponents are biased
        unit = arithmetic(nl.add, arithmetic(nl.add, scales[1], scales[0]), float(-14 - 8 * (self.count - 1) + 2 - 2 * bias))
        return round_to_float(limbs_of_planes([*planes[self.count - 1 :: -1], *planes[self.count :]], self.count // 2 + 2), unit, results)

    def check(self, total: Any, scales: tuple[Any, Any]) -> Any:
        """Tell where slices are not enough: (P, 1), positive if anywhere."""
        height = total.shape[0]
        least, most = scratch((height, 1), nl.float32), scratch((height, 1), nl.float32)
        nisa.tensor_reduce(least, nl.minimum, total, axis=1)
        nisa.tensor_reduce(most, nl.maximum, arithmetic(nl.add, scales[1], scales[0]), axis=1)
        spread = arithmetic(nl.less, least, 0.0)
        return then(most, nl.greater_equal, NOT_FINITE, nl.maximum, spread)

    def integers(self, planes: list[Any]) -> list[Any]:
        """Join planes modulo 2**64: words, the high one first."""
        return integer_of_planes(planes, self.count // 4)


def _floor(plane: Any) -> Any:
    """Divide by 256, rounding down, plus 2**23."""
    biased = scratch(plane.shape, nl.uint32)
    nisa.tensor_scalar(biased, plane.view(nl.uint32), nl.bitwise_xor, 0x80000000, op1=nl.right_shift, operand1=8)
    return biased


