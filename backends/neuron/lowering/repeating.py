"""Ops that repeat, pad, shift, insert and delete: slices of an array beside each other, or one access pattern that repeats elements."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...host import standard
from ...shape import checked_axis
from ..graph.build import broadcast_scalar, reshape
from ..value import Value
from . import Lowerings, NotNativeError
from .concatenation import assemble, constant, join, pick, position
from .indexing.operands import known
from .joining import flat
from .operands import convert, operand, take_as

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []


def _axis(axis: Any, ndim: int) -> int:
    return np.lib.array_utils.normalize_axis_index(operator.index(axis), ndim)


def _spread(builder: Builder, value: Value, axes: tuple[int, ...], counts: tuple[int, ...]) -> Value:
    """Repeat along new axes, which then belong to the axes after or before them: `counts` has all axes of the interleaved shape."""
    shadow = np.broadcast_to(np.expand_dims(value.shadow, axes), counts)
    repeated = value.view(shadow)
    return builder.make(repeated.read(), value.dtype)


def _tile(builder: Builder, array: Any, reps: Any) -> Any:
    value, reps = builder.array(array), known(builder, reps)
    counts = tuple(map(operator.index, reps if np.ndim(reps) else (reps,)))
    if any(count < 0 for count in counts):
        raise ValueError("negative dimensions are not allowed: numbers of repetitions must be 0 or more")
    ndim = max(len(counts), value.ndim)
    counts = (1,) * (ndim - len(counts)) + counts
    lengths = (1,) * (ndim - value.ndim) + value.shape
    deep = value.view(value.shadow[(*(np.newaxis,) * (ndim - value.ndim), ...)])
    interleaved = tuple(extent for pair in zip(counts, lengths, strict=True) for extent in pair)
    spread = _spread(builder, deep, tuple(range(0, 2 * ndim, 2)), interleaved)
    shape = tuple(count * length for count, length in zip(counts, lengths, strict=True))
    return builder.make(tuple(reshape(plane, shape) for plane in spread.read()), value.dtype)


def _repeat(builder: Builder, array: Any, repeats: Any, axis: Any = None) -> Any:
    value, repeats = builder.array(array), known(builder, repeats)
    if axis is None or value.ndim == 0:
        value, axis = flat(value), 0 if axis is None else axis
    axis = checked_axis(axis, value.ndim)
    length = value.shape[axis]
    if isinstance(repeats, (list, tuple, range, np.ndarray)):
        return pick(builder, value, axis, standard.repeat(np.arange(length), np.asarray(repeats)))
    count = operator.index(repeats)
    if count < 0:
        raise ValueError(f"repeats may not contain negative values, and it is {count}")
    counts = (*value.shape[: axis + 1], count, *value.shape[axis + 1 :])
    spread = _spread(builder, value, (axis + 1,), counts)
    shape = (*value.shape[:axis], length * count, *value.shape[axis + 1 :])
    return builder.make(tuple(reshape(plane, shape) for plane in spread.read()), value.dtype)


def _numpy_repeat(builder: Builder, a: Any, repeats: Any, axis: Any = None) -> Any:
    if getattr(repeats, "dtype", None) == np.uint64:
        raise TypeError("Cannot cast array data from dtype('uint64') to dtype('int64') according to the rule 'safe'")
    return _repeat(builder, a, repeats, axis)


def _roll(builder: Builder, array: Any, shift: Any, axis: Any = None) -> Any:
    value = builder.array(array)
    shift = known(builder, shift)
    if axis is None:
        rolled = _roll(builder, flat(value), shift, 0)
        return builder.make(tuple(reshape(plane, value.shape) for plane in rolled.read()), value.dtype)
    axes = [_axis(one, value.ndim) for one in (axis if isinstance(axis, (list, tuple)) else (axis,))]
    if not axes:
        return value.with_memory()
    shifts = dict.fromkeys(range(value.ndim), 0)
    for far, one in np.broadcast(np.asarray(shift), np.asarray(axes)):
        shifts[int(one)] += int(far)
    # Along each axis two slices change places.
    pieces: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = [((), ())]
    for one, extent in enumerate(value.shape):
        far = shifts[one] % extent if extent else 0
        parts = [(slice(None), slice(None))] if far == 0 else [(slice(far, None), slice(0, -far)), (slice(0, far), slice(-far, None))]
        pieces = [((*to, part[0]), (*of, part[1])) for to, of in pieces for part in parts]
    slices = [(to, value.view(value.shadow[(*of, ...)]).read()) for to, of in pieces]
    return assemble(builder, value.shape, value.dtype, slices)


def _shifted(sign: int) -> Callable[..., Any]:
    def run(builder: Builder, x: Any, axes: Any = None) -> Any:
        value = builder.array(x)
        several = range(value.ndim) if axes is None else axes if isinstance(axes, (list, tuple)) else (axes,)
        some = [_axis(one, value.ndim) for one in several]
        return _roll(builder, value, [sign * (value.shape[one] // 2) for one in some], some)

    return run


def _resize(builder: Builder, array: Any, new_shape: Any) -> Any:
    value = flat(builder.array(array))
    shape = tuple(map(operator.index, new_shape if isinstance(new_shape, (list, tuple)) else (new_shape,)))
    if any(length < 0 for length in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    size = 1
    for length in shape:
        size *= length
    if value.size == 0 or size == 0:
        return builder.make(constant(None if size == 0 else 0, shape, value.dtype), value.dtype)
    times = -(-size // value.size)
    repeated = _tile(builder, value, times)
    part = repeated.view(repeated.shadow[:size])
    return builder.make(tuple(reshape(plane, shape) for plane in part.read()), value.dtype)


def _resized(builder: Builder, value: Value, shape: tuple[int, ...]) -> Any:
    """Copy the elements in C order into another shape, cut or filled up with zeros."""
    if value.shadow.flags.fnc:
        raise NotNativeError("memory layouts other than 'C' are made on the host")
    row = flat(value)
    result = builder.make(constant(0, shape, value.dtype), value.dtype)
    count = min(value.size, result.size)
    target = result.view(result.shadow.reshape(-1)[:count])
    target.write(row.view(row.shadow[:count]).read())
    return result


def _pairs(widths: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Give what is before and after each axis."""
    if isinstance(widths, Mapping):
        pairs: list[tuple[Any, Any]] = [(0, 0)] * ndim
        for axis, width in widths.items():
            pairs[_axis(axis, ndim)] = tuple(np.broadcast_to(np.asarray(width), (2,)).tolist())
        return pairs
    return [tuple(pair) for pair in np.broadcast_to(np.asarray(widths), (ndim, 2)).tolist()]


