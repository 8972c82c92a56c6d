"""Ops that order elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import COMPLEX64, COMPLEX128, FLOAT64, INT8, INT16, INT32, UINT8, UINT16, is_double
from ..graph.build import fill
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import position
from .joining import flat
from .lexicographic import in_order, lexicographic_order, several_keys
from .op_calls import call, converted
from .sort_keys import keys_of, numbers_of, places, places_of, sort_keys

__all__ = ["Ordered", "along", "mirrored", "ordered"]


_COMPLEX: Final = (COMPLEX64, COMPLEX128, FLOAT64)
"""What is made complex, or sorted as such, without the device's default."""


class Ordered(NamedTuple):
    """
    Numbers in order, equal ones as they were.

    Attributes
    ----------
    numbers : Value
        With the axis along which they are in order at the end.
    places : Node or None
        Where along the axis they were, in int32, of the same shape; None where that was not asked.
    """

    numbers: Value
    places: Node | None


def mirrored(builder: Builder, value: Value) -> Value:
    """Reverse the order of numbers, one to one; NaN stays last."""
    return call(builder, "invert" if value.dtype.kind in "biu" else "negative", value)


def along(value: Value, axis: int) -> Value:
    """Look at a value with an axis at the end."""
    return value if axis == value.ndim - 1 else value.view(np.moveaxis(value.shadow, axis, -1))


def ordered(builder: Builder, value: Value, axis: int, descending: bool = False, with_places: bool = True) -> Ordered:
    """Sort along an axis, equal elements in their order."""
    moved = along(value, axis)
    compared = mirrored(builder, moved) if descending else moved
    several = several_keys(builder, compared)
    if several is not None:
        order = lexicographic_order(builder, several)
        return Ordered(builder.make(tuple(in_order(plane, order) for plane in moved.read()), value.dtype), order if with_places else None)
    keys = keys_of(builder, compared)
    keys = sort_keys(keys, places(keys.leading.shape) if with_places or keys.trailing is not None else None)
    numbers = numbers_of(builder, keys, value.dtype)
    was = None if keys.trailing is None or not with_places else places_of(keys.trailing)
    return Ordered(mirrored(builder, numbers) if descending else numbers, was)


def _back(builder: Builder, value: Value, axis: int) -> Value:
    """Bring the last axis to its place."""
    if axis == value.ndim - 1:
        return value
    return builder.make(value.view(np.moveaxis(value.shadow, -1, axis)).read(), value.dtype)


def _sort(builder: Builder, x: Value, *, axis: int, descending: bool = False) -> Value:
    if x.size == 0:
        return builder.make(x.read(), x.dtype)
    return _back(builder, ordered(builder, x, axis, descending, with_places=False).numbers, axis)


def _argsort(builder: Builder, x: Value, *, axis: int, descending: bool = False) -> Value:
    if x.size == 0:
        return builder.make((fill(0, x.shape, INT32),), INT32)
    was = ordered(builder, x, axis, descending).places
    assert was is not None
    return _back(builder, builder.make((was,), INT32), axis)


def _topk(builder: Builder, x: Value, k: int, *, axis: int, descending: bool = True) -> tuple[Value, Value]:
    if x.size == 0 or k == 0:
        first = x.view(x.shadow[position(axis, slice(k))])
        return builder.make(first.read(), x.dtype), builder.make((fill(0, first.shape, INT32),), INT32)
    numbers, was = ordered(builder, x, axis, descending)
    assert was is not None
    both = (numbers, builder.make((was,), INT32))
    values, indices = (_back(builder, one.view(one.shadow[..., :k]), axis) for one in both)
    return values, indices


def _lexsort(builder: Builder, values: list[Value], *, axis: int) -> Value:
    if not values[0].ndim or values[0].size == 0:
        return builder.result((fill(0, values[0].shape, INT32),), INT32)
    keys = [along(value, axis) for value in values]
    parts = [part for key in keys for part in (several_keys(builder, key) or [key])]
    order = lexicographic_order(builder, parts)
    return _back(builder, builder.make((order,), INT32), axis)


def _sort_complex(builder: Builder, value: Value) -> Value:
    if builder.promotion.default_complex != COMPLEX64 and value.dtype not in (*_COMPLEX, INT8, INT16, UINT8, UINT16):
        raise NotNativeError(f"it has no kernel for {builder.promotion.default_complex}")
    wanted = COMPLEX128 if is_double(value.dtype) else COMPLEX64
    return converted(builder, _sort(builder, value, axis=value.ndim - 1), wanted)


def _in_place(builder: Builder, target: Value, kth: Any = None, *, axis: int) -> None:
    """Sort, which puts all elements in the order of a partition, too."""
    call(builder, "setitem", target, Ellipsis, _sort(builder, target, axis=axis))


def _in_a_row(sort: Callable[..., Value]) -> Callable[..., Value]:
    """Sort along an axis, or the elements in a row."""

    def run(builder: Builder, value: Value, kth: Any, *, axis: int | None) -> Value:
        return sort(builder, flat(value), axis=0) if axis is None else sort(builder, value, axis=axis)

    return run


LOWERINGS: Final[Lowerings] = {
    "sort": _sort,
    "argsort": _argsort,
    **dict.fromkeys(("sort_in_place", "partition_in_place"), _in_place),
    "partition": _in_a_row(_sort),
    "argpartition": _in_a_row(_argsort),
    "lexsort": _lexsort,
    "topk": _topk,
    "sort_complex": _sort_complex,
}
