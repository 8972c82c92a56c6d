"""Products of the transpose of a tall matrix with another one, both of up to 512 columns."""

from __future__ import annotations

from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..epilogue import fetch
from ..move.tile_transpose import itemsize
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import BANK_BYTES

__all__ = ["multiply_tall"]

_ROW_BYTES: Final = 16 * 1024  # of a partition, for neighbouring rows
_UNROLLED: Final = 4096  # products
_COLUMNS: Final = BANK_BYTES // 4


def multiply_tall(dst: Any, left: Any, right: Any) -> None:
    """
    Multiply the transpose of (k, m) with (k, n): m and n up to 512.

    Notes
    -----
    *Layout.* Neighbouring rows lie on a partition, so that DMA moves long runs; a product takes one row of each partition of both matrices.
    All sums stay in PSUM, a bank for 128 columns of the first matrix; a matrix with itself is loaded once.

    *Bound.* HBM for up to about 64 columns of float32, else the Tensor Engine.

    *Error.* Of k rows ``(128 + ceil(k / 128) + 1) 2**-24 (|a| @ |b|)``, in any order of summation.
    """
    rows, height = left.shape
    width = right.shape[1]
    blocks = [slice(low, min(low + PARTITIONS, height)) for low in range(0, height, PARTITIONS)]
    banks = [nl.ndarray((block.stop - block.start, width), nl.float32, buffer=nl.psum) for block in blocks]
    each = max(1, _ROW_BYTES // (max(height, width) * itemsize(str(left.dtype))))
    begun = False
    for first, count, along in spread_rows(rows, each):
        views = (left,) if right is left else (left, right)
        tiles = [fetch(view[first : first + count * along].reshape_dim(0, (count, along))) for view in views]
        for row in range(along):
            for block, bank in zip(blocks, banks, strict=True):
                nisa.nc_matmul(bank, tiles[0][:, row, block], tiles[-1][:, row], accumulate=begun)
            begun = True
    for block, bank in zip(blocks, banks, strict=True):
        result = scratch(bank.shape, nl.float32)
        nisa.tensor_copy(result, bank, engine=nisa.engine.vector)
        nisa.dma_copy(dst[block], result)


def _rule(left: Signature, right: Signature) -> Ruling:
    (rows, height), (others, width) = left.shape, right.shape
    fits = max(height, width) <= _COLUMNS and rows * -(-height // PARTITIONS) <= _UNROLLED * PARTITIONS
    if left.dtype != right.dtype or left.dtype.kind in "biu" or rows != others or not rows or not fits:
        raise InvalidCallError(f"tall matmul takes matrices of floats of few columns and as many rows, not {left} and {right}")
    return (Signature((height, width), FLOAT32),), (rows, height, width)


def _emit(emission: Emission, rows: int, height: int, width: int) -> None:
    left = emission.source(0, (rows, height))
    same = len(set(emission.stage.sources)) == 1
    multiply_tall(emission.result((height, width)), left, left if same else emission.source(1, (rows, width)))


declare(Kernel("tall matmul", _rule, _emit, "tall matmul", "{1} × {0} by {0} × {2}"))
