"""Ops that give views: NumPy computes shape and strides, on the shadow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import DType
from ...op import get_op
from ...signatures.views import VIEWS
from ..graph.build import reshape
from ..value import Value
from . import Builder, Lowerings

__all__: list[str] = []

def _viewed(name: str) -> Callable[..., Any]:
    def run(builder: Builder, *operands: Any, **parameters: Any) -> Any:
        op = get_op(name)
        value = builder.array(operands[0])
        if name.startswith("atleast") and len(operands) > 1:
            return tuple([run(builder, item) for item in operands])
        if value.detached:  # NumPy makes an array of the scalar, or gives it back
            if isinstance(op.host(value.shadow[()], *operands[1:], **parameters), np.generic):
                return value
            value = value.with_memory()
        result = op.host(value.shadow, *operands[1:], **parameters)
        if isinstance(result, np.ndarray):
            return value.view(result)
        if isinstance(result, np.generic):
            return value.without_memory()
        return type(result)(value.view(item) for item in result)

    return run


def _unstack(builder: Builder, value: Value, *, axis: int) -> Any:
    rows = np.moveaxis(value.shadow, axis, 0)
    parts = [value.view(rows[place, ...]) for place in range(len(rows))]
    return tuple(part if part.ndim else part.without_memory() for part in parts)  # of elements, NumPy gives scalars


def _broadcast_arrays(builder: Builder, *values: Value) -> Any:
    return tuple(value.view(shadow) for value, shadow in zip(values, np.broadcast_arrays(*(v.shadow for v in values)), strict=True))


def _reshape(builder: Builder, value: Value, shape: tuple[int, ...], *, order: str = "C", copy: bool | None = None) -> Value:
    if order == "F":
        turned = _reshape(builder, value.view(value.shadow.T), shape[::-1], copy=copy)
        return turned.view(turned.shadow.T)
    if copy is not True:
        try:
            return value.view(np.reshape(value.shadow, shape, copy=False))
        except ValueError:
            if copy is False:
                raise
    return builder.make(tuple([reshape(plane, shape) for plane in value.read()]), value.dtype)


def _ordered(value: Value, order: str) -> Value:
    """Order axes so that elements in C order are those that an order asks for."""
    return value if order == "C" else value.view(value.shadow.transpose(_memory_order(value.shadow) if order == "K" else None))


def _memory_order(shadow: npt.NDArray[Any]) -> list[int]:
    """
    Sort axes by what their strides are without signs, the longest one first, as NumPy's iterator does.

    Axes whose strides are 0, or of one element, are passed by, so that this is no plain sort.
    """
    steps = [abs(stride) if length != 1 else 0 for stride, length in zip(shadow.strides, shadow.shape, strict=True)]
    order = list[int]()  # the shortest first
    for axis in reversed(range(shadow.ndim)):
        place = len(order)
        for other in reversed(range(len(order))):
            if steps[axis] and steps[order[other]]:
                if steps[order[other]] <= steps[axis]:
                    break
                place = other
        order.insert(place, axis)
    return order[::-1]


def _ravel(builder: Builder, value: Value, order: str) -> Value:
    ordered = _ordered(value.with_memory() if value.detached else value, order)
    return ordered.view(ordered.shadow.reshape(-1)) if ordered.flags.c_contiguous else _flattened(builder, ordered)


def _copied(builder: Builder, value: Value, order: str) -> Value:
    if value.detached:
        return value.without_memory()
    if order != "F":
        return value.with_memory()
    memory = np.empty(value.shape, value.dtype, "F")
    return Value.of_shadow(value.view(value.shadow.T).with_memory().cells, memory, memory)


def _flattened(builder: Builder, value: Value) -> Value:
    return builder.make(tuple(reshape(plane, (value.size,)) for plane in value.read()), value.dtype)


def _real(builder: Builder, value: Value) -> Value:
    return _part(value, 0) if value.dtype.kind == "c" else value


def _part(value: Value, place: int) -> Value:
    return value.part(place).without_memory() if value.detached else value.part(place)


def _imag(builder: Builder, value: Value) -> Value:
    if value.dtype.kind == "c":
        return _part(value, 1)
    zeros = builder.zeros(value.shape, value.dtype)
    zeros.setflags(write=False)  # as NumPy's
    zeros.detached = value.detached
    return zeros


def _view(builder: Builder, value: Value, dtype: DType) -> Value:
    if dtype == value.dtype:
        return value if value.detached else value.view(value.shadow.view())
    shadow = value.shadow.view(dtype)
    if not value.detached:
        return value.view(shadow)
    held = value.with_memory()
    return held.view(held.shadow.view(dtype)).without_memory()


def _as_strided(
    builder: Builder, value: Value, shape: Any = None, strides: Any = None, *, writeable: bool = True, check_bounds: bool | None = None
) -> Value:
    """View a part of the memory; bounds are always checked."""
    return (value.with_memory() if value.detached else value).restrided(shape, strides, writeable=writeable)


def _sharing(function: Callable[..., bool]) -> Callable[..., bool]:
    def run(builder: Builder, one: Any, other: Any, *limits: Any) -> bool:
        if not isinstance(one, Value) or not isinstance(other, Value):
            return False
        sizes = [cell.node.size for cell in one.cells if cell in other.cells]
        if not sizes:
            return False
        memory = np.empty(sizes[0], np.uint8)  # a byte for each element, which nobody touches
        first, second = (
            np.lib.stride_tricks.as_strided(memory[layout.offset :], layout.shape, layout.strides) for layout in (one.layout, other.layout)
        )
        return function(first, second, *limits)

    return run


LOWERINGS: Final[Lowerings] = {
    **{name: _viewed(name) for name in (*VIEWS, "atleast_1d", "atleast_2d", "atleast_3d")},
    "broadcast_arrays": _broadcast_arrays,
    "unstack": _unstack,
    "reshape": _reshape,
    "ravel": _ravel,
    "flatten": lambda builder, value, order: _flattened(builder, _ordered(value, order)),
    "ndarray.copy": _copied,
    "ndarray.view": _view,
    "real": _real,
    "imag": _imag,
    "as_strided": _as_strided,
    "shares_memory": _sharing(np.shares_memory),
    "may_share_memory": _sharing(np.may_share_memory),
}
