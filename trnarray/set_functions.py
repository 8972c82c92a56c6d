"""Set functions: the distinct values of arrays, and arrays as sets."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ._apply import apply
from ._array import Array
from ._operand import as_operands
from ._typing import ArrayLike
from .backends.ops import sets as ops

__all__ = [
    "ediff1d",
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """The result of `unique_all`."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: Array
    inverse_indices: Array


def unique_all(x: ArrayLike) -> UniqueAllResult:
    """
    Find the distinct values, where they are, and how often.

    Parameters
    ----------
    x : array_like
        The array; each NaN is distinct.

    Returns
    -------
    UniqueAllResult
        The sorted ``values``, the ``indices`` of their first occurrences in the flattened array, the ``inverse_indices``
        that make the array of the values, in its shape, and the ``counts``.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.unique_all(xp.asarray([3, 1, 3])).indices
    Array([1, 0], dtype=int64, device='cpu')
    """
    return UniqueAllResult(*Array._apply(ops.unique_all, x))


def unique_counts(x: ArrayLike) -> UniqueCountsResult:
    """
    Count the distinct values.

    Parameters
    ----------
    x : array_like
        The array; each NaN is distinct.

    Returns
    -------
    UniqueCountsResult
        The sorted ``values`` and their ``counts``.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.unique_counts(xp.asarray([3, 1, 3])).counts
    Array([1, 2], dtype=int64, device='cpu')
    """
    return UniqueCountsResult(*Array._apply(ops.unique_counts, x))


def unique_inverse(x: ArrayLike) -> UniqueInverseResult:
    """
    Find the distinct values and which of them each element is.

    Parameters
    ----------
    x : array_like
        The array; each NaN is distinct.

    Returns
    -------
    UniqueInverseResult
        The sorted ``values``, and the ``inverse_indices`` that make the array of them, in its shape.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.unique_inverse(xp.asarray([3, 1, 3])).inverse_indices
    Array([1, 0, 1], dtype=int64, device='cpu')
    """
    return UniqueInverseResult(*Array._apply(ops.unique_inverse, x))


def unique_values(x: ArrayLike) -> Array:
    """
    Find the distinct values.

    Parameters
    ----------
    x : array_like
        The array; each NaN is distinct.

    Returns
    -------
    Array
        The values, in one dimension and in ascending order, which the standard does not ask for.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.unique_values(xp.asarray([3, 1, 3]))
    Array([1, 3], dtype=int64, device='cpu')
    """
    return apply(ops.unique_values, x)


def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,  # noqa: ARG001  # in order is one of the orders allowed if False
) -> Any:
    """
    Find the distinct values of an array, or its distinct slices along an axis.

    Parameters
    ----------
    ar : array_like
        The array.
    return_index : bool, optional
        Whether to give the indices of the first occurrences too.
    return_inverse : bool, optional
        Whether to give the indices that make the array of the values.
    return_counts : bool, optional
        Whether to give the numbers of occurrences.
    axis : int, optional
        The axis of the slices to compare; by default single elements are compared.
    equal_nan : bool, optional
        Whether all NaN are one value.
    sorted : bool, optional
        Whether the values must be sorted; they may be in any order otherwise.

    Returns
    -------
    Array or tuple of Array
        The values, followed by what else was asked for in the order above.

    Examples
    --------
    >>> import trnarray as xp
    >>> values, counts = xp.unique([3, 1, 3], return_counts=True)
    >>> counts
    Array([1, 2], dtype=int64, device='cpu')
    """
    return Array._apply(ops.unique, ar, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan)


def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Literal["sort", "table"] | None = None,
) -> Array:
    """
    Tell which elements of one array are in another.

    Parameters
    ----------
    element : array_like
        The elements.
    test_elements : array_like
        The set.
    assume_unique : bool, optional
        Promises that no value occurs twice in either, which can be faster.
    invert : bool, optional
        Whether to tell which are not in it.
    kind : {'sort', 'table'}, optional
        The algorithm; by default the one that seems faster.

    Returns
    -------
    Array
        One answer for each element.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.isin(xp.asarray([1, 2, 3]), [3, 1])
    Array([ True, False,  True], dtype=bool, device='cpu')
    """
    if assume_unique or kind is not None:
        return apply(ops.isin, element, test_elements, assume_unique, invert, kind=kind)
    return apply(ops.standard_isin, *as_operands(element, test_elements), invert=invert)


def intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """
    Find the values that two arrays have in common.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays.
    assume_unique : bool, optional
        Promises that no value occurs twice in either.
    return_indices : bool, optional
        Whether to give the indices of the values in both arrays too.

    Returns
    -------
    Array or tuple of Array
        The sorted values, followed by their first indices in `ar1` and in `ar2` if asked for.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.intersect1d([1, 2, 3], [3, 4, 2])
    Array([2, 3], dtype=int64, device='cpu')
    """
    return Array._apply(ops.intersect1d, ar1, ar2, assume_unique, return_indices)


def union1d(ar1: ArrayLike, ar2: ArrayLike) -> Array:
    """
    Find the values that are in either of two arrays.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays.

    Returns
    -------
    Array
        The sorted values.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.union1d([1, 3], [2, 3])
    Array([1, 2, 3], dtype=int64, device='cpu')
    """
    return apply(ops.union1d, ar1, ar2)


def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Array:
    """
    Find the values of one array that another does not have.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays.
    assume_unique : bool, optional
        Promises that no value occurs twice in either.

    Returns
    -------
    Array
        The values of `ar1` that are not in `ar2`, sorted unless `assume_unique`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.setdiff1d([1, 2, 3], [2])
    Array([1, 3], dtype=int64, device='cpu')
    """
    return apply(ops.setdiff1d, ar1, ar2, assume_unique)


def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Array:
    """
    Find the values that are in one of two arrays but not in both.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays.
    assume_unique : bool, optional
        Promises that no value occurs twice in either.

    Returns
    -------
    Array
        The sorted values.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.setxor1d([1, 2], [2, 3])
    Array([1, 3], dtype=int64, device='cpu')
    """
    return apply(ops.setxor1d, ar1, ar2, assume_unique)


def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """
    Give the differences of consecutive elements of the flattened array.

    Parameters
    ----------
    ary : array_like
        The array.
    to_end, to_begin : array_like, optional
        What to put after the differences, and before them.

    Returns
    -------
    Array
        The differences.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.ediff1d([1, 2, 4], to_begin=0)
    Array([0, 1, 2], dtype=int64, device='cpu')
    """
    return apply(ops.ediff1d, ary, to_end, to_begin)
