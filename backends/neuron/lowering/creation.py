"""Ops that make arrays from shapes, and matrices from diagonals and triangles: from the numbers of their rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT8_E8M0FNU, FLOAT32, INT32, DType
from ...host.creation import range_length
from ...op import get_op
from ...rules.creation import mgrid
from ..graph.build import broadcast, cast, elementwise, fill, iota, reshape, spread
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import assemble, constant
from .host_constants import brought
from .joining import flat
from .op_calls import call, converted
from .operands import convert, operand

__all__: list[str] = []

_EXACT: Final = 2**24  # below which float32 holds all integers


def _made(value: int | None) -> Callable[..., Value]:
    def run(builder: Builder, shape: tuple[int, ...], dtype: DType, order: str = "C") -> Value:
        if order == "F":
            turned = run(builder, shape[::-1], dtype)
            return turned.view(turned.shadow.T)
        if value is None:  # what is not written may be read all the same: zeros, of which writes to all elements leave no trace
            return builder.zeros(shape, dtype)
        return builder.make(constant(value, shape, dtype), dtype)

    return run


def _like(make: Callable[..., Value]) -> Callable[..., Value]:
    """Make an array of a shape and dtype that are a model's, where the caller does not ask for others."""

    def run(builder: Builder, model: Value, *items: Any, shape: tuple[int, ...], dtype: DType, order: str = "C") -> Value:
        return make(builder, shape, *items, dtype, order=order)

    return run


def _laid_out(make: Callable[..., Value]) -> Callable[..., Value]:
    """Order elements in memory."""

    def run(builder: Builder, *items: Any, order: str = "C") -> Value:
        made = make(builder, *items)
        if order == "F":
            turned = builder.make(made.view(made.shadow.T).read(), made.dtype)
            return turned.view(turned.shadow.T)
        return made

    return run


def _full(builder: Builder, shape: tuple[int, ...], item: Any, dtype: DType) -> Value:
    return builder.make(spread(operand(builder, item, dtype, shape), shape), dtype)


def _below(shape: tuple[int, int], k: int) -> Node:
    """Tell which elements of a matrix are at and below a diagonal."""
    rows, columns = shape
    k = max(-rows, min(k, columns))
    row, column = elementwise("add", iota(rows), fill(k, (), INT32), dtype=INT32), iota(columns)
    if max(rows + abs(k), columns) < _EXACT:  # floats are compared faster
        row, column = cast(row, FLOAT32), cast(column, FLOAT32)
    return elementwise("greater_equal", broadcast(reshape(row, (rows, 1)), shape), broadcast(column, shape), dtype=BOOL)


def _triangle(lower: bool) -> Callable[..., Value]:
    def run(builder: Builder, value: Value, k: int) -> Value:
        if value.ndim == 1:
            value = value.view(np.broadcast_to(value.shadow, (value.shape[0], value.shape[0])))
        planes = constant(None, value.shape, value.dtype)
        if value.size:
            mask = broadcast(_below((value.shape[-2], value.shape[-1]), k if lower else k - 1), value.shape)
            pairs = zip(value.read(), constant(0, (), value.dtype), strict=True)
            planes = tuple(elementwise("where", mask, *(pair if lower else pair[::-1]), dtype=pair[0].dtype) for pair in pairs)
        return builder.make(planes, value.dtype)

    return run


_tril: Final = _triangle(lower=True)


def _tri(builder: Builder, rows: int, columns: int, k: int, wanted: DType) -> Value:
    one = builder.make(constant(1, (), wanted), wanted)
    return _tril(builder, one.view(np.broadcast_to(one.shadow, (rows, columns))), k)


def _eye(builder: Builder, rows: int, columns: int, k: int, wanted: DType) -> Value:
    shape = (rows, columns)
    result = builder.make(constant(0, shape, wanted), wanted)
    _set_diagonal(result, k, constant(1, (), wanted))
    return result


def _set_diagonal(result: Value, k: int, planes: tuple[Node, ...]) -> None:
    rows, columns = result.shape
    count = min(rows, columns - k) if k >= 0 else min(rows + k, columns)
    if count <= 0:
        return
    start, step = k if k >= 0 else -k * columns, columns + 1
    diagonal = result.view(result.shadow.reshape(-1)[start : start + (count - 1) * step + 1 : step])
    diagonal.write(spread(planes, (count,)))


