"""Statistics made of reductions: ranges, averages, reductions that skip NaN, traces, roundings to decimals, equality of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, DType
from ...rules import broadcast_shapes
from ...signatures.reduction import FROM_IDENTITY
from ..graph.build import check
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .neutral_elements import outermost
from .op_calls import call, call_several, converted, in_float32

__all__: list[str] = []


def _ptp(builder: Builder, value: Value, *, axis: tuple[int, ...], keepdims: bool = False) -> Value:
    largest, smallest = (call(builder, name, value, axis, keepdims=keepdims) for name in ("max", "min"))
    return call(builder, "subtract", largest, smallest)


@in_float32
def _average(
    builder: Builder, value: Value, *, axis: tuple[int, ...], weights: Value | None = None, returned: bool = False, keepdims: bool = False
) -> Any:
    weight = weights
    if weight is None:
        mean = call(builder, "mean", value, axis, keepdims=keepdims)
        if not returned:
            return mean
        count = value.size / mean.size if mean.size else 0
        return mean, call(builder, "full", mean.shape, float(count), mean.dtype)
    if weight.shape != value.shape:
        order = tuple(sorted(range(len(axis)), key=lambda number: axis[number]))
        lengths = tuple(length if one in axis else 1 for one, length in enumerate(value.shape))
        weight = call(builder, "reshape", call(builder, "transpose", weight, order), lengths)
    wide = builder.promotion.result_type(value.dtype, weight.dtype)
    if wide.kind in "biu":
        wide = builder.promotion.default_float
    value, weight = converted(builder, value, wide), converted(builder, weight, wide)
    weight = weight.view(np.broadcast_to(weight.shadow, value.shape))
    total = call(builder, "sum", weight, axis, keepdims=keepdims)
    result = call(builder, "divide", call(builder, "sum", call(builder, "multiply", value, weight), axis, keepdims=keepdims), total)
    (holds,) = call(builder, "all", call(builder, "not_equal", total, 0), None).read()
    refusal = check(holds, ZeroDivisionError, "weights sum to zero, and elements cannot be averaged with them")
    for plane in result.read():
        plane.demand(refusal)
    return (result, total) if returned else result


def _skipping(name: str) -> Callable[..., Any]:
    """Reduce what is not NaN, by a reduction that takes a mask."""

    def run(builder: Builder, value: Value, *, where: Any = True, **attributes: Any) -> Any:
        if value.dtype.kind not in "biu":
            numbers = call(builder, "logical_not", call(builder, "isnan", value))
            where = numbers if where is True else call(builder, "logical_and", numbers, where)
        return call(builder, name, value, where=where, **attributes)

    return run


def _extreme(name: str) -> Callable[..., Any]:
    """Find the extreme of what is not NaN; NaN where nothing is."""

    def run(builder: Builder, value: Value, *, initial: Any = FROM_IDENTITY, **attributes: Any) -> Any:
        if value.dtype.kind in "biu":
            return call(builder, name, value, initial=initial, **attributes)
        nan = call(builder, "isnan", value)
        filled = call(builder, "where", nan, outermost(name, value.dtype), value)
        result = call(builder, name, filled, initial=initial, **attributes)
        if initial is FROM_IDENTITY:
            none = call(builder, "all", nan, **attributes)
            replaced = call(builder, "where", none, float("nan"), result)
            replaced.detached, result = result.detached, replaced
        return result

    return run


def _trace(builder: Builder, value: Value, *, offset: int, axis1: int = -2, axis2: int = -1, dtype: DType | None) -> Any:
    diagonal = value.view(np.diagonal(value.shadow, offset, axis1, axis2))
    return call(builder, "sum", diagonal, -1, dtype)


@in_float32
def _round(builder: Builder, value: Value, decimals: int) -> Any:
    """Scale, round to integers and scale back, as NumPy does."""
    if value.dtype.kind == "c":
        planes = [plane for number in range(2) for plane in _round(builder, value.part(number), decimals).read()]
        return builder.like(value, tuple(planes))
    if value.dtype.kind == "b":  # which NumPy makes short floats of
        value = converted(builder, value, builder.promotion.default_float)
    if value.dtype.kind in "iu":
        if decimals < 0:
            return _to_tens(builder, value, 10**-decimals)
        return builder.like(value, value.read())
    if decimals == 0:
        return call(builder, "rint", value)
    scale = float(10 ** abs(decimals))
    there, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    return call(builder, back, call(builder, "rint", call(builder, there, value, scale)), scale)


def _to_tens(builder: Builder, value: Value, unit: int) -> Value:
    """Round integers to a multiple of a power of ten, halves to even multiples."""
    if unit > np.iinfo(value.dtype).max:
        raise NotNativeError(f"multiples of {unit}, beyond {value.dtype}, are computed on the host")
    quotient, rest = call_several(builder, "divmod", value, unit)
    more = call(builder, "greater", rest, unit // 2)
    half = call(builder, "equal", rest, unit // 2)
    odd = call(builder, "not_equal", call(builder, "bitwise_and", quotient, 1), 0)
    up = call(builder, "logical_or", more, call(builder, "logical_and", half, odd))
    return call(builder, "multiply", call(builder, "add", quotient, converted(builder, up, value.dtype)), unit)


def _array_equal(builder: Builder, x: Value, y: Value, equal_nan: bool = False) -> Any:
    return x.shape == y.shape and _all_equal(builder, x, y, equal_nan)


def _array_equiv(builder: Builder, x: Value, y: Value) -> Any:
    try:
        broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return _all_equal(builder, x, y, False)


def _all_equal(builder: Builder, x: Value, y: Value, equal_nan: bool) -> Value:
    same = call(builder, "equal", x, y)
    if equal_nan and x.dtype.kind not in "biu" and y.dtype.kind not in "biu":
        same = call(builder, "logical_or", same, call(builder, "logical_and", call(builder, "isnan", x), call(builder, "isnan", y)))
    result = call(builder, "all", same, None)
    assert result.dtype == BOOL
    return result


def _allclose(builder: Builder, a: Any, b: Any, **tolerances: Any) -> Any:
    return call(builder, "all", call(builder, "isclose", a, b, **tolerances), None)


LOWERINGS: Final[Lowerings] = {
    "ptp": _ptp,
    "average": _average,
    "nansum": _skipping("sum"),
    "nanprod": _skipping("prod"),
    "nanmean": _skipping("mean"),
    "nanvar": _skipping("var"),
    "nanstd": _skipping("std"),
    "nanmax": _extreme("max"),
    "nanmin": _extreme("min"),
    "trace": _trace,
    "linalg.trace": _trace,
    "round": _round,
    "array_equal": _array_equal,
    "array_equiv": _array_equiv,
    "allclose": _allclose,
}
