"""Ops that look for elements: in sorted arrays, in sets, for extrema beside NaN."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import BOOL, COMPLEX64, FLOAT16, FLOAT32, INT32, UINT32, DType
from ...op import get_op
from ...ops import searching as _searching  # noqa: F401  # registers them
from ...ops import sets as _sets  # noqa: F401
from ...ops import statistical as _statistical  # noqa: F401
from ..build import check, elementwise, fill, reshape
from ..costs import Costs
from ..function import work_table
from ..graph import Node
from ..kernel import estimate
from ..primitives import Elementwise
from ..value import Value
from . import NotNativeError
from .calls import call, converted
from .elementwise import write_result
from .gathering import gather
from .joining import flat
from .operands import computes, convert, host_number, take
from .order import LONGEST
from .places import on_host
from .selection import choose_between
from .sorted_search import positions
from .sorting import ordered

if TYPE_CHECKING:
    from ..builder import Builder

__all__: list[str] = []


def _alike(engine: Builder, table: Value, item: Any, side: str) -> tuple[Value, Value]:
    """Give an array and what is looked for in it one dtype, or leave integers (32 bits) and floats (float32) beside each other."""
    found = take(engine, item)
    value = found if isinstance(found, Value) else _number(engine, table.dtype, found, side)
    dtype = engine.promotion.result_type(table.dtype, value.dtype)
    integers = [one.dtype.kind in "iu" for one in (table, value)]
    if all(integers) and dtype.kind not in "iu":
        raise NotNativeError(f"{table.dtype} and {value.dtype} have no integer dtype in common, and {dtype} would tell fewer apart")
    if not all(computes(one) or one == COMPLEX64 for one in (table.dtype, value.dtype, dtype)):
        raise NotNativeError(f"{table.dtype} and {value.dtype} are searched on the host")
    if not any(integers) or dtype.kind in "iuc":
        return converted(engine, table, dtype), converted(engine, value, dtype)
    wide = UINT32 if UINT32 in (table.dtype, value.dtype) else INT32
    one, other = (converted(engine, each, wide if integer else FLOAT32) for each, integer in zip((table, value), integers, strict=True))
    return one, other


def _number(engine: Builder, dtype: DType, number: Any, side: str) -> Value:
    """Make a value of a number: of the dtype of those among which it is looked for, if it can; among integers it is one, or infinite."""
    if not computes(dtype) and dtype != COMPLEX64:
        raise NotNativeError(f"{dtype} is searched on the host")
    if dtype.kind in "biu" and type(number) in (int, float) and not math.isnan(number):
        if math.isfinite(number):
            number = (math.ceil if side == "left" else math.floor)(number)
            integers = [one for one in (dtype, INT32) if one != BOOL]
            own = next((one for one in integers if np.iinfo(one).min <= number <= np.iinfo(one).max), None)
            if own is not None:
                return _full(engine, number, own)
        return _full(engine, math.copysign(math.inf, number), FLOAT32)
    if type(number) is int and dtype.kind not in "biuc":
        if not -(1 << 31) <= number < 1 << 31:
            raise NotNativeError("integers that int32 does not hold are searched for among floats on the host")
        return _full(engine, number, INT32)
    return _full(engine, number, engine.promotion.result_type(dtype, number))


def _full(engine: Builder, number: Any, dtype: DType) -> Value:
    value: Value = call(engine, "full", (), host_number(number, dtype), dtype)
    return value


def _node(value: Value) -> Node:
    return value.read()[0]


def _places(engine: Builder, table: Value, value: Value, side: str) -> Node:
    """
    Find where numbers belong among numbers of their dtype, or floats among integers and integers among floats, exactly.

    Before the integer n are floats t with floor(t) < n, or with ceil(t) <= n; before the float f are integers t < ceil(f), or
    t <= floor(f). Floats beyond all integers are counted apart.
    """
    if table.dtype == value.dtype:
        return positions(engine, table, value, side)
    floats, integer = (value, table.dtype) if value.dtype == FLOAT32 else (table, value.dtype)
    low, beyond = float(np.iinfo(integer).min), float(np.iinfo(integer).max + 1)
    up = (floats is value) == (side == "left")
    whole = call(engine, "fmin", call(engine, "ceil" if up else "floor", floats), float(np.nextafter(np.float32(beyond), np.float32(0))))
    whole = converted(engine, call(engine, "maximum", whole, low), integer)
    if floats is value:
        found = engine.make((positions(engine, table, whole, side),), INT32)
        found = call(engine, "where", call(engine, "less", floats, beyond), found, table.size)  # NaN is last
        return _node(call(engine, "where", call(engine, "less", floats, low), 0, found))
    found = engine.make((positions(engine, whole, value, side),), INT32)
    ends = [call(engine, "count_nonzero", call(engine, "less", floats, end)) for end in (low, beyond)]
    return _node(call(engine, "clip", found, *ends))


def _searchsorted(engine: Builder, a: Any, v: Any, side: str = "left", sorter: Any = None) -> Value:
    table = take(engine, a)
    if not isinstance(table, Value):
        raise NotNativeError("it has no array")
    if table.ndim != 1:
        raise ValueError(f"object {'of too small depth' if table.ndim == 0 else 'too deep'} for desired array: searchsorted takes one axis")
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got {side!r})")
    if sorter is not None:
        table = call(engine, "take", table, sorter)
    table, value = _alike(engine, table, v, side)
    return engine.result((_places(engine, table, value, side),), INT32)


def _falls(engine: Builder, bins: Any, edges: Value) -> bool | Value:
    """Find out whether edges are in descending order, and demand that they are in one."""
    message = "bins must be monotonically increasing or decreasing"
    if not isinstance(bins, Value):
        steps = np.diff(np.asarray(bins))
        if (steps < 0).any() and (steps > 0).any():
            raise ValueError(message)
        return bool((steps < 0).any())
    low, high = edges.view(edges.shadow[:-1]), edges.view(edges.shadow[1:])
    rises, falls = (call(engine, "all", call(engine, name, low, high), axis=None) for name in ("less_equal", "greater_equal"))
    (either,), (up,) = call(engine, "logical_or", rises, falls).read(), rises.read()
    no = fill(0, (), up.dtype)
    return engine.make((Node(Elementwise("equal"), (up, no), check(either, ValueError, message)),), BOOL)


def _fitted(engine: Builder, bins: Any, edges: Value, value: Any) -> Value:
    """Give edges that are Python integers the dtype of what they divide, if it holds them."""
    kinds = (edges.dtype.kind, getattr(getattr(value, "dtype", None), "kind", ""))
    if isinstance(bins, Value) or kinds != ("i", "u"):
        return edges
    numbers = np.asarray(bins)
    fits = numbers.size and numbers.min() >= 0 and numbers.max() <= np.iinfo(value.dtype).max
    return engine.from_host(numbers.astype(value.dtype), copy=True) if fits else edges


def _digitize(engine: Builder, x: Any, bins: Any, right: bool = False) -> Value:
    edges, value = take(engine, bins), take(engine, x)
    if not isinstance(edges, Value) or edges.ndim != 1:
        raise ValueError("object of too small depth for desired array: bins have one axis")
    if type(value) is complex or "c" in (edges.dtype.kind, getattr(getattr(value, "dtype", None), "kind", "")):
        raise TypeError("x may not be complex")
    nothing = isinstance(value, Value) and not value.size  # so that nobody would ask for the result, and be told what is wrong
    falls = _falls(engine, on_host(engine, edges) if nothing else bins, edges) if edges.size > 1 else False
    edges = _fitted(engine, bins, edges, value)
    side = "left" if right else "right"
    edges, value = _alike(engine, edges, value, side)
    if falls is False:
        return engine.result((_places(engine, edges, value, side),), INT32)
    backwards = engine.make(edges.view(edges.shadow[::-1]).read(), edges.dtype)
    if isinstance(falls, Value):
        backwards = choose_between(engine, falls, backwards, edges)
    found = engine.make((_places(engine, backwards, value, side),), INT32)
    result = call(engine, "subtract", edges.size, found)
    if isinstance(falls, Value):
        result = choose_between(engine, falls, result, found)
    return engine.result(result.read(), INT32)


def _comparing_is_faster(costs: Costs, numbers: int, entries: int) -> bool:
    """Tell whether to compare all pairs, rather than to sort the entries, search, and compare with what is found."""
    each = math.ceil(numbers / costs.partitions) * entries
    names = (("equal", "float32"), ("reduce by logical_or", "uint8"))
    comparing = sum(sum(work_table()[name].times(costs, each).values()) for name in names)
    searching = estimate("search", costs, (), "left", 2, numbers, entries)
    return entries > LONGEST or comparing < estimate("sort", costs, (), 2, 1, entries) + searching


def _isin(engine: Builder, x: Any, among: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None) -> Any:
    if kind not in (None, "sort", "table"):
        raise ValueError(f"kind is None, 'sort' or 'table', but is {reprlib.repr(kind)}")
    value, chosen = take(engine, x), take(engine, among)
    if not isinstance(chosen, Value):
        return call(engine, "not_equal" if invert else "equal", value, chosen)
    if not isinstance(value, Value):
        found = call(engine, "any", call(engine, "equal", chosen, value), axis=None)
    else:
        found = _found(engine, value, flat(chosen))
    return call(engine, "logical_not", found) if invert else found


def _found(engine: Builder, value: Value, chosen: Value) -> Any:
    """Tell which elements are among others."""
    if chosen.size * value.size == 0:
        return call(engine, "full", value.shape, False, BOOL)
    if _comparing_is_faster(engine.costs, value.size, chosen.size):
        column = call(engine, "reshape", value, (*value.shape, 1))
        return call(engine, "any", call(engine, "equal", column, chosen), axis=-1)
    chosen, value = _alike(engine, chosen, value, "left")
    ascending = ordered(engine, chosen, 0, with_places=False).numbers
    place = elementwise("minimum", _places(engine, ascending, value, "left"), fill(chosen.size - 1, (), INT32), dtype=INT32)
    there = [gather(table, reshape(place, (place.size,)), 1, chosen.size, (1, place.size, 1)) for table in ascending.read()]
    return call(engine, "equal", engine.make(tuple(reshape(plane, value.shape) for plane in there), chosen.dtype), value)


def _beside_nan(name: str, worst: float) -> Callable[..., Any]:
    def run(engine: Builder, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        value = take(engine, a)
        if not isinstance(value, Value):
            raise NotNativeError("it has no array")
        if value.dtype.kind in "biu" or value.size == 0:
            return call(engine, name, value, axis, out, keepdims=keepdims)
        if value.dtype.itemsize == 1:  # which may have no infinity
            value = converted(engine, value, FLOAT16)
        nan = call(engine, "isnan", value)
        numbers = choose_between(engine, nan, worst, value, value.dtype)
        (place,) = call(engine, name, numbers, axis, keepdims=keepdims).read()
        (none,) = call(engine, "any", call(engine, "all", nan, axis=axis), axis=None).read()
        holds = elementwise("equal", none, fill(0, (), none.dtype), dtype=BOOL)
        result = Node(Elementwise("positive"), (place,), check(holds, ValueError, "All-NaN slice encountered"))
        if out is not None:
            dtype = engine.promotion.default_index
            return write_result(engine, convert((result,), INT32, dtype), dtype, result.shape, out, "safe")
        return engine.result((result,), INT32)

    return run


def _of_one_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """Leave to NumPy what it compares in 64 bits: operands of several dtypes, and numbers of Python that the Array's dtype has not."""

    def run(engine: Builder, a: Any, b: Any, *others: Any, **parameters: Any) -> Any:
        if isinstance(a, Value) and not isinstance(b, Value):
            b = _exactly(engine, b, a.dtype)
        if not isinstance(a, Value) or not isinstance(b, Value) or a.dtype != b.dtype:
            raise NotNativeError("NumPy compares operands of several dtypes in 64 bits")
        return function(engine, a, b, *others, **parameters)

    return run


def _exactly(engine: Builder, numbers: Any, dtype: DType) -> Value | None:
    """Bring numbers that a dtype holds exactly to the device."""
    plain = numbers if isinstance(numbers, (list, tuple)) else [numbers]
    if not all(isinstance(item, (int, float, np.number)) for item in plain):
        return None
    given = np.asarray(numbers)
    with np.errstate(all="ignore"):
        found = given.astype(dtype)
        same = found.astype(given.dtype) == given
    return engine.from_host(found, copy=True) if same.all() else None


def _register() -> None:
    table: dict[str, Callable[..., Any]] = {
        "searchsorted": _searchsorted,
        "digitize": _digitize,
        "numpy.searchsorted": _of_one_dtype(_searchsorted),
        "isin": _isin,
        "numpy.isin": _of_one_dtype(_isin),
        "standard.isin": _isin,
        "nanargmax": _beside_nan("argmax", -math.inf),
        "nanargmin": _beside_nan("argmin", math.inf),
    }
    for name, function in table.items():
        get_op(name).implement("neuron", function)


_register()
