"""Layout legalisation: rewrites strided reads that DMA handles badly as contiguous reads plus permute and flip."""

from __future__ import annotations

import math

from ...rules import Signature
from ..graph.build import call
from ..graph.graph import Node
from ..graph.primitives import Read
from ..kernel import kernel
from ..launch.capacity import is_large
from ..layout import Layout, contiguous_strides
from .choice import Chooser

__all__ = ["reorder", "reorder_write"]


def reorder(node: Node, layout: Layout, chooser: Chooser) -> Node:
    """Take a read apart."""
    base = node.inputs[0]
    axes = range(len(layout.shape))
    backwards = [axis for axis in axes if layout.strides[axis] < 0 and layout.shape[axis] > 1]
    moving = [axis for axis in axes if layout.strides[axis] and layout.shape[axis] > 1]
    ordered = sorted(moving, key=lambda axis: -abs(layout.strides[axis]))
    scattered = bool(moving) and ordered[-1] != moving[-1] and _is_slow(node, layout, ordered, moving, chooser)
    if not backwards and not scattered:
        return node
    order = ordered if scattered else moving
    shape = tuple(layout.shape[axis] for axis in order)
    forward = Layout(layout.lowest, shape, tuple(abs(layout.strides[axis]) for axis in order))
    result = Node(Read(forward), (base,))
    for axis in backwards:
        place = order.index(axis)
        extents = (math.prod(shape[:place]), shape[place], math.prod(shape[place + 1 :]))
        (result,) = call("flip", result, extents=extents)
    if scattered:
        (result,) = call("permute", result, shape=shape, axes=tuple(order.index(axis) for axis in moving))
    strides, step = [0] * len(layout.shape), 1
    for axis in reversed(axes):
        if axis in moving or layout.shape[axis] == 1:  # so that what lies in order is seen to
            strides[axis] = step
            step *= layout.shape[axis]
    return Node(Read(Layout(0, layout.shape, tuple(strides))), (result,))


def _is_slow(node: Node, layout: Layout, ordered: list[int], moving: list[int], chooser: Chooser) -> bool:
    """Tell whether to fetch elements one by one takes longer than to read them in order and to permute them, which a kernel does."""
    if is_large(node.size, node.dtype.itemsize):
        return False
    shape = tuple(layout.shape[axis] for axis in ordered)
    size, each = math.prod(shape), node.dtype.itemsize
    one_by_one = 1e-9 * chooser.costs.moves(size, each, size * each)
    if one_by_one < 1e-9 * chooser.costs.transfer_waits:
        return False
    axes = tuple(ordered.index(axis) for axis in moving)
    return chooser.choose(kernel("permute").invoke(Signature(shape, node.dtype), shape=shape, axes=axes))[1].seconds < one_by_one


def reorder_write(value: Node, layout: Layout) -> tuple[Node, Layout]:
    """Let a write go through memory in its order."""
    axes = [axis for axis in range(len(layout.shape)) if layout.shape[axis] > 1]
    order = sorted(axes, key=lambda axis: -abs(layout.strides[axis]))
    if order == axes and all(layout.strides[axis] > 0 for axis in axes):
        return value, layout
    own = contiguous_strides(layout.shape)
    shape = tuple(layout.shape[axis] for axis in order)
    signs = [1 if layout.strides[axis] > 0 else -1 for axis in order]
    start = sum(own[axis] * (layout.shape[axis] - 1) for axis, sign in zip(order, signs, strict=True) if sign < 0)
    look = Layout(start, shape, tuple(own[axis] * sign for axis, sign in zip(order, signs, strict=True)))
    return Node(Read(look), (value,)), Layout(layout.lowest, shape, tuple(abs(layout.strides[a]) for a in order))
