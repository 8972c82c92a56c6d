"""Views of an array's memory by other strides; as in `numpy.lib.stride_tricks`."""

from __future__ import annotations

from collections.abc import Iterable

from .._apply import apply
from .._array import Array
from .._operand import as_operand
from .._typing import Axes, Shape
from ..backends.ops import strides as ops
from ..manipulation_functions import broadcast_arrays, broadcast_shapes, broadcast_to

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]


def as_strided(
    x: Array,
    shape: Iterable[int] | None = None,
    strides: Iterable[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
    *,
    check_bounds: bool | None = None,
) -> Array:
    """
    View the memory of an array by other lengths and strides.

    Parameters
    ----------
    x : Array
        The array.
    shape : sequence of int, optional
        The lengths; its own by default.
    strides : sequence of int, optional
        The bytes from one element to the next along each axis; its own by default.
    subok : bool, optional
        Without effect: Array has no subclasses.
    writeable : bool, optional
        Whether the view may be written to, if the array may.
    check_bounds : bool, optional
        Whether to refuse a view that is not within the array's memory; NumPy from 2.5 can. Otherwise such a view reads and
        writes whatever is there. On Neuron devices it is always refused.

    Returns
    -------
    Array
        The view.

    Raises
    ------
    ValueError
        If the view is not within memory and bounds are checked, or on a Neuron device not of whole elements.

    Notes
    -----
    Of elements that share memory, NumPy leaves open which one stays of a write to several. On Neuron devices it is the last one,
    in C order, that changes.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.lib.stride_tricks.as_strided(xp.arange(4), (2, 3), (8, 8))
    Array([[0, 1, 2],
           [1, 2, 3]], dtype=int64, device='cpu')
    """
    del subok
    checks = {} if check_bounds is None else {"check_bounds": check_bounds}
    return apply(ops.as_strided, as_operand(x), _whole(shape), _whole(strides), writeable=writeable, **checks)


def sliding_window_view(
    x: Array, window_shape: Shape, axis: Axes = None, *, subok: bool = False, writeable: bool = False
) -> Array:
    """
    View an array as all windows of a shape in it.

    Parameters
    ----------
    x : array_like
        The array.
    window_shape : int or tuple of int
        The lengths of the window along the axes.
    axis : int or tuple of int, optional
        The axes along which the window slides; all by default.
    subok : bool, optional
        Without effect: Array has no subclasses.
    writeable : bool, optional
        Whether the view may be written to; its windows overlap.

    Returns
    -------
    Array
        The view: the dimensions of the positions, then those of the window.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.lib.stride_tricks.sliding_window_view(xp.arange(4), 3)
    Array([[0, 1, 2],
           [1, 2, 3]], dtype=int64, device='cpu')
    """
    del subok
    return apply(ops.sliding_window_view, as_operand(x), window_shape, axis, writeable=writeable)


def _whole(numbers: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(numbers)
