"""Ops that make arrays from shapes, and matrices from diagonals and triangles: from the numbers of their rows and columns."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT8_E8M0FNU, FLOAT32, INT32, DType, canonical_dtype
from ...host.creation import range_length
from ...shape import canonical_shape
from ..graph.build import broadcast, broadcast_scalar, cast, elementwise, fill, iota, reshape
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Lowerings, NotNativeError
from .concatenation import assemble, constant
from .joining import flat
from .operands import convert, operand

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

_EXACT: Final = 2**24  # below which float32 holds all integers


def _check_order(order: str) -> None:
    if order not in ("C", "K", "A"):
        raise NotNativeError("memory layouts other than 'C' are made on the host")


def _lengths(shape: Any) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def _need_zero(dtype: DType) -> None:
    if dtype == FLOAT8_E8M0FNU:
        raise NotNativeError("float8_e8m0fnu has no zero")


def _made(value: int | None) -> Callable[..., Any]:
    def run(builder: Builder, shape: Any, dtype: Any = None, order: str = "C") -> Any:
        _check_order(order)
        wanted = builder.promotion.default_float if dtype is None else canonical_dtype(dtype)
        if value == 0:
            _need_zero(wanted)
        if value is None:  # what is not written may be read all the same: zeros, of which writes to all elements leave no trace
            return builder.make(tuple(fill(0, _lengths(shape), plane) for plane in plane_dtypes(wanted)), wanted)
        return builder.make(constant(value, _lengths(shape), wanted), wanted)

    return run


def _made_like(value: int | None) -> Callable[..., Any]:
    make = _made(value)

    def run(builder: Builder, like: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
        if not isinstance(like, Value):
            raise NotNativeError("it looks at no array")
        return make(builder, like.shape if shape is None else shape, like.dtype if dtype is None else dtype, order)

    return run


def _full(builder: Builder, shape: Any, item: Any, dtype: Any = None, order: str = "C") -> Any:
    _check_order(order)
    if dtype is None:
        raise NotNativeError("the dtype of a constant is found on the host")
    wanted, lengths = canonical_dtype(dtype), _lengths(shape)
    planes = operand(builder, item, wanted, lengths)
    return builder.make(tuple(p if p.shape == lengths else broadcast_scalar(p, lengths) for p in planes), wanted)


def _full_like(
    builder: Builder, like: Any, item: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Any:
    if not isinstance(like, Value):
        raise NotNativeError("it looks at no array")
    return _full(builder, like.shape if shape is None else shape, item, like.dtype if dtype is None else dtype, order)


def _below(shape: tuple[int, int], k: int) -> Node:
    """Tell which elements of a matrix are at and below a diagonal."""
    rows, columns = shape
    k = max(-rows, min(k, columns))
    row, column = elementwise("add", iota(rows), fill(k, (), INT32), dtype=INT32), iota(columns)
    if max(rows + abs(k), columns) < _EXACT:  # floats are compared faster
        row, column = cast(row, FLOAT32), cast(column, FLOAT32)
    return elementwise("greater_equal", broadcast(reshape(row, (rows, 1)), shape), broadcast(column, shape), dtype=BOOL)


def _tri(builder: Builder, rows: int, columns: int | None, k: int, dtype: Any) -> Any:
    wanted = canonical_dtype(dtype)
    _need_zero(wanted)
    shape = (rows, rows if columns is None else columns)
    if 0 in shape:
        return builder.make(constant(None, shape, wanted), wanted)
    mask = _below(shape, k)
    pairs = zip(constant(1, (), wanted), constant(0, (), wanted), strict=True)
    return builder.make(tuple(elementwise("where", mask, one, zero, dtype=one.dtype) for one, zero in pairs), wanted)


def _triangle(lower: bool) -> Callable[..., Any]:
    def run(builder: Builder, a: Any, k: int) -> Any:
        value = builder.operand(a)
        if not isinstance(value, Value):
            raise NotNativeError("it has no array")
        _need_zero(value.dtype)
        if value.ndim == 1:
            value = value.view(np.broadcast_to(value.shadow, (value.shape[0], value.shape[0])))
        if value.ndim == 0:
            raise TypeError("a triangle takes matrices, or a vector that is repeated; this array has no axes")
        if value.size == 0:
            return builder.make(constant(None, value.shape, value.dtype), value.dtype)
        mask = _below((value.shape[-2], value.shape[-1]), k if lower else k - 1)
        mask = broadcast(mask, value.shape)
        kept = value.read()
        planes = []
        for plane, zero in zip(kept, constant(0, (), value.dtype), strict=True):
            pair = (plane, zero) if lower else (zero, plane)
            planes.append(elementwise("where", mask, *pair, dtype=plane.dtype))
        return builder.make(tuple(planes), value.dtype)

    return run


def _eye(builder: Builder, rows: int, columns: int | None, k: int, dtype: Any, order: str = "C") -> Any:
    _check_order(order)
    wanted = canonical_dtype(dtype)
    _need_zero(wanted)
    shape = (rows, rows if columns is None else columns)
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
    diagonal.write(tuple(plane if plane.shape else broadcast_scalar(plane, (count,)) for plane in planes))


def _with_diagonal(builder: Builder, vector: Value, k: int) -> Value:
    """Make the square matrix with a vector on a diagonal."""
    _need_zero(vector.dtype)
    side = vector.shape[0] + abs(k)
    result = builder.make(constant(0, (side, side), vector.dtype), vector.dtype)
    _set_diagonal(result, k, vector.read())
    return result


def _diag(builder: Builder, v: Any, k: int = 0) -> Any:
    value = builder.operand(v)
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    k = operator.index(k)
    if value.ndim == 1:
        return _with_diagonal(builder, value, k)
    if value.ndim == 2:  # a matrix
        return value.view(np.diagonal(value.shadow, k))
    raise ValueError(f"diag takes a vector or a matrix, and the array has {value.ndim} axes")


def _diagflat(builder: Builder, v: Any, k: int = 0) -> Any:
    value = builder.operand(v)
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    return _with_diagonal(builder, flat(value), k)


def _indices(builder: Builder, dimensions: Any, dtype: Any, sparse: bool = False) -> Any:
    wanted = canonical_dtype(dtype)
    shape = _lengths(dimensions)
    for count in shape:
        range_length(0, count, 1, wanted)  # refuses more than two of bool
    grids = [_along(builder.make(convert((iota(count),), INT32, wanted), wanted), axis, len(shape)) for axis, count in enumerate(shape)]
    if sparse:
        return tuple(grids)
    pieces = [((axis,), grid.view(np.broadcast_to(grid.shadow, shape)).read()) for axis, grid in enumerate(grids)]
    return assemble(builder, (len(shape), *shape), wanted, pieces)


def _along(vector: Value, axis: int, ndim: int) -> Value:
    """Lay a vector along one of several axes."""
    return vector.view(vector.shadow[(*(np.newaxis,) * axis, slice(None), *(np.newaxis,) * (ndim - axis - 1))])


def _diag_indices(builder: Builder, n: int, ndim: int = 2) -> Any:
    if not hasattr(n, "__index__"):
        raise NotNativeError("lengths that are no integers are looked at on the host")
    dtype = builder.promotion.default_index
    (length,) = canonical_shape(max(operator.index(n), 0), dtype)
    return (builder.make(convert((iota(length),), INT32, dtype), dtype),) * ndim


def _meshgrid(builder: Builder, *arrays: Any, copy: bool = True, sparse: bool = False, indexing: Any = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing is {indexing!r}; it must be 'xy' or 'ij'")
    values = [flat(item) for item in (builder.operand(item) for item in arrays) if isinstance(item, Value)]
    if len(values) != len(arrays):
        raise NotNativeError("grids of numbers are made on the host")
    shadows = np.meshgrid(*[value.shadow for value in values], copy=False, sparse=sparse, indexing=indexing)
    grids = [value.view(shadow) for value, shadow in zip(values, shadows, strict=True)]
    return tuple(builder.make(grid.read(), grid.dtype) if copy else grid for grid in grids)


LOWERINGS: Final[Lowerings] = {
        "empty": _made(None),
        "zeros": _made(0),
        "ones": _made(1),
        "empty_like": _made_like(None),
        "zeros_like": _made_like(0),
        "ones_like": _made_like(1),
        "full": _full,
        "full_like": _full_like,
        "eye": _eye,
        "tri": _tri,
        "tril": _triangle(lower=True),
        "triu": _triangle(lower=False),
        "diag": _diag,
        "diagflat": _diagflat,
        "diag_indices": _diag_indices,
        "indices": _indices,
        "meshgrid": _meshgrid,
}
