"""Rows of tables by place, and writes to them: which kernel does it, by what it is predicted to take."""

from __future__ import annotations

import math
from typing import Final

from ...dtypes import FLOAT32, INT32, UINT32
from ..build import call, elementwise, fill, iota, reshape
from ..graph import Node
from ..kernels.gather import PLACES, TABLE_BYTES
from ..kernels.one_hot import MOST_PLACES
from ..primitives import Layout, Read
from .places import added, repeated

__all__ = ["gather", "scatter"]

# Of trn2, by the simulator's cost model; other generations do not differ by much, and what matters are factors.
_DMA: Final = 368.0  # bytes per ns
_ROW: Final = 7.0  # ns, for GpSimd to describe a row that DMA copies
_ELEMENT: Final = 2 / 1.2  # ns, for GpSimd to gather one on each partition
_PIECE: Final = 5.0  # ns, for the Vector Engine to see to one on each partition, if the table comes in pieces
_PARTITIONS: Final = 128
_EXACT: Final = 2**24  # places that float32 tells apart
_LONG: Final = 4096  # bytes of a row that one DMA engine would move alone


def gather(table: Node, places: Node, outer: int, rows: int, shape: tuple[int, ...]) -> Node:
    """
    Take rows of tables.

    Parameters
    ----------
    table : Node
        (outer, rows, width), in any shape; not empty.
    places : Node
        (count,), or (outer, count) where they differ by table; int32 from 0 to rows - 1; not empty.
    outer, rows : int
        Tables, and rows of each.
    shape : tuple of int
        Of the result: (outer, count, width).

    Returns
    -------
    Node
        The rows.
    """
    width = table.size // (outer * rows)
    count = places.shape[-1]
    if _by_elements(table, outer, rows, width, count) < _by_rows(table, outer, width, count):
        each = _spread(places, width)
        if outer > 1:
            each = repeated(each, (outer, count * width))
        return call("gather elements", table, each, batch=outer, shape=shape)[0]
    total = reshape(added(repeated(places, (outer, count)), outer, rows), (outer * count,))
    parts = _parts(width, table.dtype.itemsize) if outer * count < _PARTITIONS else 1
    if parts > 1:
        total, width = _spread(total, parts), width // parts
    return call("gather rows", table, total, width=width, shape=shape)[0]


def _spread(places: Node, width: int) -> Node:
    """Give each row's elements places."""
    if width == 1:
        return places
    shape = (*places.shape, width)
    first = elementwise("multiply", places, fill(width, (), INT32), dtype=INT32)
    one, other = (
        Node(Read(Layout(0, shape, strides)), (node,))
        for node, strides in (
            (first, (*((shape[1], 1) if len(shape) == 3 else (1,)), 0)),
            (iota(width), (*(0,) * len(places.shape), 1)),
        )
    )
    return reshape(elementwise("add", one, other, dtype=INT32), (*places.shape[:-1], places.shape[-1] * width))


def _parts(width: int, itemsize: int) -> int:
    """Cut long rows, so that all DMA engines move some of them."""
    least = width * itemsize // _LONG
    return next((parts for parts in range(max(least, 1), 4 * least) if width % parts == 0), 1)


def _by_rows(table: Node, outer: int, width: int, count: int) -> float:
    return outer * count * max(_ROW, 2 * width * table.dtype.itemsize / _DMA)


def _by_elements(table: Node, outer: int, rows: int, width: int, count: int) -> float:
    length, itemsize = rows * width, table.dtype.itemsize
    pieces = math.ceil(length * itemsize / TABLE_BYTES)
    if length >= _EXACT or (pieces > 1 and outer > 1):
        return math.inf
    elements = outer * count * width / (_PARTITIONS if outer == 1 else min(outer, _PARTITIONS))
    again = 1 if pieces == 1 else math.ceil(elements / PLACES)
    tables = again * length * _PARTITIONS if outer == 1 else table.size
    work = elements * (_ELEMENT if pieces == 1 else pieces * _PIECE)
    return max(work, tables * itemsize / _DMA) + outer * count * width * (itemsize + 8) / _DMA


def scatter(base: Node, places: Node, values: Node, outer: int, rows: int, function: str = "") -> Node:
    """
    Write rows of tables.

    Parameters
    ----------
    base : Node
        (outer, rows, width), in any shape; not empty.
    places : Node
        (count,), or (outer, count) where they differ by table; int32 from 0 to rows - 1; not empty.
    values : Node
        (outer, count, width), in any shape.
    outer, rows : int
        Tables, and rows of each.
    function : str, optional
        By which values are combined with what is there; without, the last of several rows for one place stays.

    Returns
    -------
    Node
        `base`, with other rows.
    """
    width = base.size // (outer * rows)
    count = places.shape[-1]
    total = reshape(added(repeated(places, (outer, count)), outer, rows), (outer * count,))
    if function and width > 1:
        total, width = _spread(total, width), 1
    # 128 elements take 9 us by DMA, and 133 ns for each 128 places as products: half as long with as many as these have room for.
    if function == "add" and base.size <= MOST_PLACES and base.dtype in (FLOAT32, INT32, UINT32):
        return call("add by products", base, total, values)[0]
    if function:
        return call("scatter elements", base, total, values, function=function)[0]
    return call("scatter rows", base, total, values, width=width)[0]
