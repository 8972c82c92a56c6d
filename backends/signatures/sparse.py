"""Signatures of what is done to one sparse array, which comes as its format, its shape and its components."""

from __future__ import annotations

from typing import Any

from .call import Call, NotNativeError, Reader

__all__ = ["converted", "dense", "extremum", "summed"]


def converted(reader: Reader, packed: Any, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Call:
    """Read ``astype``."""
    if dtype is None or casting != "unsafe":
        raise NotNativeError("casts are checked on the host")
    return Call((packed, dtype), {"copy": bool(copy)})


def dense(reader: Reader, packed: Any, order: Any = None, out: Any = None) -> Call:
    """Read ``toarray``."""
    if order == "F" or out is not None:
        raise NotNativeError("it is written to memory of the caller's, or in another order, on the host")
    return Call((packed,), {})


def summed(reader: Reader, packed: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Call:
    """Read ``sum``."""
    if out is not None or dtype is not None:
        raise NotNativeError("sums of this kind are made on the host")
    return Call((packed, axis), {})


def extremum(reader: Reader, packed: Any, axis: Any = None, out: Any = None, explicit: Any = False) -> Call:
    """Read ``max``, ``min``, ``nanmax`` and ``nanmin``."""
    if out is not None or axis not in (None, 0, 1, -1, -2) or (explicit and axis is not None):
        raise NotNativeError("extrema of this kind are found on the host")
    return Call((packed,), {"axis": None if axis is None else int(axis) % 2, "explicit": bool(explicit)})
