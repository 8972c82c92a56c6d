"""What arrays look like, as functions: shape, number of dimensions and of elements, and shared memory."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ._array import Array
from ._typing import ArrayLike, Axes
from .backends.ops import predicates as ops
from .existing_data import asarray

__all__ = ["may_share_memory", "ndim", "shape", "shares_memory", "size"]


def shape(a: Any) -> tuple[int, ...]:
    """
    Return the shape of an array.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    tuple of int
        Its lengths.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.shape([[1, 2, 3]]), xp.shape(0)
    ((1, 3), ())
    """
    return tuple(a.shape) if hasattr(a, "shape") else _read(a).shape


def ndim(a: Any) -> int:
    """
    Return the number of dimensions of an array.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    int
        The number.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.ndim([[1, 2, 3]]), xp.ndim(0)
    (2, 0)
    """
    return int(a.ndim) if hasattr(a, "ndim") else _read(a).ndim


def size(a: Any, axis: Axes = None) -> int:
    """
    Return the number of elements of an array, or along axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes; all by default.

    Returns
    -------
    int
        The number.

    Raises
    ------
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.size([[1, 2, 3]]), xp.size(xp.ones((4, 3)), axis=0)
    (3, 4)
    """
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
    """
    Tell whether two arrays have an element in common.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    max_work : int, optional
        How many candidate solutions to try: -1 is as many as it takes, 0 looks at the ends of both only.

    Returns
    -------
    bool
        The answer.

    Raises
    ------
    numpy.exceptions.TooHardError
        If `max_work` was not enough.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(6)
    >>> xp.shares_memory(x, x[::2]), xp.shares_memory(x[::2], x[1::2])
    (True, False)
    """
    return bool(Array._apply(ops.shares_memory, a, b, _integer(max_work)))


def may_share_memory(a: ArrayLike, b: ArrayLike, /, max_work: int = 0) -> bool:
    """
    Tell whether the memory of two arrays overlaps, without looking at single elements.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    max_work : int, optional
        How many candidate solutions to try: 0 looks at the ends of both only.

    Returns
    -------
    bool
        False if they certainly have no element in common.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(6)
    >>> xp.may_share_memory(x[::2], x[1::2]), xp.may_share_memory(x[:3], x[3:])
    (True, False)
    """
    return bool(Array._apply(ops.may_share_memory, a, b, _integer(max_work)))


def _read(a: Any) -> Any:
    """Read a sequence of numbers and Arrays; whatever else NumPy can describe, as a text, is for NumPy to describe."""
    return asarray(a) if isinstance(a, (list, tuple)) else np.asarray(a)
