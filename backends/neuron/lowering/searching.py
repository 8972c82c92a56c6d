"""Ops that search: in sorted arrays, in sets, and for extrema that skip NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64, DType
from ...promotion import NUMPY
from ..costs import Costs
from ..function import work_table
from ..graph.build import check, elementwise, fill, reshape
from ..graph.graph import Node
from ..graph.primitives import Elementwise
from ..kernel import estimate
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .indexing.gather import gather
from .joining import flat
from .op_calls import call, converted
from .operands import computes, host_number
from .selection import choose_between
from .sort_keys import LONGEST
from .sorted_search import positions
from .sorting import ordered

__all__: list[str] = []

_SEVERAL_KEYS: Final = frozenset({COMPLEX64, COMPLEX128, FLOAT64, INT64, UINT64})


def _alike(builder: Builder, table: Value, item: Any, side: str) -> tuple[Value, Value]:
    """Give an array and what is looked for in it one dtype, or leave integers (32 bits) and floats (float32) beside each other."""
    found = builder.operand(item)
    value = found if isinstance(found, Value) else _number(builder, table.dtype, found, side)
    dtype = builder.promotion.result_type(table.dtype, value.dtype)
    integers = [one.dtype.kind in "iu" for one in (table, value)]
    if all(integers) and dtype.kind not in "iu":
        raise NotNativeError(f"{table.dtype} and {value.dtype} have no integer dtype in common, and {dtype} would tell fewer apart")
    if not all(computes(one) or one in _SEVERAL_KEYS for one in (table.dtype, value.dtype, dtype)):
        raise NotNativeError(f"{table.dtype} and {value.dtype} are searched on the host")
    if any(integers) and dtype.kind not in "iuc" and {INT64, UINT64} & {table.dtype, value.dtype} and dtype != FLOAT64:
        raise NotNativeError(f"{table.dtype} and {value.dtype} are searched on the host")
    if not any(integers) or dtype.kind in "iuc" or dtype == FLOAT64:
        return converted(builder, table, dtype), converted(builder, value, dtype)
    wide = UINT32 if UINT32 in (table.dtype, value.dtype) else INT32
    one, other = (converted(builder, each, wide if integer else FLOAT32) for each, integer in zip((table, value), integers, strict=True))
    return one, other


def _number(builder: Builder, dtype: DType, number: Any, side: str) -> Value:
    """Make a value of a number: of the dtype of those among which it is looked for, if it can; among integers it is one, or infinite."""
    if not computes(dtype) and dtype not in _SEVERAL_KEYS:
        raise NotNativeError(f"{dtype} is searched on the host")
    if dtype.kind in "biu" and type(number) in (int, float) and not math.isnan(number):
        if math.isfinite(number):
            number = (math.ceil if side == "left" else math.floor)(number)
            integers = [one for one in (dtype, INT32) if one != BOOL]
            own = next((one for one in integers if np.iinfo(one).min <= number <= np.iinfo(one).max), None)
            if own is not None:
                return _full(builder, number, own)
        return _full(builder, math.copysign(math.inf, number), FLOAT32)
    if type(number) is int and dtype.kind not in "biuc" and dtype != FLOAT64:
        if not -(1 << 31) <= number < 1 << 31:
            raise NotNativeError("integers that int32 does not hold are searched for among floats on the host")
        return _full(builder, number, INT32)
    return _full(builder, number, builder.promotion.result_type(dtype, number))


def _full(builder: Builder, number: Any, dtype: DType) -> Value:
    return call(builder, "full", (), host_number(number, dtype), dtype)


def _places(builder: Builder, table: Value, value: Value, side: str) -> Node:
    """
    Find where numbers belong among numbers of their dtype, or floats among integers and integers among floats, exactly.

    Before the integer n are floats t with floor(t) < n, or with ceil(t) <= n; before the float f are integers t < ceil(f), or
    t <= floor(f). Floats beyond all integers are counted apart.
    """
    if table.dtype == value.dtype:
        return positions(builder, table, value, side)
    floats, integer = (value, table.dtype) if value.dtype == FLOAT32 else (table, value.dtype)
    low, beyond = float(np.iinfo(integer).min), float(np.iinfo(integer).max + 1)
    up = (floats is value) == (side == "left")
    whole = call(builder, "fmin", call(builder, "ceil" if up else "floor", floats), float(np.nextafter(np.float32(beyond), np.float32(0))))
    whole = converted(builder, call(builder, "maximum", whole, low), integer)
    if floats is value:
        found = builder.make((positions(builder, table, whole, side),), INT32)
        found = call(builder, "where", call(builder, "less", floats, beyond), found, table.size)  # NaN is last
        return call(builder, "where", call(builder, "less", floats, low), 0, found).read()[0]
    found = builder.make((positions(builder, whole, value, side),), INT32)
    ends = [call(builder, "count_nonzero", call(builder, "less", floats, end)) for end in (low, beyond)]
    return call(builder, "clip", found, *ends).read()[0]


def _searchsorted(builder: Builder, table: Value, v: Any, *, side: str, sorter: Any) -> Value:
    if sorter is not None:
        table = call(builder, "take", table, sorter)
    table, value = _alike(builder, table, v, side)
    return builder.result((_places(builder, table, value, side),), INT32)


def _falls(builder: Builder, bins: Any, edges: Value) -> bool | Value:
    """Find out whether edges are in descending order, and demand that they are in one."""
    message = "bins must be monotonically increasing or decreasing"
    if not isinstance(bins, Value):
        steps = np.diff(np.asarray(bins))
        if (steps < 0).any() and (steps > 0).any():
            raise ValueError(message)
        return bool((steps < 0).any())
    low, high = edges.view(edges.shadow[:-1]), edges.view(edges.shadow[1:])
    rises, falls = (call(builder, "all", call(builder, name, low, high), axis=None) for name in ("less_equal", "greater_equal"))
    (either,), (up,) = call(builder, "logical_or", rises, falls).read(), rises.read()
    no = fill(0, (), up.dtype)
    return builder.make((Node(Elementwise("equal"), (up, no), check(either, ValueError, message)),), BOOL)


def _fitted(builder: Builder, bins: Any, edges: Value, value: Any) -> Value:
    """Give edges that are Python integers the dtype of what they divide, if it holds them."""
    kinds = (edges.dtype.kind, getattr(getattr(value, "dtype", None), "kind", ""))
    if isinstance(bins, Value) or kinds != ("i", "u"):
        return edges
    numbers = np.asarray(bins)
    fits = numbers.size and numbers.min() >= 0 and numbers.max() <= np.iinfo(value.dtype).max
    return builder.from_host(numbers.astype(value.dtype), copy=True) if fits else edges


def _digitize(builder: Builder, value: Any, bins: Any, *, right: bool) -> Value:
    edges: Value = builder.operand(bins)
    nothing = isinstance(value, Value) and not value.size  # so that nobody would ask for the result, and be told what is wrong
    falls = _falls(builder, builder.on_host(edges) if nothing else bins, edges) if edges.size > 1 else False
    edges, side = _fitted(builder, bins, edges, value), "left" if right else "right"
    edges, value = _alike(builder, edges, value, side)
    if falls is False:
        return builder.result((_places(builder, edges, value, side),), INT32)
    backwards = builder.make(edges.view(edges.shadow[::-1]).read(), edges.dtype)
    if isinstance(falls, Value):
        backwards = choose_between(builder, falls, backwards, edges)
    found = builder.make((_places(builder, backwards, value, side),), INT32)
    result = call(builder, "subtract", edges.size, found)
    if isinstance(falls, Value):
        result = choose_between(builder, falls, result, found)
    return builder.result(result.read(), INT32)


def _comparing_is_faster(costs: Costs, numbers: int, entries: int) -> bool:
    """Tell whether to compare all pairs, rather than to sort the entries, search, and compare with what is found."""
    each = math.ceil(numbers / costs.partitions) * entries
    names = (("equal", "float32"), ("reduce by logical_or", "uint8"))
    comparing = sum(sum(work_table()[name].times(costs, each).values()) for name in names)
    searching = estimate("search", costs, (), "left", 2, numbers, entries)
    return entries > LONGEST or comparing < estimate("sort", costs, (), 2, 1, entries) + searching


def _isin(builder: Builder, value: Any, chosen: Any, *, invert: bool) -> Any:
    if not isinstance(chosen, Value):
        return call(builder, "not_equal" if invert else "equal", value, chosen)
    if not isinstance(value, Value):
        found = call(builder, "any", call(builder, "equal", chosen, value), axis=None)
    else:
        found = _found(builder, value, flat(chosen))
    return call(builder, "logical_not", found) if invert else found


def _found(builder: Builder, value: Value, chosen: Value) -> Any:
    """Tell which elements are among others."""
    if chosen.size * value.size == 0:
        return call(builder, "full", value.shape, False, BOOL)
    if _comparing_is_faster(builder.costs, value.size, chosen.size):
        column = call(builder, "reshape", value, (*value.shape, 1))
        return call(builder, "any", call(builder, "equal", column, chosen), axis=-1)
    chosen, value = _alike(builder, chosen, value, "left")
    ascending = ordered(builder, chosen, 0, with_places=False).numbers
    place = elementwise("minimum", _places(builder, ascending, value, "left"), fill(chosen.size - 1, (), INT32), dtype=INT32)
    there = [gather(table, reshape(place, (place.size,)), 1, chosen.size, (1, place.size, 1)) for table in ascending.read()]
    return call(builder, "equal", builder.make(tuple(reshape(plane, value.shape) for plane in there), chosen.dtype), value)


def _beside_nan(name: str, worst: float) -> Callable[..., Any]:
    def run(builder: Builder, value: Value, *, axis: int | None, keepdims: bool = False) -> Any:
        if value.dtype.kind in "biu" or value.size == 0:
            return call(builder, name, value, axis, keepdims=keepdims)
        if value.dtype.itemsize == 1:  # which may have no infinity
            value = converted(builder, value, FLOAT16)
        nan = call(builder, "isnan", value)
        numbers = choose_between(builder, nan, worst, value, value.dtype)
        (place,) = call(builder, name, numbers, axis, keepdims=keepdims).read()
        (none,) = call(builder, "any", call(builder, "all", nan, axis), None).read()
        holds = elementwise("equal", none, fill(0, (), none.dtype), dtype=BOOL)
        result = Node(Elementwise("positive"), (place,), check(holds, ValueError, "All-NaN slice encountered"))
        return builder.result((result,), INT32)

    return run


def _in_numpys_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compare as NumPy does: operands of several dtypes in the one that holds both."""

    def run(builder: Builder, a: Any, b: Any, **attributes: Any) -> Any:
        dtype = NUMPY.result_type(a.dtype, b.dtype)
        if dtype.kind == "f" and a.dtype.kind in "iu" and b.dtype.kind in "iu":
            raise NotNativeError(f"whether NumPy compares {a.dtype} with {b.dtype} as floats depends on their values")
        return function(builder, converted(builder, a, dtype), converted(builder, b, dtype), **attributes)

    return run


LOWERINGS: Final[Lowerings] = {
    "searchsorted": _searchsorted,
    "digitize": _digitize,
    "numpy.searchsorted": _in_numpys_dtype(_searchsorted),
    "isin": _isin,
    "numpy.isin": _in_numpys_dtype(_isin),
    "standard.isin": _isin,
    "nanargmax": _beside_nan("argmax", -math.inf),
    "nanargmin": _beside_nan("argmin", math.inf),
}
