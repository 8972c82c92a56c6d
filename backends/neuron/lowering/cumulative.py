"""Ops that accumulate along an axis, and differences of neighbours.

Running sums, and products of floats, are scans; sums of 64 bits are those of 16-bit limbs. Products of integers and of complex numbers,
sums and products of float64, extremes and bits double their reach step by step: after k steps each element is what the 2**k before it make
(W. D. Hillis, G. L. Steele, "Data parallel algorithms", Commun. ACM 29, 1986).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, INT32, DType, is_double
from ...rules import sum_dtype
from ..graph.build import call as call_kernel
from ..graph.build import cast, transpose
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings
from .concatenation import constant, position
from .exact_integers import IN_WORDS, magnitude, may_exceed, narrowed, product_fits
from .joining import concatenate, flat, row_or_axis
from .op_calls import call, converted, in_float32
from .operands import check_dtype, convert
from .wide_integers import WIDE_INTEGERS
from .wide_sums import MOST, from_limbs, limbs

__all__ = ["accumulation"]


_COLUMNS: Final = 64  # elements beside each other, from which on rows stay where they are: sums round by it


def _scanned(name: str, plane: Node, axis: int) -> Node:
    last, inner = len(plane.shape) - 1, math.prod(plane.shape[axis + 1 :])
    if inner >= _COLUMNS and plane.dtype.kind not in "biu" and plane.shape[axis] > 1:
        (node,) = call_kernel("scan columns", plane, function=name, length=plane.shape[axis], inner=inner)
        return node
    order = [*(one for one in range(last + 1) if one != axis), axis]
    moved = transpose(plane, order)
    (node,) = call_kernel("scan", moved, function=name)
    return transpose(node, [order.index(one) for one in range(last + 1)])


def _doubled(builder: Builder, name: str, value: Value, axis: int) -> Value:
    """Combine all elements up to each along an axis, reaching twice as far with every step."""
    reach, length = 1, value.shape[axis]
    while reach < length:
        head = value.view(value.shadow[position(axis, slice(None, reach))])
        ahead = value.view(value.shadow[position(axis, slice(reach, None))])
        behind = value.view(value.shadow[position(axis, slice(None, length - reach))])
        product = call(builder, name, behind, ahead)
        value = concatenate(builder, [head, product], axis)
        reach *= 2
    return value


def _accumulated(builder: Builder, value: Value, name: str, axis: int, dtype: DType) -> Value:
    """Accumulate along an axis that has elements."""
    check_dtype(dtype, value.dtype)
    if value.size == 0 or value.shape[axis] == 1:
        return builder.make(convert(value.read(), value.dtype, dtype), dtype)
    if name == "add" and dtype in WIDE_INTEGERS and value.shape[axis] <= MOST:
        given = value if value.dtype.kind in "biu" else converted(builder, value, dtype)
        parts = limbs(given.read(), given.dtype)
        return builder.make(from_limbs([part._replace(node=_scanned(name, cast(part.node, INT32), axis)) for part in parts]), dtype)
    value = converted(builder, value, dtype)
    if is_double(dtype) or name not in ("add", "multiply") or dtype in WIDE_INTEGERS or (name == "multiply" and dtype.kind in "biuc"):
        return _doubled(builder, name, value, axis)
    if dtype.kind in "biu" and dtype.itemsize < INT32.itemsize:  # which sums are kept in
        planes = tuple(_scanned(name, plane, axis) for plane in converted(builder, value, INT32).read())
        return converted(builder, builder.make(planes, INT32), dtype)
    return builder.make(tuple(_scanned(name, plane, axis) for plane in value.read()), dtype)


def _exactly(builder: Builder, value: Value, name: str, axis: int, wanted: DType) -> Value:
    """Accumulate integers in 64 bits, and give results 32."""
    wide = _accumulated(builder, value, name, axis, IN_WORDS[wanted])
    if name == "add":
        return narrowed(builder, name, wide, value.dtype, wanted)
    sizes = _accumulated(builder, magnitude(builder, value), name, axis, FLOAT32)
    nonzero = _accumulated(builder, converted(builder, value, BOOL), "logical_and", axis, BOOL)
    return narrowed(builder, name, wide, value.dtype, wanted, product_fits(builder, sizes, nonzero))


def accumulation(name: str, widen: bool = False) -> Callable[..., Value]:
    """Lower a ufunc's accumulation."""

    def run(builder: Builder, value: Value, *, axis: int | None, dtype: DType | None = None) -> Value:
        usual = BOOL if name.startswith("logical") else sum_dtype(builder.promotion, value.dtype) if widen else value.dtype
        value, axis = row_or_axis(value, axis)
        if widen and dtype is None and may_exceed(name, value.dtype, usual, value.shape[axis]):
            return _exactly(builder, value, name, axis, usual)
        return _accumulated(builder, value, name, axis, dtype or usual)

    return run


