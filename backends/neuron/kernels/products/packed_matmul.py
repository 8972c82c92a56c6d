"""Stacks of products of matrices of up to 64 rows and columns: several at once in squares of the Tensor Engine's array."""

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
_TOGETHER: Final = 16  # fillings of the array that are loaded at once


def multiply_packed(dst: Any, left: Any, right: Any) -> None:
    """
    Multiply (count, m, k) and (count, k, n): m, k and n up to 64.

    Notes
    -----
    *Layout.* The array is cut into squares of 64 rows and columns, from NeuronCore-v3 on of 32 where m, k and n are no more: 4 or 16
    products at once. Of the matrices A of a filling, neighbours lie on the parts of the partitions, rows on partitions, and others beside
    them; a transpose of 128 columns turns all of them. The result has K on the parts in the other order, as B is loaded. Each is then
    stationary in a square of the array, whose rows are its K and whose columns its M; sums lie on the parts, as A does, in a bank of PSUM.

    What matrices lack of a square's rows is zero in both operands, so that no infinity meets a zero that is not the operand's own.

    *Bound.* DMA, whose pieces are rows of a matrix; the Tensor Engine with 64 columns for each product, four times that for float32.

    *Error.* As of `matmul`, with K of up to 64.
    """
    count, m, k = left.shape
    n = right.shape[2]
    side = _SIDE // 2 if max(m, k, n) <= _SIDE // 2 and nisa.get_nc_version() >= nisa.nc_version.gen3 else _SIDE
    parts = PARTITIONS // side
    evacuation = Evacuation()
    transposer = TileTransposer(2, evacuation)
    shape = (PARTITIONS, _TOGETHER, parts, side)
    firsts, seconds, turned = (Ring(2, shape, left.dtype) for _ in range(3))
    out, banks = Ring(2, (PARTITIONS, _TOGETHER, parts, n), dst.dtype), psum_ring(4)
    for ring in (firsts, seconds):
        for _ in range(2):
            nisa.memset(ring.take(), 0.0)
    each = BANK_BYTES // 4 // (parts * n)  # fillings whose sums share a bank
    for first in range(0, count, parts**2 * _TOGETHER):
        some = min(parts**2 * _TOGETHER, count - first)
        a, b, c, stationary = firsts.take(), seconds.take(), out.take(), turned.take()
        for rows, tile, view in _places(left[first : first + some], side):
            nisa.dma_copy(a[rows, tile[0], tile[1], :k], view)
        for rows, tile, view in _places(right[first : first + some], side, swapped=True):
            nisa.dma_copy(b[rows, tile[0], tile[1], :n], view)
        fillings = -(-some // parts**2)
        turns, rows_of = (tile.reshape((PARTITIONS, _TOGETHER, PARTITIONS)) for tile in (stationary, a))
        transposer.planes(turns[:, :fillings], rows_of[:, :fillings])
        for low in range(0, fillings, each):
            together = min(each, fillings - low)
            bank = banks.take()[:, : together * parts * n].reshape_dim(1, (together, parts, n))
            for number, upper, other in itertools.product(range(together), range(parts), range(parts)):  # the last two: of K, and of M
                rows, columns = (slice(place * side, (place + 1) * side) for place in (upper, other))
                nisa.nc_matmul(
                    bank[columns, number, upper],
                    turns[rows, low + number, columns],
                    b[rows, low + number, other, :n],
                    accumulate=False,
                    tile_position=(upper * side, other * side),
                    tile_size=(side, side),
                )
            evacuation.copy(c[:, low : low + together], bank)
        for rows, tile, view in _places(dst[first : first + some], side):
            nisa.dma_copy(view, c[rows, tile[0], tile[1]])


def _places(matrices: Any, side: int, *, swapped: bool = False) -> Iterator[tuple[slice, tuple[slice, Any], Any]]:
    """
    List where matrices lie: partitions, fillings and places beside each other, and which ones, rows first.

    Neighbours lie on the parts of the partitions: with as many rows as a part has, one DMA of all engines moves them.
    """
    count, rows, columns = matrices.shape
    parts = PARTITIONS // side
    fillings, rest = divmod(count, parts**2)
    if fillings:
        whole, here = matrices[: count - rest], (slice(0, fillings), slice(0, parts))
        if rows == side and not swapped:
            yield slice(0, PARTITIONS), here, whole.reshape((fillings, parts, PARTITIONS, columns)).permute((2, 0, 1, 3))
        else:
            whole = whole.reshape((fillings, parts, parts, rows, columns))
            for part in range(parts):
                view = whole.select(1 if swapped else 2, part)
                yield slice(part * side, part * side + rows), here, view.permute((2, 0, 1, 3))
    for number in range(rest):
        upper, other = divmod(number, parts)
        part, beside = (upper, other) if swapped else (other, upper)
        one = matrices[count - rest + number : count - rest + number + 1]
        yield slice(part * side, part * side + rows), (slice(fillings, fillings + 1), beside), one.permute((1, 0, 2))


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
