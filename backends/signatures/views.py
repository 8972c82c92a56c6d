"""Signatures of views: the first operand is an array; what else NumPy takes is what it takes of the array's geometry."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .attributes import ask_numbers, index_axis
from .call import Call, NotNativeError, Reader

__all__ = ["VIEWS", "at_least", "broadcast_together", "copy", "of_array", "ravel", "reinterpretation", "reshape", "slices"]

VIEWS: Final = (
    *("transpose", "swapaxes", "moveaxis", "rollaxis", "matrix_transpose", "squeeze", "expand_dims", "broadcast_to", "diagonal"),
    *("linalg.diagonal", "flip", "fliplr", "flipud", "rot90", "split", "array_split", "hsplit", "vsplit", "dsplit"),
    "sliding_window_view",
)
"""Functions of one array, of which none ever copies."""
_NOTHING: Final = np.empty(0)


def _order(value: Any, order: Any) -> str:
    """Resolve an order of elements to 'C', 'F' or 'K'."""
    _NOTHING.ravel(order)  # NumPy's error for what is no order
    found = "C" if order is None else order.upper()
    return found if found != "A" else "F" if value.flags.fnc else "C"


def of_array(reader: Reader, a: Any, *parameters: Any, **others: Any) -> Call:
    """Read what NumPy itself makes of a geometry."""
    ask_numbers(reader, *parameters, *others.values())
    return Call((reader.array(a), *parameters), others)


def at_least(reader: Reader, *arys: Any) -> Call:
    """Read ``numpy.atleast_1d`` and what is like it, of an array or of several."""
    return Call(tuple(map(reader.array, arys)), {})


def slices(reader: Reader, x: Any, /, *, axis: Any = 0) -> Call:
    """Read ``numpy.unstack``."""
    found = reader.array(x)
    if not found.ndim:
        raise ValueError("Input array must be at least 1-d.")
    return Call((found,), {"axis": index_axis(axis, found.ndim)})


def broadcast_together(reader: Reader, *args: Any, subok: Any = False) -> Call:
    """Read ``numpy.broadcast_arrays``."""
    return Call(tuple([reader.array(item) for item in args]), {})


def reshape(reader: Reader, a: Any, shape: Any, order: Any = "C", *, copy: bool | None = None) -> Call:
    """Read ``numpy.reshape``: the shape has no -1."""
    np.reshape(_NOTHING, (0,), order)  # NumPy's error for what is no order
    found = reader.array(a)
    return Call((found, _resolved(shape, found.size)), {"order": _order(found, order), "copy": copy})


def _resolved(shape: Any, size: int) -> tuple[int, ...]:
    """Fill in -1."""
    lengths = [int(length) for length in (shape if isinstance(shape, (list, tuple)) else (shape,))]
    known = 1
    for length in lengths:
        known *= length if length != -1 else 1
    if lengths.count(-1) == 1 and known and size % known == 0:
        lengths[lengths.index(-1)] = size // known
        known = size
    if known != size or any(length < 0 for length in lengths):
        raise ValueError(f"cannot reshape array of size {size} into shape {tuple(shape) if isinstance(shape, (list, tuple)) else shape}")
    return tuple(lengths)


def ravel(reader: Reader, a: Any, order: Any = "C") -> Call:
    """Read ``numpy.ravel`` and ``ndarray.flatten``."""
    found = reader.array(a)
    return Call((found, _order(found, order)), {})


def copy(reader: Reader, a: Any, order: Any = "C", **others: Any) -> Call:
    """Read ``ndarray.copy``."""
    if others:
        raise NotNativeError("subclasses are copied on the host")
    found = reader.array(a)
    return Call((found, _order(found, order)), {})


def reinterpretation(reader: Reader, a: Any, dtype: Any = None, *others: Any) -> Call:
    """Read ``ndarray.view``, which devices do between dtypes of elements of one size, but no complex ones."""
    have = a.dtype
    if dtype is None or dtype == have:
        return Call((a, have), {})
    if others or not isinstance(dtype, np.dtype):
        raise NotNativeError("views of other types are made on the host")
    a.shadow.view(dtype)  # or NumPy's error
    if "c" in (dtype.kind, have.kind):
        raise TypeError(
            f"on this device complex numbers are two planes, so that {have} cannot be looked at as {dtype}; "
            "use x.real and x.imag, or real + 1j * imag"
        )
    if dtype.itemsize != have.itemsize:
        raise TypeError(
            f"on this device {have} cannot be viewed as {dtype}, whose elements are of another size; copy the bits on the host, "
            f"as in trnarray.asarray(x.to_device('cpu').view({dtype.name!r}), device=x.device)"
        )
    return Call((a, dtype), {})
