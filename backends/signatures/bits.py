"""Signatures of what packs the bits of eight elements into one byte, and unpacks them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .attributes import index_axis
from .call import Call, Reader

__all__ = ["pack", "unpack"]


def _axis(axis: Any, ndim: int) -> int | None:
    return None if axis is None or not ndim else index_axis(axis, ndim)


def _checked_order(bitorder: Any) -> str:
    if bitorder not in ("big", "little"):
        raise ValueError(f"'order' must be either 'little' or 'big', not {bitorder!r}")
    return str(bitorder)


def pack(reader: Reader, a: Any, /, axis: Any = None, bitorder: Any = "big") -> Call:
    """Read ``numpy.packbits``."""
    value = reader.array(a)
    if value.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    return Call((value,), {"axis": _axis(axis, value.ndim), "bitorder": _checked_order(bitorder)})


def unpack(reader: Reader, a: Any, /, axis: Any = None, count: int | None = None, bitorder: Any = "big") -> Call:
    """Read ``numpy.unpackbits``."""
    value = reader.array(a)
    if value.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    along = _axis(axis, value.ndim)
    length = 8 * (value.size if along is None else value.shape[along])
    if count is not None and count < -length:
        raise ValueError(f"-ve count must be at least {-length}, not {count}")
    return Call((value,), {"axis": along, "count": count, "bitorder": _checked_order(bitorder)})
