"""Arrays from outside: buffers, files, text, and whatever can be iterated over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._array import Array
from ._placement import asked_dtype, choose_device
from .backends.dtypes import FLOAT64, canonical_dtype, is_low_precision
from .backends.host import creation as host
from .existing_data import asarray

if TYPE_CHECKING:
    from ._typing import DTypeLike
    from .backends.dtypes import DType

__all__ = ["frombuffer", "fromfile", "fromiter", "fromstring"]


def frombuffer(buffer: Any, dtype: DTypeLike = None, count: int = -1, offset: int = 0, *, like: Array | None = None) -> Array:
    r"""
    Look at the memory of an object with Python's buffer protocol as a 1-d Array.

    Parameters
    ----------
    buffer : buffer
        The object, bytes for example; it is not copied on the cpu unless its byte order is foreign.
    dtype : dtype, optional
        The dtype of the elements, byte order included; float64 by default.
    count : int, optional
        How many elements; -1 is all.
    offset : int, optional
        The byte where the first one begins.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The Array; read-only where the buffer is.

    Raises
    ------
    ValueError
        If the buffer is too short, or no multiple of the item size.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.frombuffer(b"\x01\x00\x02\x00", dtype=xp.int16)
    Array([1, 2], dtype=int16, device='cpu')
    """
    return asarray(np.frombuffer(buffer, _with_byte_order(dtype), count, offset), like=like)


def _with_byte_order(dtype: DTypeLike) -> np.dtype[Any]:
    """Check a dtype of outside data, which may have foreign byte order."""
    canonical_dtype(float if dtype is None else dtype)
    return np.dtype(dtype)


def fromiter(iter: Iterable[Any], dtype: DTypeLike, count: int = -1, *, like: Array | None = None) -> Array:
    """
    Make a 1-d Array of the numbers that an iterable gives.

    Parameters
    ----------
    iter : iterable of scalars
        Where the numbers come from.
    dtype : dtype
        Their dtype.
    count : int, optional
        How many to take; -1 takes all.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The Array.

    Raises
    ------
    ValueError
        If the iterable ends before `count` numbers.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fromiter((i * i for i in range(4)), xp.int64)
    Array([0, 1, 4, 9], dtype=int64, device='cpu')
    """
    numbers = (x._host() if type(x) is Array else x for x in iter)
    return asarray(host.fromiter(numbers, canonical_dtype(dtype), count), like=like)


def fromstring(string: str, dtype: DTypeLike = None, count: int = -1, *, sep: str, like: Array | None = None) -> Array:
    """
    Make a 1-d Array of the numbers in a text.

    Parameters
    ----------
    string : str
        The text.
    dtype : dtype, optional
        The dtype; by default the device's default floating dtype.
    count : int, optional
        How many numbers to read; -1 reads all.
    sep : str
        What stands between them; white space in it matches any.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The Array.

    Raises
    ------
    ValueError
        If `sep` is empty: binary data is read by `frombuffer`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fromstring("1, 2", dtype=xp.int64, sep=",")
    Array([1, 2], dtype=int64, device='cpu')
    """
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
    """
    Make a 1-d Array of the numbers in a file.

    Parameters
    ----------
    file : file, str or Path
        An open file or its name.
    dtype : dtype, optional
        The dtype of the elements, byte order included; float64 by default, of a text the device's default floating dtype.
    count : int, optional
        How many numbers to read; -1 reads all.
    sep : str, optional
        What stands between the numbers of a text file; empty for a binary file.
    offset : int, optional
        How many bytes to skip in a binary file.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The Array.

    Examples
    --------
    >>> import tempfile
    >>> import trnarray as xp
    >>> with tempfile.TemporaryFile() as file:
    ...     _ = file.write(bytes([1, 2]))
    ...     _ = file.seek(0)
    ...     xp.fromfile(file, dtype=xp.uint8)
    Array([1, 2], dtype=uint8, device='cpu')
    """
    if sep:
        wanted, read = _of_text(dtype, like)
        return asarray(np.fromfile(file, read, count, sep, offset), wanted, like=like)
    return asarray(np.fromfile(file, _with_byte_order(dtype), count, sep, offset), like=like)
