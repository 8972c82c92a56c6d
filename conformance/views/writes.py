"""Writes to an array: each draws what is written for an ndarray and gives a call for it and for the Array beside it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .functions import Array, Call, basic_key

__all__ = ["WRITES", "elements", "is_overlapping"]


def elements(source: random.Random, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Draw elements."""
    count = int(np.prod(shape, dtype=np.int64))
    numbers = np.array([source.randint(0, 100) for _ in range(count)], np.int64).reshape(shape)
    if dtype.kind == "b":
        return np.asarray(numbers % 2 == 0)
    return np.asarray(numbers + 1j * np.flip(numbers) if dtype.kind == "c" else numbers - (0 if dtype.kind == "u" else 50)).astype(dtype)


def is_overlapping(array: Array) -> bool:
    """Tell whether two elements of an array share memory, so that NumPy leaves open which of two writes stays."""
    addresses = np.zeros(array.shape, int)
    for index, stride in zip(np.indices(array.shape), array.strides, strict=True):
        addresses += index * stride
    return len(np.unique(addresses)) < array.size


def _number(source: random.Random, array: Array) -> Any:
    return elements(source, (), array.dtype).item()


def _assign_number(source: random.Random, array: Array) -> Call:
    key, number = basic_key(source, array), _number(source, array)

    def call(_: Any, a: Any) -> None:
        a[key] = number

    return call


def _assign_array(source: random.Random, array: Array) -> Call:
    key = basic_key(source, array)
    try:
        selected = array[key]
    except IndexError:
        selected = array[...]
    overlapping = is_overlapping(np.asarray(selected))
    values = elements(source, () if overlapping else np.shape(selected)[source.randint(0, np.ndim(selected)) :], array.dtype)

    def call(m: Any, a: Any) -> None:
        a[key] = m.asarray(values, **_beside(a))

    return call


def _beside(a: Any) -> dict[str, Any]:
    """Give the parameters that put an operand on an Array's device."""
    return {} if isinstance(a, np.ndarray) else {"device": a.device}


def _fill(source: random.Random, array: Array) -> Call:
    number = _number(source, array)
    return lambda _, a: a.fill(number)


def _assign_where(source: random.Random, array: Array) -> Call:
    mask, number, kind = elements(source, array.shape, np.dtype(bool)), _number(source, array), source.choice(("mask", "copyto", "putmask"))
    overlapping = is_overlapping(array)

    def call(m: Any, a: Any) -> None:
        where = m.asarray(mask, **_beside(a))
        if kind == "mask":
            a[where] = number
        elif kind == "copyto" or overlapping:  # putmask of NumPy works on a copy, of which it writes back all
            m.copyto(a, number, where=where)
        else:
            m.putmask(a, where, m.asarray(number, dtype=array.dtype, **_beside(a)))

    return call


def _assign_places(source: random.Random, array: Array) -> Call:
    length = array.shape[0] if array.ndim else 0
    places, number = np.array([source.randrange(length) for _ in range(2)] if length else [], np.int64), _number(source, array)

    def call(m: Any, a: Any) -> None:
        a[m.asarray(places, **_beside(a))] = number

    return call


def _in_place(source: random.Random, array: Array) -> Call:
    kind = source.choice(("xor", "out", "operator"))

    def call(m: Any, a: Any) -> None:
        if array.dtype.kind not in "biu" or array.dtype.itemsize > 4:  # what were integers before may be NaN, whose bits nobody promises
            a[...] = a[()]
        elif kind == "xor":
            m.bitwise_xor(a, True if array.dtype.kind == "b" else 5, out=a)
        elif array.dtype.kind == "b":
            m.logical_not(a, out=a)
        elif kind == "out":
            m.add(a, 3, out=a)
        else:
            a += 1

    return call


def _from_itself(source: random.Random, array: Array) -> Call:
    axis = source.randrange(max(array.ndim, 1))
    overlapping = is_overlapping(array)

    def call(m: Any, a: Any) -> None:
        if overlapping:
            a[...] = a[(0,) * a.ndim]
        else:
            a[...] = m.flip(a, axis)

    return call


def _set_part(source: random.Random, array: Array) -> Call:
    name, number = source.choice(("real", "imag")), source.randint(0, 100)

    def call(_: Any, a: Any) -> None:
        if array.dtype.kind == "c" and array.ndim:  # else NumPy writes to what is read-only, too
            setattr(a, name, number)
        else:
            a[...] = bool(number % 2) if array.dtype.kind == "b" else number

    return call


def _put(source: random.Random, array: Array) -> Call:
    places, number = source.randrange(max(array.size, 1)), _number(source, array)
    if is_overlapping(array):  # NumPy's works on a copy, of which it writes back all
        return _assign_number(source, array)
    return lambda m, a: m.put(a, m.asarray([places], **_beside(a)), m.asarray([number], dtype=array.dtype, **_beside(a)))


WRITES: Final[dict[str, Callable[[random.Random, Array], Call]]] = {
    "assign a number": _assign_number,
    "assign an array": _assign_array,
    "fill": _fill,
    "assign where a mask holds": _assign_where,
    "assign by position": _assign_places,
    "in place": _in_place,
    "from itself": _from_itself,
    "set a part": _set_part,
    "put": _put,
}
"""By name, what draws a write."""
