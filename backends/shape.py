"""Shapes: what may be one, and whether an array of it can exist."""

from __future__ import annotations

import operator
import reprlib
import sys
from itertools import islice
from math import prod
from typing import Any, Final

import numpy as np

from .dtypes import DType

__all__ = ["MAX_DIMS", "all_axes", "canonical_shape", "check_length", "checked_axes", "checked_axis"]

MAX_DIMS: Final = 64
"""How many dimensions an array can have; NumPy's limit."""

_SAFE: Final = sys.maxsize // 16  # no item is longer than 16 bytes


def canonical_shape(shape: Any, dtype: DType, /) -> tuple[int, ...]:
    """
    Return a shape as a tuple of Python integers.

    Examples
    --------
    >>> from trnarray.backends.dtypes import FLOAT64
    >>> canonical_shape(3, FLOAT64), canonical_shape([2, True], FLOAT64)
    ((3,), (2, 1))
    """
    if type(shape) is int and 0 <= shape < _SAFE:
        return (shape,)
    single = hasattr(shape, "__index__") and not getattr(shape, "shape", ())  # arrays of integers have __index__ too
    if not single and (not hasattr(shape, "__getitem__") or isinstance(shape, dict)):  # sets, dicts and iterators have no order, or end
        raise TypeError(f"a shape is an integer or a sequence of integers, such as (2, 3), but is of type {type(shape).__name__}")
    try:
        sides = (operator.index(shape),) if single else tuple(map(operator.index, islice(shape, MAX_DIMS + 1)))
    except TypeError:
        raise TypeError(f"a shape is an integer or a sequence of integers, such as (2, 3), but is {reprlib.repr(shape)}") from None
    if sides and min(sides) < 0:
        raise ValueError(f"shape {sides} has a negative side; sides are 0 or more")
    if len(sides) > MAX_DIMS:
        raise ValueError(f"a shape has at most {MAX_DIMS} dimensions but this one has more; join some of them")
    # A zero side makes the array empty, but its other sides must be addressable all the same.
    check_length(prod(filter(None, sides)), dtype, sides)
    return sides


def checked_axis(axis: Any, ndim: int) -> int:
    """
    Count an axis from the first one, as NumPy's compiled functions do, which take no bool for an integer.

    Examples
    --------
    >>> checked_axis(-1, 3)
    2
    """
    if isinstance(axis, bool):
        raise TypeError(f"an axis is an integer, and is {axis} here; write {int(axis)} if that is meant")
    return np.lib.array_utils.normalize_axis_index(axis, ndim)


def all_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """
    Count axes from the first one, of which each may be named once; None is all of them.

    Examples
    --------
    >>> all_axes((-1, 0), 3), all_axes(None, 2)
    ((2, 0), (0, 1))
    """
    if axis is None:
        return tuple(range(ndim))
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    found = tuple([checked_axis(one, ndim) for one in (axis if isinstance(axis, tuple) else (axis,))])
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis': name each axis once")
    return found


def checked_axes(axes: Any) -> Any:
    """Make lists of ndarrays, which are no operands here, and refuse ranges that are longer than arrays have axes."""
    if type(axes) is np.ndarray:
        return axes.tolist()
    if isinstance(axes, range) and len(axes[: MAX_DIMS + 1]) > MAX_DIMS:
        raise ValueError(f"arrays have at most {MAX_DIMS} axes, and {axes} has more")
    return axes


def check_length(length: float, dtype: DType, shape: object = None) -> None:
    """Refuse an array that no machine could address."""
    if length * dtype.itemsize > sys.maxsize:
        raise MemoryError(
            f"an array of shape {(length,) if shape is None else shape} and dtype {dtype} would take "
            f"{length * dtype.itemsize:.3g} bytes, more than can be addressed; make it smaller"
        )
