"""Arrays and numbers as text, by NumPy's print options."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ._array import Array
from .array_conversion import asarray

__all__ = ["array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific"]



def array2string(
    a: Any,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    formatter: Any = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sign: Literal["-", "+", " "] | None = None,
    floatmode: Literal["fixed", "unique", "maxprec", "maxprec_equal"] | None = None,
    suffix: str = "",
    legacy: Any = None,
) -> str:
    """Write the elements of an array as text. See `numpy.array2string`."""
    array = asarray(a)
    if not array.size:
        return "[]"
    limits: dict[str, Any] = {key: value for key, value in (("threshold", threshold), ("edgeitems", edgeitems)) if value is not None}
    with np.printoptions(**limits):
        corners, summarized = array._corners()
        return np.array2string(
            corners, max_line_width, precision, suppress_small, separator, prefix,
            formatter=formatter, threshold=0 if summarized else corners.size, edgeitems=edgeitems, sign=sign, floatmode=floatmode,
            suffix=suffix, legacy=legacy,
        )  # fmt: skip


def array_repr(
    arr: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """Write an array as ``repr`` does. See `numpy.array_repr`."""
    with _options(max_line_width, precision, suppress_small):
        return repr(asarray(arr))


def array_str(
    a: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """Write an array as ``str`` does. See `numpy.array_str`."""
    with _options(max_line_width, precision, suppress_small):
        return str(asarray(a))


def format_float_positional(
    x: Any,
    precision: int | None = None,
    unique: bool = True,
    fractional: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    pad_right: int | None = None,
    min_digits: int | None = None,
) -> str:
    """Write a number without an exponent. See `numpy.format_float_positional`."""
    return np.format_float_positional(_number(x), precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits)


def format_float_scientific(
    x: Any,
    precision: int | None = None,
    unique: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    exp_digits: int | None = None,
    min_digits: int | None = None,
) -> str:
    """Write a number with an exponent. See `numpy.format_float_scientific`."""
    return np.format_float_scientific(_number(x), precision, unique, trim, sign, pad_left, exp_digits, min_digits)


def _options(linewidth: int | None, precision: int | None, suppress: bool | None) -> Any:
    given: dict[str, Any] = {"linewidth": linewidth, "precision": precision, "suppress": suppress}
    return np.printoptions(**{key: value for key, value in given.items() if value is not None})


def _number(x: Any) -> Any:
    """Give a NumPy scalar for a 0-d Array, of the dtype that tells how many digits make it out."""
    return x._corners()[0][()] if type(x) is Array else x
