"""Padding: constants, elements by position, statistics of each end, ramps to a number and reflections about the edges' values."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..value import Value
from . import Builder, Lowerings
from .concatenation import assemble, constant, join, pick, position
from .op_calls import call, converted

__all__: list[str] = []

_STATISTICS: Final = {"maximum": "max", "minimum": "min", "mean": "mean", "median": "median"}
_Pairs = list[tuple[Any, Any]]


def _pad(
    builder: Builder, value: Value, pairs: list[tuple[int, int]], *, mode: Any, constant_values: _Pairs | None = None,
    end_values: _Pairs | None = None, stat_length: _Pairs | None = None, reflect_type: Any = "even",
) -> Value:  # fmt: skip
    if constant_values is not None or mode == "empty":  # what is not written may be read all the same
        return _framed(builder, value, pairs, constant_values or [(0, 0)] * value.ndim)
    for axis, (before, after) in enumerate(pairs):
        if not before + after:
            continue
        if stat_length is not None:
            first, last = (_statistic(builder, value, mode, axis, length, end) for end, length in enumerate(stat_length[axis]))
            value = _between(builder, _repeated(first, axis, before), value, _repeated(last, axis, after), axis)
        elif end_values is not None:
            first, last = (_ramp(builder, value, axis, width, end_values[axis][end], end) for end, width in enumerate((before, after)))
            value = _between(builder, first, value, last, axis)
        elif reflect_type == "odd" and value.shape[axis] > 1:
            value = _reflected(builder, value, axis, before, after, mode)
        else:
            value = pick(builder, value, axis, np.pad(np.arange(value.shape[axis]), (before, after), mode))
    return value


def _part(value: Value, axis: int, where: slice) -> Value:
    """View a slice along one axis."""
    return value.view(value.shadow[position(axis, where)])


def _between(builder: Builder, first: Value, value: Value, last: Value, axis: int) -> Value:
    """Join what is before, and after, along an axis."""
    return join(builder, [(part.shape, converted(builder, part, value.dtype).read()) for part in (first, value, last)], axis, value.dtype)


def _repeated(value: Value, axis: int, count: int) -> Value:
    """Repeat the only element along an axis."""
    return value.view(np.broadcast_to(value.shadow, (*value.shape[:axis], count, *value.shape[axis + 1 :])))


def _statistic(builder: Builder, value: Value, mode: str, axis: int, length: int | None, end: int) -> Value:
    """Reduce the elements next to one end of an axis, of which a length of None takes all; of integers, means are rounded."""
    count = value.shape[axis] if length is None else min(length, value.shape[axis])
    near = slice(value.shape[axis] - count, None) if end else slice(count)
    found = call(builder, _STATISTICS[mode], _part(value, axis, near), axis, keepdims=True)
    whole = value.dtype.kind in "iu" and found.dtype.kind == "f"
    return converted(builder, call(builder, "rint", found) if whole else found, value.dtype)


def _ramp(builder: Builder, value: Value, axis: int, width: int, number: Any, end: int) -> Value:
    """Make a ramp between a number and the elements at one end of an axis."""
    edge = value.view(np.moveaxis(value.shadow, axis, 0)[-end, ...])
    ramp = call(builder, "linspace", number, edge, width, False, dtype=value.dtype, axis=axis)
    return _part(ramp, axis, slice(None, None, -1)) if end else ramp


def _reflected(builder: Builder, value: Value, axis: int, before: int, after: int, mode: str) -> Value:
    """Reflect about the edges in place and in value, in rounds that take all elements there are."""
    skipped = mode == "reflect"  # the edges themselves
    while before or after:
        length = value.shape[axis]
        left, right = (min(width, length - skipped) for width in (before, after))
        first = _part(value, axis, slice(skipped, skipped + left))
        last = _part(value, axis, slice(length - skipped - right, length - skipped))
        turned = []
        for part, edge in ((first, slice(1)), (last, slice(length - 1, None))):
            doubled = call(builder, "multiply", _part(value, axis, edge), 2)
            turned.append(call(builder, "subtract", doubled, _part(part, axis, slice(None, None, -1))))
        value = _between(builder, turned[0], value, turned[1], axis)
        before, after = before - left, after - right
    return value


def _framed(builder: Builder, value: Value, pairs: list[tuple[int, int]], borders: list[tuple[Any, Any]]) -> Value:
    """Pad with constants, axis by axis."""
    if len(set(borders)) <= 1 and (not borders or borders[0][0] == borders[0][1]):
        shape = tuple(length + before + after for length, (before, after) in zip(value.shape, pairs, strict=True))
        inside = tuple(slice(before, before + length) for length, (before, _) in zip(value.shape, pairs, strict=True))
        return assemble(builder, shape, value.dtype, [(inside, value.read())], borders[0][0] if borders else None)
    for axis, (widths, border) in enumerate(zip(pairs, borders, strict=True)):
        parts = []
        for width, number in zip(widths, border, strict=True):
            shape = (*value.shape[:axis], width, *value.shape[axis + 1 :])
            parts.append((shape, constant(number, shape, value.dtype)))
        value = join(builder, [parts[0], (value.shape, value.read()), parts[1]], axis, value.dtype)
    return value


LOWERINGS: Final[Lowerings] = {"pad": _pad}
