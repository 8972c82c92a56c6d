"""Gathers and scatters: rows of a table by index, read and written."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ....dtypes import INT32
from ....rules import Signature
from ...costs import Costs
from ...function import work_table
from ...graph.build import call, elementwise, fill, iota, reshape
from ...graph.graph import Node
from ...graph.primitives import Read
from ...kernel import InvalidCallError, Kernel, Ruling, Variant, declare, estimate
from ...layout import Layout
from .operands import added, repeated

__all__ = ["gather", "scatter"]


def gather(table: Node, places: Node, outer: int, rows: int, shape: tuple[int, ...]) -> Node:
    """Take rows of tables."""
    return call("gather", table, places, outer=outer, rows=rows, shape=shape)[0]


def _rule(table: Signature, places: Signature, *, outer: int, rows: int, shape: tuple[int, ...]) -> Ruling:
    size, count = math.prod(table.shape), places.shape[-1]
    width = size // (outer * rows)
    if size % (outer * rows) or math.prod(shape) != outer * count * width or places.dtype != INT32 or len(places.shape) > 2:
        raise InvalidCallError(f"gather of {rows} rows of {outer} tables at {places} from {table} does not give {shape}")
    return (Signature(shape, table.dtype),), (outer, rows, count, width, shape)


def _by_rows(table: Node, places: Node, outer: int, rows: int, count: int, width: int, shape: tuple[int, ...]) -> Sequence[Node]:
    total = reshape(added(repeated(places, (outer, count)), outer, rows), (outer * count,))
    return call("gather rows", table, total, width=width, shape=shape)


def _rows_time(
    costs: Costs, results: tuple[Signature, ...], outer: int, rows: int, count: int, width: int, _shape: tuple[int, ...]
) -> float:
    return estimate("gather rows", costs, results, outer * rows, outer * count, width)


def _by_elements(table: Node, places: Node, outer: int, _rows: int, count: int, width: int, shape: tuple[int, ...]) -> Sequence[Node]:
    each = _spread(places, width)
    if outer > 1:
        each = repeated(each, (outer, count * width))
    return call("gather elements", table, each, batch=outer, shape=shape)


def _elements_time(
    costs: Costs, results: tuple[Signature, ...], outer: int, rows: int, count: int, width: int, _shape: tuple[int, ...]
) -> float:
    time = estimate("gather elements", costs, results, outer, rows * width, count * width)
    if width == 1:
        return time
    each = outer * count * width / costs.partitions  # places that are made before
    spread = sum(sum(work_table()[name, "int32"].times(costs, each).values()) for name in ("multiply", "add"))
    return time + 2 * costs.transfer_waits + spread


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


def scatter(base: Node, places: Node, values: Node, outer: int, rows: int, function: str = "") -> Node:
    """Write rows of tables."""
    width = base.size // (outer * rows)
    count = places.shape[-1]
    total = reshape(added(repeated(places, (outer, count)), outer, rows), (outer * count,))
    if function and width > 1:
        total, width = _spread(total, width), 1
    if function:
        return call("scatter elements", base, total, values, function=function)[0]
    return call("scatter rows", base, total, values, width=width)[0]


declare(
    Kernel(
        "gather",
        _rule,
        None,
        "gather",
        "{2} of {1} rows of {3} in each of {0} tables",
        variants=(Variant("by rows", _rows_time, expand=_by_rows), Variant("by elements", _elements_time, expand=_by_elements)),
    )
)
