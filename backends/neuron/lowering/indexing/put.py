"""Functions that write elements by position, and ufuncs that are applied there."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ....dtypes import BOOL, COMPLEX64, FLOAT32, INT32, DType
from ...graph.build import reshape, transpose
from ...output import write
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..concatenation import cycled
from ..joining import flat
from ..op_calls import call
from ..operands import computes, convert, operand, take_as
from .gather import scatter
from .items import ranked, scattered
from .keys import select
from .operands import Bounds, Mode, places, repeated
from .take import index

__all__: list[str] = []

_COMBINED: Final[dict[np.ufunc, str]] = {
    np.add: "add",
    np.subtract: "add",
    np.multiply: "multiply",
    np.maximum: "maximum",
    np.minimum: "minimum",
}
_OF_SEGMENTS: Final = ("fmax", "fmin", "bitwise_and", "bitwise_or", "bitwise_xor")


def _put(builder: Builder, target: Value, ind: Any, v: Any, *, mode: Mode) -> None:
    at, given = index(builder, ind, truncated=True), builder.array(take_as(builder, v, target.dtype))
    if not target.size and at.size:
        raise IndexError("cannot replace elements of an empty array")
    chosen = places(builder, at, target.size, Bounds(0), mode)
    if not at.size or not given.size:
        return
    new = (cycled(plane, at.size) for plane in convert(given.read(), given.dtype, target.dtype))
    chosen = reshape(chosen, (at.size,))
    target.write(tuple(scatter(old, chosen, plane, 1, target.size) for old, plane in zip(target.held(), new, strict=True)))


def _put_along_axis(builder: Builder, array: Value, at: Value, given: Any, *, axis: int | None) -> None:
    if axis is None:
        if not array.flags.c_contiguous:
            raise NotNativeError("elements that are not evenly spaced are written one after the other on the host")
        array, axis = array.view(array.shadow.reshape(-1)), 0
    table, where = (item.view(np.moveaxis(item.shadow, axis, -1)) for item in (array, at))
    outer, length, count = table.shape[:-1], table.shape[-1], where.shape[-1]
    if np.broadcast_shapes(outer, where.shape[:-1]) != outer:
        raise NotNativeError("axes of one element that positions repeat are written on the host")
    shape = (*outer[:axis], count, *outer[axis:])
    planes = operand(builder, take_as(builder, given, array.dtype), array.dtype, shape)
    size, tables = math.prod(shape), math.prod(outer)
    if not size:  # as in NumPy, positions that broadcast to nothing may lead anywhere
        return
    chosen = places(builder, at, length, Bounds(axis))
    order = [*range(axis), *range(axis + 1, len(shape)), axis]
    chosen = reshape(repeated(transpose(chosen, order), (*outer, count)), (tables, count))
    new = (transpose(repeated(plane, shape), order) for plane in planes)
    table.write(tuple(scatter(old, chosen, plane, tables, length) for old, plane in zip(table.held(), new, strict=True)))


def _holding(builder: Builder, condition: Value, target: Value) -> Value:
    """Make a mask of a condition, of an array's shape."""
    (holds,) = convert(condition.read(), condition.dtype, BOOL)
    return builder.make((reshape(holds, target.shape),), BOOL)


def _place(builder: Builder, target: Value, condition: Value, vals: Any) -> None:
    given = flat(builder.array(take_as(builder, vals, target.dtype)))
    if not target.size:
        return
    where = _holding(builder, condition, target)
    if not given.size:
        if builder.on_host(where).any():
            raise ValueError("cannot insert from an empty array; give at least one value")
        return
    new = ranked(builder, where, given, again=True) if given.size > 1 else given.view(given.shadow.reshape(()))
    write(builder, target, new, where)


def _putmask(builder: Builder, target: Value, condition: Value, given: Any) -> None:
    new = builder.array(take_as(builder, given, target.dtype))
    if not target.size or not new.size:
        return
    planes = tuple(reshape(cycled(plane, target.size), target.shape) for plane in new.read())
    write(builder, target, builder.make(planes, new.dtype), _holding(builder, condition, target))


def _loop(ufunc: np.ufunc, dtype: DType) -> DType | None:
    """Choose the dtype in which a kernel combines elements exactly as in their own; None where none does."""
    if ufunc not in _COMBINED:
        return None
    sums = ufunc in (np.add, np.subtract)
    if (dtype == COMPLEX64 and sums) or (computes(dtype) and dtype.kind not in "biu"):
        return dtype
    if dtype.kind in "iu" and computes(dtype) and (sums or dtype.itemsize < 4):
        if sums:
            return INT32 if dtype.itemsize < 4 else dtype
        if ufunc in (np.maximum, np.minimum):
            return FLOAT32
    if dtype == BOOL and ufunc in (np.add, np.maximum):
        return FLOAT32
    return None


def _at(ufunc: np.ufunc) -> Callable[..., None]:
    def run(builder: Builder, target: Value, key: tuple[Any, ...], *operands: Any) -> None:
        given = builder.operand(operands[0])
        dtype = target.dtype
        if target.layout.overlaps:
            raise ValueError(
                f"elements of this view of shape {target.shape} and strides {target.strides} share memory, so that {ufunc.__name__}.at "
                "would lose some of what it combines; give it the array that this is a view of"
            )
        common = builder.promotion.result_type(dtype, given)
        modular = ufunc not in (np.maximum, np.minimum, np.fmax, np.fmin) and dtype.kind + common.kind in ("ii", "uu", "ui", "iu")
        if common != dtype and not modular and dtype.kind + common.kind not in ("ff", "cc"):
            raise NotNativeError("elements are cast to those of narrower dtypes one after the other on the host")
        kernel = _loop(ufunc, common)
        loop = kernel or common
        new = builder.make(operand(builder, given, loop, getattr(given, "shape", ())), loop)
        if ufunc is np.subtract:
            new = call(builder, "negative", new)
        held = target if loop == dtype else builder.make(convert(target.read(), dtype, loop), loop)
        name = "maximum" if common == BOOL else _COMBINED.get(ufunc, ufunc.__name__)
        scattered(builder, select(builder, held, key), new, name, by_segments=kernel is None)
        if held is not target:  # numbers of wider dtypes are rounded once, where NumPy rounds each
            target.write(convert(held.read(), loop, dtype))

    return run


LOWERINGS: Final[Lowerings] = {
    "put": _put,
    "put_along_axis": _put_along_axis,
    "place": _place,
    "putmask": _putmask,
    **{f"{name}.at": _at(getattr(np, name)) for name in (*(ufunc.__name__ for ufunc in _COMBINED), *_OF_SEGMENTS)},
}
