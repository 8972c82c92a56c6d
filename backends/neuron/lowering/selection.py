"""Ops that choose one of several values for each element, and comparisons within a tolerance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT64, DType, is_double
from ...limits import finfo
from ...rules import UfuncLoop, broadcast_shapes
from ..graph.build import elementwise, spread
from ..graph.graph import Node
from ..output import write
from ..planes import plane_dtypes
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import cycled
from .elementwise import lowered
from .op_calls import as_floats, as_positions, call, call_several, converted, in_float32
from .operands import check_dtype, operand, take_as

__all__ = ["choose_between"]


def choose_between(builder: Builder, condition: Any, x: Any, y: Any, dtype: DType | None = None) -> Value:
    """Take elements of one operand where a condition holds, else of another."""
    taken = [builder.operand(item) for item in (condition, x, y)]
    wanted = builder.promotion.result_type(*taken[1:]) if dtype is None else dtype
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in taken))
    mask = operand(builder, taken[0], BOOL, shape)[0]
    chosen = (operand(builder, item, wanted, shape) for item in taken[1:])
    planes = [elementwise("where", mask, one, other, dtype=one.dtype) for one, other in zip(*chosen, strict=True)]
    return builder.make(spread(planes, shape), wanted)


def _where(builder: Builder, condition: Any, *choices: Any) -> Any:
    if not choices:
        return as_positions(builder, call_several(builder, "nonzero", condition))
    result = choose_between(builder, condition, *choices)
    result.detached = all(getattr(item, "detached", True) for item in (condition, *choices))
    return result


def _select(builder: Builder, masks: list[Value], values: list[Any], default: Any) -> Value:
    dtype = builder.promotion.result_type(*values, default)
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in (*masks, *values, default)))
    planes = operand(builder, default, dtype, shape)
    for mask, value in zip(reversed(masks), reversed(values), strict=True):
        (one,) = operand(builder, mask, BOOL, shape)
        new = operand(builder, value, dtype, shape)
        planes = tuple(elementwise("where", one, mine, rest, dtype=mine.dtype) for mine, rest in zip(new, planes, strict=True))
    return builder.make(spread(planes, shape), dtype)


_LIMITED: Final = {name: lowered(name) for name in ("positive", "maximum", "minimum", "clip")}


def _clip(builder: Builder, value: Any, low: Any, high: Any, *, loop: UfuncLoop) -> Any:
    bounds = [item for item in (low, high) if item is not None]
    if len(bounds) == 2 and loop.ins[0].kind == "c":
        return call(builder, "minimum", call(builder, "maximum", value, low, dtype=loop.outs[0]), high, dtype=loop.outs[0])
    name = "clip" if len(bounds) == 2 else "positive" if not bounds else "minimum" if low is None else "maximum"
    return _LIMITED[name](builder, value, *bounds, loop=loop)


def _nan_to_num(builder: Builder, value: Value, *, nan: Any, posinf: Any, neginf: Any) -> Value:
    if value.dtype.kind in "biu":
        return builder.make(value.read(), value.dtype)
    check_dtype(value.dtype)
    given, planes = value.read(), list[Node]()
    dtype = FLOAT64 if is_double(value.dtype) else given[0].dtype
    count = len(plane_dtypes(dtype))
    for first in range(0, len(given), count):
        part = builder.make(given[first : first + count], dtype)
        largest = float(finfo(dtype).max)
        infinite, negative = call(builder, "isinf", part), call(builder, "signbit", part)
        for condition, number in (
            (call(builder, "isnan", part), nan),
            (call(builder, "logical_and", infinite, negative), -largest if neginf is None else neginf),
            (call(builder, "logical_and", infinite, call(builder, "logical_not", negative)), largest if posinf is None else posinf),
        ):
            part = choose_between(builder, condition, number, part, dtype)
        planes += part.read()
    return builder.like(value, tuple(planes))


def _holds(dtype: DType, number: Any) -> bool:
    """Tell whether a number is an integer of an integer dtype."""
    return type(number) is int and dtype.kind in "iu" and np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


def _distance(builder: Builder, x: Value, y: Value) -> Value:
    """Subtract: integers before they are rounded to floats, as unsigned ones, which hold all distances."""
    common = builder.promotion.result_type(x.dtype, y.dtype)
    if {x.dtype.kind, y.dtype.kind} - {"i", "u"} or common.kind not in "iu":
        return call(builder, "absolute", call(builder, "subtract", x, as_floats(builder, y)))
    apart = call(builder, "subtract", call(builder, "maximum", x, y), call(builder, "minimum", x, y))
    return as_floats(builder, converted(builder, apart, np.dtype(f"u{common.name}" if common.kind == "i" else common)))


@in_float32
def _isclose(builder: Builder, x: Any, y: Any, *, rtol: Any, atol: Any, equal_nan: bool) -> Value:
    common, exact = builder.promotion.result_type(x, y, 1.0), builder.promotion.result_type(x, y)  # of numbers, which are weak
    x, y = (
        item if isinstance(item, Value) else call(builder, "full", (), item, exact if _holds(exact, item) else common) for item in (x, y)
    )
    size = as_floats(builder, y)
    bound = call(builder, "add", atol, call(builder, "multiply", rtol, call(builder, "absolute", size)))
    near = call(builder, "logical_and", call(builder, "less_equal", _distance(builder, x, y), bound), call(builder, "isfinite", size))
    result = call(builder, "logical_or", near, call(builder, "equal", x, y))
    if equal_nan:
        result = call(builder, "logical_or", result, call(builder, "logical_and", call(builder, "isnan", x), call(builder, "isnan", y)))
    return result


def _infinite(negative: bool) -> Callable[..., Any]:
    def run(builder: Builder, value: Value) -> Any:
        sign = call(builder, "signbit", value)
        return call(builder, "logical_and", call(builder, "isinf", value), sign if negative else call(builder, "logical_not", sign))

    return run


def _is_real(real: bool) -> Callable[..., Any]:
    def run(builder: Builder, value: Value) -> Any:
        if value.dtype.kind != "c":
            return call(builder, "full", value.shape, real, BOOL)
        return call(builder, "equal" if real else "not_equal", value.part(1), 0)

    return run


def _copyto(builder: Builder, target: Value, source: Any, *, where: Any = True) -> None:
    if not isinstance(source, Value):
        source = builder.make(operand(builder, source, target.dtype, ()), target.dtype)
    write(builder, target, source, where)


def _fill_diagonal(builder: Builder, target: Value, item: Any, *, wrap: bool) -> None:
    target.check_writable()
    given = take_as(builder, item, target.dtype)
    if not target.size or (isinstance(given, Value) and not given.size):
        return
    if wrap and target.ndim == 2 and target.shape[0] > target.shape[1]:
        if not target.flags.c_contiguous:
            raise NotNativeError("elements that are not evenly spaced are written one after the other on the host")
        diagonal = target.shadow.reshape(-1)[:: target.shape[1] + 1]
    else:
        diagonal = target.shadow
        for _ in range(target.ndim - 1):
            diagonal = np.diagonal(diagonal, 0, 0, -1)
        diagonal.flags.writeable = target.shadow.flags.writeable  # which np.diagonal takes away
    place = target.view(diagonal)
    if isinstance(given, Value) and given.ndim:
        row = tuple(cycled(plane, diagonal.size) for plane in given.read())
        given = builder.make(row, given.dtype)
    call(builder, "setitem", place, Ellipsis, given)


LOWERINGS: Final[Lowerings] = {
    "where": _where,
    "select": _select,
    "clip": _clip,
    "nan_to_num": _nan_to_num,
    "isclose": _isclose,
    "isposinf": _infinite(negative=False),
    "isneginf": _infinite(negative=True),
    "isreal": _is_real(real=True),
    "iscomplex": _is_real(real=False),
    "copyto": _copyto,
    "fill_diagonal": _fill_diagonal,
}
