"""Creation on the host, where it is more than a NumPy call: casts that round once, ranges of low-precision dtypes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import BOOL, FLOAT8_E8M0FNU, FLOAT64, LOW_PRECISION, DType, HostArray, check_host_array
from ..shape import check_length
from .cast import cast

__all__ = [
    "arange",
    "as_dtype",
    "eye",
    "fromiter",
    "in_double",
    "range_length",
    "take_host",
    "tri",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

_Array = HostArray


def as_dtype(value: Any, dtype: DType, copy: bool = True) -> Any:
    """Convert to another dtype with one rounding, but never drop an imaginary part."""
    if value.dtype.kind == "c" and dtype.kind not in "cb":
        raise TypeError(f"{value.dtype} does not convert to {dtype}, which has no imaginary part; take real(x) or imag(x) first")
    return cast(value, dtype, copy=copy)


def take_host(array: _Array, dtype: DType | None, copy: bool | None, order: Any) -> _Array:
    """Take host data as an array's value, and convert it where that is asked for."""
    native = check_host_array(array, copy)
    if dtype is not None and native.dtype != dtype:
        if copy is False:
            raise ValueError(f"converting {native.dtype} to {dtype} needs a copy, which copy=False forbids; allow it with copy=None")
        native = as_dtype(native, dtype)
    if native is not array:
        copy = None
    if order is None:
        return np.array(native, copy=True, order="K") if copy else native
    laid_out = np.array(native, copy=copy or None, order=order)
    if copy is False and laid_out is not native:
        raise ValueError(f"order={order!r} needs a copy of this array, which copy=False forbids; allow it with copy=None")
    return laid_out


def _need_zero(dtype: DType) -> None:
    if dtype == FLOAT8_E8M0FNU:
        raise TypeError("float8_e8m0fnu holds powers of two and has no zero; use ones or full, or another dtype")


def zeros(shape: Any, dtype: DType, order: Any = "C") -> _Array:
    """Make an array of zeros."""
    _need_zero(dtype)
    return np.zeros(shape, dtype, order)


def zeros_like(a: _Array, dtype: DType, order: Any = "K", subok: bool = True, shape: Any = None) -> _Array:
    """Make an array of zeros as another is; see `numpy.zeros_like`."""
    _need_zero(dtype)
    return np.zeros_like(a, dtype, order, subok, shape)


def eye(N: int, M: int | None, k: int, dtype: DType, order: Any = "C") -> _Array:
    """Make a matrix of ones on a diagonal; see `numpy.eye`."""
    _need_zero(dtype)
    return np.eye(N, M, k, dtype, order)


def tri(N: int, M: int | None, k: int, dtype: DType) -> _Array:
    """Make a matrix of ones at and below a diagonal; see `numpy.tri`."""
    _need_zero(dtype)
    return np.tri(N, M, k, dtype)


def tril(m: _Array, k: int) -> _Array:
    """Copy the lower triangles of matrices, with zeros elsewhere; see `numpy.tril`."""
    _need_zero(m.dtype)
    return np.tril(m, k)


def triu(m: _Array, k: int) -> _Array:
    """Copy the upper triangles of matrices, with zeros elsewhere; see `numpy.triu`."""
    _need_zero(m.dtype)
    return np.triu(m, k)


def in_double(range_of: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function compute ranges of low-precision dtypes in float64, and round them once."""

    def call(*args: Any, dtype: DType, **kwargs: Any) -> Any:
        if dtype not in LOW_PRECISION:
            return range_of(*args, dtype=dtype, **kwargs)
        result = range_of(*map(_widened, args), dtype=FLOAT64, **{name: _widened(value) for name, value in kwargs.items()})
        if type(result) is tuple:  # with the step
            return cast(result[0], dtype), cast(np.float64(result[1]), dtype)
        return cast(result, dtype)

    call.__name__ = call.__qualname__ = range_of.__name__
    call.__module__ = range_of.__module__
    call.__doc__ = range_of.__doc__
    return call


def _widened(value: Any) -> Any:
    low = isinstance(value, (np.ndarray, np.generic)) and value.dtype in LOW_PRECISION
    return value.astype(FLOAT64) if low else value


def range_length(start: Any, stop: Any, step: Any, dtype: DType) -> int:
    """
    Count the numbers of a range, as `numpy.arange` does.

    Examples
    --------
    >>> range_length(1, 2.5, 0.5, FLOAT64), range_length(3, 0, 1, FLOAT64)
    (3, 0)
    """
    if step == 0:
        raise ZeroDivisionError("arange needs a step other than 0; the sign says in which direction it goes")
    length = float((stop - start) / step)
    if not length > -math.inf:
        raise ValueError(f"a range from {start} to {stop} by {step} has no length; give finite numbers")
    if length == 0 and stop != start:  # too short for a number
        return 1 - int(math.copysign(1, length) < 0)
    check_length(max(length, 0), dtype, f"(about {length:.3g},)" if length > 0 else None)
    count = math.ceil(max(length, 0))
    if dtype == BOOL and count > 2:
        raise TypeError(f"a range of bool has at most two elements, and this one would have {count}; give another dtype")
    return count


@in_double
def arange(start: Any, stop: Any, step: Any, *, dtype: DType) -> _Array:
    """Make a range of evenly spaced numbers; see `numpy.arange`."""
    range_length(start, stop, step, dtype)
    numbers: _Array = np.arange(start, stop, step, dtype=dtype)
    return numbers


def fromiter(iterable: Any, dtype: DType, count: int) -> _Array:
    """Make an array of the numbers that an iterable gives; see `numpy.fromiter`."""
    if dtype in LOW_PRECISION:
        return cast(np.fromiter(iterable, FLOAT64, count), dtype)
    return np.fromiter(iterable, dtype, count)
