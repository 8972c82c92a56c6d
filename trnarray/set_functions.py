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
    """Find the distinct values, where they are, and how often. See `numpy.unique_all`."""
    return UniqueAllResult(*Array._apply(ops.unique_all, x))


def unique_counts(x: ArrayLike) -> UniqueCountsResult:
    """Count the distinct values. See `numpy.unique_counts`."""
    return UniqueCountsResult(*Array._apply(ops.unique_counts, x))


def unique_inverse(x: ArrayLike) -> UniqueInverseResult:
    """Find the distinct values and which of them each element is. See `numpy.unique_inverse`."""
    return UniqueInverseResult(*Array._apply(ops.unique_inverse, x))


def unique_values(x: ArrayLike) -> Array:
    """Find the distinct values. See `numpy.unique_values`."""
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
    """Find the distinct values of an array, or its distinct slices along an axis. See `numpy.unique`."""
    return Array._apply(ops.unique, ar, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan)


def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Literal["sort", "table"] | None = None,
) -> Array:
    """Tell which elements of one array are in another. See `numpy.isin`."""
    if assume_unique or kind is not None:
        return apply(ops.isin, element, test_elements, assume_unique, invert, kind=kind)
    return apply(ops.standard_isin, *as_operands(element, test_elements), invert=invert)


def intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """Find the values that two arrays have in common. See `numpy.intersect1d`."""
    return Array._apply(ops.intersect1d, ar1, ar2, assume_unique, return_indices)


def union1d(ar1: ArrayLike, ar2: ArrayLike) -> Array:
    """Find the values that are in either of two arrays. See `numpy.union1d`."""
    return apply(ops.union1d, ar1, ar2)


def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Array:
    """Find the values of one array that another does not have. See `numpy.setdiff1d`."""
    return apply(ops.setdiff1d, ar1, ar2, assume_unique)


def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Array:
    """Find the values that are in one of two arrays but not in both. See `numpy.setxor1d`."""
    return apply(ops.setxor1d, ar1, ar2, assume_unique)


def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """Give the differences of consecutive elements of the flattened array. See `numpy.ediff1d`."""
    return apply(ops.ediff1d, ary, to_end, to_begin)
