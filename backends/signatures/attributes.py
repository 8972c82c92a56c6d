"""Axes, dtypes and outputs as canonical attributes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..dtypes import DType, canonical_dtype
from ..promotion import NUMPY
from ..shape import all_axes, checked_axis
from .call import NotNativeError, Output, Reader

__all__ = [
    "ask_numbers", "asked_dtype", "check_cast", "check_numbers", "common_dtype", "flat_axis", "index_axis", "output", "reduced_axes",
    "several_axes", "target",
]  # fmt: skip


def reduced_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Read axes as the reductions of universal functions do, which take axis 0 of an array without axes for none."""
    return () if ndim == 0 and axis in (0, -1) else all_axes(axis, ndim)


def several_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Read axes as NumPy's functions in Python do: a number or a sequence, None for all of them."""
    return tuple(range(ndim)) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, ndim, "axis")


def index_axis(axis: Any, ndim: int) -> int:
    """Read an axis as NumPy's functions in Python do, which take a bool for an integer."""
    if type(axis) is int and -ndim <= axis < ndim:
        return axis % ndim
    return np.lib.array_utils.normalize_axis_index(operator.index(axis), ndim)


def flat_axis(axis: Any, ndim: int) -> int | None:
    """Read an axis, of which None is that of the elements in a row, as is axis 0 of an array without axes."""
    if axis is None:
        return None
    found = checked_axis(axis, ndim or 1)
    return found if ndim else None


def asked_dtype(dtype: Any) -> DType | None:
    """Read a dtype; None is none in particular."""
    return None if dtype is None else canonical_dtype(dtype)


def ask_numbers(reader: Reader, *parameters: Any) -> None:
    """Ask for the numbers in parameters that are arrays of no axes: the error that this raises has the arguments read again, with them."""
    for item in parameters:
        if reader.is_array(item) and item.shape == ():
            float(item)


def check_numbers(reader: Reader, *parameters: Any) -> None:
    """Ask for numbers, and leave parameters that are arrays with axes to the host, which reads their values."""
    ask_numbers(reader, *parameters)
    if any(map(reader.is_array, parameters)):
        raise NotNativeError("a parameter is an Array, whose value the host reads")


def common_dtype(reader: Reader, dtype: DType, into: DType) -> DType:
    """Give the dtype that a reduction computes in for an output, if nobody names one."""
    if dtype.kind == "c" and into.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    return reader.promotion.result_type(dtype, into)


def check_cast(source: DType, wanted: DType, casting: str) -> None:
    """Check that a rule allows a cast, whatever the device: an int8 is safely a float32, though it does not promote to it."""
    if not NUMPY.can_cast(source, wanted, casting):
        raise TypeError(f"cannot cast from {source} to {wanted} by the rule {casting!r}; allow it with casting='unsafe'")


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
