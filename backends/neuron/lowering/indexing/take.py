"""Functions that copy elements by position, and positions of elements that are not zero.

How many of these there are is known when they are computed: a short mask is brought to the host, which finds the positions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ....dtypes import BOOL, INT32
from ....op import get_op
from ....rules import broadcast_shapes
from ....shape import checked_axis
from ...graph.build import elementwise, fill, reshape, transpose
from ...value import Value
from .. import Lowerings, NotNativeError
from ..elementwise import write_result
from ..joining import flat
from ..op_calls import call
from ..operands import convert, operand
from .gather import gather
from .items import gathered
from .keys import Selection
from .masks import coordinates, is_long, positions
from .operands import Bounds, Mode, on_host, places, repeated

if TYPE_CHECKING:
    from ...graph.builder import Builder

__all__ = ["along_axis", "index", "mask_on_host"]


def index(item: Any, truncated: bool = False) -> Value | npt.NDArray[Any]:
    """Take positions, which are on the device or known."""
    found = item if isinstance(item, Value) else np.asarray(item)
    if isinstance(found, np.ndarray) and found.dtype == object:
        raise NotNativeError("lists of arrays are made arrays on the host")
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
    if not isinstance(item, Value) and not any(isinstance(one, Value) for one in (item if isinstance(item, (list, tuple)) else ())):
        return np.asarray(item).astype(np.bool)
    value = builder.array(item)
    return builder.make(convert(value.read(), value.dtype, BOOL), BOOL)


def _fetched(builder: Builder, mask: Value | npt.NDArray[np.bool]) -> npt.NDArray[np.bool]:
    return on_host(builder, mask) if isinstance(mask, Value) else mask


def _where(builder: Builder, mask: Value | npt.NDArray[np.bool]) -> Value | npt.NDArray[Any]:
    """Find where a mask holds, in C order."""
    if isinstance(mask, Value) and is_long(mask):
        return positions(builder, mask)
    return np.flatnonzero(_fetched(builder, mask))


def _take(builder: Builder, a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: Mode = "raise") -> Any:
    value, at = builder.array(a), index(indices, truncated=True)
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"mode is {mode!r}; use 'raise', 'wrap' or 'clip'")
    value = flat(value) if axis is None or not value.ndim else value
    lead = 0 if axis is None else checked_axis(axis, value.ndim)
    length = value.shape[lead]
    if not length and at.size:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    result = gathered(builder, Selection(value, lead, [at], [lead], at.shape, False), mode)
    if out is not None:
        return write_result(builder, result.read(), result.dtype, result.shape, out, "unsafe" if mode != "raise" else "same_kind")
    result.detached = result.shape == ()
    return result


def along_axis(builder: Builder, indices: Any) -> Value:
    """Make a value of positions along an axis."""
    at = builder.array(indices)
    if at.dtype.kind not in "iu":
        raise IndexError(f"positions along an axis are integers, and these are of {at.dtype}; convert them with astype")
    return at


def _take_along_axis(builder: Builder, x: Any, indices: Any, axis: int | None = -1) -> Any:
    value, at = builder.array(x), along_axis(builder, indices)
    if axis is None:
        value, axis = flat(value), 0
    if value.ndim != at.ndim:
        raise ValueError(f"the array has {value.ndim} axes, and the positions have {at.ndim}; give them as many")
    axis = np.lib.array_utils.normalize_axis_index(axis, value.ndim)
    table, where = (item.view(np.moveaxis(item.shadow, axis, -1)) for item in (value, at))
    length, count = table.shape[-1], where.shape[-1]
    outer = broadcast_shapes(table.shape[:-1], where.shape[:-1])
    shape = (*outer, count)
    size, tables = int(np.prod(shape, dtype=np.int64)), int(np.prod(outer, dtype=np.int64))
    chosen = places(builder, on_host(builder, at) if not size else at, length, Bounds(axis))
    if not size:
        return builder.make(tuple(fill(0, (*shape[:axis], count, *shape[axis:-1]), plane.dtype) for plane in table.read()), value.dtype)
    order = [*range(axis), *range(axis + 1, at.ndim), axis]
    chosen = reshape(repeated(transpose(chosen, order), shape), (tables, count))
    planes = tuple(
        gather(repeated(plane, (*outer, length)), chosen, tables, length, shape) for plane in table.read()
    )
    back = [*range(axis), len(shape) - 1, *range(axis, len(shape) - 1)]
    return builder.make(tuple(transpose(plane, back) for plane in planes), value.dtype)


def _compress(builder: Builder, condition: Any, a: Any, axis: int | None = None, out: Any = None) -> Any:
    mask = _mask(builder, condition)
    if mask.ndim != 1:
        raise ValueError(f"a condition along an axis has one axis, and this one has {mask.ndim}; flatten it, or index with it")
    return _take(builder, a, _where(builder, mask), axis, out)


def _extract(builder: Builder, condition: Any, arr: Any) -> Any:
    return _take(builder, flat(builder.array(arr)), _where(builder, _mask(builder, condition)))


def _choose(builder: Builder, a: Any, choices: Any, out: Any = None, mode: Mode = "raise") -> Any:
    chosen, options = builder.array(a), builder.arrays(choices)
    if chosen.dtype.kind not in "biu":
        raise TypeError(f"positions are integers, and these are of {chosen.dtype}; convert them with astype")
    dtype = builder.promotion.result_type(*(option.dtype for option in options))
    shape = broadcast_shapes(chosen.shape, *(option.shape for option in options))
    invalid = Bounds("the choices", ValueError, from_end=False)
    node = repeated(places(builder, index(chosen), len(options), invalid, mode), shape)
    planes = tuple(repeated(plane, shape) for plane in operand(builder, options[0], dtype, shape))
    for place, option in list(enumerate(options))[1:] or [(0, options[0])]:  # one alone depends on positions, too: they may be invalid
        here = elementwise("equal", node, fill(place, (), INT32), dtype=BOOL)
        new = operand(builder, option, dtype, shape)
        planes = tuple(elementwise("where", here, mine, rest, dtype=mine.dtype) for mine, rest in zip(new, planes, strict=True))
    if out is not None:
        return write_result(builder, planes, dtype, shape, out)
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