def _with_diagonal(builder: Builder, vector: Value, k: int) -> Value:
    """Make the square matrix with a vector on a diagonal."""
    if vector.dtype == FLOAT8_E8M0FNU:
        raise NotNativeError("float8_e8m0fnu has no zero")
    side = vector.shape[0] + abs(k)
    result = builder.make(constant(0, (side, side), vector.dtype), vector.dtype)
    _set_diagonal(result, k, vector.read())
    return result


def _diag(builder: Builder, value: Value, k: int) -> Value:
    return _with_diagonal(builder, value, k) if value.ndim == 1 else value.view(np.diagonal(value.shadow, k))


def _diagflat(builder: Builder, value: Value, k: int) -> Value:
    return _with_diagonal(builder, flat(value), k)


def _indices(builder: Builder, shape: tuple[int, ...], wanted: DType, *, sparse: bool) -> Any:
    for count in shape:
        range_length(0, count, 1, wanted)  # refuses more than two of bool
    grids = _open([builder.make(convert((iota(count),), INT32, wanted), wanted) for count in shape])
    return grids if sparse else _dense(builder, grids, shape, wanted)


def _ogrid(builder: Builder, key: Any) -> Any:
    if isinstance(key, slice):
        return _range(builder, key)
    return _open([converted(builder, _range(builder, item), mgrid(builder.promotion, key).dtype) for item in key])


def _mgrid(builder: Builder, key: Any) -> Any:
    grid = mgrid(builder.promotion, key)
    return _range(builder, key) if isinstance(key, slice) else _dense(builder, _ogrid(builder, key), grid.shape[1:], grid.dtype)


def _range(builder: Builder, item: slice) -> Value:
    """Make the numbers of a slice; the host makes those of an imaginary step, which is their count."""
    dtype = mgrid(builder.promotion, item).dtype
    if isinstance(item.step, complex):
        numbers: Value = brought(builder, get_op("mgrid").host(item).astype(dtype), narrow=False)
        return numbers
    start = item.start or 0
    ends = (0, start) if item.stop is None else (start, item.stop)
    return call(builder, "arange", *ends, 1 if item.step is None else item.step, dtype=dtype)


def _open(vectors: Sequence[Value]) -> tuple[Value, ...]:
    """Lay each vector along an axis of its own."""
    return tuple([_along(vector, axis, len(vectors)) for axis, vector in enumerate(vectors)])


def _dense(builder: Builder, grids: Sequence[Value], shape: tuple[int, ...], dtype: DType) -> Any:
    """Repeat the grids of all axes over the others."""
    pieces = [((axis,), grid.view(np.broadcast_to(grid.shadow, shape)).read()) for axis, grid in enumerate(grids)]
    return assemble(builder, (len(shape), *shape), dtype, pieces)


def _along(vector: Value, axis: int, ndim: int) -> Value:
    """Lay a vector along one of several axes."""
    return vector.view(vector.shadow[(*(np.newaxis,) * axis, slice(None), *(np.newaxis,) * (ndim - axis - 1))])


def _diag_indices(builder: Builder, length: int, ndim: int) -> tuple[Value, ...]:
    dtype = builder.promotion.default_index
    return (builder.make(convert((iota(length),), INT32, dtype), dtype),) * ndim


def _meshgrid(builder: Builder, *arrays: Value, copy: bool, sparse: bool, indexing: Any) -> Any:
    values = [flat(item) for item in arrays]
    shadows = np.meshgrid(*[value.shadow for value in values], copy=False, sparse=sparse, indexing=indexing)
    grids = [value.view(shadow) for value, shadow in zip(values, shadows, strict=True)]
    return tuple(builder.make(grid.read(), grid.dtype) if copy else grid for grid in grids)


LOWERINGS: Final[Lowerings] = {
    "empty": _made(None),
    "zeros": _made(0),
    "ones": _made(1),
    "full": _laid_out(_full),
    "empty_like": _like(_made(None)),
    "zeros_like": _like(_made(0)),
    "ones_like": _like(_made(1)),
    "full_like": _like(_laid_out(_full)),
    "eye": _laid_out(_eye),
    "tri": _tri,
    "tril": _tril,
    "triu": _triangle(lower=False),
    "diag": _diag,
    "diagflat": _diagflat,
    "diag_indices": _diag_indices,
    "indices": _indices,
    "mgrid": _mgrid,
    "ogrid": _ogrid,
    "meshgrid": _meshgrid,
}
