"""Signatures of conversions to another dtype."""

from __future__ import annotations

from typing import Any

from ..dtypes import canonical_dtype
from .attributes import check_cast, several_axes
from .call import Call, NotNativeError, Reader

__all__ = ["astype", "method_astype", "trim_zeros"]


def astype(reader: Reader, x: Any, dtype: Any, copy: Any = True) -> Call:
    """Read the standard's ``astype``, which never drops an imaginary part."""
    value, wanted = reader.array(x), canonical_dtype(dtype)
    if value.dtype.kind == "c" and wanted.kind not in "cb":
        raise TypeError(f"{value.dtype} does not convert to {wanted}, which has no imaginary part; take real(x) or imag(x) first")
    return Call((value, wanted), {"copy": bool(copy)})


def method_astype(reader: Reader, x: Any, dtype: Any, order: Any = "K", casting: str = "unsafe") -> Call:
    """Read ``ndarray.astype``, which copies."""
    if order not in ("C", "K", "A", None):
        raise NotNativeError("memory layouts other than 'C' are made on the host")
    value, wanted = reader.array(x), canonical_dtype(dtype)
    check_cast(value.dtype, wanted, casting)
    return Call((value, wanted), {})


def trim_zeros(reader: Reader, filt: Any, trim: str = "fb", axis: Any = None) -> Call:
    """Read ``numpy.trim_zeros``."""
    value, ends = reader.array(filt), trim.lower()
    if ends not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {ends!r}")
    return Call((value,), {"trim": ends, "axis": several_axes(axis, value.ndim)})
