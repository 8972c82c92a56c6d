"""Comparisons of sparse arrays, and the larger and smaller of their elements: of two arrays, and of all or of each row or column."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....rules.sparse import is_packed
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..concatenation import join
from ..joining import flat
from ..op_calls import as_positions, call, call_several
from .arithmetic import align
from .padded_rows import row_levels
from .rearrangement import Numbers, as_canonical, as_matrix, move, not_zero, packed_like, scipy_function
from .segment_sums import repeating
from .structure import Structure, find_structure, taken, with_zero

__all__: list[str] = []

_NAMES: Final = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
_HELD: Final = {"eq": (0, 1), "ne": (1, 0), "lt": (-1, 0), "le": (0, 1), "gt": (1, 0), "ge": (0, -1)}
"""What is added to a number so that a comparison with it holds, and does not hold."""


def _number(item: Any) -> bool:
    return isinstance(item, (bool, int, float, complex, np.generic)) or (isinstance(item, Value) and item.ndim == 0)


def _as_dense(builder: Builder, name: str, left: Any, right: Any) -> Value:
    """Compute with a dense operand of the same shape."""
    packed, dense = (left, right) if is_packed(left) else (right, left)
    if not isinstance(dense, Value) or dense.shape != packed[1]:
        raise NotNativeError("sparse arrays and arrays of other shapes are put together on the host")
    return call(builder, name, *(call(builder, "sparse.toarray", one) if one is packed else one for one in (left, right)))


def _compared(name: str) -> Callable[..., Any]:
    """Make the lowering of a comparison: SciPy compares numbers that compare alike, of which it makes the structure."""
    held, not_held = _HELD[name]

    def run(builder: Builder, left: Any, right: Any) -> Any:
        other: Any = 0
        if is_packed(left) and is_packed(right):
            if left[1] != right[1]:
                raise NotNativeError("arrays of different shapes are compared on the host")
            found, *values = align(builder, left, right)
            truth = builder.on_host(call(builder, _NAMES[name], *values))
        elif is_packed(left) and _number(right):
            left, number = as_canonical(builder, left), complex(builder.known(right))
            found = Numbers(builder, 1.0, 0.0).of(left)
            truth = builder.on_host(call(builder, _NAMES[name], left[2][0], right))
            other = math.nan if number != number else np.sign(number.real) or (1 if number else 0)
        else:
            return _as_dense(builder, _NAMES[name], left, right)
        found.data = other + np.where(truth, held, not_held)
        right = type(found)(found.shape) if is_packed(right) else other
        result = getattr(operator, name)(found, right)
        return packed_like(builder, result, builder.from_host(result.data, copy=True))

    return run


def _chosen(name: str, compare: str) -> Callable[..., Any]:
    """Make the lowering of the larger or smaller of two elements; zeros that are chosen stay stored."""

    def run(builder: Builder, left: Any, right: Any) -> Any:
        if is_packed(left) and is_packed(right):
            if left[1] != right[1]:
                raise NotNativeError("arrays of different shapes are refused on the host")
            found, p, q = align(builder, left, right)
            return packed_like(builder, found, call(builder, "where", call(builder, compare, p, q), q, p))
        if not _number(right):
            return _as_dense(builder, name, left, right)
        number = np.asarray(builder.known(right))
        left = as_canonical(builder, left)
        if not (number <= 0 if name == "maximum" else number >= 0):
            format = scipy_function(name)(scipy_function(f"{left[0]}_array")((1, 1)), number[()]).format  # or SciPy's warning
            return call_several(builder, f"sparse.{format}_array", call(builder, name, call(builder, "sparse.toarray", left), right))
        format, shape, (data, *where) = move(builder, "tocsr", left) if left[0] in ("coo", "dia") else left
        return format, shape, (call(builder, name, data, right), *where)

    return run


def _elements(builder: Builder, packed: Any) -> tuple[Value, Structure]:
    """Give the stored values of a matrix, one for each element, and where these are."""
    packed = as_matrix(builder, packed)
    if len(packed[1]) != 2 or not packed[2][0].size:
        raise NotNativeError("extrema of this kind are found on the host")
    packed = move(builder, "tocoo", as_canonical(builder, packed))
    if not packed[2][0].size:
        raise NotNativeError("extrema of arrays that store nothing are found on the host")
    return packed[2][0], find_structure(builder, packed)


def _extremum(name: str) -> Callable[..., Any]:
    """Make the lowering of the largest or smallest elements, of those stored and, where some are not, of zero."""
    meets_zero = {"max": "maximum", "min": "minimum", "nanmax": "fmax", "nanmin": "fmin"}[name]

    def run(builder: Builder, packed: Any, *, axis: int | None, explicit: bool) -> Any:
        data, structure = _elements(builder, packed)
        if axis is None:
            found = call(builder, name, flat(data))
            full = explicit or data.size == structure.shape[0] * structure.shape[1]
            return found if full else call(builder, meets_zero, found, builder.zeros((), data.dtype))
        lines = structure if axis else structure.transposed()
        found, partial = _of_rows(builder, name, lines, data), lines.counts() < lines.shape[1]
        if partial.any() and not explicit:
            chosen = builder.from_host(partial, copy=True)
            found = call(builder, "where", chosen, call(builder, meets_zero, found, builder.zeros((), data.dtype)), found)
        mask = not_zero(builder, found)
        numbers = Numbers(builder, 1.0, 0.0)
        marks = numbers.of_values(found) * mask
        from scipy.sparse import coo_array

        shape = getattr(coo_array(structure.shape), name)(axis=axis).shape
        return packed_like(builder, coo := coo_array(marks.reshape(shape)), numbers.take(coo.data, found.dtype))

    return run


def _position(name: str, better: np.ufunc) -> Callable[..., Any]:
    """Make the lowering of where extrema are: the device finds these and what is equal to them, and the host the first of each line."""
    extremum = name.removeprefix("arg")

    def run(builder: Builder, packed: Any, *, axis: int | None, explicit: bool) -> Any:
        data, structure = _elements(builder, packed)
        if axis is None:
            extrema = others = call(builder, extremum, data)
            place = structure.rows.astype(np.int64) * structure.shape[1] + structure.columns
            line, lines, width = np.zeros_like(place), 1, math.prod(structure.shape)
        else:
            (lines, width), line, place = structure.shape, structure.rows, structure.columns
            if axis == 0:
                lines, width, line, place = width, lines, place, line
            extrema = _of_rows(builder, extremum, structure if axis else structure.transposed(), data)
            others = taken(builder, extrema, builder.from_host(line[np.argsort(structure.positions)], copy=True))
        equal = call(builder, "equal", data, others)
        if data.dtype.kind in "fc":
            equal = call(builder, "logical_or", equal, call(builder, "isnan", data))
        order = np.lexsort((place, line))
        line, place, equal_there = line[order], place[order], builder.on_host(equal)[structure.positions[order]]
        counts = np.bincount(line, minlength=lines)
        rank = np.arange(len(line)) - (np.cumsum(counts) - counts)[line]
        found, missing = np.zeros(lines, np.int64), counts.copy()
        best = rank if explicit and axis is None else place
        for result, chosen, what in ((found, equal_there, best), (missing, place != rank, rank)):
            result[line[chosen][::-1]] = what[chosen][::-1]  # the first one of a line is the last to be written
        if not explicit:
            values = np.atleast_1d(builder.on_host(extrema))
            zero = values.dtype.type(0)
            beside = np.where(values == zero, np.minimum(found, missing), missing)
            with np.errstate(invalid="ignore"):
                found = np.where(better(values, zero) | (counts == width), found, beside)
        if axis is None:
            return int(found[0])
        from scipy.sparse import coo_array

        shape = getattr(coo_array(structure.shape), name)(axis=axis).shape
        return as_positions(builder, builder.from_host(found.astype(np.int32).reshape(shape), copy=True))

    return run


def _of_rows(builder: Builder, name: str, structure: Structure, data: Value) -> Value:
    """Reduce the stored values of each row, and give zero for empty ones: padding repeats the first element of a row."""
    reduced = flat(data)
    order: npt.NDArray[np.int32] | None = structure.positions
    for level in row_levels(structure):
        beyond = int(reduced.size)
        sources = repeating(level, len(structure.rows) if order is not None else beyond)
        if order is not None:
            sources, order = np.append(order, beyond)[sources], None
        reduced = taken(builder, with_zero(builder, reduced), builder.from_host(sources.astype(np.int32), copy=True))
        first, parts = 0, []
        for count, width in level.blocks:
            rows = reduced.view(reduced.shadow[first : first + count * width].reshape(count, width))
            parts.append(((count,), call(builder, name, rows, axis=1).read()))
            first += count * width
        reduced = join(builder, parts, 0, data.dtype) if len(parts) > 1 else builder.make(parts[0][1], data.dtype)
    return reduced


LOWERINGS: Final[Lowerings] = {
    **{f"sparse.{name}": _compared(name) for name in _NAMES},
    **{f"sparse.{name}": _extremum(name) for name in ("max", "min", "nanmax", "nanmin")},
    "sparse.argmax": _position("argmax", np.greater),
    "sparse.argmin": _position("argmin", np.less),
    "sparse.maximum": _chosen("maximum", "less"),
    "sparse.minimum": _chosen("minimum", "greater"),
}
