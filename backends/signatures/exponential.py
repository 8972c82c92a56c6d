"""Signatures of sums of exponentials: `axis` is a tuple."""

from __future__ import annotations

from typing import Any

from ..rules import broadcast_shapes
from .attributes import several_axes
from .call import Call, Reader

__all__ = ["log_of_sum", "softmax"]


def softmax(reader: Reader, x: Any, axis: Any = None) -> Call:
    """Read ``scipy.special.softmax`` and ``log_softmax``."""
    value = reader.array(x)
    return Call((value,), {"axis": several_axes(axis, value.ndim)})


def log_of_sum(reader: Reader, a: Any, axis: Any = None, b: Any = None, keepdims: Any = False, return_sign: Any = False) -> Call:
    """Read ``scipy.special.logsumexp``, with weights `b` or None; an array without axes has one of one element."""
    value = reader.array(a)
    weights = None if b is None else reader.array(b)
    ndim = len(broadcast_shapes(value.shape, () if weights is None else weights.shape)) or 1
    return Call(
        (value,), {"axis": several_axes(axis, ndim), "b": weights, "keepdims": bool(keepdims), "return_sign": bool(return_sign)}
    )
