"""Signatures of what makes arrays: shapes are tuples, dtypes the result's; of layouts, 'F' alone is an attribute."""

from __future__ import annotations

import operator
from typing import Any

from ..dtypes import FLOAT8_E8M0FNU, DType, canonical_dtype
from ..shape import canonical_shape
from .attributes import asked_dtype, check_numbers, index_axis
from .call import Call, NotNativeError, Reader, SignatureKind

__all__ = [
    "constant", "constant_like", "diagonal", "diagonal_indices", "flat_diagonal", "geometric_range", "grids", "identity",
    "logarithmic_range", "mesh", "numbers", "of_numbers", "of_shape", "range_between", "shape_like", "triangle", "triangle_of_ones",
    "zeros",
]  # fmt: skip


def of_numbers(reader: Reader, *numbers: Any, **parameters: Any) -> Call:
    """Read functions of numbers alone, such as windows and frequencies."""
    check_numbers(reader, *numbers, *parameters.values())
    dtypes = {"dtype": asked_dtype(parameters["dtype"])} if "dtype" in parameters else {}
    return Call(numbers, {**parameters, **dtypes})


def _lengths(shape: Any) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def _layout(order: Any) -> dict[str, Any]:
    """Read the order of elements in memory."""
    if order not in ("C", "F", "K", "A"):
        raise NotNativeError(f"the memory layout {order!r} is none of 'C', 'F', 'K' and 'A'")
    return {"order": "F"} if order == "F" else {}


def with_zero(dtype: Any) -> DType:
    """Read a dtype that has a zero."""
    wanted = canonical_dtype(dtype)
    if wanted == FLOAT8_E8M0FNU:
        raise NotNativeError("float8_e8m0fnu has no zero")
    return wanted


def _model(reader: Reader, like: Any) -> Any:
    if not reader.is_array(like):
        raise NotNativeError("it looks at no array")
    return like


def of_shape(reader: Reader, shape: Any, dtype: Any = None, order: Any = "C") -> Call:
    """Read ``numpy.ones`` and ``numpy.empty``."""
    return Call((_lengths(shape), reader.promotion.default_float if dtype is None else canonical_dtype(dtype)), _layout(order))


def zeros(reader: Reader, shape: Any, dtype: Any = None, order: Any = "C") -> Call:
    """Read ``numpy.zeros``."""
    return of_shape(reader, shape, None if dtype is None else with_zero(dtype), order)


def shape_like(kind: SignatureKind) -> SignatureKind:
    """Read ``numpy.zeros_like`` and what is like it as the function without a model: the shape and the dtype are known."""

    def read(reader: Reader, prototype: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None) -> Call:
        like = _model(reader, prototype)
        call = kind(reader, like.shape if shape is None else shape, like.dtype if dtype is None else dtype, order)
        return Call((like,), {**dict(zip(("shape", "dtype"), call.operands, strict=True)), **call.attributes})

    return read


