"""Sums over products of elements by labels of axes (`einsum`): diagonals, sums, and products of matrices in batches."""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...host.einstein import view
from ...op import get_op
from ..graph.build import reshape
from ..value import Value
from . import Lowerings, NotNativeError
from .elementwise import write_result
from .op_calls import call
from .products import multiplied

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

_LABELS: Final = string.ascii_uppercase + string.ascii_lowercase


def _einsum(builder: Builder, *operands: Any, out: Any = None, **parameters: Any) -> Any:
    """Contract one operand by diagonals and sums, two by products over what they share; more from left to right."""
    unknown = parameters.keys() - {"optimize", "order", "casting"}
    if unknown or parameters.get("order", "K") not in ("K", "C", "A"):
        raise NotNativeError("it has parameters that are looked after on the host")
    if not isinstance(operands[0], str):
        operands = _as_string(operands)
    values = builder.arrays(list(operands[1:]))
    strict = parameters.get("optimize", False) is False  # by a path, NumPy sums over an ellipsis that the output lacks
    subscripts = _with_labels(operands[0].replace(" ", ""), [value.ndim for value in values], strict)
    inputs, arrow, output = subscripts.partition("->")
    labels = inputs.split(",")
    if len(labels) != len(values) or any(len(label) != value.ndim for label, value in zip(labels, values, strict=False)):
        raise ValueError(f"einsum: subscripts {subscripts!r} do not fit operands of shapes {[value.shape for value in values]}")
    if not arrow:
        joined = "".join(labels)
        output = "".join(sorted(label for label in set(joined) if joined.count(label) == 1))
    if len(set(output)) != len(output) or not set(output) <= set("".join(labels)):
        raise ValueError(f"einsum: output labels {output!r} must be different ones of the operands'")
    labels, values = _without_ones(labels, values)
    for place, value in enumerate(values):
        needed = set(output).union(*(labels[:place] + labels[place + 1 :]))
        labels[place], values[place] = _summed(builder, labels[place], value, needed)
    label, value = labels[0], values[0]
    for place in range(1, len(values)):
        needed = set(output).union(*labels[place + 1 :])
        label, value = _pair(builder, (label, value), (labels[place], values[place]), needed)
    moved = value.view(np.transpose(value.shadow, [label.index(one) for one in output]))
    if out is not None:
        return write_result(builder, moved.read(), moved.dtype, moved.shape, out, parameters.get("casting", "safe"))
    return builder.result(moved.read(), moved.dtype)


def _as_string(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """Write labels that are given as lists of numbers as letters, in their order."""

    def letters(labels: Any) -> str:
        return "".join("..." if label is Ellipsis else _LABELS[label] for label in labels)

    output = f"->{letters(operands[-1])}" if len(operands) % 2 else ""
    pairs = len(operands) // 2 * 2
    return ",".join(map(letters, operands[1:pairs:2])) + output, *operands[0:pairs:2]


def _with_labels(subscripts: str, ndims: list[int], strict: bool) -> str:
    """Give the axes that an ellipsis stands for labels, the last ones of all operands the same; where strict, the output has them."""
    if "." not in subscripts:
        return subscripts
    inputs, arrow, output = subscripts.partition("->")
    terms = inputs.split(",")
    if any(term.replace("...", "", 1).count(".") for term in (*terms, output)) or len(terms) != len(ndims):
        raise ValueError(f"einsum: subscripts {subscripts!r} do not fit operands of {ndims} axes, or have dots that are no ellipsis")
    free = [label for label in _LABELS if label not in subscripts]
    counts = [ndim - len(term) + 3 if "..." in term else 0 for term, ndim in zip(terms, ndims, strict=True)]
    most = max(counts)
    if min(counts) < 0 or (strict and arrow and most and "..." not in output):
        raise ValueError(
            f"einsum: subscripts {subscripts!r} do not fit operands of {ndims} axes, or the output has no ellipsis, over which "
            "optimize=True sums"
        )
    labels = "".join(free[:most])
    joined = ",".join(term.replace("...", labels[most - count :]) for term, count in zip(terms, counts, strict=True))
    if arrow:
        return f"{joined}->{output.replace('...', labels)}"
    named = inputs.replace("...", "").replace(",", "")
    return f"{joined}->{labels}{''.join(sorted(label for label in set(named) if named.count(label) == 1))}"


def _einsum_view(builder: Builder, operand: Any, subscripts: Any, *output: Any) -> Any:
    if not isinstance(operand, Value):
        raise NotNativeError("it has no array")
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
