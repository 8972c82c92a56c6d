"""Sums over products of elements by labels of axes (`einsum`): diagonals, sums, and products of matrices in batches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...host.einstein import view
from ...op import get_op
from ..graph.build import reshape
from ..value import Value
from . import Lowerings
from .op_calls import call
from .products import multiplied

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []


def _einsum(builder: Builder, subscripts: str, *operands: Value) -> Value:
    """Contract one operand by diagonals and sums, two by products over what they share; more from left to right."""
    inputs, _, output = subscripts.partition("->")
    labels, values = inputs.split(","), list(operands)
    labels, values = _without_ones(labels, values)
    for place, value in enumerate(values):
        needed = set(output).union(*(labels[:place] + labels[place + 1 :]))
        labels[place], values[place] = _summed(builder, labels[place], value, needed)
    label, value = labels[0], values[0]
    for place in range(1, len(values)):
        needed = set(output).union(*labels[place + 1 :])
        label, value = _pair(builder, (label, value), (labels[place], values[place]), needed)
    moved = value.view(np.transpose(value.shadow, [label.index(one) for one in output]))
    return builder.result(moved.read(), moved.dtype)


def _einsum_view(builder: Builder, operand: Value, subscripts: Any, *output: Any) -> Any:
    found = view(operand.shadow, subscripts, *output)
    return operand.view(found) if isinstance(found, np.ndarray) else operand.without_memory()  # of no axes, NumPy makes a scalar


def _without_ones(labels: list[str], values: list[Value]) -> tuple[list[str], list[Value]]:
    """Drop axes of one element from operands where others have more of that label, along which the element is repeated."""
    extents: dict[str, int] = {}
    for label, value in zip(labels, values, strict=True):
        for one, extent in zip(label, value.shape, strict=True):
            extents[one] = extent if extents.get(one, 1) == 1 else extents[one]
    kept = [
        [place for place, (one, extent) in enumerate(zip(label, value.shape, strict=True)) if extent != 1 or extents[one] == 1]
        for label, value in zip(labels, values, strict=True)
    ]
    shorter = ["".join(label[place] for place in places) for label, places in zip(labels, kept, strict=True)]
    views = [value.view(value.shadow.reshape([value.shape[place] for place in places])) for value, places in zip(values, kept, strict=True)]
    return shorter, views


def _summed(builder: Builder, label: str, value: Value, needed: set[str]) -> tuple[str, Value]:
    """Take diagonals of axes of one label, and sum over labels that nobody else needs."""
    unique = "".join(dict.fromkeys(label))
    if unique != label:
        value = value.view(np.einsum(f"{label}->{unique}", value.shadow))
    gone = tuple(place for place, one in enumerate(unique) if one not in needed)
    if gone:
        value = call(builder, "sum", value, gone, dtype=value.dtype)
    return "".join(one for one in unique if one in needed), value


def _pair(builder: Builder, left: tuple[str, Value], right: tuple[str, Value], needed: set[str]) -> tuple[str, Value]:
    """Contract two operands: labels that both have and are needed are batches, others that both have are summed over."""
    (x, a), (y, b) = left, right
    extents: dict[str, int] = {}
    for label, value in (left, right):
        for one, extent in zip(label, value.shape, strict=True):
            if extents.setdefault(one, extent) != extent:
                raise ValueError(f"einsum: label {one!r} has {extents[one]} and {extent} elements")
    batch = [one for one in x if one in y and one in needed]
    depth = [one for one in x if one in y and one not in needed]
    rows, columns = [one for one in x if one not in y], [one for one in y if one not in x]

    def matrices(label: str, value: Value, *order: list[str]) -> Value:
        moved = value.view(np.transpose(value.shadow, [label.index(one) for part in order for one in part]))
        shape = tuple(math.prod(extents[one] for one in part) for part in order)
        return builder.make(tuple(reshape(plane, shape) for plane in moved.read()), value.dtype)

    planes, dtype = multiplied(builder, matrices(x, a, batch, rows, depth), matrices(y, b, batch, depth, columns))
    result = "".join([*batch, *rows, *columns])
    shape = tuple(extents[one] for one in result)
    return result, builder.make(tuple(reshape(plane, shape) for plane in planes), dtype)


def _einsum_path(builder: Builder, *operands: Any, **parameters: Any) -> Any:
    return get_op("einsum_path").host(*(item.shadow if isinstance(item, Value) else item for item in operands), **parameters)


LOWERINGS: Final[Lowerings] = {"einsum": _einsum, "einsum_view": _einsum_view, "einsum_path": _einsum_path}
