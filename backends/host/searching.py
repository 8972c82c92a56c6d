"""Counting, looking up and repeating elements as the standard has it, where NumPy differs or NumPy 2.2 does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..shape import check_length

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["count_nonzero", "isin", "repeat", "repeat_in_numpy", "take_along_axis", "unique_values"]

_FEW: Final = 1 << 31  # repetitions of an element that need no look at all of them


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """
    Count the elements that are not zero.

    NumPy's, except that the count of a whole array is a NumPy scalar and not an int.

    Examples
    --------
    >>> import numpy as np
    >>> count_nonzero(np.array([0.0, -0.0, np.nan, 2.0]))
    np.int64(2)
    """
    count = np.count_nonzero(x, axis=axis, keepdims=keepdims)
    return np.intp(count) if type(count) is int else count


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """
    Tell which elements of one array are in another.

    NumPy's, except that a Python scalar is compared as ``x == scalar`` compares it.

    Examples
    --------
    >>> import numpy as np
    >>> isin(np.array([0.1, 0.2], dtype=np.float32), 0.1)
    array([ True, False])
    """
    if not isinstance(x2, np.ndarray):
        return (np.not_equal if invert else np.equal)(x1, x2)
    if not isinstance(x1, (np.ndarray, np.generic)):
        found = np.equal(x2, x1).any()
        return ~found if invert else found
    return np.isin(x1, x2, invert=invert)[()]


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> npt.NDArray[Any]:
    """
    Repeat elements.

    NumPy's, except that `repeats` may be of any integer dtype, uint64 among them.
    """
    if isinstance(repeats, np.ndarray) and repeats.dtype == np.uint64:
        repeats = repeats.astype(np.intp)
    return repeat_in_numpy(x, repeats, axis)


def repeat_in_numpy(a: Any, repeats: Any, axis: Any = None) -> npt.NDArray[Any]:
    """Repeat elements by NumPy, which ends the process where their number overflows."""
    counts = np.asarray(repeats)
    if counts.dtype.kind in "iu" and counts.size and int(counts.max()) > _FEW:
        x = np.asarray(a)
        check_length(float(counts.sum(dtype=np.float64)) * x.size / (1 if counts.size == 1 else counts.size), x.dtype)
    return np.repeat(a, repeats, axis)


def take_along_axis(x: npt.NDArray[Any], indices: npt.NDArray[Any], /, *, axis: int | None = -1) -> npt.NDArray[Any]:
    """
    Take elements by indices along an axis.

    NumPy's, except that the last axis is the default in NumPy 2.2 too.
    """
    return np.take_along_axis(x, indices, axis=axis)


def unique_values(x: Any) -> Any:
    """
    Find the distinct values, in ascending order.

    No order is promised, and NumPy from 2.3 on gives that of a hash table; programs that look values up by bisection, as
    scikit-learn's do, rest on the order that other libraries keep.

    Examples
    --------
    >>> import numpy as np
    >>> unique_values(np.array([5, 3, 9, 0, 5]))
    array([0, 3, 5, 9])
    """
    return np.unique(x, equal_nan=False)
