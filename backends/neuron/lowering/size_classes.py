"""
Size classes: slices whose lengths grow or shrink from call to call are computed with a few lengths, so that one program serves many.

What enters is a call on slices, such as ``V[:, :k] @ h[:k]`` in a loop over k. Where lengths have changed twice by the same step, operands
are read up to the length of their class, the next of 128, 192, 256, 384, …, as far as memory goes; how many elements count is brought at
the launch. Along axes that are summed over, what lies beyond these is replaced by what adds nothing, so that NaN and infinities there do
not matter. Along other axes the result has elements that nobody sees (`value.Padding`). NKI's access patterns take offsets, and no lengths,
at the launch; indices are compared with a number instead.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import BOOL, INT32
from ...op import Op
from ..graph.build import bits, broadcast, elementwise, fill, iota, reshape, scalar
from ..graph.graph import Node
from ..graph.primitives import Read, Write
from ..launch.capacity import is_large
from ..layout import Layout, contiguous_strides
from ..value import Padding, Value
from . import Builder
from .axis_labels import Labelled, labels_of, of_elements, positive_zero
from .operands import convert, operand

__all__ = ["grown", "history_of", "size_class", "write_grown"]

_LEAST: Final = 128
"""The shortest class of light elements: partitions, and columns of a row that take DMA as long as fewer."""
_LIGHT: Final = 1 << 20  # bytes of so many
_REMEMBERED: Final = 4096
_UNBOUNDED: Final = 1 << 40


class _Span(NamedTuple):
    """How many elements of an axis count, the length of their class, where they begin there, and operands that have to be moved there."""

    counted: int
    length: int
    start: int
    moved: frozenset[int] = frozenset()


class History:
    """The extents of a call the last time, by how much they had changed, the labels of axes that grow, and how far these got."""

    __slots__ = ("extents", "growing", "reach", "step")

    def __init__(self) -> None:
        self.extents: tuple[int, ...] = ()
        self.step: tuple[int, ...] = ()
        self.growing = frozenset[Hashable]()
        self.reach = 0

    def note(self, extents: Mapping[Hashable, int]) -> None:
        """Compare extents with those before."""
        now = tuple(extents.values())
        if len(now) == len(self.extents) and now != self.extents:
            step = tuple([new - old for new, old in zip(now, self.extents, strict=True)])
            if step == self.step:
                self.growing |= {label for label, change in zip(extents, step, strict=True) if change}
                self.reach = max(self.reach, *[extents[label] for label in self.growing if label in extents])
            self.step = step
        self.extents = now


def history_of(builder: Builder, call: Hashable) -> History:
    """Find the extents that calls of a kind had."""
    if len(builder.lengths) > _REMEMBERED:
        builder.lengths.clear()
    history: History = builder.lengths.setdefault(call, History())
    return history


def size_class(count: int, light: bool = True) -> int:
    """
    Give the length of a number's class.

    Examples
    --------
    >>> [size_class(count) for count in (1, 128, 129, 193, 1537)], [size_class(count, light=False) for count in (1, 5, 129)]
    ([128, 128, 192, 256, 2048], [4, 8, 256])
    """
    power = 1 << (count - 1).bit_length()
    if not light:
        return max(4, power)
    return _LEAST if count <= _LEAST else power * 3 // 4 if count <= power * 3 // 4 else power


def grown(builder: Builder, op: Op, operands: Sequence[Any], attributes: Mapping[str, Any]) -> Any:
    """Lower a call of which some operand is a view, or padded, for the class of lengths that grow; None where none does."""
    if op.neuron is None or builder.graph.trace is not None or builder.recording or builder.widened:
        return None
    label = labels_of(op)
    found = None if label is None else _spans(builder, op.name, operands, attributes, label)
    if found is None:
        return None
    axes, spans = found
    summed = {one: span for one, span in spans.items() if one not in axes.result}
    taken = [
        _widened(builder, number, item, labels, spans) if type(item) is Value else item
        for number, (item, labels) in enumerate(zip(operands, axes.operands, strict=True))
    ]
    if summed and axes.neutral is None:
        counted = _counted(taken[0].shape, axes.operands[0], summed)
        attributes = {**attributes, "where": builder.make((counted,), BOOL)}
    elif axes.square:
        matrix, *others = taken
        sides = zip(others, axes.operands[1:], strict=True)
        matrix = _with_unit(builder, matrix, spans) if spans.keys() & axes.operands[0] else matrix
        taken = [matrix, *[_masked_along(builder, item, own, spans, positive_zero) for item, own in sides]]
    elif summed:
        taken = [_masked_along(builder, item, labels, summed, axes.neutral) for item, labels in zip(taken, axes.operands, strict=True)]
    builder.widened = True
    try:
        result = op.neuron(builder, *taken, **attributes)
    finally:
        builder.widened = False
    results = [_cut(builder, item, axes, spans) for item in (result if type(result) is tuple else (result,))]
    nodes = [cell.node for item in results if item is not None for cell in item.cells]
    unseen = len(summed) < len(spans) and not axes.square and not any(map(_may_fail, operands))
    if None in results or (unseen and any(node.fallible for node in nodes)):
        return None  # as where a check would look at elements that nobody sees
    return tuple(results) if type(result) is tuple else results[0]


def write_grown(builder: Builder, target: Value, value: Value, where: Any) -> bool:
    """Write elements to a slice that grows, where it is one; those of its class beyond them stay as they are."""
    if where is not True or not target.shape or target.base is None or builder.graph.trace is not None or builder.recording:
        return False
    found = _spans(builder, "setitem", (target, value), {}, of_elements)
    if found is None or any(0 in span.moved for span in found[1].values()):
        return False
    axes, spans = found
    into, item = (_widened(builder, number, one, axes.operands[number], spans) for number, one in enumerate((target, value)))
    if into.layout.overlaps:
        return False
    new = [broadcast(plane, into.shape) for plane in convert(item.read(), item.dtype, into.dtype)]
    counted = _counted(into.shape, axes.operands[0], spans)
    into.write(tuple([elementwise("where", counted, one, old, dtype=old.dtype) for one, old in zip(new, into.held(), strict=True)]))
    return True


def _may_fail(item: Any) -> bool:
    return type(item) is Value and any(cell.node.fallible for cell in item.cells)


def _spans(
    builder: Builder,
    name: str,
    operands: Sequence[Any],
    attributes: Mapping[str, Any],
    label: Callable[[Sequence[Any], Mapping[str, Any]], Labelled | None],
) -> tuple[Labelled, dict[Hashable, _Span]] | None:
    """Find the classes of axes that grow; None where none does, or some operand does not reach as far."""
    seen: tuple[Hashable, ...] = (name, attributes.get("axis"))
    padded = False
    for item in operands:
        if type(item) is Value:
            seen += (item.shape,)
            if item.padding is not None:
                padded = True
    try:
        history = builder.lengths.get(seen)
    except TypeError:  # an attribute that is a list
        return None
    if history is not None and not history.growing and not padded:
        return None
    values = [item for item in operands if type(item) is Value]
    if any(type(item) is Value for item in attributes.values()) or any(0 in value.shape for value in values):
        return None
    axes = label(operands, attributes)
    if axes is None:
        return None
    pairs = [(number, axis, one) for number, labels in enumerate(axes.operands) for axis, one in enumerate(labels) if one is not None]
    extents = {one: operands[number].shape[axis] for number, axis, one in pairs}
    if history is None:
        history = history_of(builder, (name, *axes.operands, axes.result, *[(value.dtype, value.layout.strides) for value in values]))
        history.note(extents)
        builder.lengths[seen] = history
    growing = history.growing
    if any(extents.get(one, 0) > 2 * history.reach for one in growing):  # as another loop's, or no loop's
        growing = frozenset()
    history.reach = max(history.reach, *[extents.get(one, 0) for one in growing], 0)
    if padded:
        held = [(operands[number].padding, axis, one) for number, axis, one in pairs]
        growing |= {one for padding, axis, one in held if padding is not None and axis in padding.axes}
    spans = {
        label: _span([(number, operands[number], axis) for number, axis, one in pairs if one == label], axes)
        for label in extents
        if label in growing
    }
    found = {one: span for one, span in spans.items() if span is not None}
    if not found or len(found) < len(spans):
        return None
    numbered = enumerate(zip(operands, axes.operands, strict=True))
    return (axes, found) if all(_reaches(number, *one, found) for number, one in numbered if type(one[0]) is Value) else None


def _span(places: Sequence[tuple[int, Value, int]], axes: Labelled) -> _Span | None:
    """Choose the class of an axis of some operands; None where one of them has no elements beyond its own, and that is no class."""
    _, first, axis = places[0]
    count = first.shape[axis]
    rooms = [_room(value, axis) for _, value, axis in places]
    light = all(abs(value.layout.strides[axis]) * value.dtype.itemsize * _LEAST <= _LIGHT for _, value, axis in places)
    wanted = size_class(count, light)
    before, after = (count + min(room[side] for room in rooms) for side in range(2))
    longest = min(size_class(count + 1, light), count + min(map(max, rooms)))  # by at least one more, so that all offsets differ
    if longest > max(before, after) and not axes.square:  # as of kernel[k - 1 :: -1] @ history[:k]
        return _Span(count, longest, 0, frozenset(place[0] for place, room in zip(places, rooms, strict=True) if count + room[1] < longest))
    before, after = min(wanted, before), min(wanted, after)
    if max(before, after) < wanted and any(value.base is None and value.padding is None for _, value, _ in places):
        return None
    return _Span(count, after, 0) if axes.ordered or after >= before else _Span(count, before, before - count)


def _room(value: Value, axis: int) -> tuple[int, int]:
    """Count the elements that lie before those of an axis, and after them, in memory and in the rows of the array."""
    layout, size = value.layout, value.cells[0].node.size
    step = abs(layout.strides[axis])
    if not step:
        return _UNBOUNDED, _UNBOUNDED
    low = layout.lowest
    extent = sum(abs(stride) * (length - 1) for stride, length in zip(layout.strides, layout.shape, strict=True))
    before, after = low // step, (size - 1 - low - extent) // step
    apart = layout.strides if value.base is None else (*layout.strides, *value.base.layout.strides)
    longer = min((abs(stride) for stride in apart if abs(stride) > step), default=0)
    if longer:
        first = low % longer
        before, after = min(before, first // step), min(after, max(longer - 1 - first - step * (layout.shape[axis] - 1), 0) // step)
    return (before, after) if layout.strides[axis] > 0 else (after, before)


def _start(number: int, span: _Span) -> int:
    """Tell where elements of an operand begin among those of the class that are read."""
    return span.length - span.counted if number in span.moved else span.start


def _reaches(number: int, value: Value, labels: Sequence[Hashable], spans: Mapping[Hashable, _Span]) -> bool:
    """Tell whether memory, of one tensor, has the elements of all classes together."""
    size = value.cells[0].node.size
    layout = value.layout
    low = layout.lowest
    high = low + sum(abs(stride) * (length - 1) for stride, length in zip(layout.strides, layout.shape, strict=True))
    for one, stride in zip(labels, layout.strides, strict=True):
        if one in spans:
            before = _start(number, spans[one])
            after = spans[one].length - spans[one].counted - before
            low -= abs(stride) * (before if stride > 0 else after)
            high += abs(stride) * (after if stride > 0 else before)
    return low >= 0 and high < size and not is_large(size, value.dtype.itemsize)


def _widened(builder: Builder, number: int, value: Value, labels: Sequence[Hashable], spans: Mapping[Hashable, _Span]) -> Value:
    """Look at all elements of the classes, or move them to where they begin there."""
    lengths = [spans[one].length if one in spans else extent for one, extent in zip(labels, value.shape, strict=True)]
    wide = value.widened(tuple(lengths), tuple([_start(number, spans[one]) if one in spans else 0 for one in labels]))
    for axis, one in enumerate(labels):
        if one in spans and number in spans[one].moved:
            wide = _moved(builder, wide, axis, spans[one].length - spans[one].counted)
    return wide


def _moved(builder: Builder, value: Value, axis: int, by: int) -> Value:
    """Move elements towards the beginning of an axis, by as many as the launch brings, through memory of twice the length."""
    rows = value.view(np.moveaxis(value.shadow, axis, 0))
    shape = rows.shape
    at_first, later = (Layout(first * (rows.size // shape[0]), shape, contiguous_strides(shape)) for first in (0, by))
    planes = []
    for plane in rows.read():
        longer = Node(Write(at_first), (fill(0, (2 * shape[0], *shape[1:]), plane.dtype), plane))
        planes.append(Node(Read(later), (longer,)))
    made = builder.make(tuple(planes), value.dtype)
    return made.view(np.moveaxis(made.shadow, 0, axis))


def _counted(shape: Sequence[int], labels: Sequence[Hashable], spans: Mapping[Hashable, _Span]) -> Node:
    """Tell which elements count."""
    counted: Node | None = None
    for axis, one in enumerate(labels):
        if one in spans:
            count, length, start, _ = spans[one]
            strides = tuple([int(other == axis) for other in range(len(shape))])
            index = Node(Read(Layout(0, tuple(shape), strides)), (iota(length),))
            name, bound = ("less", count) if not start else ("greater_equal", start)
            holds = elementwise(name, index, scalar(bound, INT32), dtype=BOOL)
            counted = holds if counted is None else elementwise("logical_and", counted, holds, dtype=BOOL)
    assert counted is not None
    return counted


def _with_unit(builder: Builder, matrix: Value, spans: Mapping[Hashable, _Span]) -> Value:
    """Put a matrix beside a unit matrix, into a block-diagonal one."""
    counted = _counted(matrix.shape, ("k", "k"), spans)
    row, column = (Node(Read(Layout(0, matrix.shape, strides)), (iota(matrix.shape[0]),)) for strides in ((1, 0), (0, 1)))
    diagonal = elementwise("equal", row, column, dtype=BOOL)
    ones, zeros = (operand(builder, matrix.dtype.type(number), matrix.dtype, ()) for number in (1, 0))
    planes = []
    for plane, one, zero in zip(matrix.read(), ones, zeros, strict=True):
        unit = elementwise("where", diagonal, one, zero, dtype=plane.dtype)
        planes.append(elementwise("where", counted, plane, unit, dtype=plane.dtype))
    return builder.make(tuple(planes), matrix.dtype)


def _masked_along(builder: Builder, item: Any, labels: Sequence[Hashable], spans: Mapping[Hashable, _Span], neutral: Any) -> Any:
    """Replace elements of an operand, if it is a value that has such axes."""
    return item if type(item) is not Value or spans.keys().isdisjoint(labels) else _masked(builder, item, labels, spans, neutral)


def _masked(builder: Builder, value: Value, labels: Sequence[Hashable], spans: Mapping[Hashable, _Span], neutral: Any) -> Value:
    """Replace elements that do not count, in the order in which they lie."""
    order = sorted(range(value.ndim), key=lambda axis: -abs(value.strides[axis]))
    moved = value.view(np.transpose(value.shadow, order))
    names = [labels[axis] for axis in order]
    if neutral is positive_zero and value.dtype.kind not in "biu":
        planes = [_and_mask(plane, names, spans) for plane in moved.read()]
    else:
        counted = _counted(moved.shape, names, spans)
        rest = operand(builder, neutral(value.dtype), value.dtype, ())
        planes = [elementwise("where", counted, plane, other, dtype=plane.dtype) for plane, other in zip(moved.read(), rest, strict=True)]
    made = builder.make(tuple(planes), value.dtype)
    return made.view(np.transpose(made.shadow, np.argsort(order)))


def _and_mask(plane: Node, labels: Sequence[Hashable], spans: Mapping[Hashable, _Span]) -> Node:
    """Clear the bits of elements that do not count, which takes one instruction: masks are made once for each index."""
    word = np.dtype(f"i{plane.dtype.itemsize}")
    held = bits(plane, word)
    for axis, one in enumerate(labels):
        if one in spans:
            counted = _counted((spans[one].length,), (one,), spans)
            mask = elementwise("where", counted, fill(-1, (), word), fill(0, (), word), dtype=word)
            own = (*(1,) * axis, spans[one].length, *(1,) * (len(labels) - axis - 1))
            held = elementwise("bitwise_and", held, broadcast(reshape(mask, own), plane.shape), dtype=word)
    return bits(held, plane.dtype)


def _cut(builder: Builder, result: Any, axes: Labelled, spans: Mapping[Hashable, _Span]) -> Value | None:
    """Give the elements of a result that count."""
    if type(result) is not Value or spans.keys().isdisjoint(axes.result):
        return result if type(result) is Value else None
    if result.ndim != len(axes.result):
        return None
    if result.base is not None or not result.covers(result.cells[0]):
        result = builder.make(result.read(), result.dtype)
    shape = tuple([spans[one].counted if one in spans else extent for one, extent in zip(axes.result, result.shape, strict=True)])
    cut = Value(result.cells, shape, result.dtype)
    start = tuple([spans[one].start if one in spans else 0 for one in axes.result])
    cut.padding = Padding(result.shape, start, frozenset(axis for axis, one in enumerate(axes.result) if one in spans))
    return cut
