"""Ops that join arrays: each array is copied to its slice of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...dtypes import DType
from ...signatures.joining import as_columns, check_shapes, leaves
from ..value import Value
from . import Builder, Lowerings
from .appending import appended
from .concatenation import join
from .operands import convert

__all__ = ["concatenate", "flat", "row_or_axis"]


def row_or_axis(value: Value, axis: int | None) -> tuple[Value, int]:
    """Give an array and an axis of it; None is that of its elements in a row."""
    return (flat(value), 0) if axis is None else (value, axis)


def flat(value: Value) -> Value:
    """Look at an array's elements in a row."""
    try:
        return value.view(np.reshape(value.shadow, -1, copy=False))
    except ValueError:
        copied = Value.of_nodes(value.read(), value.dtype, value.cells[0].graph)
        return copied.view(copied.shadow.reshape(-1))


def concatenate(builder: Builder, values: Sequence[Value], axis: int, dtype: DType | None = None) -> Value:
    """Join arrays along an axis, in their common dtype or another one."""
    wanted = dtype or builder.promotion.result_type(*[value.dtype for value in values])
    return join(builder, [(value.shape, convert(value.read(), value.dtype, wanted)) for value in values], axis, wanted)


def _concatenate(builder: Builder, values: Sequence[Value], *, axis: int | None, dtype: DType | None = None) -> Value:
    if axis is None:
        values = [flat(value) if value.ndim != 1 else value for value in values]
    wanted = dtype or builder.promotion.result_type(*[value.dtype for value in values])
    grown = appended(builder, values, wanted) if not axis else None
    return concatenate(builder, values, axis or 0, wanted) if grown is None else grown


def _stack(builder: Builder, values: Sequence[Value], *, axis: int, dtype: DType) -> Value:
    return concatenate(builder, [value.view(np.expand_dims(value.shadow, axis)) for value in values], axis, dtype)


def _lifted(lift: Callable[[Any], Any], axis: int | None) -> Callable[..., Value]:
    """Join along an axis after giving each array as many axes as that takes; None is axis 0 of vectors and 1 of all others."""

    def run(builder: Builder, values: Sequence[Value], *, dtype: DType | None = None) -> Value:
        values = [value if (lifted := lift(value.shadow)) is value.shadow else value.view(lifted) for value in values]
        return _concatenate(builder, values, axis=axis if axis is not None else 0 if values[0].ndim == 1 else 1, dtype=dtype)

    return run


def _append(builder: Builder, array: Value, values: Value, *, axis: int | None) -> Value:
    return _concatenate(builder, [array, values], axis=axis)


def _block(builder: Builder, blocks: Any) -> Value:
    """Join blocks along the last axis, lists of these along the one before, and so on."""
    depth, first = 0, blocks
    while isinstance(first, list):
        depth, first = depth + 1, first[0]
    found: list[Value] = leaves(blocks)
    ndim = max(depth, *(value.ndim for value in found))
    dtype = builder.promotion.result_type(*(value.dtype for value in found))
    lifted = iter([value.view(value.shadow[(np.newaxis,) * (ndim - value.ndim) + (...,)]) for value in found])

    def build(item: Any, level: int) -> Value:
        if not isinstance(item, list):
            return next(lifted)
        parts, axis = [build(part, level - 1) for part in item], ndim - level
        check_shapes([part.shape for part in parts], axis)
        return concatenate(builder, parts, axis, dtype)

    result = build(blocks, depth)
    return builder.make(result.read(), dtype) if depth == 0 else result


LOWERINGS: Final[Lowerings] = {
    "concatenate": _concatenate,
    "stack": _stack,
    "vstack": _lifted(np.atleast_2d, 0),
    "hstack": _lifted(np.atleast_1d, None),
    "dstack": _lifted(np.atleast_3d, 2),
    "column_stack": _lifted(as_columns, 1),
    "append": _append,
    "block": _block,
}
