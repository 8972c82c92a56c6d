"""Manipulation functions: other shapes and other orders of axes, as views wherever NumPy gives views."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._typing import ArrayLike, Axes, Shape
from .backends.ops import manipulation as ops

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "moveaxis",
    "permute_dims",
    "ravel",
    "reshape",
    "resize",
    "rollaxis",
    "squeeze",
    "swapaxes",
    "transpose",
]


def reshape(a: ArrayLike, /, shape: Shape, order: Literal["C", "F", "A"] = "C", *, copy: bool | None = None) -> Array:
    """Give an array another shape. See `numpy.reshape`."""
    if order == "C" and copy is None:
        return apply(ops.reshape, a, shape)
    return apply(ops.reshape, a, shape, order=order, copy=copy)


def ravel(a: ArrayLike, order: Literal["C", "F", "A", "K"] = "C") -> Array:
    """Flatten an array. See `numpy.ravel`."""
    return apply(ops.ravel, a, order=order)


def resize(a: ArrayLike, new_shape: Shape) -> Array:
    """Copy an array to a new shape of any size. See `numpy.resize`."""
    return apply(ops.resize, a, new_shape)


def transpose(a: ArrayLike, axes: Shape | None = None) -> Array:
    """Permute the axes of an array. See `numpy.transpose`."""
    return apply(ops.transpose, a, axes)


def permute_dims(a: ArrayLike, axes: Shape | None = None) -> Array:
    """Permute the axes of an array. See `numpy.permute_dims`."""
    return apply(ops.transpose, a, axes)


def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """Exchange two axes. See `numpy.swapaxes`."""
    return apply(ops.swapaxes, a, axis1, axis2)


def moveaxis(a: ArrayLike, source: Shape, destination: Shape) -> Array:
    """Move axes to other places; the others keep their order. See `numpy.moveaxis`."""
    return apply(ops.moveaxis, a, source, destination)


def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """Move an axis before another; `moveaxis` is easier to read. See `numpy.rollaxis`."""
    return apply(ops.rollaxis, a, axis, start)


def squeeze(a: ArrayLike, axis: Axes = None) -> Array:
    """Drop axes of length 1. See `numpy.squeeze`."""
    return apply(ops.squeeze, a, axis)


def expand_dims(a: ArrayLike, axis: Shape) -> Array:
    """Insert axes of length 1. See `numpy.expand_dims`."""
    return apply(ops.expand_dims, a, axis)


def broadcast_to(array: ArrayLike, shape: Shape, subok: bool = False) -> Array:  # noqa: ARG001
    """Broadcast an array to a shape. See `numpy.broadcast_to`."""
    return apply(ops.broadcast_to, array, shape)


def broadcast_arrays(*args: ArrayLike, subok: bool = False) -> tuple[Array, ...]:  # noqa: ARG001
    """Broadcast arrays against each other. See `numpy.broadcast_arrays`."""
    return apply_for_tuple(ops.broadcast_arrays, *args)


def broadcast_shapes(*args: Shape) -> tuple[int, ...]:
    """Broadcast shapes against each other. See `numpy.broadcast_shapes`."""
    return np.broadcast_shapes(*args)


def atleast_1d(*arys: ArrayLike) -> Array | tuple[Array, ...]:
    """Give arrays at least one dimension. See `numpy.atleast_1d`."""
    return apply_for_tuple(ops.atleast_1d, *arys)


def atleast_2d(*arys: ArrayLike) -> Array | tuple[Array, ...]:
    """Give arrays at least two dimensions. See `numpy.atleast_2d`."""
    return apply_for_tuple(ops.atleast_2d, *arys)


def atleast_3d(*arys: ArrayLike) -> Array | tuple[Array, ...]:
    """Give arrays at least three dimensions. See `numpy.atleast_3d`."""
    return apply_for_tuple(ops.atleast_3d, *arys)
