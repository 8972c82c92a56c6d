"""Sorting and searching in sorted arrays, as the standard has it: descending and stable orders, weak scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import HostArray

__all__ = ["argsort", "searchsorted", "sort", "topk"]

_Array = HostArray

_WORTH_A_LOOK = 1024  # below, looking for -0.0 takes longer than sorting


def sort(x: _Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> _Array:
    """
    Sort a copy of an array.

    NaNs come last in both orders, complex numbers are ordered by real part and then by imaginary part.

    Examples
    --------
    >>> import numpy as np
    >>> sort(np.array([1.0, np.nan, 3.0, 2.0]), descending=True)
    array([ 3.,  2.,  1., nan])
    """
    stable = stable and _distinguishes_equals(x)
    if not descending:
        return np.sort(x, axis=axis, stable=stable)
    result = np.asarray(_mirrored(x))
    result.sort(axis=axis, stable=stable)
    return _mirrored(result, out=result)


def argsort(x: _Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> np.ndarray[Any, np.dtype[np.intp]]:
    """
    Find the indices that sort an array.

    Examples
    --------
    >>> import numpy as np
    >>> argsort(np.array([1, 2, 1, 2]), descending=True)
    array([1, 3, 0, 2])
    """
    if x.ndim == 0:  # for which NumPy's answer is 0, though it does not sort it
        raise np.exceptions.AxisError(axis, 0)
    return np.argsort(_mirrored(x) if descending else x, axis=axis, stable=stable)


def topk(x: _Array, /, k: int, *, axis: int = -1, descending: bool = True) -> tuple[_Array, np.ndarray[Any, np.dtype[np.intp]]]:
    """Find the largest or the smallest elements along an axis."""
    length = x.shape[np.lib.array_utils.normalize_axis_index(axis, x.ndim)]
    if not 0 <= k <= length:
        raise ValueError(f"topk takes from 0 to {length} elements of this axis, and k is {k}")
    indices = np.take(argsort(x, axis=axis, descending=descending), range(k), axis)
    return np.take_along_axis(x, indices, axis), indices



def _distinguishes_equals(x: _Array) -> bool:
    """Tell whether a stable sort can differ from one that is not, and is several times faster."""
    if x.dtype.kind != "f":
        return bool(x.dtype.kind == "c")
    return x.size < _WORTH_A_LOOK or bool(np.signbit(x[x == 0]).any())


def _mirrored(x: _Array, out: _Array | None = None) -> _Array:
    """Reverse the order of the values, one to one: so stability carries over and NaN stays what it is."""
    mirror = np.negative if x.dtype.kind in "fc" else np.invert
    result: _Array = mirror(x, out=out)
    return result


def searchsorted(x1: _Array, x2: Any, /, *, side: Any = "left", sorter: _Array | None = None) -> Any:
    """
    Find where elements belong in a sorted array.

    NumPy's, except that a Python scalar takes the array's dtype (0.1 is found in an array of float32 that holds it), and
    that `sorter` may be of any integer dtype.
    """
    if type(x2) in (int, float) and x1.dtype.kind == "f":
        x2 = x1.dtype.type(x2)
    if sorter is not None:
        sorter = np.asarray(sorter).astype(np.intp, copy=False)
    return np.searchsorted(x1, x2, side=side, sorter=sorter)
