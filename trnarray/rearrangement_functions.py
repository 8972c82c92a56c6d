"""Other orders of elements along axes; repetition, padding, insertion and deletion."""

from __future__ import annotations

from typing import Any, Literal

from ._apply import apply
from ._array import Array
from ._operand import as_operand, as_operands
from ._typing import ArrayLike, Axes, Shape
from .backends.ops import manipulation as ops

__all__ = ["append", "copyto", "delete", "flip", "fliplr", "flipud", "insert", "pad", "repeat", "roll", "rot90", "tile", "trim_zeros"]


def flip(m: ArrayLike, axis: Axes = None) -> Array:
    """
    Reverse the order of elements along axes.

    Parameters
    ----------
    m : array_like
        The array.
    axis : int or tuple of int, optional
        The axes; all by default.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.flip(xp.arange(3))
    Array([2, 1, 0], dtype=int64, device='cpu')
    """
    return apply(ops.flip, m, axis)


def fliplr(m: ArrayLike) -> Array:
    """
    Reverse the order of elements along the second axis.

    Parameters
    ----------
    m : array_like
        The array, of at least two dimensions.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fliplr([[1, 2, 3]])
    Array([[3, 2, 1]], dtype=int64, device='cpu')
    """
    return apply(ops.fliplr, m)


def flipud(m: ArrayLike) -> Array:
    """
    Reverse the order of elements along the first axis.

    Parameters
    ----------
    m : array_like
        The array, of at least one dimension.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.flipud([1, 2, 3])
    Array([3, 2, 1], dtype=int64, device='cpu')
    """
    return apply(ops.flipud, m)


def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """
    Rotate an array by right angles.

    Parameters
    ----------
    m : array_like
        The array, of at least two dimensions.
    k : int, optional
        The number of right angles.
    axes : tuple of int, optional
        The plane of rotation, from the first axis to the second.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.rot90([[1, 2, 3]]).shape
    (3, 1)
    """
    return apply(ops.rot90, m, k, axes)


def roll(a: ArrayLike, shift: Shape, axis: Shape | None = None) -> Array:
    """
    Shift elements along axes; those that leave at one end come in at the other.

    Parameters
    ----------
    a : array_like
        The array.
    shift : int or tuple of int
        By how many places, for each axis.
    axis : int or tuple of int, optional
        The axes; by default the array is flattened for the shift.

    Returns
    -------
    Array
        A copy, of the same shape.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.roll(xp.arange(4), 1)
    Array([3, 0, 1, 2], dtype=int64, device='cpu')
    """
    return apply(ops.roll, a, shift, axis)


def repeat(a: ArrayLike, repeats: ArrayLike, axis: int | None = None) -> Array:
    """
    Repeat each element.

    Parameters
    ----------
    a : array_like
        The array.
    repeats : int or array_like of int
        How often; one number, or one for each place along the axis.
    axis : int, optional
        The axis; by default the array is flattened.

    Returns
    -------
    Array
        A copy with the repetitions.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.repeat(xp.arange(3), xp.asarray([1, 0, 2]))
    Array([0, 2, 2], dtype=int64, device='cpu')
    """
    a, counts = as_operands(a, repeats)
    if not isinstance(repeats, (list, tuple, range)):  # which stay on the host: the shape depends on them
        repeats = counts
    return apply(ops.standard_repeat, as_operand(a), repeats, axis=axis)


def tile(A: ArrayLike, reps: Shape) -> Array:
    """
    Repeat an array as a whole.

    Parameters
    ----------
    A : array_like
        The array.
    reps : int or sequence of int
        How often along each axis; the last ones where there are fewer numbers than axes.

    Returns
    -------
    Array
        The tiled array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tile([1, 2], (2, 2)).shape
    (2, 4)
    """
    return apply(ops.tile, A, reps)


def pad(array: ArrayLike, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Array:
    """
    Pad an array at its edges.

    Parameters
    ----------
    array : array_like
        The array.
    pad_width : int, pair of int, sequence of pairs or dict
        The numbers of elements to add before and after: for all axes, or for each.
    mode : str or callable, optional
        What to add: 'constant', 'edge', 'linear_ramp', 'maximum', 'mean', 'median', 'minimum', 'reflect', 'symmetric',
        'wrap', 'empty', or a function that fills the edges of one row, as ``numpy.pad`` calls it.
    **kwargs
        What the mode needs: ``constant_values``, ``end_values``, ``stat_length``, ``reflect_type``.

    Returns
    -------
    Array
        The padded array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.pad([1, 2], (1, 2), constant_values=9)
    Array([9, 1, 2, 9, 9], dtype=int64, device='cpu')
    """
    return apply(ops.pad, array, pad_width, mode, **kwargs)


def trim_zeros(filt: ArrayLike, trim: Literal["f", "b", "fb", "bf"] = "fb", axis: Axes = None) -> Array:
    """
    Cut zeros off at the edges.

    Parameters
    ----------
    filt : array_like
        The array.
    trim : {'fb', 'f', 'b'}, optional
        Whether to cut at the front, at the back, or both.
    axis : int or tuple of int, optional
        The axes along which to cut; all by default.

    Returns
    -------
    Array
        A view; a list for a list.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.trim_zeros(xp.asarray([0, 1, 0, 2, 0]))
    Array([1, 0, 2], dtype=int64, device='cpu')
    """
    return apply(ops.trim_zeros, filt, trim, axis)


def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """
    Join two arrays.

    Parameters
    ----------
    arr : array_like
        The first.
    values : array_like
        The second.
    axis : int, optional
        The axis along which to join; by default both are flattened first.

    Returns
    -------
    Array
        A new array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.append([1, 2], 3)
    Array([1, 2, 3], dtype=int64, device='cpu')
    """
    return apply(ops.append, arr, values, axis)


def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """
    Copy an array with more elements in it.

    Parameters
    ----------
    arr : array_like
        The array.
    obj : int, slice, or sequence of int or bool
        The places before which to insert.
    values : array_like
        What to insert; it takes the array's dtype.
    axis : int, optional
        The axis along which to insert; by default `arr` is flattened first.

    Returns
    -------
    Array
        A copy with the values inserted.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.insert([1, 2, 3], 1, 9)
    Array([1, 9, 2, 3], dtype=int64, device='cpu')
    """
    return apply(ops.insert, arr, obj, values, axis)


def delete(arr: ArrayLike, obj: Any, axis: int | None = None) -> Array:
    """
    Copy an array without some of its elements.

    Parameters
    ----------
    arr : array_like
        The array.
    obj : int, slice, or sequence of int or bool
        The places to leave out.
    axis : int, optional
        The axis of those places; by default `arr` is flattened first.

    Returns
    -------
    Array
        A copy without them.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.delete([1, 2, 3], [0, -1])
    Array([2], dtype=int64, device='cpu')
    """
    return apply(ops.delete, arr, obj, axis)


def copyto(dst: Array, src: ArrayLike, casting: str = "same_kind", where: ArrayLike = True) -> None:
    """
    Copy elements of one array to another.

    Parameters
    ----------
    dst : Array
        The array to write to.
    src : array_like
        The elements, broadcast to its shape.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        Which casts to its dtype are allowed.
    where : array_like of bool, optional
        Which elements to copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.zeros(3)
    >>> xp.copyto(x, 1, where=[True, False, True])
    >>> x
    Array([1., 0., 1.], dtype=float64, device='cpu')
    """
    apply(ops.copyto, dst, src, casting, where)
