"""Ops that select elements by position, and write to selected elements."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ....dtypes import BOOL, INT32
from ....rules import broadcast_shapes
from ...graph.build import check, elementwise, fill, reshape, transpose
from ...graph.graph import Node
from ...output import write
from ...value import Value
from .. import Builder, Lowerings
from ..op_calls import call
from ..operands import operand, take_as
from .gather import gather, scatter
from .keys import Selection, has_arrays, select
from .masks import compressed, is_long
from .operands import Bounds, Mode, combined, places, repeated
from .segments import combine_rows

__all__ = ["gathered", "ranked", "scattered"]


def _viewed(value: Value, key: tuple[Any, ...]) -> Value:
    shadow = value.shadow[key]
    if not isinstance(shadow, np.ndarray):  # full integer indexing: NumPy copies, we look first
        shadow = value.shadow[(*key, ...)]
    return value.view(shadow)


def _names_element(key: tuple[Any, ...]) -> bool:
    """Tell whether an index has numbers only: if it leaves no axes, that is a scalar."""
    return not any(
        item is None or item is Ellipsis or isinstance(item, slice) or (hasattr(item, "dtype") and (item.dtype == BOOL or item.shape))
        for item in key
    )


def _positions(builder: Builder, selection: Selection, mode: Mode) -> Node | None:
    """Find the selected rows of the view, in a row; None where there are none, or rows are empty."""
    empty = not math.prod((*selection.outer, *selection.shape, *selection.inner))
    found = []
    for array, length, axis in zip(selection.arrays, selection.lengths, selection.axes, strict=True):
        if array.shape and not math.prod(selection.shape):  # as in NumPy, arrays that broadcast to nothing may lead anywhere
            continue
        # Of nothing, nobody needs the value, so that an error would not be seen.
        known = builder.on_host(array) if empty and isinstance(array, Value) else array
        found.append(places(builder, known, length, Bounds(axis), mode))
    if empty:
        return None
    return reshape(combined(found, selection.lengths), (math.prod(selection.shape),))


def gathered(builder: Builder, selection: Selection, mode: Mode = "raise") -> Value:
    """Copy what is selected."""
    view, outer, inner = selection.view, selection.outer, selection.inner
    shape = (*outer, *selection.shape, *inner)
    at = _positions(builder, selection, mode)
    planes = view.read()
    if at is None:
        planes = tuple(fill(0, shape, plane.dtype) for plane in planes)
    else:
        planes = tuple(gather(plane, at, math.prod(outer), math.prod(selection.lengths), shape) for plane in planes)
    if selection.turned:
        lead, count = len(outer), len(selection.shape)
        order = [*range(lead, lead + count), *range(lead), *range(lead + count, len(shape))]
        planes = tuple(transpose(plane, order) for plane in planes)
    return builder.make(planes, view.dtype)


def scattered(builder: Builder, selection: Selection, item: Any, function: str = "", *, by_segments: bool = False) -> None:
    """Write to what is selected, or combine with it by a function: of a kernel, or of an Op where that has none."""
    view, outer, inner = selection.view, selection.outer, selection.inner
    shape = (*outer, *selection.shape, *inner)
    lead, count = len(outer), len(selection.shape)
    given = (*selection.shape, *outer, *inner) if selection.turned else shape
    item = _without_leading_ones(builder, item, len(given))
    if broadcast_shapes(getattr(item, "shape", ()), given) != given:
        raise ValueError(f"an array of shape {item.shape} does not broadcast to what the index selects, {given}")
    planes = operand(builder, item, view.dtype, given)
    at = _positions(builder, selection, "raise")
    if at is None:
        return
    planes = tuple(repeated(plane, given) for plane in planes)
    if selection.turned:
        order = [*range(count, count + lead), *range(count), *range(count + lead, len(shape))]
        planes = tuple(transpose(plane, order) for plane in planes)
    rows = math.prod(selection.lengths)
    if by_segments:
        table = (math.prod(outer), rows, math.prod(inner))
        parts = tuple(reshape(plane, (table[0], at.size, table[2])) for plane in planes)
        combine_rows(builder, view, at, builder.make(parts, view.dtype), table, function)
        return
    new = (scatter(old, at, plane, math.prod(outer), rows, function) for old, plane in zip(view.held(), planes, strict=True))
    view.write(tuple(new))


def _without_leading_ones(builder: Builder, item: Any, ndim: int) -> Any:
    """Drop what NumPy drops of the shape of what is assigned."""
    if not isinstance(item, Value):
        return item
    shape = item.shape
    while len(shape) > ndim and shape[0] == 1:
        shape = shape[1:]
    return item if shape == item.shape else builder.make(tuple(reshape(plane, shape) for plane in item.read()), item.dtype)


def _getitem(builder: Builder, value: Value, key: tuple[Any, ...]) -> Any:
    if has_arrays(key):
        mask = _mask_of(value, key)
        if mask is not None and mask.shape == value.shape and is_long(mask):
            return compressed(builder, mask, value)
        result = gathered(builder, select(builder, value, key))
        result.detached = result.shape == () and _names_element(key)
        return result
    selected = _viewed(value, key)
    return selected.without_memory() if selected.shape == () and _names_element(key) else selected


def _setitem(builder: Builder, value: Value, key: tuple[Any, ...], item: Any) -> None:
    fancy = has_arrays(key)
    if isinstance(item, (np.integer, np.floating)) and value.dtype.kind == "i" and not fancy:  # as NumPy, which wraps unsigned ones
        item = int(item)
    item = take_as(builder, item, value.dtype)
    if fancy:
        if not _set_where(builder, value, key, item):
            selection = select(builder, value, key)
            _check_element((*selection.outer, *selection.shape, *selection.inner), key, item)
            scattered(builder, selection, item)
        return
    target = _viewed(value, key)
    _check_element(target.shape, key, item)
    if isinstance(item, Value):
        item = _without_leading_ones(builder, item, target.ndim)
        write(builder, target, item)
        return
    planes = operand(builder, item, value.dtype, target.shape)
    write(builder, target, builder.make(planes, value.dtype))


def _check_element(shape: tuple[int, ...], key: tuple[Any, ...], item: Any) -> None:
    """Refuse a sequence for one element, as NumPy does since 2.4."""
    if shape == () and isinstance(item, Value) and item.shape and _names_element(key):
        raise ValueError(f"one element cannot be set to an array of shape {item.shape}; assign y[0], or to x[i, ...]")


def _mask_of(value: Value, key: tuple[Any, ...]) -> Value | None:
    """Find the mask of the first axes that a key is."""
    mask, *others = key
    masks = isinstance(mask, Value) and mask.dtype == BOOL and mask.ndim and mask.shape == value.shape[: mask.ndim]
    return mask if masks and all(item is Ellipsis or (type(item) is slice and item == slice(None)) for item in others) else None


def _set_where(builder: Builder, value: Value, key: tuple[Any, ...], item: Any) -> bool:
    """Write where a mask on the device holds, for which nobody has to count; False for other keys."""
    mask = _mask_of(value, key)
    if mask is None:
        return False
    inner = value.shape[mask.ndim :]
    item = _without_leading_ones(builder, item, len(inner) + 1)
    shape: tuple[int, ...] = getattr(item, "shape", ())
    where = mask.view(mask.shadow[(..., *(None,) * len(inner))])
    if len(shape) > len(inner):
        if len(shape) != len(inner) + 1 or not item.size or not value.size:
            return False
        if shape[0] > 1:
            item = ranked(builder, mask, item)
        else:
            item = _without_leading_ones(builder, item, len(inner))
        shape = item.shape
    given = item if isinstance(item, Value) else builder.make(operand(builder, item, value.dtype, ()), value.dtype)
    write(builder, value, given, where)
    return True


def ranked(builder: Builder, mask: Value, item: Value, again: bool = False) -> Value:
    """Give the elements of a mask the rows of what is assigned: the first one that holds the first row, and so on."""
    flat = builder.make((reshape(mask.read()[0], (mask.size,)),), BOOL)
    ranks, count = call(builder, "cumsum", flat, 0, INT32), item.shape[0]
    if again:
        at = call(builder, "remainder", call(builder, "add", ranks, count - 1), count).read()[0]
    else:
        at = call(builder, "subtract", call(builder, "clip", ranks, 1, count), 1).read()[0]
        holds = elementwise("equal", call(builder, "sum", flat, 0, INT32).read()[0], fill(count, (), INT32), dtype=BOOL)
        message = f"{count} values are assigned where a mask holds, which is not for as many elements; give one value, or as many"
        at.demand(check(holds, ValueError, message))
    planes = (gather(plane, at, 1, count, (mask.size, *item.shape[1:])) for plane in item.read())
    return builder.make(tuple(reshape(plane, (*mask.shape, *item.shape[1:])) for plane in planes), item.dtype)


def _fill(builder: Builder, value: Value, item: Any) -> None:
    shape = np.shape(item) if isinstance(item, (list, tuple, range)) else getattr(item, "shape", ())
    if shape:
        raise ValueError(f"an array is filled with one number, not with an array of shape {shape}; assign to x[...]")
    value.check_writable()
    _setitem(builder, value, (Ellipsis,), item)


LOWERINGS: Final[Lowerings] = {"getitem": _getitem, "setitem": _setitem, "ndarray.fill": _fill}
