"""Functions of a transposed matrix: it is turned on chip, on the way from HBM."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final

from ....isa import nisa
from ..epilogue import Span
from ..sbuf import PARTITIONS
from ..tile_ring import Ring
from .tile_transpose import TileTransposer, itemsize

__all__ = ["transposed"]

_LOAD_BYTES: Final = 2048  # runs of DMA
_HEIGHT: Final = 1024  # rows of `src` of a block: tiles of 16 KiB a partition for every dtype
_RING: Final = 3

Hook = Callable[[Span, Span], Callable[[list[Any]], object]]


def transposed(src: Any, epilogue: Hook) -> None:
    """
    Transpose matrices and apply functions of elements, which store what they compute.

    Notes
    -----
    *Layout.* Blocks whose rows are 2 KiB in `src` and 1024 elements in the stack: rows of `src` on partitions, which the Tensor Engine (on
    NeuronCore-v2 the Vector Engine) turns 128 x 128 at a time; then columns of `src` on partitions.

    *Bound.* HBM; the Tensor Engine is busy for a third of that time.
    """
    batch, rows, columns = src.shape
    width, height = _LOAD_BYTES // itemsize(str(src.dtype)), _HEIGHT
    transposer = TileTransposer(4)
    raw = Ring(_RING, (PARTITIONS, height // PARTITIONS, width), src.dtype)
    turned = Ring(_RING, (PARTITIONS, width // PARTITIONS, height), src.dtype)
    blocks = list(itertools.product(range(batch), range(0, columns, width), range(0, rows, height)))

    def load(block: tuple[int, int, int]) -> Any:
        number, column, row = block
        tile, wide = raw.take(), min(width, columns - column)
        for part, first in enumerate(range(row, min(row + height, rows), PARTITIONS)):
            count = min(PARTITIONS, rows - first)
            nisa.dma_copy(tile[:count, part, :wide], src[number, first : first + count, column : column + wide])
        return tile

    ahead = load(blocks[0])
    for block, following in itertools.zip_longest(blocks, blocks[1:]):
        number, column, row = block
        tile, ahead = ahead, load(following) if following else None
        wide, high = min(width, columns - column), min(height, rows - row)
        out = turned.take()
        for part, first in enumerate(range(0, high, PARTITIONS)):
            count = min(PARTITIONS, high - first)
            whole, rest = divmod(wide, PARTITIONS)
            if whole:
                into = out[:, :whole, first : first + count]
                transposer.planes(into, tile[:count, part, : whole * PARTITIONS].reshape_dim(1, (whole, PARTITIONS)))
            if rest:
                transposer.tile(out[:rest, whole, first : first + count], tile[:count, part, whole * PARTITIONS : wide])
        for part, first in enumerate(range(0, wide, PARTITIONS)):
            count = min(PARTITIONS, wide - first)
            epilogue((number * columns + column + first, count), (row, high))([out[:count, part, :high]])
