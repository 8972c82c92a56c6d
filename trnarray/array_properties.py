"""What arrays look like, as functions: shape, number of dimensions and of elements, and shared memory."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ._array import Array
from ._typing import ArrayLike, Axes
from .array_conversion import asarray
from .backends.ops import predicates as ops

__all__ = ["may_share_memory", "ndim", "shape", "shares_memory", "size"]


def shape(a: Any) -> tuple[int, ...]:
    """Return the shape of an array. See `numpy.shape`."""
    return tuple(a.shape) if hasattr(a, "shape") else _read(a).shape


def ndim(a: Any) -> int:
    """Return the number of dimensions of an array. See `numpy.ndim`."""
    return int(a.ndim) if hasattr(a, "ndim") else _read(a).ndim


def size(a: Any, axis: Axes = None) -> int:
    """Return the number of elements of an array, or along axes. See `numpy.size`."""
    lengths = shape(a)
    if axis is None:
        return prod(lengths)
    axes = axis if isinstance(axis, tuple) else (axis,)
    places = [place + len(lengths) if place < 0 else place for place in axes]
    if not all(0 <= place < len(lengths) for place in places):
        raise np.exceptions.AxisError(f"axis={axis} names no axis of an array with {len(lengths)} dimensions; use 0 to {len(lengths) - 1}")
    if len(set(places)) < len(places):
        raise ValueError(f"axis={axis} names an axis twice; name each once")
    return prod(lengths[place] for place in places)


def _integer(max_work: Any) -> Any:
    several: Any = getattr(max_work, "shape", None)
    if max_work is not None and (several or not hasattr(max_work, "__index__")):
        raise ValueError(f"max_work must be an integer, but is of type {type(max_work).__name__}")
    return max_work


def shares_memory(a: ArrayLike, b: ArrayLike, /, max_work: int = -1) -> bool:
    """Tell whether two arrays have an element in common. See `numpy.shares_memory`."""
    return bool(Array._apply(ops.shares_memory, a, b, _integer(max_work)))


def may_share_memory(a: ArrayLike, b: ArrayLike, /, max_work: int = 0) -> bool:
    """
    Tell whether the memory of two arrays overlaps, without looking at single elements.

    See `numpy.may_share_memory`.
    """
    return bool(Array._apply(ops.may_share_memory, a, b, _integer(max_work)))


def _read(a: Any) -> Any:
    """Read a sequence of numbers and Arrays; whatever else NumPy can describe, as a text, is for NumPy to describe."""
    return asarray(a) if isinstance(a, (list, tuple)) else np.asarray(a)
