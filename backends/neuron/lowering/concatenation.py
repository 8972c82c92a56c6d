"""Arrays put together from pieces: constants, slices side by side, elements along an axis by positions that are known at the call."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import DType
from ...rules import Signature
from ..graph.build import broadcast, fill, reshape, transpose
from ..graph.graph import Node
from ..graph.primitives import Fill, Read
from ..kernel import estimate, kernel
from ..layout import Layout
from ..planes import plane_dtypes, split
from ..value import Value
from . import Builder
from .indexing.gather import gather
from .operands import host_number

if TYPE_CHECKING:
    from ..costs import Costs

__all__ = ["assemble", "constant", "cycled", "join", "pick", "position"]

_MOST: Final = 64
"""Slices of one array above which its elements are gathered."""


def constant(value: Any, shape: tuple[int, ...], dtype: DType) -> tuple[Node, ...]:
    """Make planes that hold one value, or anything."""
    planes = plane_dtypes(dtype)
    if value is None:
        return tuple(Node(Fill(None, Signature(shape, plane)), ()) for plane in planes)
    number = host_number(value, dtype)
    words = [plane.reshape(-1)[0] for plane in split(np.asarray(number, dtype))]
    return tuple(fill(int(word) if plane.kind in "iu" else float(word), shape, plane) for word, plane in zip(words, planes, strict=True))


def position(axis: int, where: slice) -> tuple[Any, ...]:
    """Make the index of a slice along one axis."""
    return (*(slice(None),) * axis, where)


def cycled(plane: Node, count: int) -> Node:
    """Repeat a row of values, or cut it."""
    if plane.size < count:
        times = -(-count // plane.size)
        plane = Node(Read(Layout(0, (times, plane.size), (0, 1))), (plane,))
    if plane.size == count:
        return reshape(plane, (count,))
    return Node(Read(Layout(0, (count,), (1,))), (plane,))


def assemble(
    builder: Builder,
    shape: tuple[int, ...],
    dtype: DType,
    pieces: Iterable[tuple[tuple[Any, ...], tuple[Node, ...]]],
    rest: Any = None,
) -> Value:
    """Make an array of pieces."""
    result = builder.make(constant(rest, shape, dtype), dtype)
    for index, planes in pieces:
        target = result.view(result.shadow[(*index, ...)])
        if target.size:
            target.write(tuple(broadcast(plane, target.shape) for plane in planes))
    nodes = result.read()
    # Writes that may fail keep the value before them, which here nobody can want, and which has elements that nothing was written to.
    return builder.make(nodes, dtype) if any(node.fallible for node in nodes) else result


def join(builder: Builder, parts: Sequence[tuple[tuple[int, ...], tuple[Node, ...]]], axis: int, dtype: DType) -> Value:
    """Lay arrays side by side."""
    if axis and len(parts) > 1 and _is_slow(builder.costs, tuple([part[0] for part in parts]), axis, plane_dtypes(dtype)[0]):
        return _join_across(builder, parts, axis, dtype)
    shape = list(parts[0][0])
    ends = np.cumsum([0, *(part[0][axis] for part in parts)]).tolist()
    shape[axis] = ends[-1]
    pieces = [(position(axis, slice(low, high)), planes) for low, high, (_, planes) in zip(ends, ends[1:], parts, strict=False)]
    return assemble(builder, tuple(shape), dtype, pieces)


@functools.lru_cache(maxsize=1024)
def _is_slow(costs: Costs, shapes: tuple[tuple[int, ...], ...], axis: int, dtype: DType) -> bool:
    """Tell whether to write the rows of all parts takes longer than to permute the parts, to join these, and to permute that."""
    outer, inner = math.prod(shapes[0][:axis]), math.prod(shapes[0][axis + 1 :])
    rows = [shape[axis] * inner * dtype.itemsize for shape in shapes]
    side_by_side = sum(costs.moves(outer, row, 2 * outer * row) for row in rows)
    across = (len(shapes) + 2) * costs.transfer_waits
    if side_by_side < across:
        return False
    order = (axis, *(one for one in range(len(shapes[0])) if one != axis))
    for shape, count in Counter(shapes).items():
        across += count * _permutation_time(costs, shape, order, dtype)
    joined = (sum(shape[axis] for shape in shapes), *(shapes[0][one] for one in order[1:]))
    return across + _permutation_time(costs, joined, (*range(1, axis + 1), 0, *range(axis + 1, len(joined))), dtype) < side_by_side


def _permutation_time(costs: Costs, shape: tuple[int, ...], axes: tuple[int, ...], dtype: DType) -> float:
    if 0 in shape:
        return 0.0
    invocation = kernel("permute").invoke(Signature(shape, dtype), shape=shape, axes=axes)
    return estimate("permute", costs, invocation.results, *invocation.parameters)


def _join_across(builder: Builder, parts: Sequence[tuple[tuple[int, ...], tuple[Node, ...]]], axis: int, dtype: DType) -> Value:
    """Join along the first axis instead, and bring that to its place at once: DMA would write few elements at a time."""
    order = [axis, *(one for one in range(len(parts[0][0])) if one != axis)]
    moved = []
    for shape, planes in parts:
        turned = tuple(shape[one] for one in order)
        moved.append((turned, tuple(transpose(broadcast(plane, shape), order) if plane.shape else plane for plane in planes)))
    joined = join(builder, moved, 0, dtype)
    return builder.make(joined.view(np.moveaxis(joined.shadow, 0, axis)).read(), dtype)


def _runs(places: npt.NDArray[np.intp]) -> list[tuple[int, int, int]]:
    """Cut positions into runs of one step, each (first position, step, length)."""
    runs: list[tuple[int, int, int]] = []
    count = len(places)
    steps = np.diff(places)
    ends = np.flatnonzero(np.diff(steps)) + 1  # from where the step is another one
    start = 0
    while start < count:
        after = int(np.searchsorted(ends, start + 1))
        end = int(ends[after]) if after < len(ends) else count - 1
        runs.append((int(places[start]), int(steps[start]) if end > start else 1, end - start + 1))
        start = end + 1
    return runs


def pick(builder: Builder, value: Value, axis: int, places: npt.NDArray[np.intp]) -> Value:
    """Select elements along an axis by positions that are known at the call."""
    runs = _runs(places)
    if len(runs) > _MOST:
        outer, count = math.prod(value.shape[:axis]), len(places)
        at = builder.from_host(places.astype(np.int32), copy=True).read()[0]
        shape = (*value.shape[:axis], count, *value.shape[axis + 1 :])
        planes = value.read()
        if math.prod(shape):
            planes = tuple(gather(plane, at, outer, value.shape[axis], shape) for plane in planes)
        else:
            planes = constant(None, shape, value.dtype)
        return builder.make(planes, value.dtype)
    parts = []
    for first, step, length in runs:
        shape = (*value.shape[:axis], length, *value.shape[axis + 1 :])
        stop = first + step * length
        where = slice(first, first + 1) if step == 0 else slice(first, stop if stop >= 0 else None, step)
        selected = value.view(value.shadow[position(axis, where)])
        if len(runs) == 1 and (step or length == 1):
            return builder.make(selected.read(), value.dtype)
        parts.append((shape, selected.read()))
    if not parts:
        parts.append(((*value.shape[:axis], 0, *value.shape[axis + 1 :]), constant(None, (), value.dtype)))
    return join(builder, parts, axis, value.dtype)
