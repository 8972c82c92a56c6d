"""Functions that copy elements by position, and positions of elements that are not zero.

How many of these there are is known when they are computed: a short mask is brought to the host, which finds the positions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....dtypes import BOOL, INT32
from ....op import get_op
from ....rules import broadcast_shapes
from ...graph.build import elementwise, fill, reshape, transpose
from ...value import Value, values_among
from .. import Builder, Lowerings
from ..joining import flat, row_or_axis
from ..op_calls import call
from ..operands import convert, operand
from .gather import gather
from .items import gathered
from .keys import Selection
from .masks import coordinates, is_long, positions
from .operands import Bounds, Mode, places, repeated

__all__ = ["index", "mask_on_host"]


def index(builder: Builder, item: Any, truncated: bool = False) -> Value | npt.NDArray[Any]:
    """Take positions, which are on the device or known."""
    found = builder.operand(item) if values_among([item]) else np.asarray(item)
    if isinstance(found, np.ndarray) and not found.size:
        found = found.astype(np.intp)
    elif truncated and found.dtype.kind == "f" and not isinstance(item, (Value, np.ndarray)):
        found = np.asarray(item, np.intp)
    if found.dtype == BOOL:
        return found.view(found.shadow.view(np.uint8)) if isinstance(found, Value) else found.astype(np.intp)
    if found.dtype.kind not in "iu":
        raise TypeError(f"positions are integers, and these are of {found.dtype}; convert them with astype")
    return found


def mask_on_host(builder: Builder, item: Any) -> npt.NDArray[np.bool]:
    """Find out what is not zero."""
    return _fetched(builder, _mask(builder, item))


def _mask(builder: Builder, item: Any) -> Value | npt.NDArray[np.bool]:
    if not values_among([item]):
        return np.asarray(item).astype(np.bool)
    value = builder.array(item)
    return builder.make(convert(value.read(), value.dtype, BOOL), BOOL)


def _fetched(builder: Builder, mask: Value | npt.NDArray[np.bool]) -> npt.NDArray[np.bool]:
    return builder.on_host(mask) if isinstance(mask, Value) else mask


def _where(builder: Builder, mask: Value | npt.NDArray[np.bool]) -> Value | npt.NDArray[Any]:
    """Find where a mask holds, in C order."""
    if isinstance(mask, Value) and is_long(mask):
        return positions(builder, mask)
    return np.flatnonzero(_fetched(builder, mask))


def _take(builder: Builder, value: Value, indices: Any, *, axis: int | None = None, mode: Mode = "raise") -> Value:
    at = index(builder, indices, truncated=True)
    value, axis = row_or_axis(value, axis)
    if not value.shape[axis]:
        if at.size and math.prod(value.shape[:axis]):
            raise IndexError("cannot do a non-empty take from an empty axes.")
        return call(builder, "empty", (*value.shape[:axis], *at.shape, *value.shape[axis + 1 :]), value.dtype)
    result = gathered(builder, Selection(value, axis, [at], [axis], at.shape, False), mode)
    result.detached = result.shape == ()
    return result


def _take_along_axis(builder: Builder, value: Value, at: Value, *, axis: int | None) -> Any:
    value, axis = row_or_axis(value, axis)
    table, where = (item.view(np.moveaxis(item.shadow, axis, -1)) for item in (value, at))
    length, count = table.shape[-1], where.shape[-1]
    outer = broadcast_shapes(table.shape[:-1], where.shape[:-1])
    shape = (*outer, count)
    size, tables = int(np.prod(shape, dtype=np.int64)), int(np.prod(outer, dtype=np.int64))
    chosen = places(builder, builder.on_host(at) if not size else at, length, Bounds(axis))
    if not size:
        return builder.make(tuple(fill(0, (*shape[:axis], count, *shape[axis:-1]), plane.dtype) for plane in table.read()), value.dtype)
    order = [*range(axis), *range(axis + 1, at.ndim), axis]
    chosen = reshape(repeated(transpose(chosen, order), shape), (tables, count))
    planes = tuple(
        gather(repeated(plane, (*outer, length)), chosen, tables, length, shape) for plane in table.read()
    )
    back = [*range(axis), len(shape) - 1, *range(axis, len(shape) - 1)]
    return builder.make(tuple(transpose(plane, back) for plane in planes), value.dtype)


def _compress(builder: Builder, condition: Any, value: Value, *, axis: int | None) -> Value:
    mask = _mask(builder, condition)
    if mask.ndim != 1:
        raise ValueError(f"a condition along an axis has one axis, and this one has {mask.ndim}; flatten it, or index with it")
    return _take(builder, value, _where(builder, mask), axis=axis)


def _extract(builder: Builder, condition: Any, arr: Any) -> Any:
    return _take(builder, flat(builder.array(arr)), _where(builder, _mask(builder, condition)))


def _choose(builder: Builder, chosen: Value, options: list[Value], *, mode: Mode) -> Value:
    dtype = builder.promotion.result_type(*(option.dtype for option in options))
    shape = broadcast_shapes(chosen.shape, *(option.shape for option in options))
    invalid = Bounds("the choices", ValueError, from_end=False)
    node = repeated(places(builder, index(builder, chosen), len(options), invalid, mode), shape)
    planes = tuple(repeated(plane, shape) for plane in operand(builder, options[0], dtype, shape))
    for place, option in list(enumerate(options))[1:] or [(0, options[0])]:  # one alone depends on positions, too: they may be invalid
        here = elementwise("equal", node, fill(place, (), INT32), dtype=BOOL)
        new = operand(builder, option, dtype, shape)
        planes = tuple(elementwise("where", here, mine, rest, dtype=mine.dtype) for mine, rest in zip(new, planes, strict=True))
    return builder.result(planes, dtype)


def _positions(name: str) -> Callable[..., Any]:
    def run(builder: Builder, a: Any) -> Any:
        mask = _mask(builder, a)
        if isinstance(mask, Value) and is_long(mask):
            if name == "flatnonzero":
                return positions(builder, mask)
            parts = coordinates(builder, mask)
            return parts if name == "nonzero" else call(builder, "stack", parts, axis=1)
        found = get_op(name).host(_fetched(builder, mask))
        if isinstance(found, tuple):
            return tuple(builder.from_host(one.astype(np.int32), copy=True) for one in found)
        return builder.from_host(found.astype(np.int32), copy=True)

    return run


LOWERINGS: Final[Lowerings] = {
    "take": _take,
    "take_along_axis": _take_along_axis,
    "compress": _compress,
    "extract": _extract,
    "choose": _choose,
    **{name: _positions(name) for name in ("nonzero", "argwhere", "flatnonzero")},
}
