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
    View the memory of an array by other lengths and strides. See `numpy.lib.stride_tricks.as_strided`.

    Notes
    -----
    Of elements that share memory, NumPy leaves open which one stays of a write to several. On Neuron devices it is the last one,
    in C order, that changes.
    """
    del subok
    checks = {} if check_bounds is None else {"check_bounds": check_bounds}
    return apply(ops.as_strided, as_operand(x), _whole(shape), _whole(strides), writeable=writeable, **checks)


def sliding_window_view(
    x: Array, window_shape: Shape, axis: Axes = None, *, subok: bool = False, writeable: bool = False
) -> Array:
    """View an array as all windows of a shape in it. See `numpy.lib.stride_tricks.sliding_window_view`."""
    del subok
    return apply(ops.sliding_window_view, as_operand(x), window_shape, axis, writeable=writeable)


def _whole(numbers: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(numbers)
