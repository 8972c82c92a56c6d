"""Signatures of what repeats, shifts, pads, inserts and deletes: numbers of elements and positions are the host's."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from .attributes import flat_axis, index_axis
from .call import Call, NotNativeError, Reader, SignatureKind

__all__ = ["delete", "insert", "pad", "repeat", "resize", "roll", "shift_to_centre", "tile"]


def tile(reader: Reader, A: Any, reps: Any) -> Call:
    """Read ``numpy.tile``."""
    value, known = reader.array(A), reader.known(reps)
    counts = tuple(map(operator.index, known if np.ndim(known) else (known,)))
    if any(count < 0 for count in counts):
        raise ValueError("negative dimensions are not allowed: numbers of repetitions must be 0 or more")
    return Call((value, counts), {})


def repeat(*, numpy: bool) -> SignatureKind:
    """Read the standard's ``repeat``, or NumPy's: `repeats` is an int, or one for each element."""

    def read(reader: Reader, a: Any, repeats: Any, axis: Any = None) -> Call:
        if numpy and getattr(repeats, "dtype", None) == np.uint64:
            raise TypeError("Cannot cast array data from dtype('uint64') to dtype('int64') according to the rule 'safe'")
        value, counts = reader.array(a), reader.known(repeats)
        along = flat_axis(axis, value.ndim)
        if isinstance(counts, (list, tuple, range, np.ndarray)):
            return Call((value, np.asarray(counts)), {"axis": along})
        count = operator.index(counts) if (value.size if along is None else value.shape[along]) else 0
        if count < 0:
            raise ValueError(f"repeats may not contain negative values, and it is {count}")
        return Call((value, count), {"axis": along})

    return read


def roll(reader: Reader, a: Any, shift: Any, axis: Any = None) -> Call:
    """Read ``numpy.roll``, whose axes may be named twice; None rolls the elements in a row."""
    value, known = reader.array(a), reader.known(shift)
    if np.broadcast(np.asarray(known), np.asarray(0 if axis is None else axis)).ndim > 1:
        raise ValueError(f"shift and axis are scalars or sequences of them; got shift {known!r} and axis {axis!r}")
    if axis is not None:
        axis = tuple([index_axis(one, value.ndim) for one in (axis if isinstance(axis, (list, tuple)) else (axis,))])
        if not value.ndim:
            raise ValueError("an array without axes has none to roll along; leave axis out")
    return Call((value, known), {"axis": axis})


def shift_to_centre(reader: Reader, x: Any, axes: Any = None) -> Call:
    """Read ``numpy.fft.fftshift`` and its inverse."""
    value = reader.array(x)
    given = range(value.ndim) if axes is None else axes if isinstance(axes, (list, tuple)) else (axes,)
    return Call((value,), {"axes": tuple([index_axis(one, value.ndim) for one in given])})


def resize(reader: Reader, a: Any, new_shape: Any) -> Call:
    """Read ``numpy.resize``."""
    shape = tuple(map(operator.index, new_shape if isinstance(new_shape, (list, tuple)) else (new_shape,)))
    if any(length < 0 for length in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    return Call((reader.array(a), shape), {})


def _pairs(widths: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Give what is before and after each axis."""
    if isinstance(widths, Mapping):
        pairs: list[tuple[Any, Any]] = [(0, 0)] * ndim
        for axis, width in widths.items():
            pairs[index_axis(axis, ndim)] = tuple(np.broadcast_to(np.asarray(width), (2,)).tolist())
        return pairs
    return [tuple(pair) for pair in np.broadcast_to(np.asarray(widths), (ndim, 2)).tolist()]


_PARAMETERS: Final = {
    "constant": "constant_values", "edge": "", "empty": "", "linear_ramp": "end_values", "maximum": "stat_length", "mean": "stat_length",
    "median": "stat_length", "minimum": "stat_length", "reflect": "reflect_type", "symmetric": "reflect_type", "wrap": "",
}  # fmt: skip
"""The parameter that each way of padding has."""


def pad(reader: Reader, array: Any, pad_width: Any, mode: Any = "constant", **parameters: Any) -> Call:
    """Read ``numpy.pad``: widths, and constants where the mode has any, are pairs for each axis."""
    value, widths = reader.array(array), reader.known(pad_width)
    if callable(mode):
        raise NotNativeError("functions of ndarrays are called on the host")
    if mode not in _PARAMETERS:
        raise ValueError(f"mode {mode!r} is not supported; use one of {', '.join(_PARAMETERS)}")
    name = _PARAMETERS[mode]
    if parameters.keys() - {name}:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {sorted(parameters.keys() - {name})}")
    if not isinstance(widths, Mapping) and np.asarray(widths).dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    pairs = _pairs(widths, value.ndim)
    negative = not isinstance(widths, Mapping) and np.min(widths, initial=0) < 0
    if negative or any(width < 0 for pair in pairs for width in pair):
        raise ValueError("index can't contain negative values: widths of padding must be 0 or more")
    if name in ("", "reflect_type"):
        return Call((value, pairs), {"mode": mode, **parameters})
    numbers = parameters.get(name, None if name == "stat_length" else 0)
    if numbers is None and name != "stat_length":
        raise TypeError(f"{name} is None; give a number, or leave it out for 0")
    if reader.is_array(numbers):
        raise NotNativeError("constants in an array are looked at on the host")
    ends = _pairs(numbers, value.ndim)
    if name == "stat_length":
        ends = [(first if first is None else round(first), last if last is None else round(last)) for first, last in ends]
        if any(length is not None and length < 0 for pair in ends for length in pair):
            raise ValueError("index can't contain negative values: lengths of statistics must be 0 or more")
        if mode in ("maximum", "minimum") and any(0 in pair for pair in ends):
            raise ValueError("stat_length of 0 yields no value for padding")
    return Call((value, pairs), {"mode": mode, name: ends})


def _flattened(axis: Any, ndim: int) -> int | None:
    return None if axis is None else index_axis(axis, ndim)


def delete(reader: Reader, arr: Any, obj: Any, axis: Any = None) -> Call:
    """Read ``numpy.delete``."""
    value = reader.array(arr)
    return Call((value, reader.known(obj)), {"axis": _flattened(axis, value.ndim)})


def insert(reader: Reader, arr: Any, obj: Any, values: Any, axis: Any = None) -> Call:
    """Read ``numpy.insert``."""
    value = reader.array(arr)
    return Call((value, reader.known(obj), values), {"axis": _flattened(axis, value.ndim)})
