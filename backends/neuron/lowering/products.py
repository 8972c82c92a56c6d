"""Ops that multiply matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import BFLOAT16, COMPLEX64, COMPLEX128, FLOAT32, DType, is_low_precision
from ...precision import choose_rung
from ...rules import broadcast_shapes
from ...settings import get_config
from ..graph.build import broadcast, fill, reshape
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .integer_products import multiply_integers, takes
from .joining import flat
from .matrix_stacks import as_it_lies, multiply_matrices
from .op_calls import call, converted, in_float32
from .operands import computes, convert
from .precise_products import multiply_by_rung
from .wide_products import WIDE, conjugated, multiply_wide, multiply_words

__all__ = ["multiplied"]

_FLOATS = ("float32", "bfloat16", "float16")


def multiplied(builder: Builder, left: Value, right: Value, dtype: DType | None = None) -> tuple[tuple[Node, ...], DType]:
    """Multiply matrices, in batches that broadcast."""
    result = dtype or builder.promotion.result_type(left.dtype, right.dtype)
    if result.kind in "biu" and computes(result):
        return (_integers(builder, left, right, result),), result
    if is_low_precision(result) and computes(result) and result.name not in _FLOATS:
        exact = all(value.dtype.itemsize == 1 and value.dtype.kind not in "iu" for value in (left, right))  # in bfloat16
        a, b = (as_it_lies(value, BFLOAT16 if exact else FLOAT32) for value in (left, right))
        product = multiply_matrices(a.planes, b.planes, a.transposed, b.transposed, FLOAT32)
        return convert(product, FLOAT32, result), result
    if result in WIDE:
        return multiply_wide(builder, left, right, result), result
    if result.name not in (*_FLOATS, "complex64"):
        raise NotNativeError(f"it has no kernel for {result} yet")
    if result == COMPLEX64 and left.dtype.kind != "c" != right.dtype.kind:
        product, _ = multiplied(builder, left, right, FLOAT32)
        return convert(product, FLOAT32, result), result
    if result in (FLOAT32, COMPLEX64):
        config = get_config()
        if config.precision or config.target_forward_error:
            rung = choose_rung(config.precision, config.target_forward_error, result, left.shape[-1])
            if rung != "float32":
                return multiply_by_rung(builder, left, right, result, rung), result
    a, b = as_it_lies(left, result), as_it_lies(right, result)

    ours, theirs = (item.planes if value.dtype.kind == "c" else item.planes[:1] for item, value in ((a, left), (b, right)))
    return multiply_matrices(ours, theirs, a.transposed, b.transposed), result


def _integers(builder: Builder, left: Value, right: Value, dtype: DType) -> Node:
    """Multiply matrices of integers, modulo the dtype's range."""
    batch = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    (m, k), n, count = left.shape[-2:], right.shape[-1], math.prod(batch)
    if count * m * n * k == 0:
        return fill(0, (*batch, m, n), plane_dtypes(dtype)[0])
    if not takes(count, m, k, n, dtype):
        return multiply_words(builder, left, right, dtype)
    stacks = []
    for value in (left, right):
        (plane,) = convert(value.read(), value.dtype, dtype)
        matrix = plane.shape[-2:]
        alone = math.prod(plane.shape[:-2]) == 1
        stacks.append(reshape(plane if alone else broadcast(plane, (*batch, *matrix)), (1 if alone else count, *matrix)))
    return reshape(multiply_integers(stacks[0], stacks[1], dtype), (*batch, m, n))


def _of_shape(builder: Builder, product: tuple[tuple[Node, ...], DType], shape: tuple[int, ...]) -> Value:
    planes, dtype = product
    return builder.result(tuple([reshape(plane, shape) for plane in planes]), dtype)


def _matmul(builder: Builder, left: Value, right: Value, *, dtype: DType | None = None) -> Value:
    a = left.view(left.shadow[np.newaxis, :]) if left.ndim == 1 else left
    b = right.view(right.shadow[:, np.newaxis]) if right.ndim == 1 else right
    product = multiplied(builder, a, b, dtype)
    *batch, rows, columns = product[0][0].shape
    return _of_shape(builder, product, (*batch, *(() if left.ndim == 1 else (rows,)), *(() if right.ndim == 1 else (columns,))))


def _dot(builder: Builder, left: Any, right: Any) -> Any:
    if not getattr(left, "shape", ()) or not getattr(right, "shape", ()):
        return call(builder, "multiply", left, right)
    of_matrices = right.ndim <= 2  # axes
    return call(builder, "matmul", left, right) if of_matrices else call(builder, "tensordot", left, right, (left.ndim - 1, right.ndim - 2))


def _conjugate(builder: Builder, value: Value) -> Value:
    if value.dtype == COMPLEX128:
        return conjugated(builder, value)
    return call(builder, "conjugate", value) if value.dtype.kind == "c" else value


def _tensordot(builder: Builder, left: Value, right: Value, *, axes: tuple[tuple[int, ...], tuple[int, ...]]) -> Value:
    ours, theirs = axes
    rows = [axis for axis in range(left.ndim) if axis not in ours]
    columns = [axis for axis in range(right.ndim) if axis not in theirs]
    depth = math.prod(left.shape[axis] for axis in ours)
    shape = (*(left.shape[axis] for axis in rows), *(right.shape[axis] for axis in columns))
    matrices = []
    for value, order, extents in (
        (left, [*rows, *ours], (math.prod(left.shape[axis] for axis in rows), depth)),
        (right, [*theirs, *columns], (depth, math.prod(right.shape[axis] for axis in columns))),
    ):
        moved = value.view(np.transpose(value.shadow, order))
        matrices.append(builder.make(tuple(reshape(plane, extents) for plane in moved.read()), value.dtype))
    return _of_shape(builder, multiplied(builder, matrices[0], matrices[1]), shape)


