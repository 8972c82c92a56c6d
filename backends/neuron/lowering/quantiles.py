"""Medians and quantiles: rows are sorted, and elements taken of them at positions that the host computes in float64.

Positions: R. J. Hyndman, Y. Fan, "Sample quantiles in statistical packages", Am. Stat. 50, 1996. Where NaN is left out, rows differ in how
many elements count; then the positions for every number of elements are a table, of which each row takes its line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...dtypes import FLOAT32, FLOAT64, INT32, DType, is_double, is_low_precision
from ..graph.build import broadcast, elementwise, fill, reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings
from .concatenation import constant, pick
from .indexing.gather import gather
from .op_calls import call, converted
from .operands import check_dtype
from .selection import choose_between
from .sorting import ordered

__all__: list[str] = []

_Floats = npt.NDArray[np.float64]
_FEW: Final = 16  # slices of rows, above which a gather is shorter


class _Positions(NamedTuple):
    """Between which elements a quantile lies, and how far from the first one; by number of elements, then by probability."""

    low: npt.NDArray[np.intp]
    high: npt.NDArray[np.intp]
    weight: _Floats


def _continuous(alpha: float, beta: float) -> Callable[[_Floats, _Floats], _Floats]:
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _after(n: _Floats, q: _Floats) -> _Floats:
    return (n - 1) * q


def _closest(n: _Floats, q: _Floats) -> _Floats:
    """Round to the nearer one of two elements, and between them to the even order statistic."""
    position = n * q - 1.5
    below = np.floor(position)
    return np.where((position == below) & (below % 2 == 1), below, below + 1)


_DISCRETE: Final[Mapping[str, Callable[[_Floats, _Floats], _Floats]]] = {
    "lower": lambda n, q: np.floor(_after(n, q)),
    "higher": lambda n, q: np.ceil(_after(n, q)),
    "nearest": lambda n, q: np.around(_after(n, q)),
    "inverted_cdf": lambda n, q: np.ceil(n * q - 1),
    "closest_observation": _closest,
}
_BETWEEN: Final[Mapping[str, Callable[[_Floats, _Floats], _Floats]]] = {
    "linear": _after,
    "midpoint": lambda n, q: 0.5 * (np.floor(_after(n, q)) + np.ceil(_after(n, q))),
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "interpolated_inverted_cdf": _continuous(0, 1),
    "hazen": _continuous(0.5, 0.5),
    "weibull": _continuous(0, 0),
    "median_unbiased": _continuous(1 / 3, 1 / 3),
    "normal_unbiased": _continuous(3 / 8, 3 / 8),
}


def _positions(method: str, counts: npt.NDArray[np.intp], q: _Floats) -> _Positions:
    """Find positions for each number of elements; of no element those of the first one."""
    n = np.maximum(counts, 1)[:, np.newaxis].astype(np.float64)
    last = n - 1
    if method in _DISCRETE:
        place = np.clip(_DISCRETE[method](n, q), 0, last).astype(np.intp)
        return _Positions(place, place, np.zeros(place.shape))
    position = _BETWEEN[method](n, q)
    below = np.floor(position)
    weight = position - below
    if method == "averaged_inverted_cdf":
        weight = np.where(weight == 0, 0.5, 1.0)
    low, high = (np.where(position >= last, last, np.where(position < 0, 0, place)).astype(np.intp) for place in (below, below + 1))
    return _Positions(low, high, weight)


class _Rows(NamedTuple):
    """What quantiles are taken of: sorted rows, (kept..., elements), and where their axis was."""

    numbers: Value
    axes: tuple[int, ...]
    shape: tuple[int, ...]

    @property
    def length(self) -> int:
        """Elements of a row."""
        return self.numbers.shape[-1]

    @property
    def kept(self) -> tuple[int, ...]:
        """Lengths of the other axes."""
        return self.numbers.shape[:-1]

    @property
    def floating(self) -> bool:
        """Whether there may be NaN."""
        return self.numbers.dtype.kind not in "biu"


def _rows(builder: Builder, value: Value, axes: tuple[int, ...]) -> _Rows:
    check_dtype(value.dtype)
    kept = tuple(one for one in range(value.ndim) if one not in axes)
    length = math.prod(value.shape[one] for one in axes)
    outer = tuple(value.shape[one] for one in kept)
    numbers = call(builder, "reshape", value.view(value.shadow.transpose((*kept, *axes))), (*outer, length))
    if numbers.size:
        numbers = ordered(builder, numbers, len(kept), with_places=False).numbers
    return _Rows(numbers, axes, value.shape)


def _counts(builder: Builder, rows: _Rows) -> Node:
    """Count the elements of each row that are not NaN, which come first."""
    valid = call(builder, "equal", rows.numbers, rows.numbers)
    count = call(builder, "count_nonzero", valid, axis=-1)
    return count.read()[0]


def _numbers(rows: _Rows, counts: Node | None) -> npt.NDArray[np.intp]:
    """List the numbers of elements that a row can have."""
    return np.arange(0 if counts is not None else rows.length, rows.length + 1, dtype=np.intp)


def _taken(builder: Builder, rows: _Rows, places: npt.NDArray[np.intp], counts: Node | None) -> Value:
    """Take elements of each row: the same ones of all, or those in the line of the table that belongs to the row's count."""
    numbers = rows.numbers
    width, outer = places.shape[1], math.prod(rows.kept)
    if numbers.size * width == 0:
        return builder.make(constant(0, (*rows.kept, width), numbers.dtype), numbers.dtype)
    if counts is None and width <= _FEW:
        return pick(builder, numbers, numbers.ndim - 1, places[0])
    table = builder.from_host(places.astype(np.int32), copy=True).read()[0]
    own = table if counts is None else _line(table, counts)
    each = reshape(broadcast(own, (outer, width)), (outer, width))
    nodes = [gather(plane, each, outer, rows.length, (outer, width, 1)) for plane in numbers.read()]
    return builder.make(tuple(reshape(node, (*rows.kept, width)) for node in nodes), numbers.dtype)


