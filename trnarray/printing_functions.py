"""Arrays and numbers as text, by NumPy's print options."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np

from ._array import Array
from ._array.parameters import document
from .array_conversion import asarray

__all__ = ["array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific"]

_ARRAY: Final = {
    "a": "array_like: The array.",
    "arr": "array_like: The array.",
    "max_line_width": "int, optional: Where to break lines.",
    "precision": "int, optional: The number of digits after the point.",
    "suppress_small": "bool, optional: Whether numbers that are nearly 0 are written as 0.",
}
_NUMBER: Final = {
    "x": "float or 0-d Array: The number.",
    "precision": "int, optional: The number of digits; by default as many as make out the number.",
    "unique": "bool, optional: Whether to write no more digits than make out the number among those of its dtype.",
    "fractional": "bool, optional: Whether `precision` counts the digits after the point only.",
    "trim": (
        "{'k', '.', '0', '-'}, optional: Which zeros at the end, and which point, are left out: none, all zeros, all but one, all and\n"
        "the point."
    ),
    "sign": "bool, optional: Whether positive numbers get a plus.",
    "pad_left": "int, optional: How many characters to fill up to before the point.",
    "pad_right": "int, optional: How many characters to fill up to after the point.",
    "exp_digits": "int, optional: The least number of digits of the exponent.",
    "min_digits": "int, optional: The least number of digits.",
}
_of_array: Final = document(_ARRAY)
_of_number: Final = document(_NUMBER)


@document(
    _ARRAY
    | {
        "separator": "str, optional: What stands between elements.",
        "prefix": "str, optional: What the caller will put before the text: it counts for the width of lines.",
        "formatter": "mapping of str to callable, optional: For kinds of elements functions that write one.",
        "threshold": "int, optional: From how many elements on only the corners are written.",
        "edgeitems": "int, optional: How many elements make a corner, along each dimension.",
        "sign": "{'-', '+', ' '}, optional: How positive numbers are marked.",
        "floatmode": "{'fixed', 'unique', 'maxprec', 'maxprec_equal'}, optional: How `precision` is meant.",
        "suffix": "str, optional: What the caller will put after the text.",
        "legacy": "str or False, optional: Which older NumPy to print like.",
    }
)
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


@_of_array
def array_repr(
    arr: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """Write an array as ``repr`` does. See `numpy.array_repr`."""
    with _options(max_line_width, precision, suppress_small):
        return repr(asarray(arr))


@_of_array
def array_str(
    a: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """Write an array as ``str`` does. See `numpy.array_str`."""
    with _options(max_line_width, precision, suppress_small):
        return str(asarray(a))


@_of_number
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


@_of_number
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
