"""Arrays from outside: buffers, files, text, and whatever can be iterated over."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ._array import Array
from ._placement import asked_dtype, choose_device
from .array_conversion import asarray
from .backends.dtypes import FLOAT64, canonical_dtype, is_low_precision
from .backends.host import creation as host

if TYPE_CHECKING:
    from ._typing import DTypeLike
    from .backends.dtypes import DType

__all__ = ["frombuffer", "fromfile", "fromiter", "fromstring"]


def frombuffer(buffer: Any, dtype: DTypeLike = None, count: int = -1, offset: int = 0, *, like: Array | None = None) -> Array:
    """Look at the memory of an object with Python's buffer protocol as a 1-d Array. See `numpy.frombuffer`."""
    return asarray(np.frombuffer(buffer, _with_byte_order(dtype), count, offset), like=like)


def _with_byte_order(dtype: DTypeLike) -> np.dtype[Any]:
    """Check a dtype of outside data, which may have foreign byte order."""
    canonical_dtype(float if dtype is None else dtype)
    return np.dtype(dtype)


def fromiter(iter: Iterable[Any], dtype: DTypeLike, count: int = -1, *, like: Array | None = None) -> Array:
    """Make a 1-d Array of the numbers that an iterable gives. See `numpy.fromiter`."""
    numbers = (x._host() if type(x) is Array else x for x in iter)
    return asarray(host.fromiter(numbers, canonical_dtype(dtype), count), like=like)


def fromstring(string: str, dtype: DTypeLike = None, count: int = -1, *, sep: str, like: Array | None = None) -> Array:
    """Make a 1-d Array of the numbers in a text. See `numpy.fromstring`."""
    if not sep:
        raise ValueError("fromstring needs a separator such as sep=','; read binary data with frombuffer")
    wanted, read = _of_text(dtype, like)
    return asarray(np.fromstring(string, read, count, sep=sep), wanted, like=like)


def _of_text(dtype: DTypeLike, like: Array | None) -> tuple[DType, DType]:
    """Find the dtype of numbers in a text, and the one that NumPy reads them in."""
    wanted = asked_dtype(dtype, choose_device(None, like))
    return wanted, FLOAT64 if is_low_precision(wanted) else wanted


def fromfile(
    file: Any, dtype: DTypeLike = None, count: int = -1, sep: str = "", offset: int = 0, *, like: Array | None = None
) -> Array:
    """Make a 1-d Array of the numbers in a file. See `numpy.fromfile`."""
    if not isinstance(file, (str, bytes, PathLike)) and not hasattr(file, "fileno"):
        raise TypeError(f"fromfile reads a path or an open file, but got {type(file).__name__}; parse other streams with frombuffer")
    if sep:
        wanted, read = _of_text(dtype, like)
        return asarray(np.fromfile(file, read, count, sep, offset), wanted, like=like)
    return asarray(np.fromfile(file, _with_byte_order(dtype), count, sep, offset), like=like)
