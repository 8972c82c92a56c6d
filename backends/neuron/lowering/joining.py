"""Ops that join arrays: each is written beside the others into new memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import DType, canonical_dtype
from ...shape import checked_axis
from ..value import Value
from . import Lowerings
from .concatenation import join
from .elementwise import write_result
from .operands import check_cast, convert

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["concatenate", "flat"]


def flat(value: Value) -> Value:
    """Look at an array's elements in a row."""
    try:
        return value.view(np.reshape(value.shadow, -1, copy=False))
    except ValueError:
        copied = Value.of_nodes(value.read(), value.dtype, value.cells[0].graph)
        return copied.view(copied.shadow.reshape(-1))


def concatenate(
    builder: Builder, values: Sequence[Value], axis: int | None, out: Any = None, dtype: Any = None, casting: str = "same_kind"
) -> Value:
    """Join arrays along an axis."""
    if not values:
        raise ValueError("need at least one array to concatenate")
    if out is not None and dtype is not None:
        raise TypeError("concatenate() takes out or dtype, not both: the dtype is that of out")
    if axis is None:
        values, axis = [flat(value) for value in values], 0
    first = values[0]
    if not all(value.shape for value in values):
        raise ValueError("zero-dimensional arrays cannot be concatenated; make them 1-d, or use stack")
    axis = checked_axis(axis, first.ndim)
    for place, value in enumerate(values):
        if value.ndim != first.ndim or any(x != y for at, (x, y) in enumerate(zip(value.shape, first.shape, strict=True)) if at != axis):
            raise ValueError(
                f"array {place} has shape {value.shape} and array 0 has {first.shape}; they must agree in all axes but axis {axis}"
            )
    wanted: DType = builder.promotion.result_type(*(v.dtype for v in values)) if dtype is None else canonical_dtype(dtype)
    if out is not None:
        if not isinstance(out, Value):
            raise TypeError(f"out is an Array, but is of type {type(out).__name__}")
        wanted = out.dtype
    for value in values:
        check_cast(value.dtype, wanted, casting)
    parts = [(value.shape, convert(value.read(), value.dtype, wanted)) for value in values]
    result = join(builder, parts, axis, wanted)
    return result if out is None else write_result(builder, result.read(), wanted, result.shape, out, casting)


def _concatenate(
    builder: Builder, arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    return concatenate(builder, builder.arrays(arrays), axis, out, dtype, casting)


def _stack(builder: Builder, arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    values = builder.arrays(arrays)
    if not values:
        raise ValueError("need at least one array to stack")
    if len({value.shape for value in values}) != 1:
        raise ValueError(f"all arrays to stack must have the same shape, and they have {sorted({value.shape for value in values})}")
    at = np.lib.array_utils.normalize_axis_index(axis, values[0].ndim + 1)
    return concatenate(builder, [value.view(np.expand_dims(value.shadow, at)) for value in values], at, out, dtype, casting)


def _lifted(lift: Callable[[Any], Any], axis: int | None) -> Callable[..., Any]:
    """Join along an axis after giving each array as many axes as that takes; None is axis 0 of vectors and 1 of all others."""

    def run(builder: Builder, arrays: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
        values = [value.view(lift(value.shadow)) for value in builder.arrays(arrays)]
        along = axis if axis is not None else 0 if values and values[0].ndim == 1 else 1
        return concatenate(builder, values, along, None, dtype, casting)

    return run


def _column(shadow: Any) -> Any:
    return shadow if shadow.ndim >= 2 else np.atleast_1d(shadow)[:, np.newaxis]  # a matrix


def _append(builder: Builder, array: Any, values: Any, axis: int | None = None) -> Any:
    return concatenate(builder, builder.arrays([array, values]), axis)


def _depth(blocks: Any) -> int:
    """Count how deep lists nest, which has to be the same everywhere."""
    if isinstance(blocks, tuple):
        raise TypeError("blocks are lists of arrays, not tuples, which would be ambiguous")
    if not isinstance(blocks, list):
        return 0
    if not blocks:
        raise ValueError("a list of blocks cannot be empty")
    depths = {_depth(item) for item in blocks}
    if len(depths) != 1:
        raise ValueError(f"list depths are mismatched: blocks nest {sorted(depths)} deep in one list")
    return 1 + depths.pop()


def _leaves(blocks: Any) -> list[Any]:
    return [leaf for item in blocks for leaf in _leaves(item)] if isinstance(blocks, list) else [blocks]


def _block(builder: Builder, blocks: Any) -> Any:
    depth = _depth(blocks)
    values = iter(builder.arrays(_leaves(blocks)))
    found = list(values)
    ndim = max(depth, *(value.ndim for value in found))
    dtype = builder.promotion.result_type(*(value.dtype for value in found))
    leaves = iter([value.view(value.shadow[(np.newaxis,) * (ndim - value.ndim) + (...,)]) for value in found])

    def build(item: Any, level: int) -> Value:
        if not isinstance(item, list):
            return next(leaves)
        return concatenate(builder, [build(part, level - 1) for part in item], ndim - level, None, dtype)

    result = build(blocks, depth)
    return builder.make(result.read(), dtype) if depth == 0 else result


LOWERINGS: Final[Lowerings] = {
    "concatenate": _concatenate,
    "stack": _stack,
    "vstack": _lifted(np.atleast_2d, 0),
    "hstack": _lifted(np.atleast_1d, None),
    "dstack": _lifted(np.atleast_3d, 2),
    "column_stack": _lifted(_column, 1),
    "append": _append,
    "block": _block,
}
