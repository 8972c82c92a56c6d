"""Creation functions: Arrays from a shape and a value, and the standard's whole chapter by name."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._array import Array
from ._operand import as_operand
from ._placement import asked_dtype, choose_device, make
from .array_conversion import asarray
from .backends.dtypes import canonical_dtype
from .backends.ops import creation as ops
from .backends.shape import canonical_shape
from .matrices import tril, triu
from .numerical_ranges import arange, linspace, meshgrid

if TYPE_CHECKING:
    from ._typing import ArrayLike, DeviceLike, DTypeLike, Shape
    from .backends.op import Op

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "identity",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]



def _of_shape(op: Op, shape: Any, dtype: DTypeLike, order: str, device: DeviceLike, like: Any) -> Array:
    _check_order(order)
    target = choose_device(device, like)
    wanted = asked_dtype(dtype, target)
    return make(op, target, canonical_shape(shape, wanted), wanted, order)


def _check_order(order: Any) -> None:
    """Refuse the orders that are another array's; engines look at the others."""
    if isinstance(order, str) and order.upper() in ("K", "A"):
        raise ValueError(f"only 'C' or 'F' order is permitted, as there is no array whose order could be kept, but it is {order!r}")


def empty(
    shape: Shape, dtype: DTypeLike = None, order: str = "C", *, device: DeviceLike = None, like: Array | None = None
) -> Array:
    """Make an Array of a shape, with arbitrary elements. See `numpy.empty`."""
    return _of_shape(ops.empty, shape, dtype, order, device, like)


def zeros(
    shape: Shape, dtype: DTypeLike = None, order: str = "C", *, device: DeviceLike = None, like: Array | None = None
) -> Array:
    """Make an Array of zeros. See `numpy.zeros`."""
    return _of_shape(ops.zeros, shape, dtype, order, device, like)


def ones(
    shape: Shape, dtype: DTypeLike = None, order: str = "C", *, device: DeviceLike = None, like: Array | None = None
) -> Array:
    """
    Make an Array of ones. See `numpy.ones`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.ones(2, dtype=xp.bfloat16)
    Array([1., 1.], dtype=bfloat16, device='cpu')
    """
    return _of_shape(ops.ones, shape, dtype, order, device, like)


def full(
    shape: Shape,
    fill_value: ArrayLike,
    dtype: DTypeLike = None,
    order: str = "C",
    *,
    device: DeviceLike = None,
    like: Array | None = None,
) -> Array:
    """Make an Array that is filled with a value. See `numpy.full`."""
    target = None if device is None and like is None else choose_device(device, like)
    value = as_operand(fill_value, dtype=dtype, device=target)
    lengths = canonical_shape(shape, value.dtype)
    if value.ndim and np.broadcast_shapes(value.shape, lengths) != lengths:
        raise ValueError(f"a fill value of shape {value.shape} does not broadcast to the shape {lengths}; give a number or fewer elements")
    return make(ops.full, value.device, lengths, value._value, value.dtype, order)


def _like(
    op: Op, of_shape: Op, prototype: ArrayLike, dtype: DTypeLike, order: str, shape: Any, device: DeviceLike, *value: Array
) -> Array:
    """Run the Op that follows a prototype where that is, or else the Op that knows only its shape."""
    x = asarray(prototype)
    wanted = x.dtype if dtype is None else canonical_dtype(dtype)
    sides = None if shape is None else canonical_shape(shape, wanted)
    target = x.device if device is None else choose_device(device)
    values = tuple(v._value for v in value)  # which are on the target
    if target is x.device:
        return make(op, target, x._value, *values, wanted, order, True, sides)
    return make(of_shape, target, x.shape if sides is None else sides, *values, wanted, "F" if order == "F" else "C")


def empty_like(
    prototype: ArrayLike,
    /,
    dtype: DTypeLike = None,
    order: str = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: DeviceLike = None,
) -> Array:
    """Make an Array of the shape and dtype of another, with arbitrary elements. See `numpy.empty_like`."""
    del subok
    return _like(ops.empty_like, ops.empty, prototype, dtype, order, shape, device)


def zeros_like(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: str = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: DeviceLike = None,
) -> Array:
    """Make an Array of zeros of the shape and dtype of another. See `numpy.zeros_like`."""
    del subok
    return _like(ops.zeros_like, ops.zeros, a, dtype, order, shape, device)


def ones_like(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: str = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: DeviceLike = None,
) -> Array:
    """Make an Array of ones of the shape and dtype of another. See `numpy.ones_like`."""
    del subok
    return _like(ops.ones_like, ops.ones, a, dtype, order, shape, device)


def full_like(
    a: ArrayLike,
    fill_value: ArrayLike,
    dtype: DTypeLike = None,
    order: str = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: DeviceLike = None,
) -> Array:
    """Make an Array of the shape and dtype of another that is filled with a value. See `numpy.full_like`."""
    del subok
    prototype = as_operand(a, fill_value)
    target = prototype.device if device is None else choose_device(device)
    value = as_operand(fill_value, dtype=prototype.dtype if dtype is None else dtype, device=target)
    return _like(ops.full_like, ops.full, prototype, dtype, order, shape, device, value)


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike = None,
    order: str = "C",
    *,
    device: DeviceLike = None,
    like: Array | None = None,
) -> Array:
    """Make a matrix with ones on a diagonal and zeros elsewhere. See `numpy.eye`."""
    target = choose_device(device, like)
    wanted = asked_dtype(dtype, target)
    rows, columns = canonical_shape((N, N if M is None else M), wanted)
    _check_order(order)
    return make(ops.eye, target, rows, columns, operator.index(k), wanted, order)


def identity(n: int, dtype: DTypeLike = None, *, like: Array | None = None) -> Array:
    """Make a square matrix with ones on the main diagonal and zeros elsewhere. See `numpy.identity`."""
    return eye(n, dtype=dtype, like=like)
