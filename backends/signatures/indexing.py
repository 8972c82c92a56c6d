"""Signatures of what takes and writes elements by index; an `axis` of None is that of the elements in a row."""

from __future__ import annotations

import operator
import reprlib
from typing import Any, Final

import numpy as np

from .attributes import check_cast, flat_axis, index_axis, output
from .call import Call, Output, Reader

__all__ = [
    "choose", "compress", "copy", "open_mesh", "put", "put_along_axis", "ravel_coordinates", "take", "take_along_axis", "unravel",
    "where_mask",
]  # fmt: skip

_MODES: Final = ("raise", "wrap", "clip")


def _checked_mode(mode: Any) -> str:
    if mode not in _MODES:
        raise ValueError(f"mode is one of {', '.join(map(repr, _MODES))}, but is {reprlib.repr(mode)}")
    return str(mode)


def _output(out: Any, mode: str) -> Output | None:
    """Read where elements are written, which NumPy converts by any rule where it does not raise for indices."""
    return output(out, "unsafe" if mode != "raise" else "same_kind")


def take(reader: Reader, a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Call:
    """Read ``numpy.take``."""
    value = reader.array(a)
    return Call((value, indices), {"axis": flat_axis(axis, value.ndim), "mode": _checked_mode(mode)}, _output(out, mode))


def compress(reader: Reader, condition: Any, a: Any, axis: Any = None, out: Any = None) -> Call:
    """Read ``numpy.compress``."""
    value = reader.array(a)
    return Call((condition, value), {"axis": flat_axis(axis, value.ndim)}, output(out))


def choose(reader: Reader, a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Call:
    """Read ``numpy.choose``."""
    chosen, options = reader.array(a), reader.arrays(choices)
    if chosen.dtype.kind not in "biu":
        raise TypeError(f"positions are integers, and these are of {chosen.dtype}; convert them with astype")
    return Call((chosen, options), {"mode": _checked_mode(mode)}, output(out))


def _along(value: Any, at: Any, axis: Any) -> int | None:
    """Read the axis along which an array of indices takes elements of another."""
    if at.dtype.kind not in "iu":
        raise IndexError(f"positions along an axis are integers, and these are of {at.dtype}; convert them with astype")
    ndim = 1 if axis is None else value.ndim
    if ndim != at.ndim:
        raise ValueError(f"the array has {ndim} axes, and the positions have {at.ndim}; give them as many")
    return None if axis is None else index_axis(axis, ndim)


def take_along_axis(reader: Reader, arr: Any, indices: Any, axis: Any = -1) -> Call:
    """Read ``numpy.take_along_axis``."""
    value, at = reader.array(arr), reader.array(indices)
    return Call((value, at), {"axis": _along(value, at, axis)})


def put_along_axis(reader: Reader, arr: Any, indices: Any, values: Any, axis: Any = -1) -> Call:
    """Read ``numpy.put_along_axis``."""
    arr.check_writable()
    at = reader.array(indices)
    return Call((arr, at, values), {"axis": _along(arr, at, axis)})


def put(reader: Reader, a: Any, ind: Any, v: Any, mode: Any = "raise") -> Call:
    """Read ``numpy.put``."""
    a.check_writable()
    return Call((a, ind, v), {"mode": _checked_mode(mode)})


def where_mask(reader: Reader, arr: Any, mask: Any, vals: Any) -> Call:
    """Read ``numpy.place`` and ``putmask``: an array's elements have to be ones of the target's dtype."""
    arr.check_writable()
    condition = reader.array(mask)
    if reader.is_array(vals):
        check_cast(vals.dtype, arr.dtype, "safe")
    if condition.size != arr.size:
        raise ValueError(f"mask and data must be the same size, and they have {condition.size} and {arr.size} elements")
    return Call((arr, condition, vals), {})


def copy(reader: Reader, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> Call:
    """Read ``numpy.copyto``: a number is converted before it is written."""
    taken = reader.operand(src)
    dtype = getattr(taken, "dtype", None)
    given = reader.promotion.promote_weak(dst.dtype, type(taken)) if dtype is None else dtype
    check_cast(given, dst.dtype, casting)
    if not reader.is_array(taken) and given.kind == "c" != dst.dtype.kind:
        taken = taken.real
    return Call((dst, taken), {} if where is True else {"where": reader.operand(where)})


def _lengths(shape: Any) -> tuple[int, ...]:
    return tuple(map(operator.index, shape if isinstance(shape, (list, tuple)) else (shape,)))


def _checked_order(order: Any) -> str:
    if order not in ("C", "F"):
        raise ValueError(f"only 'C' or 'F' order is permitted, not {order!r}")
    return str(order)


def unravel(reader: Reader, indices: Any, shape: Any, order: Any = "C") -> Call:
    """Read ``numpy.unravel_index``."""
    return Call((indices, _lengths(shape)), {"order": _checked_order(order)})


def ravel_coordinates(reader: Reader, multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Call:
    """Read ``numpy.ravel_multi_index``: an array of indices for each axis, and a mode for each."""
    lengths = _lengths(dims)
    if isinstance(multi_index, (list, tuple)):
        parts = list(multi_index)
    elif not getattr(multi_index, "shape", ()):
        raise TypeError("multi_index is a sequence of arrays, one for each axis, or an array of rows")
    else:
        parts = reader.arrays(multi_index)
    if len(parts) != len(lengths):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(lengths)}")
    modes = tuple([_checked_mode(one) for one in ((mode,) * len(lengths) if isinstance(mode, str) else mode)])
    return Call((parts, lengths), {"mode": modes, "order": _checked_order(order)})


def open_mesh(reader: Reader, *args: Any) -> Call:
    """Read ``numpy.ix_``: sequences are arrays, those of no elements the host's, of integers."""
    found = []
    for item in args:
        if item.ndim != 1 if reader.is_array(item) else not isinstance(item, (list, tuple, range, np.ndarray)):
            raise ValueError("Cross index must be 1 dimensional")
        value = reader.array(item) if len(getattr(item, "shape", item)) else np.zeros(0, np.int64)
        if value.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        found.append(value)
    return Call(tuple(found), {})