def _standard(name: str) -> Callable[..., Value]:
    start = 0 if name == "add" else 1
    run_plain = accumulation(name, widen=True)

    def run(builder: Builder, value: Value, *, axis: int | None, dtype: DType | None = None, include_initial: bool = False) -> Value:
        result = run_plain(builder, value, axis=axis, dtype=dtype)
        if not include_initial:
            return result
        axis = axis or 0
        shape = (*result.shape[:axis], 1, *result.shape[axis + 1 :])
        first = builder.make(constant(start, shape, result.dtype), result.dtype)
        return concatenate(builder, [first, result], axis)

    return run


def _without_nan(name: str) -> Callable[..., Value]:
    run_plain = accumulation(name, widen=True)

    def run(builder: Builder, value: Value, *, axis: int | None, dtype: DType | None = None) -> Value:
        if value.dtype.kind not in "biu":
            value = call(builder, "where", call(builder, "isnan", value), 0 if name == "add" else 1, value)
        return run_plain(builder, value, axis=axis, dtype=dtype)

    return run


def _neighbours(value: Value, axis: int) -> tuple[Value, Value]:
    """Look along an axis at all elements but the first, and at those before them."""
    later, sooner = (value.view(value.shadow[position(axis, part)]) for part in (slice(1, None), slice(None, -1)))
    return later, sooner


@in_float32
def _diff(builder: Builder, value: Value, *, n: int, axis: int, prepend: Value | None = None, append: Value | None = None) -> Value:
    parts = []
    for part in (prepend, value, append):
        if part is not None:
            shape = (*value.shape[:axis], 1, *value.shape[axis + 1 :])
            parts.append(part if part.ndim else part.view(np.broadcast_to(part.shadow, shape)))
    if len(parts) > 1:
        value = call(builder, "concatenate", parts, axis)
    for _ in range(n):
        value = call(builder, "not_equal" if value.dtype.kind == "b" else "subtract", *_neighbours(value, axis))
    return value


@in_float32
def _ediff1d(builder: Builder, value: Value, *, to_end: Value | None, to_begin: Value | None) -> Value:
    value = flat(value)
    parts = [call(builder, "subtract", value.view(value.shadow[1:]), value.view(value.shadow[:-1]))]
    if to_begin is not None:
        parts.insert(0, converted(builder, flat(to_begin), value.dtype))
    if to_end is not None:
        parts.append(converted(builder, flat(to_end), value.dtype))
    return concatenate(builder, parts, 0)


@in_float32
def _trapezoid(builder: Builder, value: Value, samples: Value | None = None, *, dx: Any, axis: int) -> Value:
    width = dx
    if samples is not None:
        width = call(builder, "diff", samples, axis=0 if samples.ndim == 1 else axis)
        if samples.ndim == 1:
            width = width.view(np.expand_dims(width.shadow, tuple(range(1, value.ndim - axis))))
    areas = call(builder, "divide", call(builder, "multiply", width, call(builder, "add", *_neighbours(value, axis))), 2.0)
    return call(builder, "sum", areas, axis)


LOWERINGS: Final[Lowerings] = {
    "cumsum": accumulation("add", widen=True),
    "cumprod": accumulation("multiply", widen=True),
    "nancumsum": _without_nan("add"),
    "nancumprod": _without_nan("multiply"),
    "cumulative_sum": _standard("add"),
    "cumulative_prod": _standard("multiply"),
    "diff": _diff,
    "ediff1d": _ediff1d,
    "trapezoid": _trapezoid,
}
