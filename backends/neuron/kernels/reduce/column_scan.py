"""Running sums and products along an axis that is not the last one of a tensor in HBM."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..epilogue import fetch
from ..move.tile_transpose import TileTransposer
from ..products.blocking import even_parts
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch

__all__ = ["scan_columns"]

_WIDTH: Final = 512  # columns at once
_FREE: Final = 8192  # elements of a partition
_FEW_ROWS: Final = 32  # whose columns lie on all partitions, from so many on each on
_WIDE: Final = 32
_OPERATORS: Final = {"add": nl.add, "multiply": nl.multiply}
_NEUTRAL: Final = {"add": -0.0, "multiply": 1.0}  # -0.0 changes no sum, not even the sign of a zero


def scan_columns(name: str, dst: Any, src: Any) -> None:
    """
    Accumulate the middle axis of a tensor (outer, length, inner) of floats.

    Notes
    -----
    *Layout.* Consecutive rows lie on each partition, up to 512 columns of them. Rows of a partition are accumulated as they are; what all
    rows of a partition come to, is turned onto the free axis by the Tensor Engine, accumulated there from one partition to the next, and
    turned back: it is what the rows of the next partition begin with. Long columns of up to 32 rows lie on all partitions instead. No sum
    has zeros in it, so that NaN and infinities go where they do one by one.

    *Bound.* Vector Engine and GpSimd, four cycles of either for each element and partition; HBM.

    *Error.* With r rows on a partition, up to 64, the error of element i is at most ``(r + 129 + i / (128 r)) 2**-24`` times the sum of the
    absolute values up to it; of products the relative error is at most ``i 2**-24`` to first order.
    """
    transposer = TileTransposer(2)
    ones = scratch((PARTITIONS, PARTITIONS), nl.float32)
    nisa.memset(ones, 1.0)
    outer, length, inner = src.shape
    over = inner // PARTITIONS * PARTITIONS if length <= _FEW_ROWS and inner >= PARTITIONS * _WIDE else 0
    for number in range(outer):
        if over:
            _over_columns(name, dst[number, :, :over], src[number, :, :over])
        for low, width in even_parts(inner - over, _WIDTH) if inner > over else ():
            column = over + low
            columns = slice(column, column + width)
            before: Any = None
            for first, count, each in spread_rows(length, max(1, min(64, _FREE // width))):
                rows = slice(first, first + count * each)
                tile = _load(src[number, rows, columns].reshape_dim(0, (count, each)))
                _along(name, tile)
                offsets, before = _offsets(name, tile[:, each - 1], before, ones, transposer)
                for engine, part in _shares(width):
                    into = tile[:, :, part]
                    nisa.tensor_tensor(
                        into, offsets[:, part].expand_dim(1).broadcast(1, each), into, _OPERATORS[name], engine=engine
                    )
                stored = tile
                if dst.dtype != "float32":
                    stored = scratch(tile.shape, dst.dtype)
                    nisa.tensor_copy(stored, tile, engine=nisa.engine.vector)
                nisa.dma_copy(dst[number, rows, columns].reshape_dim(0, (count, each)), stored)


def _over_columns(name: str, dst: Any, src: Any) -> None:
    """Spread the columns of a few rows over partitions, and add a row after the other."""
    length, inner = src.shape
    for first, count, each in spread_rows(inner, _FREE // 2):
        some, before = slice(first, first + count * each), None
        for row in range(length):
            tile = _load(src[row, some].reshape_dim(0, (count, each)))
            if before is not None:
                for engine, part in _shares(each):
                    nisa.tensor_tensor(tile[:, part], before[:, part], tile[:, part], _OPERATORS[name], engine=engine)
            before = stored = tile
            if dst.dtype != "float32":
                stored = scratch(tile.shape, dst.dtype)
                nisa.tensor_copy(stored, tile, engine=nisa.engine.vector)
            nisa.dma_copy(dst[row, some].reshape_dim(0, (count, each)), stored)


def _load(view: Any) -> Any:
    tile = fetch(view)
    if tile.dtype == "float32":
        return tile
    wide = scratch(tile.shape, nl.float32)
    nisa.tensor_copy(wide, tile, engine=nisa.engine.vector)
    return wide


def _shares(width: int) -> Iterator[tuple[Any, slice]]:
    """Share columns out between the Vector Engine and GpSimd."""
    half = width if nisa.get_nc_version() < nisa.nc_version.gen3 or width < PARTITIONS else width - width // 3
    yield nisa.engine.vector, slice(0, half)
    if half < width:
        yield nisa.engine.gpsimd, slice(half, width)


def _along(name: str, tile: Any) -> None:
    """Accumulate the rows of each partition, (P, rows, columns), in place."""
    for row, (engine, part) in itertools.product(range(1, tile.shape[1]), _shares(tile.shape[2])):
        nisa.tensor_tensor(tile[:, row, part], tile[:, row - 1, part], tile[:, row, part], _OPERATORS[name], engine=engine)


def _offsets(name: str, totals: Any, before: Any, ones: Any, transposer: TileTransposer) -> tuple[Any, Any]:
    """Accumulate totals over partitions: what comes before each, (P, columns), and what comes after the last one, turned."""
    count, width = totals.shape
    blocks = -(-width // PARTITIONS)
    turned, running = (scratch((min(width, PARTITIONS), blocks, count + extra), nl.float32) for extra in (0, 1))
    after = scratch((min(width, PARTITIONS), blocks), nl.float32)
    offsets = scratch((count, width), nl.float32)
    transposer.blocks(turned, totals)
    for block in range(blocks):
        high = min(PARTITIONS, width - block * PARTITIONS)
        data, into = turned[:high, block], running[:high, block]
        first, second = (ones[:high, :count], data) if name == "add" else (data, ones[:high, :count])
        nisa.memset(into[:, :1], _NEUTRAL[name])
        nisa.tensor_tensor_scan(into[:, 1:], first, second, _NEUTRAL[name], nl.multiply, _OPERATORS[name])
        if before is not None:
            nisa.tensor_scalar(into, into, _OPERATORS[name], before[:high, block : block + 1], engine=nisa.engine.vector)
        nisa.tensor_copy(after[:high, block : block + 1], into[:, count:], engine=nisa.engine.vector)
        transposer.tile(offsets[:, block * PARTITIONS : block * PARTITIONS + high], into[:, :count])
    return offsets, after


def _rule(source: Signature, *, function: str, length: int, inner: int) -> Ruling:
    size = math.prod(source.shape)
    if function not in _OPERATORS or source.dtype.kind in "biu" or not size or size % (length * inner):
        raise InvalidCallError(f"scan columns accumulates floats by add or multiply, not {source} by {function!r}")
    return (source,), (function, size // (length * inner), length, inner)


def _emit(emission: Emission, function: str, outer: int, length: int, inner: int) -> None:
    scan_columns(function, emission.result((outer, length, inner)), emission.source(0, (outer, length, inner)))


declare(Kernel("scan columns", _rule, _emit, "running {0} along the middle axis", "{1} × {2} × {3}"))
