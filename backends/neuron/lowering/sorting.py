"""Ops that order elements."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import COMPLEX64, COMPLEX128, INT32
from ...op import get_op
from ...ops import sorting as _ops  # noqa: F401  # registers them
from ..build import fill
from ..value import Value
from . import NotNativeError
from .calls import call, converted
from .joining import flat, values_of
from .lexicographic import complex_order, in_order, lexicographic_order
from .order import Keys, keys_of, numbers_of, places, places_of, sort_keys

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__ = ["along", "mirrored", "sort_along"]


def mirrored(engine: NeuronEngine, value: Value) -> Value:
    """
    Reverse the order of numbers, one to one; NaN stays last.

    Parameters
    ----------
    engine : NeuronEngine
        Whose value.
    value : Value
        Of a real native dtype.

    Returns
    -------
    Value
        Whose mirror image is `value`.
    """
    result: Value = call(engine, "invert" if value.dtype.kind in "biu" else "negative", value)
    return result


def along(value: Value, axis: int) -> Value:
    """
    Look at a value with an axis at the end.

    Parameters
    ----------
    value : Value
        The value.
    axis : int
        Not negative.

    Returns
    -------
    Value
        A view.
    """
    return value.view(np.moveaxis(value.shadow, axis, -1))


def sort_along(engine: NeuronEngine, value: Value, axis: int, descending: bool = False, with_places: bool = True) -> Keys:
    """
    Sort along an axis, equal elements in their order.

    Parameters
    ----------
    engine : NeuronEngine
        Whose value.
    value : Value
        Of a real native dtype, with elements.
    axis : int
        Not negative.
    descending : bool, optional
        Whether the keys are those of mirror images.
    with_places : bool, optional
        Whether it matters where elements were.

    Returns
    -------
    Keys
        With the axis at the end.
    """
    keys = keys_of(engine, along(mirrored(engine, value) if descending else value, axis))
    return sort_keys(keys, places(keys.leading.shape) if with_places or keys.trailing is not None else None)


def _back(engine: NeuronEngine, value: Value, axis: int) -> Value:
    """Bring the last axis to its place."""
    return engine.make(value.view(np.moveaxis(value.shadow, -1, axis)).read(), value.dtype)


def _sort(engine: NeuronEngine, x: Value, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Value:  # always
    axis = np.lib.array_utils.normalize_axis_index(axis, x.ndim)
    if x.size == 0:
        return engine.make(x.read(), x.dtype)
    if x.dtype == COMPLEX64:
        moved = along(x, axis)
        order = complex_order(engine, mirrored(engine, moved) if descending else moved)
        return _back(engine, engine.make(tuple(in_order(plane, order) for plane in moved.read()), x.dtype), axis)
    result = numbers_of(engine, sort_along(engine, x, axis, descending, with_places=False), x.dtype)
    return _back(engine, mirrored(engine, result) if descending else result, axis)


def _argsort(engine: NeuronEngine, x: Value, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Value:
    axis = np.lib.array_utils.normalize_axis_index(axis, x.ndim)
    if x.size == 0:
        return engine.make((fill(0, x.shape, INT32),), INT32)
    if x.dtype == COMPLEX64:
        moved = along(x, axis)
        return _back(engine, engine.make((complex_order(engine, mirrored(engine, moved) if descending else moved),), INT32), axis)
    trailing = sort_along(engine, x, axis, descending).trailing
    assert trailing is not None
    return _back(engine, engine.make((places_of(trailing),), INT32), axis)


def _lexsort(engine: NeuronEngine, keys: Any, axis: int = -1) -> Value:
    values = values_of(engine, keys)
    if not values:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(value.shape != values[0].shape for value in values):
        raise ValueError("all keys need to be the same shape")
    if any(value.dtype.kind == "c" for value in values):
        raise NotNativeError("complex keys are put in order on the host")
    if values[0].ndim == 0:
        return engine.result((fill(0, (), INT32),), INT32)
    axis = np.lib.array_utils.normalize_axis_index(axis, values[0].ndim)
    if values[0].size == 0:
        return engine.make((fill(0, values[0].shape, INT32),), INT32)
    order = lexicographic_order(engine, [along(value, axis) for value in values])
    return _back(engine, engine.make((order,), INT32), axis)


def _sort_complex(engine: NeuronEngine, a: Any) -> Value:
    (value,) = values_of(engine, [a])
    result = _sort(engine, value)
    if value.dtype.kind == "c":
        return result
    short = value.dtype in (np.int8, np.uint8, np.int16, np.uint16)
    return converted(engine, result, COMPLEX64 if short else COMPLEX128)


def _in_place(sort: Callable[..., Value]) -> Callable[..., None]:
    def run(engine: NeuronEngine, target: Value, *parameters: Any, axis: int = -1, kind: Any = None, order: None = None) -> None:
        call(engine, "setitem", target, Ellipsis, sort(engine, target, *parameters, axis=axis))

    return run


def _partitioned(sort: Callable[..., Value]) -> Callable[..., Value]:
    """Sort, which puts all elements in place."""

    def run(engine: NeuronEngine, a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None) -> Value:
        (value,) = values_of(engine, [a])
        if axis is None or (sort is _argsort and value.ndim == 0):  # which NumPy takes for one of one element
            value, axis = flat(value), 0
        length = value.shape[np.lib.array_utils.normalize_axis_index(axis, value.ndim)]
        for place in np.atleast_1d(np.asarray(kth)) if value.size else ():
            if not -length <= operator.index(place) < length:
                raise ValueError(f"kth(={place}) out of bounds ({length})")
        return sort(engine, value, axis=axis)

    return run


def _register() -> None:
    partition = _partitioned(_sort)
    table: dict[str, Callable[..., Any]] = {
        "sort": _sort,
        "argsort": _argsort,
        "sort_in_place": _in_place(_sort),
        "partition": partition,
        "argpartition": _partitioned(_argsort),
        "lexsort": _lexsort,
        "sort_complex": _sort_complex,
        "partition_in_place": _in_place(partition),
    }
    for name, function in table.items():
        get_op(name).implement("neuron", function)


_register()
