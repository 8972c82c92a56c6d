"""Elements of tensors in HBM at places that are known when the program runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from ....dtypes import INT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS
from .tile_transpose import itemsize

__all__ = ["NOWHERE", "gather_elements", "gather_rows", "in_loops"]

NOWHERE: Final = 0x7FFFFFFF
"""A place beyond any tensor: DMA leaves out what goes there, if it is told to skip that."""
_TABLE_BYTES: Final = 64 * 1024  # of a partition, that a table of elements may take; a longer one comes in pieces
_PLACES: Final = 2048  # elements of a partition that are gathered at once
_EXACT: Final = 2**24  # places that float32 tells apart
_MOST_ROWS: Final = 256  # whose places lie on a partition, each of which is an instruction
_UNROLLED: Final = 2000
_BODY: Final = 256


def in_loops(count: int, block: int, instructions: int, body: Callable[[Callable[[Any], Any], int], None]) -> None:
    """Go over rows, block by block; many blocks are a loop of the device."""
    turns, done = count // block, 0
    several = max(1, min(_BODY // instructions, turns))
    if turns * instructions > _UNROLLED and turns // several > 1:
        trips = turns // several
        done = trips * several * block

        def turn(index: Any) -> None:
            for place in range(several):

                def part(tensor: Any, place: int = place) -> Any:
                    return tensor[:done].reshape_dim(0, (trips, several, block)).select(0, index)[place]

                body(part, block)

        nl.fori_loop(0, trips, turn)
    for first in range(done, count, block):

        def rest(tensor: Any, first: int = first) -> Any:
            return tensor[first : min(first + block, count)]

        body(rest, min(block, count - first))


def gather_rows(dst: Any, table: Any, places: Any) -> None:
    """
    Copy rows of a table.

    Notes
    -----
    *Layout.* Rows go from HBM to HBM: each instruction copies 128 of them, by an index on each partition. The places of many
    instructions are loaded at once, neighbours on one partition, so that the load has long runs. Many rows are a loop of the device.

    *Bound.* GpSimd, which makes the descriptors of a gather, and the DMA engines, for which a row is a piece: both about 0.85 us for 128
    rows that are shorter than 2 KiB; bytes beyond.
    """
    count = dst.shape[0]
    each = max(1, min(_MOST_ROWS, count // PARTITIONS))

    def copy(part: Callable[[Any], Any], rows: int) -> None:
        for first, partitions, on_each in spread_rows(rows, each):
            some, shape = slice(first, first + partitions * on_each), (partitions, on_each)
            at = nl.ndarray(shape, nl.int32, buffer=nl.sbuf)
            nisa.dma_copy(at, part(places)[some].reshape_dim(0, shape))
            target = part(dst)[some].reshape_dim(0, shape)
            for place in range(on_each):
                nisa.dma_copy(target[:, place], table.vector_select(0, at[:, place : place + 1]))

    in_loops(count, PARTITIONS * each, each + 1, copy)


def gather_elements(dst: Any, table: Any, places: Any) -> None:
    """
    Copy elements of each row.

    Notes
    -----
    *Layout.* GpSimd gathers within partitions. Short rows lie on partitions, several on each, where their places are counted on. One row
    is on every partition, and the places are spread over them. What takes more than 64 KiB of a partition comes in pieces: from each one
    all elements are gathered, and those are kept whose place is not before it, which later pieces correct.

    *Bound.* GpSimd: two cycles per element and partition; with several pieces the Vector Engine, about five for each.
    """
    batch, length = table.shape
    count = dst.shape[1]
    most = _TABLE_BYTES // itemsize(table.dtype)
    if batch == 1:
        tile = _load(table.broadcast(0, min(PARTITIONS, count)), length) if length <= most else None

        def one(part: Callable[[Any], Any], elements: int) -> None:
            for first, partitions, each in spread_rows(elements, _PLACES):
                some, shape = slice(first, first + partitions * each), (partitions, each)
                target, at = (part(tensor.reshape((count,)))[some].reshape_dim(0, shape) for tensor in (dst, places))
                source = None if tile is None else tile[:partitions]
                _gather(target, table.broadcast(0, partitions), at, most, source)

        in_loops(count, PARTITIONS * _PLACES, 4 if length <= most else 6 * -(-length // most), one)
        return
    each = max(1, min(most // length, _PLACES // count, batch // PARTITIONS))
    offsets = None
    if each > 1:
        offsets = nl.ndarray((PARTITIONS, each * count), nl.int32, buffer=nl.sbuf)
        nisa.iota(offsets, [[length, each], [0, count]])

    def some_rows(part: Callable[[Any], Any], rows: int) -> None:
        for first, partitions, on_each in spread_rows(rows, each):
            shape = (partitions, on_each)
            target, source, at = (
                part(tensor)[first : first + partitions * on_each].reshape_dim(0, shape) for tensor in (dst, table, places)
            )
            for low in range(0, count, _PLACES):
                columns = slice(low, min(low + _PLACES, count))
                _gather(target[:, :, columns], source, at[:, :, columns], most, None, offsets)

    in_loops(batch, PARTITIONS * each, 5 * -(-count // _PLACES) * -(-length // most), some_rows)


def _load(view: Any, width: int) -> Any:
    tile = nl.ndarray((view.shape[0], width), view.dtype, buffer=nl.sbuf)
    nisa.dma_copy(tile if tile.size == view.size and tile.shape == view.shape else tile.reshape(view.shape), view)
    return tile


def _gather(dst: Any, table: Any, places: Any, most: int, tile: Any, offsets: Any = None) -> None:
    """Gather for each partition: of a tile, if the table is there already."""
    partitions, elements = dst.shape[0], dst.size // dst.shape[0]
    at = _load(places, elements)
    if offsets is not None and places.shape[1] > 1:
        nisa.tensor_tensor(at, at, offsets[:partitions, :elements], nl.add, engine=nisa.engine.vector)
    length = table.size // table.shape[0]
    result = nl.ndarray((partitions, elements), dst.dtype, buffer=nl.sbuf)
    if length <= most:
        tile = _load(table, length) if tile is None else tile
        nisa.nc_n_gather(result, tile, at.view(nl.uint32))
    else:
        _of_pieces(result, table, at, most)
    nisa.dma_copy(dst, result.reshape(dst.shape))


def _of_pieces(result: Any, table: Any, at: Any, most: int) -> None:
    """Gather of a table (P, length) that comes in pieces."""
    shape, length = at.shape, table.size // table.shape[0]
    table = table.reshape((table.shape[0], length)) if table.ndim > 2 else table
    for low in range(0, length, most):
        width = min(most, length - low)
        tile = _load(table[:, low : low + width], width)
        local = nl.ndarray(shape, nl.int32, buffer=nl.sbuf)
        nisa.tensor_scalar(local, at, nl.subtract, float(low), op1=nl.maximum, operand1=0.0, engine=nisa.engine.vector)
        nisa.tensor_scalar(local, local, nl.minimum, float(width - 1), engine=nisa.engine.vector)
        if not low:
            nisa.nc_n_gather(result, tile, local.view(nl.uint32))
            continue
        found, here = nl.ndarray(shape, result.dtype, buffer=nl.sbuf), nl.ndarray(shape, nl.uint8, buffer=nl.sbuf)
        nisa.nc_n_gather(found, tile, local.view(nl.uint32))
        nisa.tensor_scalar(here, at, nl.greater_equal, float(low), engine=nisa.engine.vector)
        nisa.tensor_copy_predicated(result, found, here)


def _rows_rule(
    table: Signature, positions: Signature, *, width: int, shape: tuple[int, ...]
) -> Ruling:
    size, count = math.prod(table.shape), math.prod(positions.shape)
    if size % width or math.prod(shape) != count * width or positions.dtype != INT32:
        raise InvalidCallError(f"gather rows of {width} at {positions} from {table} does not give {shape}")
    return (Signature(shape, table.dtype),), (size // width, count, width)


def _emit_rows(emission: Emission, rows: int, count: int, width: int) -> None:
    gather_rows(emission.result((count, width)), emission.source(0, (rows, width)), emission.source(1, (count,)))


def _elements_rule(
    table: Signature, positions: Signature, *, batch: int, shape: tuple[int, ...]
) -> Ruling:
    size, count = math.prod(table.shape), math.prod(positions.shape)
    if size % batch or count % batch or math.prod(shape) != count or positions.dtype != INT32:
        raise InvalidCallError(f"gather elements of {batch} rows at {positions} from {table} does not give {shape}")
    return (Signature(shape, table.dtype),), (batch, size // batch, count // batch)


def _emit_elements(emission: Emission, batch: int, length: int, count: int) -> None:
    gather_elements(emission.result((batch, count)), emission.source(0, (batch, length)), emission.source(1, (batch, count)))


def _rows_time(costs: Costs, results: tuple[Signature, ...], _rows: int, count: int, width: int) -> float:
    nbytes = width * results[0].dtype.itemsize
    work = max(costs.describes(count, math.ceil(count / PARTITIONS)), costs.moves(count, nbytes, 2 * count * nbytes))
    return 2 * costs.transfer_waits + work


def _elements_time(costs: Costs, results: tuple[Signature, ...], batch: int, length: int, count: int) -> float:
    size = results[0].dtype.itemsize
    pieces = math.ceil(length * size / _TABLE_BYTES)
    if length >= _EXACT or (pieces > 1 and batch > 1):
        return math.inf
    if batch == 1:  # the table is on each partition, again for other places where it comes in pieces
        turns = sum(1 for _ in spread_rows(count, _PLACES))
        elements, loaded = count / min(PARTITIONS, count) / turns, PARTITIONS * (1 if pieces == 1 else turns)
    else:
        turns = math.ceil(batch / PARTITIONS)
        elements, loaded = count, batch
    work = costs.instruction("nc_n_gather", elements, "gpsimd")
    if pieces > 1:
        work += 3 * costs.instruction("tensor_scalar", elements) + costs.instruction("tensor_copy_predicated", elements)
    loads = costs.moves(loaded, length * size, loaded * length * size)
    return 3 * costs.transfer_waits + max(turns * pieces * work, loads) + costs.moves(0, 0, batch * count * (size + INT32.itemsize))


declare(Kernel("gather rows", _rows_rule, _emit_rows, "gather of rows", "{1} of {0} rows of {2}", estimate=_rows_time))
declare(
    Kernel(
        "gather elements",
        _elements_rule,
        _emit_elements,
        "gather of elements",
        "{2} of {1} in each of {0} rows",
        estimate=_elements_time,
    )
)