def constant(reader: Reader, shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> Call:
    """Read ``numpy.full``."""
    if dtype is None:
        raise NotNativeError("the dtype of a constant is found on the host")
    return Call((_lengths(shape), fill_value, canonical_dtype(dtype)), _layout(order))


def constant_like(
    reader: Reader, a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None
) -> Call:
    """Read ``numpy.full_like``."""
    like = _model(reader, a)
    lengths = like.shape if shape is None else _lengths(shape)
    return Call((like, fill_value), {"shape": lengths, "dtype": like.dtype if dtype is None else canonical_dtype(dtype)} | _layout(order))


def identity(reader: Reader, n: int, m: int | None, k: int, dtype: Any, order: Any = "C") -> Call:
    """Read ``numpy.eye``."""
    return Call((n, n if m is None else m, k, with_zero(dtype)), _layout(order))


def triangle_of_ones(reader: Reader, n: int, m: int | None, k: int, dtype: Any) -> Call:
    """Read ``numpy.tri``."""
    return identity(reader, n, m, k, dtype)


def triangle(reader: Reader, m: Any, k: int = 0) -> Call:
    """Read ``numpy.tril`` and ``numpy.triu``."""
    value = reader.array(m)
    with_zero(value.dtype)
    if value.ndim == 0:
        raise TypeError("a triangle takes matrices, or a vector that is repeated; this array has no axes")
    return Call((value, k), {})


def diagonal(reader: Reader, v: Any, k: Any = 0) -> Call:
    """Read ``numpy.diag``."""
    value = reader.array(v)
    if value.ndim not in (1, 2):  # a vector or a matrix
        raise ValueError(f"diag takes a vector or a matrix, and the array has {value.ndim} axes")
    return Call((value, operator.index(k)), {})


def flat_diagonal(reader: Reader, v: Any, k: Any = 0) -> Call:
    """Read ``numpy.diagflat``."""
    return Call((reader.array(v), operator.index(k)), {})


def grids(reader: Reader, dimensions: Any, dtype: Any, sparse: Any = False) -> Call:
    """Read ``numpy.indices``."""
    return Call((_lengths(dimensions), canonical_dtype(dtype)), {"sparse": bool(sparse)})


def diagonal_indices(reader: Reader, n: Any, ndim: int = 2) -> Call:
    """Read ``numpy.diag_indices``."""
    if not hasattr(n, "__index__"):
        raise NotNativeError("lengths that are no integers are looked at on the host")
    (length,) = canonical_shape(max(operator.index(n), 0), reader.promotion.default_index)
    return Call((length, ndim), {})


def mesh(reader: Reader, *xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Call:
    """Read ``numpy.meshgrid``."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing is {indexing!r}; it must be 'xy' or 'ij'")
    values = [reader.operand(item) for item in xi]
    if not all(reader.is_array(item) for item in values):
        raise NotNativeError("grids of numbers are made on the host")
    return Call(tuple(values), {"copy": bool(copy), "sparse": bool(sparse), "indexing": indexing})


def _count(num: Any) -> int:
    count = operator.index(num)
    if count < 0:
        raise ValueError(f"the number of samples must be 0 or more, but is {count}")
    return count


def numbers(reader: Reader, start: Any, stop: Any, step: Any, *, dtype: Any) -> Call:
    """Read ``numpy.arange``."""
    check_numbers(reader, start, stop, step)
    return Call((start, stop, step), {"dtype": canonical_dtype(dtype)})


def _range(reader: Reader, ends: tuple[Any, ...], num: Any, endpoint: Any, dtype: Any, axis: Any) -> Call:
    """Read a range between two ends, which may be arrays, and so may others that are broadcast with them."""
    operands = tuple(map(reader.operand, ends))
    ndim = max(len(getattr(item, "shape", ())) for item in operands)
    attributes = {"endpoint": bool(endpoint), "dtype": canonical_dtype(dtype), "axis": index_axis(axis, ndim + 1)}
    return Call(operands, {"num": _count(num), **attributes})


def range_between(
    reader: Reader, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False, *, dtype: Any, axis: Any = 0
) -> Call:
    """Read ``numpy.linspace``."""
    operands, attributes, _ = _range(reader, (start, stop), num, endpoint, dtype, axis)
    return Call(operands, {**attributes, "retstep": bool(retstep)})


def logarithmic_range(
    reader: Reader, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0, *, dtype: Any, axis: Any = 0
) -> Call:
    """Read ``numpy.logspace``."""
    (start, stop, base), attributes, _ = _range(reader, (start, stop, base), num, endpoint, dtype, axis)
    return Call((start, stop), {**attributes, "base": base})


def geometric_range(reader: Reader, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, *, dtype: Any, axis: Any = 0) -> Call:
    """Read ``numpy.geomspace``."""
    return _range(reader, (start, stop), num, endpoint, dtype, axis)
