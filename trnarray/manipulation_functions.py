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
    """
    Give an array another shape.

    Parameters
    ----------
    a : array_like
        The array.
    shape : int or sequence of int
        The new shape, with as many elements; one length may be -1 and is inferred.
    order : {'C', 'F', 'A'}, optional
        The order in which elements are read and placed: last index fastest, first index fastest, or the array's own.
    copy : bool, optional
        True copies always, False never (ValueError where a view is impossible); by default only where needed.

    Returns
    -------
    Array
        A view where possible, else a copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.reshape(xp.arange(6), (2, -1)).shape
    (2, 3)
    """
    if order == "C" and copy is None:
        return a._view(ops.reshape, shape) if type(a) is Array else apply(ops.reshape, a, shape)
    return apply(ops.reshape, a, shape, order=order, copy=copy)


def ravel(a: ArrayLike, order: Literal["C", "F", "A", "K"] = "C") -> Array:
    """
    Flatten an array.

    Parameters
    ----------
    a : array_like
        The array.
    order : {'C', 'F', 'A', 'K'}, optional
        The order in which elements are read; 'K' is that of memory.

    Returns
    -------
    Array
        The elements in one dimension: a view where possible, else a copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.ravel([[1, 2], [3, 4]], order="F")
    Array([1, 3, 2, 4], dtype=int64, device='cpu')
    """
    return apply(ops.ravel, a, order=order)


def resize(a: ArrayLike, new_shape: Shape) -> Array:
    """
    Copy an array to a new shape of any size.

    Parameters
    ----------
    a : array_like
        The array.
    new_shape : int or sequence of int
        The new shape; elements are left out, or repeated from the first.

    Returns
    -------
    Array
        A copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.resize([1, 2, 3], 5)
    Array([1, 2, 3, 1, 2], dtype=int64, device='cpu')
    """
    return apply(ops.resize, a, new_shape)


def transpose(a: ArrayLike, axes: Shape | None = None) -> Array:
    """
    Permute the axes of an array.

    Parameters
    ----------
    a : array_like
        The array.
    axes : sequence of int, optional
        The old axis that comes at each place; by default the axes are reversed.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.transpose(xp.ones((2, 3, 4)), (1, 0, 2)).shape
    (3, 2, 4)
    """
    return apply(ops.transpose, a, axes)


def permute_dims(a: ArrayLike, axes: Shape | None = None) -> Array:
    """
    Permute the axes of an array.

    Parameters
    ----------
    a : array_like
        The array.
    axes : sequence of int, optional
        The old axis that comes at each place; by default the axes are reversed.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.permute_dims(xp.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return apply(ops.transpose, a, axes)


def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """
    Exchange two axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis1, axis2 : int
        The axes.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.swapaxes(xp.ones((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    return apply(ops.swapaxes, a, axis1, axis2)


def moveaxis(a: ArrayLike, source: Shape, destination: Shape) -> Array:
    """
    Move axes to other places; the others keep their order.

    Parameters
    ----------
    a : array_like
        The array.
    source : int or sequence of int
        The axes to move.
    destination : int or sequence of int
        Where each of them goes.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.moveaxis(xp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return apply(ops.moveaxis, a, source, destination)


def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """
    Move an axis before another; `moveaxis` is easier to read.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int
        The axis to move.
    start : int, optional
        The axis before which it goes.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.rollaxis(xp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    return apply(ops.rollaxis, a, axis, start)


def squeeze(a: ArrayLike, axis: Axes = None) -> Array:
    """
    Drop axes of length 1.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to drop; by default all of length 1.

    Returns
    -------
    Array
        A view.

    Raises
    ------
    ValueError
        If an axis to drop has another length.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.squeeze(xp.ones((1, 3, 1)), 0).shape
    (3, 1)
    """
    return apply(ops.squeeze, a, axis)


def expand_dims(a: ArrayLike, axis: Shape) -> Array:
    """
    Insert axes of length 1.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int
        Their places in the result.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.expand_dims(xp.ones(3), (0, -1)).shape
    (1, 3, 1)
    """
    return apply(ops.expand_dims, a, axis)


def broadcast_to(array: ArrayLike, shape: Shape, subok: bool = False) -> Array:  # noqa: ARG001
    """
    Broadcast an array to a shape.

    Parameters
    ----------
    array : array_like
        The array.
    shape : int or sequence of int
        The shape.
    subok : bool, optional
        Without effect, as Array has no subclasses.

    Returns
    -------
    Array
        A read-only view, in which several elements may be one in memory.

    Raises
    ------
    ValueError
        If the array's shape does not broadcast to `shape`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.broadcast_to(xp.arange(3), (2, 3)).strides
    (0, 8)
    """
    return apply(ops.broadcast_to, array, shape)


def broadcast_arrays(*args: ArrayLike, subok: bool = False) -> tuple[Array, ...]:  # noqa: ARG001
    """
    Broadcast arrays against each other.

    Parameters
    ----------
    *args : array_like
        The arrays.
    subok : bool, optional
        Without effect, as Array has no subclasses.

    Returns
    -------
    tuple of Array
        Views, all of one shape.

    Raises
    ------
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import trnarray as xp
    >>> [x.shape for x in xp.broadcast_arrays(xp.ones(3), xp.ones((2, 1)))]
    [(2, 3), (2, 3)]
    """
    return apply_for_tuple(ops.broadcast_arrays, *args)


def broadcast_shapes(*args: Shape) -> tuple[int, ...]:
    """
    Broadcast shapes against each other.

    Parameters
    ----------
    *args : int or sequence of int
        The shapes.

    Returns
    -------
    tuple of int
        The common shape.

    Raises
    ------
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return np.broadcast_shapes(*args)


def atleast_1d(*arys: ArrayLike) -> Array | tuple[Array, ...]:
    """
    Give arrays at least one dimension.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    Array or tuple of Array
        Views, with an axis of length 1 where there was none.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.atleast_1d(3.0)
    Array([3.], dtype=float64, device='cpu')
    """
    return apply_for_tuple(ops.atleast_1d, *arys)


def atleast_2d(*arys: ArrayLike) -> Array | tuple[Array, ...]:
    """
    Give arrays at least two dimensions.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    Array or tuple of Array
        Views, with axes of length 1 in front.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.atleast_2d(xp.ones(3)).shape
    (1, 3)
    """
    return apply_for_tuple(ops.atleast_2d, *arys)


def atleast_3d(*arys: ArrayLike) -> Array | tuple[Array, ...]:
    """
    Give arrays at least three dimensions.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    Array or tuple of Array
        Views: one dimension becomes the middle of three, two become the first of three.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.atleast_3d(xp.ones(3)).shape
    (1, 3, 1)
    """
    return apply_for_tuple(ops.atleast_3d, *arys)
