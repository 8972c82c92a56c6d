"""Axes, dtypes and outputs as canonical attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DType, canonical_dtype
from ..shape import checked_axis
from .call import Output

__all__ = ["all_axes", "asked_dtype", "output", "reduced_axes", "target"]


def all_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Read axes of which each may be named once; None is all of them."""
    if axis is None:
        return tuple(range(ndim))
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    found = tuple([checked_axis(one, ndim) for one in (axis if isinstance(axis, tuple) else (axis,))])
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis': name each axis once")
    return found


def reduced_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Read axes as the reductions of universal functions do, which take axis 0 of an array without axes for none."""
    return () if ndim == 0 and axis in (0, -1) else all_axes(axis, ndim)


def asked_dtype(dtype: Any) -> DType | None:
    """Read a dtype; None is none in particular."""
    return None if dtype is None else canonical_dtype(dtype)


def target(out: Any) -> Any:
    """Read `out` of a function with one result; None is new memory."""
    found = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if found is not None and not isinstance(getattr(found, "dtype", None), np.dtype):
        raise TypeError("out of a function with one result is an Array or a tuple of one; give it so")
    return found


def output(out: Any, casting: str = "same_kind") -> Output | None:
    """Read where a function writes its one result, which is memory of the result's shape."""
    found = target(out)
    return None if found is None else Output((found,), casting=casting)
