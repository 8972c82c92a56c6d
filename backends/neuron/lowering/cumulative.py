"""Ops that accumulate along an axis, and differences of neighbours.

Running sums, and products of floats, are scans; sums of 64 bits are those of 16-bit limbs. Products of integers and of complex numbers,
extremes and bits double their reach step by step: after k steps each element is what the 2**k before it make (W. D. Hillis, G. L. Steele,
"Data parallel algorithms", Commun. ACM 29, 1986).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import BOOL, COMPLEX64, FLOAT32, INT32, DType
from ...rules import sum_dtype
from ...shape import checked_axis
from ..graph.build import call as call_kernel
from ..graph.build import cast, transpose
from ..graph.graph import Node
from ..value import Value
from . import Lowerings, NotNativeError
from .concatenation import assemble, constant, position
from .elementwise import write_result
from .exact_integers import IN_WORDS, magnitude, may_exceed, narrowed, product_fits
from .joining import concatenate, flat
from .op_calls import call, converted, in_float32
from .operands import computes, convert
from .wide_integers import WIDE_INTEGERS
from .wide_sums import MOST, from_limbs, limbs

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["accumulation"]


def _scanned(name: str, plane: Node, axis: int) -> Node:
    last = len(plane.shape) - 1
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
        pieces = [(position(axis, slice(None, reach)), head.read()), (position(axis, slice(reach, None)), product.read())]
        value = assemble(builder, value.shape, value.dtype, pieces)
        reach *= 2
    return value


def _accumulated(builder: Builder, value: Value, name: str, axis: int, dtype: DType) -> Value:
    """Accumulate along an axis that has elements."""
    if dtype != COMPLEX64 and dtype not in WIDE_INTEGERS and not computes(dtype):
        raise NotNativeError(f"it has no kernel for {dtype}")
    if value.dtype.kind == "c" and dtype.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    if value.size == 0 or value.shape[axis] == 1:
        return builder.make(convert(value.read(), value.dtype, dtype), dtype)
    if name == "add" and dtype in WIDE_INTEGERS and value.shape[axis] <= MOST:
        given = value if value.dtype.kind in "biu" else converted(builder, value, dtype)
        parts = limbs(given.read(), given.dtype)
        return builder.make(from_limbs([part._replace(node=_scanned(name, cast(part.node, INT32), axis)) for part in parts]), dtype)
    value = converted(builder, value, dtype)
    if name not in ("add", "multiply") or dtype in WIDE_INTEGERS or (name == "multiply" and dtype.kind in "biuc"):
        return _doubled(builder, name, value, axis)
    if dtype.kind in "biu" and dtype.itemsize < INT32.itemsize:  # which sums are kept in
        planes = tuple(_scanned(name, plane, axis) for plane in converted(builder, value, INT32).read())
        return converted(builder, builder.make(planes, INT32), dtype)
    return builder.make(
        tuple(_scanned(name, plane, axis) for plane in value.read()), dtype
    )


def _exactly(builder: Builder, value: Value, name: str, axis: int, wanted: DType) -> Value:
    """Accumulate integers in 64 bits, and give results 32."""
    wide = _accumulated(builder, value, name, axis, IN_WORDS[wanted])
    if name == "add":
        return narrowed(builder, name, wide, value.dtype, wanted)
    sizes = _accumulated(builder, magnitude(builder, value), name, axis, FLOAT32)
    nonzero = _accumulated(builder, converted(builder, value, BOOL), "logical_and", axis, BOOL)
    return narrowed(builder, name, wide, value.dtype, wanted, product_fits(builder, sizes, nonzero))


def common_dtype(builder: Builder, value: Value, out: Any) -> DType | None:
    """Find the dtype in which an accumulation computes for an output, if nobody names one."""
    target: Value | None = out[0] if isinstance(out, tuple) else out
    if target is None:
        return None
    if value.dtype.kind == "c" and target.dtype.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    return builder.promotion.result_type(value.dtype, target.dtype)


def accumulation(name: str, widen: bool = False) -> Callable[..., Any]:
    """Lower a ufunc's accumulation."""

    def run(builder: Builder, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        value = builder.array(a)
        usual = BOOL if name.startswith("logical") else sum_dtype(builder.promotion, value.dtype) if widen else value.dtype
        wanted = dtype or (None if usual == BOOL else common_dtype(builder, value, out)) or usual
        if axis is None or value.ndim == 0:
            value, axis = flat(value), 0 if axis is None else axis
        axis = checked_axis(axis, value.ndim)
        if widen and dtype is None and out is None and may_exceed(name, value.dtype, wanted, value.shape[axis]):
            return _exactly(builder, value, name, axis, wanted)
        result = _accumulated(builder, value, name, axis, wanted)
        return result if out is None else write_result(builder, result.read(), wanted, result.shape, out, "unsafe")

    return run


def _standard(name: str) -> Callable[..., Any]:
    start = 0 if name == "add" else 1
    run_plain = accumulation(name, widen=True)

    def run(builder: Builder, a: Any, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False) -> Any:
        value = builder.array(a)
        if value.ndim == 0:
            value = flat(value)
        if axis is None:
            if value.ndim > 1:
                raise ValueError("axis must be given for arrays of more than one axis")
            axis = 0
        axis = checked_axis(axis, value.ndim)
        if not include_initial:
            return run_plain(builder, value, axis, dtype, out)
        result = run_plain(builder, value, axis, dtype)
        shape = (*value.shape[:axis], 1, *value.shape[axis + 1 :])
        first = builder.make(constant(start, shape, result.dtype), result.dtype)
        return concatenate(builder, [first, result], axis, out)

    return run


def _without_nan(name: str) -> Callable[..., Any]:
    run_plain = accumulation(name, widen=True)

    def run(builder: Builder, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        value = builder.array(a)
        if value.dtype.kind not in "biu":
            value = call(builder, "where", call(builder, "isnan", value), 0 if name == "add" else 1, value)
        return run_plain(builder, value, axis, dtype, out)

    return run


def _neighbours(value: Value, axis: int) -> tuple[Value, Value]:
    """Look along an axis at all elements but the first, and at those before them."""
    later, sooner = (value.view(value.shadow[position(axis, part)]) for part in (slice(1, None), slice(None, -1)))
    return later, sooner


@in_float32
def _diff(builder: Builder, a: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue) -> Any:
    value = builder.array(a)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if value.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = np.lib.array_utils.normalize_axis_index(axis, value.ndim)
    ends = []
    for end in (prepend, append):
        if end is np._NoValue:
            continue
        one = builder.array(end)
        if one.ndim == 0:
            one = one.view(np.broadcast_to(one.shadow, (*value.shape[:axis], 1, *value.shape[axis + 1 :])))
        ends.append(one)
    if ends:
        before = ends[:1] if prepend is not np._NoValue else []
        value = concatenate(builder, [*before, value, *ends[len(before) :]], axis)
    for _ in range(n):
        value = call(builder, "not_equal" if value.dtype.kind == "b" else "subtract", *_neighbours(value, axis))
    return value


@in_float32
def _ediff1d(builder: Builder, a: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    value = flat(builder.array(a))
    parts = [call(builder, "subtract", value.view(value.shadow[1:]), value.view(value.shadow[:-1]))]
    for place, end in ((0, to_begin), (2, to_end)):
        if end is None:
            continue
        one = builder.array(end)
        if not builder.promotion.can_cast(one.dtype, value.dtype, "same_kind"):
            raise TypeError(f"an end of dtype {one.dtype} is not compatible with the array's {value.dtype}; cast it with astype")
        parts.insert(place, converted(builder, flat(one), value.dtype))
    return concatenate(builder, parts, 0)


@in_float32
def _trapezoid(builder: Builder, y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    value = builder.array(y)
    axis = np.lib.array_utils.normalize_axis_index(axis, value.ndim)
    width: Any = dx
    if x is not None:
        place = builder.operand(x)
        if not isinstance(place, Value) or place.ndim not in (1, value.ndim):
            raise NotNativeError("places of other axes than the values have are looked at on the host")
        width = _diff(builder, place, axis=0 if place.ndim == 1 else axis)
        if place.ndim == 1:
            shape = [1] * value.ndim
            shape[axis] = width.shape[0]
            width = call(builder, "reshape", width, tuple(shape))
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
