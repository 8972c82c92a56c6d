"""Arrays in text files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np

from ._array import Array
from ._typing import ArrayLike, DTypeLike
from .array_conversion import asarray
from .backends.dtypes import FLOAT64, canonical_dtype, is_low_precision

__all__ = ["genfromtxt", "loadtxt", "savetxt"]

# Without NumPy's overloads, of which there are too many for a checker.
_loadtxt: Final[Any] = np.loadtxt
_genfromtxt: Final[Any] = np.genfromtxt


def loadtxt(
    fname: Any,
    dtype: DTypeLike = float,
    comments: str | Sequence[str] | None = "#",
    delimiter: str | None = None,
    converters: Mapping[int, Callable[[str], Any]] | Callable[[str], Any] | None = None,
    skiprows: int = 0,
    usecols: int | Sequence[int] | None = None,
    unpack: bool = False,
    ndmin: Literal[0, 1, 2] = 0,
    encoding: str | None = None,
    max_rows: int | None = None,
    *,
    quotechar: str | None = None,
    like: Array | None = None,
) -> Array:
    """Read a table of numbers from a text file. See `numpy.loadtxt`."""
    wanted = canonical_dtype(float if dtype is None else dtype)
    read = FLOAT64 if is_low_precision(wanted) else wanted
    host = _loadtxt(
        fname, read, comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding, max_rows, quotechar=quotechar
    )
    return asarray(host, wanted, like=like)


def genfromtxt(
    fname: Any,
    dtype: DTypeLike = float,
    comments: str | None = "#",
    delimiter: str | int | Sequence[int] | None = None,
    skip_header: int = 0,
    skip_footer: int = 0,
    converters: Mapping[int | str, Callable[[str], Any]] | None = None,
    missing_values: Any = None,
    filling_values: Any = None,
    usecols: int | Sequence[int] | None = None,
    names: Any = None,
    excludelist: Sequence[str] | None = None,
    deletechars: str = " !#$%&'()*+,-./:;<=>?@[\\]^{|}~",
    replace_space: str = "_",
    autostrip: bool = False,
    case_sensitive: bool | Literal["upper", "lower"] = True,
    defaultfmt: str = "f%i",
    unpack: bool | None = None,
    usemask: bool = False,
    loose: bool = True,
    invalid_raise: bool = True,
    max_rows: int | None = None,
    encoding: str | None = None,
    *,
    ndmin: Literal[0, 1, 2] = 0,
    like: Array | None = None,
) -> Array:
    """Read a table of numbers, some of which may be missing, from a text file. See `numpy.genfromtxt`."""
    wanted = None if dtype is None else canonical_dtype(dtype)
    read = FLOAT64 if wanted is not None and is_low_precision(wanted) else wanted
    host = _genfromtxt(
        fname, read, comments, delimiter, skip_header, skip_footer, converters, missing_values, filling_values, usecols, names,
        excludelist, deletechars, replace_space, autostrip, case_sensitive, defaultfmt, unpack, usemask, loose, invalid_raise,
        max_rows, encoding, ndmin=ndmin,
    )  # fmt: skip
    return asarray(host, wanted, like=like)


def savetxt(
    fname: Any,
    X: ArrayLike,
    fmt: str | Sequence[str] = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
    encoding: str | None = None,
) -> None:
    """Write a table of numbers to a text file. See `numpy.savetxt`."""
    array = asarray(X)
    if is_low_precision(array.dtype):
        array = array.astype(FLOAT64)
    np.savetxt(fname, np.asarray(array._host()), fmt, delimiter, newline, header, footer, comments, encoding)
