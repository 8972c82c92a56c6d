"""Sorting and searching in sorted arrays, as the standard has it: descending and stable orders, weak scalars."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["argsort", "searchsorted", "sort"]

_Array = npt.NDArray[Any]


def sort(x: _Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> _Array:
    """
    Sort a copy of an array.

    NaNs come last in both orders, complex numbers are ordered by real part and then by imaginary part.

    Parameters
    ----------
    x : ndarray
        The array.
    axis : int, optional
        The axis to sort along.
    descending : bool, optional
        Whether the largest comes first.
    stable : bool, optional
        Whether to keep the order of equal elements (0.0 and -0.0).

    Returns
    -------
    ndarray
        The sorted copy.

    Examples
    --------
    >>> import numpy as np
    >>> sort(np.array([1.0, np.nan, 3.0, 2.0]), descending=True)
    array([ 3.,  2.,  1., nan])
    """
    stable = stable and x.dtype.kind in "fc"  # equal integers are the same
    if not descending:
        return np.sort(x, axis=axis, stable=stable)
    result = np.asarray(_mirrored(x))
    result.sort(axis=axis, stable=stable)
    return _mirrored(result, out=result)


def argsort(x: _Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> npt.NDArray[np.intp]:
    """
    Find the indices that sort an array.

    Parameters
    ----------
    x : ndarray
        The array.
    axis : int, optional
        The axis to sort along.
    descending : bool, optional
        Whether the largest comes first; NaNs come last in both orders.
    stable : bool, optional
        Whether to keep the order of equal elements, in both orders.

    Returns
    -------
    ndarray of intp
        The indices.

    Examples
    --------
    >>> import numpy as np
    >>> argsort(np.array([1, 2, 1, 2]), descending=True)
    array([1, 3, 0, 2])
    """
    return np.argsort(_mirrored(x) if descending else x, axis=axis, stable=stable)


def _mirrored(x: _Array, out: _Array | None = None) -> _Array:
    """Reverse the order of the values, one to one: so stability carries over and NaN stays what it is."""
    mirror = np.negative if x.dtype.kind in "fc" else np.invert
    result: _Array = mirror(x, out=out)
    return result


def searchsorted(x1: _Array, x2: Any, /, *, side: Any = "left", sorter: _Array | None = None) -> Any:
    """
    Find where elements belong in a sorted array.

    NumPy's, except that a Python scalar takes the array's dtype: 0.1 is found in an array of float32 that holds it.

    Parameters
    ----------
    x1 : ndarray
        The sorted array, or the array that `sorter` sorts.
    x2 : ndarray or scalar
        The elements.
    side : {'left', 'right'}, optional
        Before or after the elements that are equal.
    sorter : ndarray, optional
        Indices that sort `x1`.

    Returns
    -------
    ndarray or NumPy scalar
        The indices.
    """
    if type(x2) in (int, float) and x1.dtype.kind == "f":
        x2 = x1.dtype.type(x2)
    return np.searchsorted(x1, x2, side=side, sorter=sorter)
