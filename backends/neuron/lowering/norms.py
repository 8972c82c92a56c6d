"""Norms of vectors and matrices, as sums and extremes of magnitudes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import real_of
from ..value import Value
from . import Builder, Lowerings
from .op_calls import as_floats, call, converted, in_float32

__all__: list[str] = []

_OF_SINGULAR_VALUES: Final[Mapping[Any, str]] = {2: "max", -2: "min", "nuc": "sum"}


def _euclidean(builder: Builder, value: Value, axis: Any, keepdims: bool) -> Any:
    """Take the root of the sum of squares; of complex numbers, of both parts."""
    if value.dtype.kind == "c":
        real, imaginary = (call(builder, "square", value.part(place)) for place in range(2))
        squares = call(builder, "add", real, imaginary)
    else:
        squares = call(builder, "square", value)
    return call(builder, "sqrt", call(builder, "sum", squares, axis, keepdims=keepdims))


@in_float32
def _vector_norm(builder: Builder, value: Value, *, axis: tuple[int, ...], keepdims: bool, ord: Any) -> Any:
    value = as_floats(builder, value)
    if ord == 2:  # which norm
        return _euclidean(builder, value, axis, keepdims)
    if ord == 0:
        return converted(builder, call(builder, "count_nonzero", value, axis, keepdims=keepdims), real_of(value.dtype))
    magnitudes = call(builder, "absolute", value)
    if ord == 1 or (ord == np.inf and value.size == 0):
        return call(builder, "sum", magnitudes, axis, keepdims=keepdims)
    if ord in (np.inf, -np.inf):
        return call(builder, "max" if ord > 0 else "min", magnitudes, axis, keepdims=keepdims)
    powers = call(builder, "sum", call(builder, "power", magnitudes, float(ord)), axis, keepdims=keepdims)
    return call(builder, "power", powers, 1 / float(ord))


@in_float32
def _matrix_norm(builder: Builder, value: Value, *, axis: tuple[int, ...] | None = None, keepdims: bool, ord: Any) -> Any:
    value, axis = as_floats(builder, value), axis or (value.ndim - 2, value.ndim - 1)
    if ord in ("fro", "f", None) or (value.size == 0 and ord in (1, 2, np.inf)):
        return _euclidean(builder, value, axis, keepdims)
    rows, columns = axis
    if isinstance(ord, (str, float, int)) and ord in _OF_SINGULAR_VALUES:
        values = call(builder, "linalg.svdvals", value.view(np.moveaxis(value.shadow, axis, (-2, -1))))
        result = call(builder, _OF_SINGULAR_VALUES[ord], values, -1)
        return call(builder, "expand_dims", result, tuple(one % value.ndim for one in axis)) if keepdims else result
    summed, extreme = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = call(builder, "sum", call(builder, "absolute", value), summed, keepdims=True)
    result = call(builder, "max" if ord > 0 else "min", sums, extreme, keepdims=True)
    return result if keepdims else call(builder, "squeeze", result, (rows, columns))


@in_float32
def _norm(builder: Builder, value: Value, *, axis: tuple[int, ...], keepdims: bool, ord: Any) -> Any:
    if ord is None:
        return _euclidean(builder, as_floats(builder, value), axis, keepdims)
    return (_vector_norm if len(axis) == 1 else _matrix_norm)(builder, value, axis=axis, keepdims=keepdims, ord=ord)


LOWERINGS: Final[Lowerings] = {
    "linalg.norm": _norm,
    "linalg.matrix_norm": _matrix_norm,
    "standard.linalg.matrix_norm": _matrix_norm,
    "linalg.vector_norm": _vector_norm,
    "standard.linalg.vector_norm": _vector_norm,
}
