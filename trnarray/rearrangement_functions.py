"""Other orders of elements along axes; repetition, padding, insertion and deletion."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ._apply import apply
from ._array import Array
from ._operand import as_operand, as_operands
from ._typing import ArrayLike, Axes, Shape
from .backends.ops import manipulation as ops

__all__ = ["append", "copyto", "delete", "flip", "fliplr", "flipud", "insert", "pad", "repeat", "roll", "rot90", "tile", "trim_zeros"]


def flip(m: ArrayLike, axis: Axes = None) -> Array:
    """Reverse the order of elements along axes. See `numpy.flip`."""
    return apply(ops.flip, m, axis)


def fliplr(m: ArrayLike) -> Array:
    """Reverse the order of elements along the second axis. See `numpy.fliplr`."""
    return apply(ops.fliplr, m)


def flipud(m: ArrayLike) -> Array:
    """Reverse the order of elements along the first axis. See `numpy.flipud`."""
    return apply(ops.flipud, m)


def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Rotate an array by right angles. See `numpy.rot90`."""
    return apply(ops.rot90, m, k, axes)


def roll(a: ArrayLike, shift: Shape, axis: Shape | None = None) -> Array:
    """Shift elements along axes; those that leave at one end come in at the other. See `numpy.roll`."""
    return apply(ops.roll, a, shift, axis)


def repeat(a: ArrayLike, repeats: ArrayLike, axis: int | None = None) -> Array:
    """Repeat each element. See `numpy.repeat`."""
    if not isinstance(repeats, (list, tuple, range, np.ndarray)):  # which stay on the host: the shape depends on them
        a, repeats = as_operands(a, repeats)
    return apply(ops.standard_repeat, as_operand(a), repeats, axis=axis)


def tile(A: ArrayLike, reps: Shape) -> Array:
    """Repeat an array as a whole. See `numpy.tile`."""
    return apply(ops.tile, A, reps)


def pad(array: ArrayLike, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Array:
    """Pad an array at its edges. See `numpy.pad`."""
    return apply(ops.pad, array, pad_width, mode, **kwargs)


def trim_zeros(filt: ArrayLike, trim: Literal["f", "b", "fb", "bf"] = "fb", axis: Axes = None) -> Array:
    """Cut zeros off at the edges. See `numpy.trim_zeros`."""
    return apply(ops.trim_zeros, filt, trim, axis)


def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """Join two arrays. See `numpy.append`."""
    return apply(ops.append, arr, values, axis)


def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """Copy an array with more elements in it. See `numpy.insert`."""
    return apply(ops.insert, arr, obj, values, axis)


def delete(arr: ArrayLike, obj: Any, axis: int | None = None) -> Array:
    """Copy an array without some of its elements. See `numpy.delete`."""
    return apply(ops.delete, arr, obj, axis)


def copyto(dst: Array, src: ArrayLike, casting: str = "same_kind", where: ArrayLike = True) -> None:
    """Copy elements of one array to another. See `numpy.copyto`."""
    apply(ops.copyto, dst, src, casting, where)
