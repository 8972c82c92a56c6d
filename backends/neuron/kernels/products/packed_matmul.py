"""Stacks of products of matrices of up to 64 rows and columns: four at once in the quarters of the Tensor Engine's array."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

from ....isa import nisa
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..evacuation import Evacuation
from ..move.tile_transpose import TileTransposer
from ..sbuf import PARTITIONS
from ..tile_ring import BANK_BYTES, Ring, psum_ring
from .stacks import product_extents

__all__ = ["multiply_packed"]

_SIDE: Final = 64
_FOUR: Final = tuple(itertools.product((0, 1), (0, 1)))
_TOGETHER: Final = 16  # quadruples that are loaded at once


def multiply_packed(dst: Any, left: Any, right: Any) -> None:
    """
    Multiply (count, m, k) and (count, k, n): m, k and n up to 64.

    Notes
    -----
    *Layout.* Of four matrices A, two lie on the 64 lower partitions and two on the 64 upper ones, rows on partitions; a transpose of 128
    columns turns all four. The result has K of the first two below and of the others above, as B is loaded. Each is then stationary in a
    quarter of the array, whose rows are its K and whose columns its M; sums of two matrices lie below and above in a bank of PSUM.

    What matrices lack of 64 rows is zero in both operands, so that no infinity meets a zero that is not the operand's own.

    *Bound.* DMA, whose pieces are rows of a matrix; the Tensor Engine with 64 columns for each product, four times that for float32.

    *Error.* As of `matmul`, with K of up to 64.
    """
    count, m, k = left.shape
    n = right.shape[2]
    evacuation = Evacuation()
    transposer = TileTransposer(2, evacuation)
    shape = (PARTITIONS, _TOGETHER, 2, _SIDE)
    firsts, seconds, turned = (Ring(2, shape, left.dtype) for _ in range(3))
    out, banks = Ring(2, (PARTITIONS, _TOGETHER, 2, n), dst.dtype), psum_ring(4)
    for ring in (firsts, seconds):
        for _ in range(2):
            nisa.memset(ring.take(), 0.0)
    each = BANK_BYTES // 4 // (2 * n)  # quadruples of sums that share a bank
    for first in range(0, count, 4 * _TOGETHER):
        some = min(4 * _TOGETHER, count - first)
        a, b, c, stationary = firsts.take(), seconds.take(), out.take(), turned.take()
        for half, tile, view in _parts(first, some):
            nisa.dma_copy(a[half * _SIDE : half * _SIDE + m, tile[0], tile[1], :k], left[view].permute((1, 0, 2)))
        for half, tile, view in _parts(first, some, swapped=True):
            nisa.dma_copy(b[half * _SIDE : half * _SIDE + k, tile[0], tile[1], :n], right[view].permute((1, 0, 2)))
        fours = -(-some // 4)
        turns, rows_of = (tile.reshape((PARTITIONS, _TOGETHER, PARTITIONS)) for tile in (stationary, a))
        transposer.planes(turns[:, :fours], rows_of[:, :fours])
        for low in range(0, fours, each):
            together = min(each, fours - low)
            bank = banks.take()[:, : together * 2 * n].reshape_dim(1, (together, 2, n))
            for four in range(together):
                for upper, other in _FOUR:  # of K, and of M
                    rows, columns = (slice(place * _SIDE, (place + 1) * _SIDE) for place in (upper, other))
                    nisa.nc_matmul(
                        bank[columns, four, upper],
                        turns[rows, low + four, columns],
                        b[rows, low + four, other, :n],
                        accumulate=False,
                        tile_position=(upper * _SIDE, other * _SIDE),
                        tile_size=(_SIDE, _SIDE),
                    )
            evacuation.copy(c[:, low : low + together], bank)
        for half, tile, view in _parts(first, some):
            nisa.dma_copy(dst[view].permute((1, 0, 2)), c[half * _SIDE : half * _SIDE + m, tile[0], tile[1]])


def _parts(first: int, some: int, *, swapped: bool = False) -> Iterator[tuple[int, tuple[slice, int], slice]]:
    """List where every fourth matrix lies: the half of the partitions, quadruples and place in a tile, and which ones."""
    for upper, other in _FOUR:
        begin = 2 * upper + other
        if begin < some:
            here = slice(0, -(-(some - begin) // 4)), other if swapped else upper
            yield (upper if swapped else other), here, slice(first + begin, first + some, 4)


def _rule(left: Signature, right: Signature) -> Ruling:
    if len(left.shape) != 3 or len(right.shape) != 3:
        raise InvalidCallError(f"packed matmul takes stacks of matrices, not {left} and {right}")
    batch, rows, depth, columns, many, others = product_extents("packed matmul", left, right, False, False)
    if left.dtype != right.dtype or left.dtype.kind in "biu" or many != others or max(rows, depth, columns) > _SIDE:
        raise InvalidCallError(f"packed matmul takes as many matrices of floats of up to {_SIDE} rows and columns, not {left} and {right}")
    return (Signature((batch, rows, columns), left.dtype),), (batch, rows, depth, columns)


def _emit(emission: Emission, batch: int, rows: int, depth: int, columns: int) -> None:
    operands = emission.source(0, (batch, rows, depth)), emission.source(1, (batch, depth, columns))
    multiply_packed(emission.result((batch, rows, columns)), *operands)


declare(Kernel("packed matmul", _rule, _emit, "packed matmul", "{0} of {1} × {2} by {2} × {3}"))
