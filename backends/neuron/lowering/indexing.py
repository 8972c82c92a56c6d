"""Ops that select elements by position, and write to selected elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...op import get_op
from ...ops import indexing as _ops  # noqa: F401  # registers them
from ..build import reshape
from ..value import Value
from . import NotNativeError
from .elementwise import write_out
from .operands import operand, take

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []


def _is_basic(key: Any) -> bool:
    return all(map(_is_basic_item, key if isinstance(key, tuple) else (key,)))


def _is_basic_item(item: Any) -> bool:
    if item is None or item is Ellipsis or isinstance(item, slice):
        return True
    return hasattr(item, "__index__") and not isinstance(item, (bool, np.bool, Value, np.ndarray))


def _selected(value: Value, key: Any) -> Value:
    if not _is_basic(key):
        raise NotNativeError("it has no kernel for integer and boolean arrays yet")
    shadow = value.shadow[key]
    if isinstance(shadow, np.generic) or not isinstance(shadow, np.ndarray):  # full integer indexing: NumPy copies, we look first
        items = key if isinstance(key, tuple) else (key,)
        return value.view(value.shadow[(*items, ...)])
    return value.view(shadow)


def _is_element(selected: Value, key: Any) -> bool:
    """Tell whether an index names one element, which is a scalar."""
    items = key if isinstance(key, tuple) else (key,)
    return selected.shape == () and all(hasattr(item, "__index__") for item in items)


def _getitem(_: NeuronEngine, value: Value, key: Any) -> Any:
    selected = _selected(value, key)
    return selected.without_memory() if _is_element(selected, key) else selected


def _setitem(engine: NeuronEngine, value: Value, key: Any, item: Any) -> None:
    target = _selected(value, key)
    item = take(engine, item)
    if isinstance(item, Value):
        shape = item.shape
        if shape and _is_element(target, key):  # as NumPy since 2.4
            raise ValueError(f"one element cannot be set to an array of shape {shape}; assign y[0], or to x[i, ...]")
        while len(shape) > target.ndim and shape[0] == 1:  # NumPy drops leading ones
            shape = shape[1:]
        planes = item.read()
        if shape != item.shape:
            planes = tuple(reshape(plane, shape) for plane in planes)
        write_out(engine, planes, item.dtype, shape, target, True, "unsafe")
        return
    planes = operand(engine, item, value.dtype, target.shape)
    write_out(engine, planes, value.dtype, (), target, True, "unsafe")


def _fill(engine: NeuronEngine, value: Value, item: Any) -> None:
    number = take(engine, item)
    if getattr(number, "shape", ()):
        raise ValueError(f"an array is filled with one number, not with an array of shape {number.shape}; assign to x[...]")
    _setitem(engine, value, Ellipsis, number)


def _register() -> None:
    get_op("getitem").implement("neuron", _getitem)
    get_op("setitem").implement("neuron", _setitem)
    get_op("ndarray.fill").implement("neuron", _fill)


_register()
