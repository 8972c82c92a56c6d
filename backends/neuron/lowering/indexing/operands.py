"""Index operands: int32 indices counted from 0, with a check of their bounds.

Where an index is known at the call, so is an error. Where it is on the device, the error is raised where the result is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ....dtypes import BOOL, INT32, INT64, UINT32, UINT64
from ...graph.build import broadcast, broadcast_scalar, cast, check, elementwise, fill, iota, reduce, reshape
from ...graph.graph import Node
from ...graph.primitives import Elementwise, Read
from ...layout import Layout
from ...value import Value
from .. import Builder
from ..op_calls import call
from ..wide_integers import narrow

__all__ = ["Bounds", "Mode", "added", "combined", "places", "repeated"]

Mode = Literal["raise", "wrap", "clip"]


class Bounds(NamedTuple):
    """
    How an index that is out of bounds is refused.

    Attributes
    ----------
    axis : int or str
        Of what, for messages.
    error : callable
        Makes the exception.
    from_end : bool
        Whether negative ones count from the end.
    """

    axis: int | str
    error: Callable[[str], Exception] = IndexError
    from_end: bool = True

    def message(self, index: object, length: int) -> str:
        """Say what is wrong."""
        where = f"axis {self.axis}" if isinstance(self.axis, int) else self.axis
        low = -length if self.from_end else 0
        return f"{index} is out of bounds for {where} with size {length}; indices are from {low} to {length - 1}"


def places(builder: Builder, index: Value | npt.NDArray[Any], length: int, bounds: Bounds, mode: Mode = "raise") -> Node:
    """Find the places that an index means."""
    if isinstance(index, Value) and (not length or (mode != "raise" and index.dtype in (UINT32, INT64, UINT64))):
        index = builder.on_host(index)
    if isinstance(index, np.ndarray):
        return builder.from_host(_of_host(index, length, bounds, mode).astype(np.int32), copy=True).read()[0]
    node, fits = _int32(index)
    last, zero = fill(length - 1, (), INT32), fill(0, (), INT32)
    if mode == "clip":
        return elementwise("minimum", elementwise("maximum", node, zero, dtype=INT32), last, dtype=INT32)
    if mode == "wrap":
        wrapped = call(builder, "remainder", builder.make((node,), INT32), length)
        return wrapped.read()[0]
    if index.dtype.kind == "i" and bounds.from_end:
        from_end = elementwise("add", node, fill(length, (), INT32), dtype=INT32)
        node = elementwise("where", elementwise("less", node, zero, dtype=BOOL), from_end, node, dtype=INT32)
    elif index.dtype.kind == "u" and index.dtype.itemsize < 4 and np.iinfo(index.dtype).max < length:
        return node
    within = elementwise(
        "logical_and",
        elementwise("greater_equal", node, zero, dtype=BOOL),
        elementwise("less_equal", node, last, dtype=BOOL),
        dtype=BOOL,
    )
    if fits is not None:
        within = elementwise("logical_and", within, fits, dtype=BOOL)
    if not within.size:
        return node
    holds = within if within.shape == () else reduce("logical_and", reshape(within, (within.size,)), [0], within.dtype)
    condition = check(holds, bounds.error, bounds.message("an index", length))
    return Node(Elementwise("where"), (within, node, zero), condition)


def _of_host(index: npt.NDArray[Any], length: int, bounds: Bounds, mode: Mode) -> npt.NDArray[Any]:
    """Find places that are known now, as NumPy does."""
    if index.dtype == np.uint64 and index.size and index.max() > np.iinfo(np.int64).max:
        wrong: Any = index.max()
    else:
        index = index.astype(np.int64)
        if mode == "clip":
            clipped: npt.NDArray[Any] = np.clip(index, 0, length - 1)
            return clipped
        if mode == "wrap":
            return index % length
        outside = (index < (-length if bounds.from_end else 0)) | (index >= length)
        if not outside.any():
            return np.where(index < 0, index + length, index)
        wrong = index[outside][0]
    raise bounds.error(bounds.message(f"index {wrong}", length))


def _int32(index: Value) -> tuple[Node, Node | None]:
    """Convert integers, and tell which ones fit, unless all do."""
    planes = index.read()
    if index.dtype in (INT64, UINT64):
        low, fits = narrow(planes, INT32)
        if index.dtype == UINT64:
            fits = elementwise("logical_and", fits, elementwise("greater_equal", low, fill(0, (), INT32), dtype=BOOL), dtype=BOOL)
        return low, fits
    node = cast(planes[0], INT32)
    if index.dtype == UINT32:  # the largest have become negative
        return node, elementwise("greater_equal", node, fill(0, (), INT32), dtype=BOOL)
    return node, None


def combined(nodes: Sequence[Node], lengths: Sequence[int]) -> Node:
    """Combine places on several axes to those in a row."""
    shape = np.broadcast_shapes(*(node.shape for node in nodes))
    total: Node | None = None
    for axis, node in enumerate(nodes):
        step = math.prod(lengths[axis + 1 :])
        if step != 1:
            node = elementwise("multiply", node, fill(step, (), INT32), dtype=INT32)
        node = broadcast(node, shape)
        total = node if total is None else elementwise("add", total, node, dtype=INT32)
    assert total is not None
    return total if total.shape == shape else repeated(total, shape)


def repeated(node: Node, shape: tuple[int, ...]) -> Node:
    """Broadcast, numbers too."""
    if node.size == math.prod(shape):  # nothing is repeated, which the planner sees of strides like these
        return reshape(node, shape)
    if node.shape != ():
        return broadcast(node, shape)
    return broadcast_scalar(node, shape)


def added(node: Node, outer: int, step: int) -> Node:
    """Count places from the start of each of several tables that lie one after the other."""
    if outer == 1:
        return node
    starts = Node(Read(Layout(0, node.shape, (step, 0))), (iota((outer - 1) * step + 1),))
    return elementwise("add", node, starts, dtype=INT32)
