"""Appending in a loop: an array that grows by as many rows each time lies in memory of its size class, to which rows are written."""

from __future__ import annotations

from collections.abc import Sequence

from ...dtypes import DType
from ..graph.build import fill
from ..graph.graph import Node
from ..graph.primitives import Write
from ..layout import Layout, contiguous_strides
from ..planes import plane_dtypes
from ..value import Padding, Value
from . import Builder
from .operands import convert
from .size_classes import history_of, size_class

__all__ = ["appended"]


def appended(builder: Builder, values: Sequence[Value], dtype: DType) -> Value | None:
    """Join arrays along the first axis, where the first of them has grown by the same number of rows before; else None."""
    first, *others = values
    if not others or not first.shape or builder.recording or builder.graph.trace is not None or not all(value.size for value in values):
        return None
    shapes = tuple([value.shape for value in others])
    history = history_of(builder, ("append", dtype, first.shape[1:], shapes))
    history.note({0: first.shape[0]})
    grows = history.growing and first.dtype == dtype and history.step == (sum(shape[0] for shape in shapes),)
    if not grows or any(shape[1:] != first.shape[1:] for shape in shapes):
        return None
    count = sum(value.shape[0] for value in values)
    inner, held = first.size // first.shape[0], first.padding
    if held is not None and (held.axes != {0} or any(held.start)):
        held = None
    if held is not None and held.shape[0] >= count:
        length, nodes = held.shape[0], [cell.node for cell in first.cells]
    else:  # which happens once for each class
        length = size_class(count, light=False)
        rest = [fill(0, (length, *first.shape[1:]), plane) for plane in plane_dtypes(dtype)]
        given = first.read() if held is None else tuple([cell.node for cell in first.cells])
        nodes = [_written(node, 0, one) for node, one in zip(rest, given, strict=True)]
    start = first.shape[0]
    for value in others:
        planes = convert(value.read(), value.dtype, dtype)
        nodes = [_written(node, start * inner, one) for node, one in zip(nodes, planes, strict=True)]
        start += value.shape[0]
    whole = builder.make(tuple(nodes), dtype)
    result = Value(whole.cells, (count, *first.shape[1:]), dtype)
    result.padding = Padding((length, *first.shape[1:]), (0,) * first.ndim, frozenset({0}))
    return result


def _written(base: Node, offset: int, rows: Node) -> Node:
    return Node(Write(Layout(offset, rows.shape, contiguous_strides(rows.shape))), (base, rows))
