"""Counts of integers, and histograms.

The length of the result of `bincount`, and the edges of bins over the whole range of the data, depend on the elements: their extremes are
brought to the host. Where an element is equal to an edge is decided as by the host: edges are what NumPy computes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import BOOL, COMPLEX64, FLOAT16, FLOAT64, INT32, DType, is_double, is_low_precision
from ...rules import Signature
from ..costs import Costs
from ..function import work_table
from ..graph.build import broadcast, elementwise, fill, iota, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..kernel import InvalidCallError, Kernel, Ruling, Variant, declare, estimate
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .bin_widths import number_of_bins
from .concatenation import constant
from .host_constants import brought
from .indexing.gather import scatter
from .indexing.operands import combined
from .indexing.segments import combine_rows
from .joining import flat
from .op_calls import as_floats, as_positions, call, converted
from .operands import check_dtype, computes
from .plane_reductions import reduced
from .wide_integers import WIDE_INTEGERS

__all__: list[str] = []

_SMALL = 2**24  # comparisons of elements with bins, above which weights are added by position; either way rounds its sums differently


def _rule(places: Signature, *, bins: int) -> Ruling:
    if len(places.shape) != 1 or places.dtype != INT32:
        raise InvalidCallError(f"count takes a vector of int32 places, not {places}")
    return (Signature((bins,), INT32),), (places.shape[0], bins)


def _by_comparing(places: Node, size: int, bins: int) -> Sequence[Node]:
    each, at = reshape(iota(bins), (bins, 1)), broadcast(places, (bins, size))
    return (reduced("count_nonzero", elementwise("equal", broadcast(each, (bins, size)), at, dtype=BOOL), (1,), INT32),)


def _comparing_time(costs: Costs, _results: tuple[Signature, ...], size: int, bins: int) -> float:
    each = math.ceil(bins / costs.partitions) * size
    work = (work_table()["equal", "int32"], work_table()["reduce by count_nonzero", "uint8"])
    return 2 * costs.transfer_waits + sum(sum(one.times(costs, each).values()) for one in work)


def _by_position(places: Node, size: int, bins: int) -> Sequence[Node]:
    return (scatter(fill(0, (bins,), INT32), places, fill(1, (size,), INT32), 1, bins, "add"),)


def _position_time(costs: Costs, results: tuple[Signature, ...], size: int, bins: int) -> float:
    return 2 * costs.transfer_waits + estimate("scatter elements", costs, results, "add", bins, size)


def _counted(builder: Builder, at: Value, count: int, weights: Value | None) -> Value:
    """Add up weights, or ones, by places from 0 to count - 1."""
    if at.size * count == 0:
        dtype = INT32 if weights is None else weights.dtype
        return builder.make(constant(0, (count,), dtype), dtype)
    if weights is None:
        (places,) = at.read()
        return builder.make(tuple(call_kernel("count", reshape(places, (at.size,)), bins=count)), INT32)
    if at.size * count <= _SMALL:
        bins = call(builder, "reshape", call(builder, "arange", 0, count, 1, dtype=INT32), (count, 1))
        return call(builder, "sum", call(builder, "where", call(builder, "equal", bins, at), weights, 0), 1, weights.dtype)
    base = constant(0, (count,), weights.dtype)
    (places,) = at.read()
    if is_double(weights.dtype):
        found = builder.make(base, weights.dtype)
        rows = builder.make(tuple(reshape(plane, (1, at.size, 1)) for plane in weights.read()), weights.dtype)
        combine_rows(builder, found, places, rows, (1, count, 1), "add")
        return found
    planes = (scatter(old, places, plane, 1, count, "add") for old, plane in zip(base, weights.read(), strict=True))
    return builder.make(tuple(planes), weights.dtype)


def _summands(builder: Builder, weights: Value | None) -> Value | None:
    """Take weights that the device adds up, as floats."""
    value = None if weights is None else as_floats(builder, flat(weights))
    if value is not None and not (computes(value.dtype) or is_double(value.dtype) or value.dtype == COMPLEX64):
        raise NotNativeError(f"weights of {value.dtype} are added up on the host")
    return value


def _bincount(builder: Builder, value: Value, *, weights: Value | None, minlength: int) -> Any:
    if not computes(value.dtype) and value.dtype not in WIDE_INTEGERS:
        raise NotNativeError(f"it has no kernel for {value.dtype}")
    given = _summands(builder, weights)
    if given is not None and given.dtype.kind == "c":
        raise TypeError(f"weights of {given.dtype} have imaginary parts, which real sums would drop; give the parts apart")
    if given is not None and is_low_precision(given.dtype):
        given = converted(builder, given, builder.promotion.default_float)
    if not value.size:
        return _counted(builder, value, minlength, given)
    low, high = (int(builder.on_host(call(builder, name, value))) for name in ("min", "max"))
    at = converted(builder, value, INT32)
    if low < 0:
        raise ValueError(f"counts are of integers that are not negative, and the least one is {low}")
    return _counted(builder, at, max(high + 1, minlength), given)


def _edges(builder: Builder, value: Value, bins: Any, limits: Any, alone: DType | None = None) -> npt.NDArray[Any]:
    """Compute the edges of bins, as NumPy does: of the data's extremes, or of what is given, then in the data's dtype or another."""
    if isinstance(bins, Value) and bins.ndim:
        bins = builder.on_host(bins)
    elif isinstance(bins, Value):
        bins = int(builder.on_host(bins))
    extremes = np.zeros(0, alone or value.dtype)
    if np.ndim(bins) == 0 and limits is None and value.size:
        extremes = np.asarray([builder.on_host(call(builder, name, value)) for name in ("min", "max")], value.dtype)
    return np.histogram_bin_edges(extremes, bins, limits)


def _estimated(builder: Builder, value: Value, bins: Any, limits: Any, weights: Any) -> Any:
    """Find how many bins a rule asks for, if bins are given so."""
    if value.dtype.kind == "c" and np.ndim(bins) == 0:
        raise NotNativeError("imaginary parts are dropped on the host, of which NumPy warns")
    if not isinstance(bins, str):
        return bins
    if weights is not None:
        raise TypeError("rules for the number of bins do not take weights; give bins as a number")
    first, last = _edges(builder, value, 1, limits)
    if limits is not None:
        first, last = limits
        low, high = first, last
        if value.dtype.kind in "iu":  # integers are compared with integers
            info = np.iinfo(value.dtype)
            low, high = max(math.ceil(first), info.min), min(math.floor(last), info.max)
        inside = [call(builder, name, value, bound) for name, bound in (("greater_equal", low), ("less_equal", high))]
        value = call(builder, "getitem", value, call(builder, "logical_and", *inside))
    return number_of_bins(builder, value, bins, first, last)


def _bins(builder: Builder, value: Value, edges: npt.NDArray[Any]) -> Value:
    """Find the bin of each element, counted from 1; 0 is before the first, and one after the last beyond it."""
    last = edges[-1]
    if value.dtype in WIDE_INTEGERS and np.result_type(value.dtype, edges.dtype).kind == "f":  # as which NumPy compares them
        value = converted(builder, value, FLOAT64)
    if value.dtype.kind in "biu":  # integers are compared with integers
        value = converted(builder, value, INT32) if value.dtype == BOOL else value
        info = np.iinfo(value.dtype)
        steps = edges if edges.dtype.kind in "iu" else np.ceil(edges.astype(np.float64))
        known: Any = np.maximum(steps[steps < info.max + 1], info.min).astype(value.dtype)  # there is no element beyond the others
        if not info.min <= float(last) <= info.max:  # as Python compares, exactly
            last = math.nan
        end = np.asarray(info.min if math.isnan(last) else math.floor(last), value.dtype)
    else:
        known = edges.astype(value.dtype)
        end = known[-1]
        last = end
    lower = builder.from_host(known.reshape(-1, 1), copy=True)
    at = call(builder, "sum", call(builder, "less_equal", lower, value), 0, INT32)
    if end != last:  # which no integer is equal to
        return at
    closed = call(builder, "equal", value, builder.from_host(end, copy=True))
    inside = call(builder, "greater_equal", value, builder.from_host(known[0], copy=True))
    return call(builder, "where", call(builder, "logical_and", closed, inside), len(edges) - 1, at)


def _data(builder: Builder, value: Value) -> Value:
    value = flat(value)
    check_dtype(value.dtype)
    narrow = is_low_precision(value.dtype) and value.dtype != FLOAT16
    return converted(builder, value, builder.promotion.default_float) if narrow else value


def _histogram_edges(builder: Builder, value: Value, bins: Any, *, range: Any, weights: Value | None) -> Any:
    value = _data(builder, value)
    number = _estimated(builder, value, bins, range, weights) if isinstance(bins, str) else bins
    return brought(builder, _edges(builder, value, number, range), narrow=not is_double(value.dtype))


def _histogram(builder: Builder, value: Value, bins: Any, *, range: Any, density: bool, weights: Value | None) -> Any:
    value = _data(builder, value)
    edges = _edges(builder, value, _estimated(builder, value, bins, range, weights), range)
    return as_positions(builder, _counts(builder, [value], [edges], density, weights))


def _counts(builder: Builder, columns: list[Value], edges: list[npt.NDArray[Any]], density: bool, weights: Value | None) -> Any:
    """Count the elements in each bin of one or several axes."""
    given = _summands(builder, weights)
    lengths = [len(one) + 1 for one in edges]  # with what is before and after
    places = [_bins(builder, column, one).read()[0] for column, one in zip(columns, edges, strict=True)]
    at = builder.make((reshape(combined(places, lengths), (columns[0].size,)),), INT32)
    found = _counted(builder, at, math.prod(lengths), given)
    whole = builder.make(tuple(reshape(plane, tuple(lengths)) for plane in found.read()), found.dtype)
    counts = builder.make(whole.view(whole.shadow[(slice(1, -1),) * len(lengths)]).read(), found.dtype)
    sides = [brought(builder, one, narrow=not is_double(column.dtype)) for column, one in zip(columns, edges, strict=True)]
    if density:
        if any(one.dtype.kind == "c" for one in edges):
            raise NotNativeError("densities of complex numbers are computed on the host")
        kind = FLOAT64 if any(is_double(column.dtype) for column in columns) else builder.promotion.default_float
        volume = np.ones((), kind)
        for axis, one in enumerate(edges):
            volume = volume * np.diff(one).astype(kind).reshape(*(-1 if place == axis else 1 for place in range(len(edges))))
        total = call(builder, "sum", counts, None)
        counts = call(builder, "divide", call(builder, "divide", counts, builder.from_host(volume, copy=True)), total)
    return counts, sides[0] if len(edges) == 1 else sides


def _histogramdd(builder: Builder, sample: list[Value], bins: list[Any], *, range: list[Any], density: bool, weights: Value | None) -> Any:
    columns = [_data(builder, column) for column in sample]
    real = FLOAT64 if any(is_double(column.dtype) for column in columns) else builder.promotion.default_float
    edges = [_edges(builder, *one, real) for one in zip(columns, bins, range, strict=True)]
    counts, sides = _counts(builder, columns, edges, density, weights)
    counts = call(builder, "astype", counts, real) if counts.dtype == INT32 or (real == FLOAT64 and counts.dtype.kind == "f") else counts
    return counts, sides if len(edges) > 1 else [sides]


def _histogram2d(builder: Builder, x: Value, y: Value, bins: list[Any], **attributes: Any) -> Any:
    counts, (first, second) = _histogramdd(builder, [x, y], bins, **attributes)
    return counts, first, second


LOWERINGS: Final[Lowerings] = {
    "bincount": _bincount,
    "histogram": _histogram,
    "histogram2d": _histogram2d,
    "histogramdd": _histogramdd,
    "histogram_bin_edges": _histogram_edges,
}
declare(
    Kernel(
        "count",
        _rule,
        None,
        "count of places",
        "{0} among {1}",
        variants=(
            Variant("by comparing all", _comparing_time, expand=_by_comparing),
            Variant("by position", _position_time, expand=_by_position),
        ),
    )
)