def _of_vectors(first: bool, second: bool) -> Callable[..., Value]:
    """Multiply stacks of vectors (which are conjugated if they come first) and matrices."""

    def run(builder: Builder, a: Value, b: Value, *, dtype: DType | None = None, axis: int = -1) -> Value:
        if axis != -1:
            a, b = (value.view(np.moveaxis(value.shadow, axis, -1)) for value in (a, b))
        if first:
            a = _conjugate(builder, a)
            a = a.view(a.shadow[..., np.newaxis, :])
        if second:
            b = b.view(b.shadow[..., :, np.newaxis])
        product = multiplied(builder, a, b, dtype)
        shape = product[0][0].shape
        return _of_shape(builder, product, shape[:-2] + (() if first else shape[-2:-1]) + (() if second else shape[-1:]))

    return run


def _vdot(builder: Builder, a: Value, b: Value) -> Any:
    return call(builder, "matmul", _conjugate(builder, flat(a)), flat(b))


def _inner(builder: Builder, a: Value, b: Value) -> Any:
    if not a.ndim or not b.ndim:
        return call(builder, "multiply", a, b)
    return call(builder, "tensordot", a, b, (a.ndim - 1, b.ndim - 1))


def _outer(builder: Builder, a: Value, b: Value) -> Any:
    rows, columns = flat(a), flat(b)
    return call(builder, "multiply", rows.view(rows.shadow[:, np.newaxis]), columns.view(columns.shadow[np.newaxis, :]))


def _kron(builder: Builder, a: Value, b: Value) -> Any:
    ndim = max(a.ndim, b.ndim)
    first, second = ((1,) * (ndim - value.ndim) + value.shape for value in (a, b))
    a = a.view(np.expand_dims(a.shadow[(np.newaxis,) * (ndim - a.ndim) + (...,)], tuple(range(1, 2 * ndim, 2))))
    b = b.view(np.expand_dims(b.shadow[(np.newaxis,) * (ndim - b.ndim) + (...,)], tuple(range(0, 2 * ndim, 2))))
    product = call(builder, "multiply", a, b)
    shape = tuple(x * y for x, y in zip(first, second, strict=True))
    return builder.result(tuple(reshape(plane, shape) for plane in product.read()), product.dtype)


def _cross(ops: Ops, a: Expression, b: Expression, *, axisa: int, axisb: int, axisc: int) -> Expression:
    a, b = a.moveaxis(axisa, -1), b.moveaxis(axisb, -1)
    parts = [a[..., place - 2] * b[..., place - 1] - a[..., place - 1] * b[..., place - 2] for place in range(3)]
    return ops("stack", parts, -1).moveaxis(-1, axisc)


def _cross_of_vectors(builder: Builder, a: Value, b: Value, *, axis: int) -> Value:
    return call(builder, "cross", a, b, axis=axis)


def _matrix_power(builder: Builder, value: Value, *, n: int) -> Any:
    if n < 0:
        value, n = call(builder, "linalg.inv", value), -n
    if n == 0:
        one = call(builder, "eye", value.shape[-1], None, 0, value.dtype)
        return builder.make(one.view(np.broadcast_to(one.shadow, value.shape)).read(), value.dtype)
    if n == 1:
        return value
    result: Any = None
    while n:
        if n & 1:
            result = value if result is None else _matmul(builder, result, value)
        n >>= 1
        if n:
            value = _matmul(builder, value, value)
    return builder.make(result.read(), result.dtype)


def _multi_dot(builder: Builder, factors: list[Value]) -> Value:
    """Multiply a chain in the order of the fewest products of elements."""
    common = builder.promotion.result_type(*[value.dtype for value in factors])
    if is_low_precision(common):
        factors = [converted(builder, value, FLOAT32) for value in factors]
    first, last = factors[0].shape, factors[-1].shape
    order = _chain((first[0] if len(first) == 2 else 1, *(value.shape[0] for value in factors[1:]), last[-1] if len(last) == 2 else 1))

    def product(first: int, last: int) -> Value:
        if first == last:
            return factors[first]
        cut = order[first, last][1]
        return call(builder, "matmul", product(first, cut), product(cut + 1, last))

    result = product(0, len(factors) - 1)
    return converted(builder, result, common) if is_low_precision(common) else result


def _chain(extents: tuple[int, ...]) -> dict[tuple[int, int], tuple[int, int]]:
    """Find, for each part of a chain of matrices, the fewest products of elements and after which factor to cut (Cormen et al., 14.2)."""
    count = len(extents) - 1
    best = {(place, place): (0, place) for place in range(count)}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            best[first, last] = min(
                (best[first, cut][0] + best[cut + 1, last][0] + extents[first] * extents[cut + 1] * extents[last + 1], cut)
                for cut in range(first, last)
            )
    return best


LOWERINGS: Final[Lowerings] = {
    "matmul": _matmul,
    "dot": _dot,
    "tensordot": _tensordot,
    "vecdot": _of_vectors(True, True),
    "matvec": _of_vectors(False, True),
    "vecmat": _of_vectors(True, False),
    "vdot": _vdot,
    "inner": _inner,
    "outer": _outer,
    "linalg.outer": _outer,
    "kron": _kron,
    **compositions({"cross": _cross}),
    "linalg.cross": _cross_of_vectors,
    "linalg.multi_dot": _multi_dot,
    "linalg.matrix_power": in_float32(_matrix_power),
}