def _pad(builder: Builder, array: Any, pad_width: Any, mode: Any = "constant", **parameters: Any) -> Any:
    value, pad_width = builder.array(array), known(builder, pad_width)
    plain = parameters.get("reflect_type", "even") == "even" and parameters.keys() <= {"constant_values", "reflect_type"}
    if mode not in ("constant", "edge", "wrap", "reflect", "symmetric", "empty") or not plain:
        raise NotNativeError("statistics, ramps and odd reflections are padded with on the host")
    if ("constant_values" in parameters and mode != "constant") or ("reflect_type" in parameters and mode not in ("reflect", "symmetric")):
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {sorted(parameters)}")
    if not isinstance(pad_width, Mapping) and np.asarray(pad_width).dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    pairs = _pairs(pad_width, value.ndim)
    if not isinstance(pad_width, Mapping) and np.min(pad_width, initial=0) < 0:
        pairs = [(-1, -1)]
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError("index can't contain negative values: widths of padding must be 0 or more")
    if mode == "constant":
        numbers = parameters.get("constant_values", 0)
        if numbers is None:
            raise TypeError("constant_values is None; give a number, or leave it out for 0")
        return _framed(builder, value, pairs, numbers)
    if mode == "empty":
        return _framed(builder, value, pairs, None)
    for axis, (before, after) in enumerate(pairs):
        value = pick(builder, value, axis, np.pad(np.arange(value.shape[axis]), (before, after), mode))
    return value


def _framed(builder: Builder, value: Value, pairs: list[tuple[Any, Any]], numbers: Any) -> Value:
    """Pad with constants, axis by axis."""
    if isinstance(numbers, Value):
        raise NotNativeError("constants in an array are looked at on the host")
    borders = [(None, None)] * value.ndim if numbers is None else _pairs(numbers, value.ndim)
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


def _along(builder: Builder, array: Any, axis: Any) -> tuple[Value, int]:
    """Give an array and an axis of it; without one, of the flattened array."""
    value = builder.array(array)
    return (flat(value), 0) if axis is None else (value, _axis(axis, value.ndim))


def _delete(builder: Builder, array: Any, obj: Any, axis: Any = None) -> Any:
    value, axis = _along(builder, array, axis)
    return pick(builder, value, axis, np.delete(np.arange(value.shape[axis]), known(builder, obj)))


def _insert(builder: Builder, array: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    value, axis = _along(builder, array, axis)
    length, obj = value.shape[axis], known(builder, obj)
    added = np.insert(np.zeros(length, np.bool), obj, True)
    count, new = added.size - length, take_as(builder, values, value.dtype)
    if count == 1 and isinstance(new, Value):  # several slices may go to one position
        shadow = new.shadow[(np.newaxis,) * (value.ndim - new.ndim)]
        new = new.view(shadow if isinstance(obj, slice) or np.ndim(obj) else np.moveaxis(shadow, 0, axis))
        count = new.shape[axis]
    shape = (*value.shape[:axis], count, *value.shape[axis + 1 :])
    if isinstance(new, Value):
        planes = convert(new.view(np.broadcast_to(new.shadow, shape)).read(), new.dtype, value.dtype)
    else:
        planes = tuple(broadcast_scalar(plane, shape) for plane in operand(builder, new, value.dtype, ()))
    if added.sum() == 1:
        at = int(added.argmax())
        sides = [value.view(value.shadow[position(axis, part)]) for part in (slice(0, at), slice(at, None))]
        before, after = ((side.shape, side.read()) for side in sides)
        return join(builder, [before, (shape, planes), after], axis, value.dtype)
    together = join(builder, [(value.shape, value.read()), (shape, planes)], axis, value.dtype)
    return pick(builder, together, axis, np.insert(np.arange(length), obj, length + np.arange(count)))


LOWERINGS: Final[Lowerings] = {
    "tile": _tile,
    "repeat": _numpy_repeat,
    "standard.repeat": _repeat,
    "roll": _roll,
    "fft.fftshift": _shifted(1),
    "fft.ifftshift": _shifted(-1),
    "resize": _resize,
    "ndarray.resize": _resized,
    "pad": _pad,
    "delete": _delete,
    "insert": _insert,
}
