"""What asarray does not take, and what to do instead."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

__all__ = ["is_foreign_array", "refuse"]

_PROTOCOLS: Final = ("__array__", "__array_interface__", "__array_struct__", "__array_ufunc__", "__array_namespace__", "__dlpack__")


def is_foreign_array(obj: object) -> bool:
    """Tell whether an object is an array of another library, or a subclass of NumPy's."""
    return not isinstance(obj, type) and any(hasattr(obj, name) for name in _PROTOCOLS)


def refuse(obj: Any) -> TypeError:
    """Say that an object does not become an Array, and what would."""
    kind = type(obj)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return TypeError(f"asarray does not take {name}: {_remedy(obj)}")


def _remedy(obj: Any) -> str:
    if isinstance(obj, np.ndarray):
        if hasattr(obj, "mask"):
            return "its mask would be lost; choose the values to put there, as in asarray(x.filled(0)), or drop them with x.compressed()"
        return "a subclass of numpy.ndarray has rules of its own; give up the subclass with asarray(numpy.asarray(x))"
    if isinstance(obj, np.generic):
        return f"dtype {obj.dtype} is not supported; convert it to a number first"
    if hasattr(obj, "__dlpack__") and not isinstance(obj, type):
        return "arrays of other libraries come in by from_dlpack(x)"
    if is_foreign_array(obj):
        return "convert it first and in the open, as in asarray(numpy.asarray(x))"
    if obj is None:
        return "there is no number for None; use float('nan') for missing values"
    if isinstance(obj, str):
        return "parse the text into numbers first, as in asarray([float(t) for t in texts])"
    if isinstance(obj, bytes):
        return "bytes count as text; read them as numbers with frombuffer(x, dtype=...)"
    if isinstance(obj, (dt.date, dt.time)):
        return "take a number first, as in x.timestamp()"
    if isinstance(obj, dt.timedelta):
        return "take a number first, as in x.total_seconds()"
    if isinstance(obj, Iterable):
        return "make a list of it first, as in asarray(list(x))"
    return "there are arrays of numbers only; convert it first, as in float(x)"
