"""Signatures of what chooses among arrays or looks at one of them, and of requirements that an array is to meet."""

from __future__ import annotations

from typing import Any, Final

from .attributes import asked_dtype
from .call import Call, NotNativeError, Reader

__all__ = ["close", "diagonal", "one_array", "one_real_array", "replaced", "required", "select", "two_arrays", "where"]

_MET: Final = frozenset({"C", "F", "A", "W", "O", "E"})  # by a new array
_LETTERS: Final = {
    **dict.fromkeys(("C_CONTIGUOUS", "CONTIGUOUS"), "C"),
    **dict.fromkeys(("F_CONTIGUOUS", "FORTRAN"), "F"),
    **{name: name[0] for name in ("ALIGNED", "WRITEABLE", "OWNDATA", "ENSUREARRAY")},
}


def one_array(reader: Reader, x: Any, *parameters: Any, **others: Any) -> Call:
    """Read functions of an array, and of parameters that have one form."""
    return Call((reader.array(x), *parameters), others)


def one_real_array(reader: Reader, x: Any) -> Call:
    """Read ``numpy.i0``."""
    value = reader.array(x)
    if value.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return Call((value,), {})


def two_arrays(reader: Reader, a: Any, b: Any, *parameters: Any, **others: Any) -> Call:
    """Read functions of two arrays, and of parameters that have one form."""
    return Call((reader.array(a), reader.array(b), *parameters), others)


def select(reader: Reader, condlist: Any, choicelist: Any, default: Any = 0) -> Call:
    """Read ``numpy.select``: arrays of bool, and as many arrays or numbers."""
    if len(condlist) != len(choicelist):
        raise ValueError(f"there are {len(condlist)} conditions and {len(choicelist)} choices; give as many of each")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    masks = [reader.operand(item) for item in condlist]
    if not all(reader.is_array(mask) and mask.dtype.kind == "b" for mask in masks):
        raise TypeError("conditions have to be arrays of bool; cast them with astype")
    return Call((masks, [reader.operand(item) for item in choicelist], default), {})


def where(reader: Reader, condition: Any, *choices: Any) -> Call:
    """Read ``numpy.where``: a condition alone is looked at as it is."""
    if len(choices) not in (0, 2):
        raise ValueError("either both or neither of x and y should be given")
    return Call((condition,), {}) if not choices else Call(tuple(map(reader.operand, (condition, *choices))), {})


def close(reader: Reader, a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False) -> Call:
    """Read ``numpy.isclose``: tolerances are operands, too."""
    bounds = {"rtol": reader.operand(rtol), "atol": reader.operand(atol)}
    return Call((reader.operand(a), reader.operand(b)), {**bounds, "equal_nan": bool(equal_nan)})


def diagonal(reader: Reader, a: Any, val: Any, wrap: Any = False) -> Call:
    """Read ``numpy.fill_diagonal``."""
    if not reader.is_array(a):
        raise NotNativeError("it looks at no array")
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return Call((a, val), {"wrap": bool(wrap)})


def replaced(reader: Reader, x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Call:
    """Read ``numpy.nan_to_num`` by numbers."""
    if not copy or any(reader.is_array(item) for item in (nan, posinf, neginf)):
        raise NotNativeError("numbers are replaced in place, and by arrays, on the host")
    return Call((reader.array(x),), {"nan": nan, "posinf": posinf, "neginf": neginf})


def required(reader: Reader, a: Any, dtype: Any = None, requirements: Any = None) -> Call:
    """Read ``numpy.require``: requirements are their letters."""
    asked = sorted({_LETTERS.get(name.upper(), name.upper()) for name in requirements or ()})
    if not _MET.issuperset(asked):
        raise NotNativeError(f"arrays cannot be required to be {', '.join(sorted({*asked} - _MET))}")
    if {"C", "F"} <= {*asked}:
        raise ValueError('Cannot specify both "C" and "F" order')
    return Call((reader.array(a),), {"dtype": asked_dtype(dtype), "requirements": asked})
