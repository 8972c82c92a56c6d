"""Products of sparse matrices of dense blocks with a dense matrix, on the Tensor Engine."""

from __future__ import annotations

import math
from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..evacuation import Evacuation
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import BANK_BYTES, Ring, psum_ring

__all__ = ["multiply_blocks"]

_BANK: Final = BANK_BYTES // 4
_LOADED: Final = 16384  # bytes of a partition, of blocks that are loaded at once
_ROOM: Final = 98304  # bytes of a partition, for the dense operand

Rows = tuple[tuple[int, ...], ...]


def multiply_blocks(y: Any, blocks: Any, x: Any, rows: Rows) -> None:
    """
    Multiply: ``y[i] = sum(blocks[n].T @ x[rows[i][...]])``, over the blocks n of row i, which follow one another.

    Notes
    -----
    *Layout.* A block of C columns and R rows comes as (C, R), with its columns on partitions, as the stationary operand; C rows of the
    dense matrix are the moving one. All of that is in SBUF, C rows on partitions. The products of a row are added up in PSUM.

    *Limits.* Blocks of up to 128 × 128; the dense operand's rows, C at a time, take up to 96 KiB of a partition.

    *Bound.* HBM, which each block comes from once; the Tensor Engine, in float32, from 100 columns on.

    *Error.* That of a product of float32: a row of L elements is added up in any order. Infinities and NaN reach the rows of stored blocks.
    """
    depth, count, height = blocks.shape
    columns, width = x.shape[0] // depth, x.shape[1]
    dense = scratch((depth, columns, width), nl.float32)
    nisa.dma_copy(dense, x.reshape_dim(0, (columns, depth)).permute((1, 0, 2)))
    each = max(1, min(count, _LOADED // (4 * height)))
    ring, banks, evacuation = Ring(3, (depth, each, height), nl.float32), psum_ring(4), Evacuation()
    stored = Ring(3, (height, width), nl.float32)
    loaded: dict[int, Any] = {}

    def block(number: int) -> Any:
        part = number // each
        if part not in loaded:
            loaded.clear()
            some = slice(part * each, min((part + 1) * each, count))
            loaded[part] = ring.take()[:, : some.stop - some.start]
            nisa.dma_copy(loaded[part], blocks[:, some])
        return loaded[part][:, number % each]

    first = 0
    for row, held in enumerate(rows):
        result = stored.take()
        if not held:
            nisa.memset(result, 0.0)
        else:
            for begin in range(0, width, _BANK):
                some = slice(begin, min(begin + _BANK, width))
                bank = banks.take()[:height, : some.stop - begin]
                for place, column in enumerate(held):
                    nisa.nc_matmul(bank, block(first + place), dense[:, column, some], accumulate=place > 0)
                evacuation.copy(result[:, some], bank)
        nisa.dma_copy(y[row * height : (row + 1) * height], result)
        first += len(held)


def _rule(blocks: Signature, x: Signature, *, rows: Rows) -> Ruling:
    depth, count, height = blocks.shape
    width = x.shape[-1]
    if {blocks.dtype, x.dtype} != {FLOAT32} or sum(map(len, rows)) != count or max(depth, height) > PARTITIONS:
        raise InvalidCallError(f"products of {count} blocks in {len(rows)} rows do not take {blocks} and {x}")
    if x.shape[0] % depth or x.shape[0] // depth * width * 4 > _ROOM:
        raise InvalidCallError(f"products of blocks of {depth} columns do not take a dense operand {x}")
    return (Signature((len(rows) * height, width), FLOAT32),), ((count, height, depth), x.shape, rows)


def _emit(emission: Emission, blocks: tuple[int, int, int], x: tuple[int, int], rows: Rows) -> None:
    count, height, depth = blocks
    multiply_blocks(
        emission.result((len(rows) * height, x[1])), emission.source(0, (depth, count, height)), emission.source(1, x), rows
    )


def _time(costs: Costs, _results: tuple[Signature, ...], blocks: tuple[int, int, int], x: tuple[int, int], rows: Rows) -> float:
    (count, height, depth), (columns, width) = blocks, x
    products = sum(costs.instruction("nc_matmul", min(_BANK, width - first), "tensor", "float32") for first in range(0, width, _BANK))
    loads = math.ceil(4 * count * height / _LOADED)
    nbytes = 4 * (count * height * depth + width * (columns + len(rows) * height))
    moved = costs.moves(loads * depth + len(rows) * height + columns, _LOADED, nbytes)
    loading = costs.moves(columns, 4 * width, 4 * columns * width)  # of the dense operand, before the first product
    return 3 * costs.transfer_waits + loading + max(count * products, moved)


declare(
    Kernel(
        "block product",
        _rule,
        _emit,
        "sparse product of blocks",
        "{0[0]} blocks of {0[1]} × {0[2]} by {1[0]} × {1[1]}",
        estimate=_time,
    )
)
