"""Ops that repeat, pad, shift, insert and delete: slices of an array beside each other, or one access pattern that repeats elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...host import standard
from ..graph.build import broadcast_scalar, reshape
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import assemble, constant, join, pick, position
from .joining import flat, row_or_axis
from .operands import convert, operand, take_as

__all__: list[str] = []


def _spread(builder: Builder, value: Value, axes: tuple[int, ...], counts: tuple[int, ...]) -> Value:
    """Repeat along new axes, which then belong to the axes after or before them: `counts` has all axes of the interleaved shape."""
    shadow = np.broadcast_to(np.expand_dims(value.shadow, axes), counts)
    repeated = value.view(shadow)
    return builder.make(repeated.read(), value.dtype)


def _tile(builder: Builder, value: Value, counts: tuple[int, ...]) -> Value:
    ndim = max(len(counts), value.ndim)
    counts = (1,) * (ndim - len(counts)) + counts
    lengths = (1,) * (ndim - value.ndim) + value.shape
    deep = value.view(value.shadow[(*(np.newaxis,) * (ndim - value.ndim), ...)])
    interleaved = tuple(extent for pair in zip(counts, lengths, strict=True) for extent in pair)
    spread = _spread(builder, deep, tuple(range(0, 2 * ndim, 2)), interleaved)
    shape = tuple(count * length for count, length in zip(counts, lengths, strict=True))
    return builder.make(tuple(reshape(plane, shape) for plane in spread.read()), value.dtype)


def _repeat(builder: Builder, value: Value, repeats: Any, *, axis: int | None) -> Value:
    value, axis = row_or_axis(value, axis)
    length = value.shape[axis]
    if isinstance(repeats, np.ndarray):
        return pick(builder, value, axis, standard.repeat(np.arange(length), repeats))
    count: int = repeats
    counts = (*value.shape[: axis + 1], count, *value.shape[axis + 1 :])
    spread = _spread(builder, value, (axis + 1,), counts)
    shape = (*value.shape[:axis], length * count, *value.shape[axis + 1 :])
    return builder.make(tuple(reshape(plane, shape) for plane in spread.read()), value.dtype)


def _roll(builder: Builder, value: Value, shift: Any, *, axis: tuple[int, ...] | None) -> Value:
    if axis is None:
        rolled = _roll(builder, flat(value), shift, axis=(0,))
        return builder.make(tuple([reshape(plane, value.shape) for plane in rolled.read()]), value.dtype)
    shifts = dict.fromkeys(range(value.ndim), 0)
    for far, one in np.broadcast(np.asarray(shift), np.asarray(axis)):
        shifts[int(one)] += int(far)
    # Along each axis two slices change places.
    pieces: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = [((), ())]
    for one, extent in enumerate(value.shape):
        far = shifts[one] % extent if extent else 0
        parts = [(slice(None), slice(None))] if far == 0 else [(slice(far, None), slice(0, -far)), (slice(0, far), slice(-far, None))]
        pieces = [((*to, part[0]), (*of, part[1])) for to, of in pieces for part in parts]
    slices = [(to, value.view(value.shadow[(*of, ...)]).read()) for to, of in pieces]
    return assemble(builder, value.shape, value.dtype, slices)


def _shifted(sign: int) -> Callable[..., Value]:
    def run(builder: Builder, value: Value, *, axes: tuple[int, ...]) -> Value:
        return _roll(builder, value, [sign * (value.shape[one] // 2) for one in axes], axis=axes)

    return run


def _resize(builder: Builder, value: Value, shape: tuple[int, ...]) -> Value:
    value = flat(value)
    size = 1
    for length in shape:
        size *= length
    if value.size == 0 or size == 0:
        return builder.make(constant(None if size == 0 else 0, shape, value.dtype), value.dtype)
    times = -(-size // value.size)
    repeated = _tile(builder, value, (times,))
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


def _delete(builder: Builder, value: Value, obj: Any, *, axis: int | None) -> Value:
    value, axis = row_or_axis(value, axis)
    return pick(builder, value, axis, np.delete(np.arange(value.shape[axis]), obj))


def _insert(builder: Builder, value: Value, obj: Any, values: Any, *, axis: int | None) -> Value:
    value, axis = row_or_axis(value, axis)
    length = value.shape[axis]
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
    "repeat": _repeat,
    "standard.repeat": _repeat,
    "roll": _roll,
    "fft.fftshift": _shifted(1),
    "fft.ifftshift": _shifted(-1),
    "resize": _resize,
    "ndarray.resize": _resized,
    "delete": _delete,
    "insert": _insert,
}
