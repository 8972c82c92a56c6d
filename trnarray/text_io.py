"""Arrays in text files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np

from ._array import Array
from ._typing import ArrayLike, DTypeLike
from .backends.dtypes import FLOAT64, canonical_dtype, is_low_precision
from .existing_data import asarray

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
    """
    Read a table of numbers from a text file.

    Parameters
    ----------
    fname : file, str, Path or iterable of str
        An open file, its name, or its lines.
    dtype : dtype, optional
        The dtype.
    comments : str or sequence of str, optional
        What begins a comment.
    delimiter : str, optional
        What stands between two numbers; white space by default.
    converters : mapping of int to callable, or callable, optional
        What reads the texts of some columns, or of all.
    skiprows : int, optional
        How many lines to skip at the beginning.
    usecols : int or sequence of int, optional
        The columns to read; all by default.
    unpack : bool, optional
        Whether to give columns in place of rows.
    ndmin : {0, 1, 2}, optional
        The least number of dimensions.
    encoding : str, optional
        How the file is encoded.
    max_rows : int, optional
        How many rows to read; all by default.
    quotechar : str, optional
        What stands around a text that may contain the delimiter.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The numbers.

    Raises
    ------
    ValueError
        If a text is no number, or rows are of different lengths.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.loadtxt(["1 2", "3 4"])
    Array([[1., 2.],
           [3., 4.]], dtype=float64, device='cpu')
    """
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
    """
    Read a table of numbers, some of which may be missing, from a text file.

    Parameters
    ----------
    fname : file, str, Path or iterable of str
        An open file, its name, or its lines.
    dtype : dtype, optional
        The dtype; None finds out.
    comments : str, optional
        What begins a comment.
    delimiter : str, int or sequence of int, optional
        What stands between two numbers, or how wide the columns are; white space by default.
    skip_header, skip_footer : int, optional
        How many lines to skip at the beginning and at the end.
    converters : mapping of int to callable, optional
        What reads the texts of some columns.
    missing_values : str, sequence or mapping, optional
        Texts that stand for a missing number.
    filling_values : scalar, sequence or mapping, optional
        What stands in for missing numbers; nan by default.
    usecols : int or sequence of int, optional
        The columns to read; all by default.
    names, excludelist, deletechars, replace_space : optional
        For named columns, which arrays cannot have.
    autostrip : bool, optional
        Whether to strip white space off texts.
    case_sensitive, defaultfmt : optional
        For named columns too.
    unpack : bool, optional
        Whether to give columns in place of rows.
    usemask : bool, optional
        For masked arrays, which are not taken.
    loose : bool, optional
        Whether a text that is no number counts as missing.
    invalid_raise : bool, optional
        Whether rows of another length are an error, or left out with a warning.
    max_rows : int, optional
        How many rows to read; all by default.
    encoding : str, optional
        How the file is encoded.
    ndmin : {0, 1, 2}, optional
        The least number of dimensions.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The numbers.

    Raises
    ------
    ValueError
        If rows are of different lengths.
    TypeError
        If what was read is not an array of numbers.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.genfromtxt(["1,2", "3,"], delimiter=",")
    Array([[ 1.,  2.],
           [ 3., nan]], dtype=float64, device='cpu')
    """
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
    """
    Write a table of numbers to a text file.

    Parameters
    ----------
    fname : file, str or Path
        An open file or a name; one that ends in ``.gz`` is compressed.
    X : array_like
        The numbers, 1-d or 2-d.
    fmt : str or sequence of str, optional
        How to format a number, a row, or the numbers of each column.
    delimiter : str, optional
        What to put between two numbers.
    newline : str, optional
        What to put between two rows.
    header, footer : str, optional
        Lines to put before and after.
    comments : str, optional
        What begins these lines.
    encoding : str, optional
        How to encode the file.

    Raises
    ------
    ValueError
        If `X` is neither 1-d nor 2-d.

    Examples
    --------
    >>> import io
    >>> import trnarray as xp
    >>> file = io.StringIO()
    >>> xp.savetxt(file, [[1, 2], [3, 4]], fmt="%d")
    >>> file.getvalue().split()
    ['1', '2', '3', '4']
    """
    array = asarray(X)
    if is_low_precision(array.dtype):
        array = array.astype(FLOAT64)
    np.savetxt(fname, np.asarray(array._host()), fmt, delimiter, newline, header, footer, comments, encoding)
