"""Signatures of what takes and writes elements by index; an `axis` of None is that of the elements in a row."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ..dtypes import BOOL
from .attributes import check_cast, flat_axis, index_axis, output
from .call import Call, Output, Reader

__all__ = [
    "at", "choose", "compress", "copy", "get_item", "open_mesh", "put", "put_along_axis", "ravel_coordinates", "set_item", "take",
    "take_along_axis", "unravel", "where_mask",
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
    return Call((chosen, options), {"mode": _checked_mode(mode)}, output(out, "unsafe"))


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


def get_item(reader: Reader, x: Any, key: Any) -> Call:
    """Read ``x[key]``."""
    return Call((x, _key(reader, x.shape, key)), {})


def set_item(reader: Reader, array: Any, key: Any, value: Any) -> Call:
    """Read ``array[key] = value``: where a mask of all axes holds, be it of none, no rows above each other are written."""
    array.check_writable()
    found = _key(reader, array.shape, key)
    if len(found) == 1 and type(found[0]) is not slice and getattr(found[0], "dtype", None) == BOOL and found[0].shape == array.shape:
        shape = np.shape(value) if isinstance(value, (list, tuple)) else getattr(value, "shape", ())
        if len(shape) > 1:
            raise TypeError(f"where a mask holds, a number or a row of them is assigned, and not an array of shape {shape}")
    return Call((array, found, value), {})


def at(reader: Reader, a: Any, indices: Any, *b: Any) -> Call:
    """Read ``numpy.ufunc.at``."""
    a.check_writable()
    return Call((a, _key(reader, a.shape, indices), *b), {})


def _key(reader: Reader, shape: tuple[int, ...], key: Any) -> tuple[Any, ...]:
    """
    Read an index expression.

    Without arrays it is a tuple of what it has. With arrays it has an item for each axis, None, and an ellipsis only where that stands for
    no axis; sequences are ndarrays of integers or bools, and a bool is one without axes.
    """
    items = key if isinstance(key, tuple) else (key,)
    for item in items:
        if not (item is None or item is Ellipsis or type(item) is slice or type(item) is int or _is_number(item)):
            break
    else:
        return items
    found = [_index(reader, item) for item in items]
    used = sum(map(_axes, found))
    if used > len(shape):
        raise IndexError(f"too many indices for array: array is {len(shape)}-dimensional, but {used} were indexed")
    places = [place for place, item in enumerate(found) if item is Ellipsis] or [len(found)]
    if len(places) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used < len(shape):
        found[places[0] : places[0] + 1] = [slice(None)] * (len(shape) - used)
    axis = 0
    for item in found:
        taken = _axes(item)
        if getattr(item, "dtype", None) == BOOL:
            _check_mask(item, shape, axis)
        axis += taken
    return tuple(found)


def _is_number(item: Any) -> bool:
    """Tell whether an item of a key is an integer, which takes an axis away; an array of one is not."""
    array = hasattr(item, "shape") and not isinstance(item, np.generic)
    return hasattr(item, "__index__") and not array and not isinstance(item, (bool, np.bool))


def _index(reader: Reader, item: Any) -> Any:
    """Read an item of a key."""
    if item is None or item is Ellipsis or isinstance(item, slice) or _is_number(item):
        return item
    if isinstance(item, Sequence) and not isinstance(item, (str, bytes)):
        if any(reader.is_array(one) for one in _leaves(item)):
            item = reader.operand(item)
        else:
            array = np.asarray(item)
            item = array.astype(np.intp) if not array.size and array.dtype.kind == "f" else array
    elif isinstance(item, (bool, np.bool)):
        item = np.asarray(item)
    if (isinstance(item, np.ndarray) and item.dtype.kind in "biu") or (reader.is_array(item) and item.dtype.kind in "biu"):
        return item
    if reader.is_array(item):
        raise IndexError(f"arrays used as indices must be of integer or boolean type, and this one is of {item.dtype}; convert it")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"
    )


def _leaves(items: Any) -> Iterator[Any]:
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from _leaves(item)
        else:
            yield item


def _axes(item: Any) -> int:
    """Count the axes that an item takes."""
    if item is None or item is Ellipsis:
        return 0
    return len(item.shape) if getattr(item, "dtype", None) == BOOL else 1


def _check_mask(mask: Any, shape: tuple[int, ...], axis: int) -> None:
    for place, length in enumerate(mask.shape, axis):
        if length not in (0, shape[place]):  # NumPy takes a mask of length 0 for an axis of any
            raise IndexError(
                f"boolean index did not match indexed array along axis {place}; size of axis is {shape[place]} "
                f"but size of corresponding boolean axis is {length}"
            )


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
