"""Reversal of tensors in HBM along an axis, bit for bit."""

from __future__ import annotations

import math
from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..balance import target_costs
from ..emission import Emission
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS
from .tile_transpose import itemsize

__all__ = ["flip", "flip_tile"]

_BLOCK_BYTES: Final = 16384  # of a partition


def flip_tile(dst: Any, src: Any) -> None:
    """Reverse the middle axis of a tile."""
    partitions, length, inner = src.shape
    pattern = [[length * inner, partitions], [-inner, length], [1, inner]]
    nisa.tensor_copy(dst, src.ap(pattern, offset=(length - 1) * inner), engine=nisa.engine.vector)


def flip(dst: Any, src: Any) -> None:
    """
    Reverse the middle axis of a tensor.

    Notes
    -----
    DMA does not step backwards. Where rows of length x inner elements are short, several lie on a partition and a copy on the Vector Engine
    steps backwards. Long ones are cut into blocks, one to a partition, that a gather fetches in descending order; a copy reverses each
    block.

    *Bound.* HBM; the gather's descriptors take GpSimd about 5 ns for each block of 16 KiB.
    """
    outer, length, inner = src.shape
    most = _BLOCK_BYTES // itemsize(src.dtype)
    if length * inner <= most:
        _short(dst, src, max(1, most // (length * inner)))
        return
    width = min(inner, most)
    run = math.ceil(target_costs().piece_bytes / (itemsize(src.dtype) * width))  # rows, below which DMA takes as long
    each = max(1, min(most // width, max(length // PARTITIONS, run)))
    for number in range(outer):
        for column in range(0, inner, width):
            columns = slice(column, min(column + width, inner))
            _long(dst[number, :, columns], src[number, :, columns], each)


def _short(dst: Any, src: Any, most: int) -> None:
    """Reverse whole rows on partitions, several on each."""
    outer, length, inner = src.shape
    for first, count, each in spread_rows(outer, most):
        some = slice(first, first + count * each)
        tile = nl.ndarray((count, each, length, inner), src.dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, src[some].reshape_dim(0, (count, each)))
        size = each * length * inner
        backwards = tile.ap([[size, count], [length * inner, each], [-inner, length], [1, inner]], offset=(length - 1) * inner)
        result = nl.ndarray(tile.shape, src.dtype, buffer=nl.sbuf)
        nisa.tensor_copy(result, backwards, engine=nisa.engine.vector)
        nisa.dma_copy(dst[some].reshape_dim(0, (count, each)), result)


def _long(dst: Any, src: Any, each: int) -> None:
    """Reverse the rows of a matrix (length, inner): blocks of `each` rows from the front go to the back."""
    length, inner = src.shape
    blocks, rest = divmod(length, each)
    if rest:  # the rows that fill no block, on one partition
        tile = nl.ndarray((1, rest, inner), src.dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, src[blocks * each :].expand_dim(0))
        result = nl.ndarray(tile.shape, src.dtype, buffer=nl.sbuf)
        flip_tile(result, tile)
        nisa.dma_copy(dst[:rest].expand_dim(0), result)
    source, target = src[: blocks * each].reshape_dim(0, (blocks, each)), dst[rest:].reshape_dim(0, (blocks, each))
    for first in range(0, blocks, PARTITIONS):
        count = min(PARTITIONS, blocks - first)
        rows = nl.ndarray((count, 1), nl.int32, buffer=nl.sbuf)
        nisa.iota(rows, [[0, 1]], offset=blocks - 1 - first, channel_multiplier=-1)
        tile = nl.ndarray((count, each, inner), src.dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, source.vector_select(0, rows))
        result = tile
        if each > 1:
            result = nl.ndarray(tile.shape, src.dtype, buffer=nl.sbuf)
            flip_tile(result, tile)
        nisa.dma_copy(target[first : first + count], result)


def _rule(source: Signature, *, extents: tuple[int, int, int]) -> Ruling:
    if math.prod(extents) != math.prod(source.shape):
        raise InvalidCallError(f"flip of {source.shape} has as many elements, not those of {extents}")
    return (source,), extents


def _emit(emission: Emission, *extents: int) -> None:
    flip(emission.result(extents), emission.source(0, extents))


declare(Kernel("flip", _rule, _emit, "flip of the middle axis", "{0} × {1} × {2}"))