def _line(table: Node, counts: Node) -> Node:
    """Take the line of a table for each row."""
    lines, width = table.shape
    outer = counts.size
    return reshape(gather(table, reshape(counts, (outer,)), 1, lines, (1, outer, width)), (outer, width))


def _weights(builder: Builder, weights: _Floats, counts: Node | None, like: Value) -> Value:
    """Give weights to elements: one for each probability, or for each row and probability."""
    dtype = FLOAT64 if is_double(like.dtype) else FLOAT32
    if counts is None:
        return builder.from_host(weights[0].astype(dtype), copy=True)
    tables = builder.from_host(weights.astype(dtype), copy=True).read()
    return builder.make(tuple([reshape(_line(table, counts), like.shape) for table in tables]), dtype)


def _between(builder: Builder, rows: _Rows, at: _Positions, counts: Node | None, dtype: DType) -> Value:
    """Interpolate linearly, from the nearer end."""
    inner = FLOAT32 if is_low_precision(dtype) else dtype
    low, high = (converted(builder, _taken(builder, rows, places, counts), inner) for places in (at.low, at.high))
    distance = call(builder, "subtract", high, low)

    def near(end: Value, name: str, part: _Floats) -> Value:
        return call(builder, name, end, call(builder, "multiply", distance, _weights(builder, part, counts, low)))

    down, up = at.weight >= 0.5, at.weight < 0.5
    if down.all():
        return converted(builder, near(high, "subtract", 1 - at.weight), dtype)
    if up.all():
        return converted(builder, near(low, "add", at.weight), dtype)
    above, below = near(high, "subtract", 1 - at.weight), near(low, "add", at.weight)
    weight = _weights(builder, at.weight, counts, low)
    return converted(builder, choose_between(builder, call(builder, "greater_equal", weight, 0.5), above, below, inner), dtype)


