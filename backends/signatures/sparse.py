"""Signatures of what is done to sparse arrays, which come as their formats, their shapes and their components."""

from __future__ import annotations

import operator
from typing import Any, Final, NoReturn

import numpy as np

from ..rules.sparse import is_packed
from .attributes import asked_dtype, check_numbers, several_axes
from .call import Call, NotNativeError, Reader

__all__ = [
    "averaged", "conjugated", "converted", "counted", "dense", "diagonal", "diagonals", "extremum", "norm", "power", "product",
    "rearranged", "rounded", "summed", "summed_kronecker", "trace", "transposed",
]  # fmt: skip

_WHOLE: Final = (None, "fro", "f")


def _refuse(kind: str) -> NoReturn:
    raise NotNativeError(f"{kind} of this kind are made on the host")


def _line(kind: str, packed: Any, axis: Any) -> int | None:
    """Read the axis of a matrix, or of an array of one dimension; None is that of all elements."""
    if type(axis) is tuple and axis:
        axes = several_axes(axis, len(packed[1]))
        axis = None if len(axes) == len(packed[1]) else axes[0] if len(axes) == 1 else axes
    if axis is None or (len(packed[1]) == 1 and type(axis) is int and axis in (0, -1)):
        return None
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)) or len(packed[1]) != 2 or axis not in (0, 1, -1, -2):
        _refuse(kind)
    return int(axis) % 2


def converted(reader: Reader, packed: Any, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Call:
    """Read ``astype``."""
    if dtype is None or casting != "unsafe":
        raise NotNativeError("casts are checked on the host")
    return Call((packed, asked_dtype(dtype)), {"copy": bool(copy)})


def dense(reader: Reader, packed: Any, order: Any = None, out: Any = None) -> Call:
    """Read ``toarray``; in Fortran's order it is the transpose of that of the transpose."""
    if out is not None:
        raise NotNativeError("SciPy checks on the host where it is to be written")
    np.zeros(0, order=order)  # NumPy's errors
    return Call((packed,), {})


def summed(reader: Reader, packed: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Call:
    """Read ``sum``."""
    if out is not None:
        _refuse("sums")
    return Call((packed,), {"axis": _line("sums", packed, axis), "dtype": asked_dtype(dtype)})


def averaged(reader: Reader, packed: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Call:
    """Read ``mean``."""
    if out is not None:
        _refuse("means")
    return Call((packed,), {"axis": _line("means", packed, axis), "dtype": asked_dtype(dtype)})


def extremum(reader: Reader, packed: Any, axis: Any = None, out: Any = None, explicit: Any = False) -> Call:
    """Read ``max``, ``min``, ``nanmax``, ``nanmin``, ``argmax`` and ``argmin``."""
    if out is not None:
        _refuse("extrema")
    return Call((packed,), {"axis": _line("extrema", packed, axis), "explicit": bool(explicit)})


def counted(reader: Reader, packed: Any, axis: Any = None) -> Call:
    """Read ``count_nonzero``, whose axis older SciPy does not know."""
    return Call((packed,), {} if axis is None else {"axis": _line("counts", packed, axis)})


def norm(reader: Reader, x: Any, ord: Any = None, axis: Any = None) -> Call:
    """Read ``sparse.linalg.norm``."""
    if not is_packed(x) or not (ord is None or isinstance(ord, (str, int, float, np.number))):
        _refuse("norms")
    line = _line("norms", x, axis)
    return Call((x,), {"ord": None if ord in (_WHOLE if line is None else (None, 2)) else ord, "axis": line})


def diagonal(reader: Reader, packed: Any, k: Any = 0) -> Call:
    """Read ``diagonal``."""
    check_numbers(reader, k)
    return Call((packed,), {"k": operator.index(k)})


def trace(reader: Reader, packed: Any, offset: Any = 0) -> Call:
    """Read ``trace``."""
    check_numbers(reader, offset)
    return Call((packed,), {"offset": operator.index(offset)})


def transposed(reader: Reader, packed: Any, axes: Any = None, copy: Any = False) -> Call:
    """Read ``transpose``, whose axes SciPy checks."""
    return Call((packed,), {"axes": None if axes == (1, 0) and len(packed[1]) == 2 else axes, "copy": bool(copy)})


def conjugated(reader: Reader, packed: Any, copy: Any = True) -> Call:
    """Read ``conjugate``."""
    return Call((packed,), {"copy": bool(copy)})


def power(reader: Reader, packed: Any, n: Any, dtype: Any = None) -> Call:
    """Read ``power`` and its operator, which has no dtype."""
    if reader.is_array(n) or not np.isscalar(n) or not n:
        _refuse("powers")
    return Call((packed, n), {} if dtype is None else {"dtype": asked_dtype(dtype)})


def rounded(reader: Reader, packed: Any, ndigits: Any = 0) -> Call:
    """Read ``round``."""
    check_numbers(reader, ndigits)
    return Call((packed,), {"ndigits": operator.index(ndigits)})


def product(reader: Reader, left: Any, right: Any) -> Call:
    """Read ``@`` and ``dot``, of which one operand may be dense."""
    return Call(tuple([one if is_packed(one) else reader.operand(one) for one in (left, right)]), {})


def rearranged(reader: Reader, *operands: Any, **options: Any) -> Call:
    """Read what SciPy does with positions, and reads itself; the dtype of values is ours."""
    return Call(operands, {**options, "dtype": asked_dtype(options["dtype"])} if "dtype" in options else options)


def summed_kronecker(reader: Reader, left: Any, right: Any, format: Any = None) -> Call:
    """Read ``kronsum``."""
    if not all(is_packed(one) and len(one[1]) == 2 and one[1][0] == one[1][1] for one in (left, right)):
        _refuse("sums of Kronecker's")
    return Call((left, right), {"format": format})


def diagonals(reader: Reader, diagonals: Any, *, offsets: Any = 0, shape: Any = None, format: Any = None, dtype: Any = None) -> Call:
    """Read ``diags_array`` of vectors on the device, one for each of several offsets."""
    rows = [diagonals] if reader.is_array(diagonals) and diagonals.ndim == 1 else diagonals
    places = [offsets] if isinstance(offsets, int) else offsets
    if not all(isinstance(one, (list, tuple)) for one in (rows, places)) or format not in (None, "dia"):
        _refuse("arrays of diagonals")
    known = len(rows) == len(places) == len(set(places)) > 0 and all(type(place) is int for place in places)
    if not known or not all(reader.is_array(row) and row.ndim == 1 and row.size for row in rows):
        _refuse("arrays of diagonals")
    if shape is not None and not (isinstance(shape, (list, tuple)) and len(shape) == 2):
        _refuse("arrays of diagonals")
    height, width = (len(rows[0]) + abs(places[0]),) * 2 if shape is None else map(operator.index, shape)
    lengths = [min(height + place, width - place, height, width) for place in places]
    if any(len(row) != length for row, length in zip(rows, lengths, strict=True)):
        raise NotNativeError("diagonals of other lengths are checked on the host")
    own = rows[0].dtype
    if any(row.dtype != own for row in rows) or own.kind not in "fc" or asked_dtype(dtype) not in (None, own):
        raise NotNativeError("arrays of diagonals in another dtype are made on the host")
    return Call((rows,), {"offsets": tuple(places), "shape": (height, width), "format": "dia", "dtype": own})
