"""Addresses of an array's memory, and axes counted from the first; as in `numpy.lib.array_utils`."""

from __future__ import annotations

from numpy.lib import array_utils
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from .._array import Array
from ..backends.device import CPU

__all__ = ["byte_bounds", "normalize_axis_index", "normalize_axis_tuple"]


def byte_bounds(a: Array) -> tuple[int, int]:
    """
    Return the addresses of the ends of an array's memory on the host.

    See `numpy.lib.array_utils.byte_bounds`.
    """
    if type(a) is not Array:
        raise TypeError(f"byte_bounds takes an Array, which has memory, but got {type(a).__name__}")
    if a.device is not CPU:
        raise ValueError(f"only memory of the host has addresses, but the array is on {str(a.device)!r}; move it with a.to_device('cpu')")
    low, high = array_utils.byte_bounds(a._host())
    return int(low), int(high)
