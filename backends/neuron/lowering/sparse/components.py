"""Ops on sparse arrays that leave positions as they are, or compute with stored elements alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ....dtypes import DType
from ....rules.reduction import sum_dtype
from ....rules.signature import float_dtype
from ....rules.sparse import ELEMENTWISE, is_packed
from ...graph.build import reshape
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..concatenation import constant, join
from ..indexing.gather import scatter
from ..joining import flat
from ..op_calls import call, call_several, converted
from .arithmetic import multiply_elements
from .padded_rows import row_sums
from .rearrangement import as_canonical, as_matrix, move
from .structure import find_structure

__all__: list[str] = []

_COMPRESSED: Final = {"csr": "csc", "csc": "csr"}


def _of_data(name: str, *, linear: bool = False) -> Callable[..., Any]:
    """Make a lowering that computes with stored values, of elements in one piece; linear functions take pieces as they are."""

    def run(builder: Builder, packed: Any) -> Any:
        format, shape, (data, *where) = packed if linear else as_canonical(builder, packed)
        return format, shape, (call(builder, name, data), *where)

    return run


def _scaled(name: str) -> Callable[..., Any]:
    def run(builder: Builder, left: Any, right: Any) -> Any:
        packed, factor = (left, right) if is_packed(left) else (right, left)
        number = isinstance(factor, (bool, int, float, complex, np.generic)) or (isinstance(factor, Value) and factor.ndim == 0)
        if name == "multiply" and not number and isinstance(factor, (Value, tuple)):
            return multiply_elements(builder, "multiply", packed, factor)
        if name == "divide" and is_packed(left) and is_packed(right) and left[1] == right[1]:
            return call(builder, name, _toarray(builder, left), _toarray(builder, right))
        if name == "divide" and is_packed(left) and isinstance(right, Value) and right.ndim:
            return multiply_elements(builder, "multiply", left, call(builder, "divide", 1, right))
        if not is_packed(packed) or not number or (name == "divide" and packed is right):
            raise NotNativeError("quotients of this kind are made on the host")
        format, shape, (data, *where) = packed
        return format, shape, (call(builder, name, data, factor), *where)

    return run


def _scaled_in_place(name: str) -> Callable[..., Any]:
    """Make the lowering of an operator that keeps the dtype."""
    scaled = _scaled(name)

    def run(builder: Builder, packed: Any, factor: Any) -> Any:
        format, shape, (data, *where) = scaled(builder, packed, factor)
        own = packed[2][0].dtype
        if not np.can_cast(data.dtype, own, "same_kind"):
            raise TypeError(f"values of {data.dtype} are not put into an array of {own}; write a = a * x in the place of a *= x")
        return format, shape, (converted(builder, data, own), *where)

    return run


def _transpose(builder: Builder, packed: Any, *, axes: Any, copy: bool) -> Any:
    format, shape, parts = packed
    if len(shape) != 2 or axes is not None or copy or format not in ("csr", "csc", "coo"):
        return move(builder, "transpose", packed, axes=axes, copy=copy)
    if format == "coo":
        data, rows, columns = parts
        return format, shape[::-1], (data, columns, rows)
    return _COMPRESSED[format], shape[::-1], parts


def _conjugate(builder: Builder, packed: Any, *, copy: bool) -> Any:
    format, shape, (data, *where) = packed
    return (format, shape, (call(builder, "conjugate", data), *where)) if data.dtype.kind == "c" and copy else packed


def _astype(builder: Builder, packed: Any, dtype: DType, *, copy: bool) -> Any:
    format, shape, (data, *where) = packed
    if dtype == data.dtype and not copy:
        return packed
    return format, shape, (call(builder, "astype", data, dtype), *where)


def _toarray(builder: Builder, packed: Any) -> Value:
    _, shape, (data, *_) = packed
    if math.prod(shape) >= 2**31:
        raise NotNativeError("arrays so large are made on the host")
    if 0 in shape or not data.size:
        return builder.result(constant(0, shape, data.dtype), data.dtype)
    if len(shape) != 2:
        matrix = _toarray(builder, as_matrix(builder, packed))
        return builder.result(matrix.view(matrix.shadow.reshape(shape)).read(), data.dtype)
    structure = find_structure(builder, packed)
    if not len(structure.rows):
        return builder.result(constant(0, shape, data.dtype), data.dtype)
    flat, elements = structure.distinct()
    at, size = flat.device_indices(builder, "elements", lambda: elements.astype(np.int32)), math.prod(shape)
    bases, sums = constant(0, (size,), data.dtype), row_sums(builder, flat, data)
    planes = tuple(scatter(base, at.read()[0], plane, 1, size) for base, plane in zip(bases, sums.read(), strict=True))
    made = builder.make(planes, data.dtype)
    return builder.result(made.view(made.shadow.reshape(shape)).read(), data.dtype)


def _diagonal(builder: Builder, packed: Any, *, k: int) -> Value:
    (rows, columns), data = packed[1], packed[2][0]
    length = min(rows + min(k, 0), columns - max(k, 0))
    if length <= 0:
        raise NotNativeError("diagonals without elements are made on the host")
    if not data.size:
        return builder.result(constant(0, (length,), data.dtype), data.dtype)
    structure = find_structure(builder, packed)
    part = structure.part(("diagonal", k), lambda: structure.columns.astype(np.int64) - structure.rows == k)
    sums = row_sums(builder, part, data)
    first = max(0, -k)
    return builder.result(sums.view(sums.shadow[first : first + length]).read(), data.dtype)


def _sum(builder: Builder, packed: Any, *, axis: int | None, dtype: DType | None = None) -> Any:
    packed = as_matrix(builder, packed)
    _, shape, (data, *_) = packed
    if len(shape) != 2 or not data.size or 0 in shape:
        raise NotNativeError("sums of this kind are made on the host")
    structure = find_structure(builder, packed)
    data = converted(builder, data, dtype or sum_dtype(builder.promotion, data.dtype))
    sums = row_sums(builder, structure.transposed() if axis == 0 else structure, data)
    return call(builder, "sum", sums, dtype=data.dtype) if axis is None else builder.result(sums.read(), data.dtype)


def _mean(builder: Builder, packed: Any, *, axis: int | None, dtype: DType | None = None) -> Any:
    total = _sum(builder, packed, axis=axis, dtype=dtype or float_dtype(builder.promotion, packed[2][0].dtype))
    count = packed[1][axis] if axis is not None else math.prod(packed[1])
    return call(builder, "divide", total, float(count))


def _trace(builder: Builder, packed: Any, *, offset: int) -> Any:
    diagonal = _diagonal(builder, packed, k=offset)
    return call(builder, "sum", diagonal, dtype=diagonal.dtype if diagonal.dtype.kind in "fc" else None)


def _part(name: str) -> Callable[..., Any]:
    def run(builder: Builder, packed: Any) -> Any:
        format, shape, (data, *where) = packed
        return format, shape, (call(builder, name, data), *where)

    return run


def _power(builder: Builder, packed: Any, n: Any, dtype: DType | None = None) -> Any:
    format, shape, (data, *where) = as_canonical(builder, packed)
    data = data if dtype is None else call(builder, "astype", data, dtype)
    return format, shape, (call(builder, "power", data, n), *where)


def _round(builder: Builder, packed: Any, *, ndigits: int) -> Any:
    format, shape, (data, *where) = as_canonical(builder, packed)
    return format, shape, (call(builder, "round", data, decimals=ndigits), *where)


def _norm(builder: Builder, packed: Any, *, ord: Any, axis: int | None) -> Any:
    if len(packed[1]) != 2 or packed[2][0].dtype.kind == "b" or not packed[2][0].size or 0 in packed[1]:
        raise NotNativeError("norms of this kind are computed on the host")
    packed = as_canonical(builder, packed)
    if packed[2][0].dtype.kind in "iu" and ord != 0:
        packed = _astype(builder, packed, builder.promotion.default_float, copy=True)
    if axis is None and ord is None:
        return call(builder, "standard.linalg.vector_norm", flat(move(builder, "tocoo", packed)[2][0]))
    sizes = call_several(builder, "sparse.abs", packed)
    if axis is None and ord in (1, -1, np.inf, -np.inf):
        return call(builder, "max" if ord > 0 else "min", _sum(builder, sizes, axis=0 if abs(ord) == 1 else 1))
    if axis is None or isinstance(ord, str):
        raise NotNativeError("norms of this kind are computed on the host")
    if ord in (np.inf, -np.inf):
        extrema: Value = call(builder, "sparse.toarray", call_several(builder, f"sparse.{'max' if ord > 0 else 'min'}", sizes, axis=axis))
        return builder.result(extrema.view(extrema.shadow.reshape(-1)).read(), extrema.dtype)
    if ord == 1:
        return _sum(builder, sizes, axis=axis)
    format, shape, (data, *where) = sizes
    if ord == 0:
        return _sum(builder, (format, shape, (call(builder, "not_equal", data, 0), *where)), axis=axis)
    terms = call(builder, "multiply", data, data) if ord is None else call(builder, "power", data, ord)
    sums = _sum(builder, (format, shape, (terms, *where)), axis=axis)
    return call(builder, "sqrt", sums) if ord is None else call(builder, "power", sums, 1 / ord)


def _diags_array(
    builder: Builder, rows: Sequence[Value], *, offsets: tuple[int, ...], shape: tuple[int, int], format: str, dtype: DType
) -> Any:
    """Put diagonals that are on the device into one array, each from the column on at which it begins."""
    lengths = [len(row) for row in rows]
    width = max(length + max(0, place) for length, place in zip(lengths, offsets, strict=True))
    parts = []
    for row, length, place in zip(rows, lengths, offsets, strict=True):
        before = max(0, place)
        filled = [((n,), constant(0, (n,), dtype)) for n in (before, width - before - length)]
        parts.append(join(builder, [filled[0], (row.shape, row.read()), filled[1]], 0, dtype))
    data = join(builder, [((1, width), tuple(reshape(plane, (1, width)) for plane in part.read())) for part in parts], 0, dtype)
    return format, shape, (data, builder.from_host(np.array(offsets, np.int32), copy=True))


LOWERINGS: Final[Lowerings] = {
    **{f"sparse.{name}": _of_data(name) for name in ELEMENTWISE},
    "sparse.abs": _of_data("absolute"),
    "sparse.astype": _astype,
    "sparse.conjugate": _conjugate,
    "sparse.diagonal": _diagonal,
    "sparse.diags_array": _diags_array,
    "sparse.imag": _part("imag"),
    "sparse.mul": _scaled("multiply"),
    "sparse.multiply": _scaled("multiply"),
    "sparse.neg": _of_data("negative", linear=True),
    "sparse.real": _part("real"),
    "sparse.imul": _scaled_in_place("multiply"),
    "sparse.itruediv": _scaled_in_place("divide"),
    "sparse.linalg.norm": _norm,
    "sparse.mean": _mean,
    "sparse.pow": _power,
    "sparse.power": _power,
    "sparse.round": _round,
    "sparse.sum": _sum,
    "sparse.toarray": _toarray,
    "sparse.trace": _trace,
    "sparse.transpose": _transpose,
    "sparse.truediv": _scaled("divide"),
}