def _with_nan(builder: Builder, rows: _Rows, result: Value) -> Value:
    """Give NaN where a row has any."""
    if not rows.floating or not result.size:
        return result
    last = rows.numbers.view(rows.numbers.shadow[..., -1:])
    return choose_between(builder, call(builder, "isnan", last), last, result, result.dtype)


def _finished(builder: Builder, rows: _Rows, result: Value, q_shape: tuple[int, ...], keepdims: bool) -> Value:
    """Bring probabilities to the front, and axes of one element to where the reduced ones were."""
    kept = tuple(1 if axis in rows.axes else extent for axis, extent in enumerate(rows.shape))
    shape = (*q_shape, *(kept if keepdims else result.shape[:-1]))
    moved = call(builder, "reshape", result.view(np.moveaxis(result.shadow, -1, 0)), shape)
    return builder.result(moved.read(), moved.dtype)


def _quantile(scale: float, without_nan: bool) -> Callable[..., Value]:
    def run(builder: Builder, value: Value, q: Any, *, axis: tuple[int, ...], method: str, keepdims: bool) -> Value:
        if without_nan and value.size == 0:
            return call(builder, "nanmean", value, axis, keepdims=keepdims)
        weak = getattr(q, "dtype", builder.sequences.default_float)
        dtype = builder.promotion.result_type(value.dtype, 0.5 if type(q) in (int, float) or weak.kind in "iu" else weak)
        q = np.asarray(q) if scale == 1 else np.true_divide(q, scale)
        rows = _rows(builder, value, axis)
        if rows.length == 0 and (q.size or rows.floating):
            raise IndexError("there are no elements to take quantiles of")
        counts = _counts(builder, rows) if without_nan and rows.floating else None
        at = _positions(method, _numbers(rows, counts), q.reshape(-1).astype(np.float64))
        result = _taken(builder, rows, at.low, counts) if method in _DISCRETE else _between(builder, rows, at, counts, dtype)
        if counts is None:
            result = _with_nan(builder, rows, result)
        return _finished(builder, rows, result, q.shape, keepdims)

    return run


def _median(without_nan: bool) -> Callable[..., Value]:
    def run(builder: Builder, value: Value, *, axis: tuple[int, ...], keepdims: bool) -> Value:
        if value.size == 0:
            return call(builder, "nanmean" if without_nan else "mean", value, axis, keepdims=keepdims)
        rows = _rows(builder, value, axis)
        counts = _counts(builder, rows) if without_nan and rows.floating else None
        n = _numbers(rows, counts)
        middle = np.stack([np.maximum(n - 1, 0) // 2, np.minimum(n // 2, np.maximum(n - 1, 0))], axis=1)
        if counts is None and rows.length % 2:
            middle = middle[:, :1]
        pair = _taken(builder, rows, middle, counts)
        result = call(builder, "mean", pair, axis=-1, keepdims=True)
        if counts is None:
            result = _with_nan(builder, rows, result)
        else:  # the sum of one number with itself may be infinite
            odd = builder.make((reshape(elementwise("bitwise_and", counts, fill(1, (), INT32), dtype=INT32), result.shape),), INT32)
            result = choose_between(builder, call(builder, "not_equal", odd, 0), pair.view(pair.shadow[..., :1]), result, result.dtype)
            if result.dtype.kind == "c":  # of no number NumPy gives a NaN without an imaginary part
                number = builder.make((reshape(counts, result.shape),), INT32)
                result = call(builder, "where", call(builder, "equal", number, 0), complex(math.nan), result)
        return _finished(builder, rows, result, (), keepdims)

    return run


LOWERINGS: Final[Lowerings] = {
    "median": _median(False),
    "nanmedian": _median(True),
    "quantile": _quantile(1, False),
    "nanquantile": _quantile(1, True),
    "percentile": _quantile(100, False),
    "nanpercentile": _quantile(100, True),
}
