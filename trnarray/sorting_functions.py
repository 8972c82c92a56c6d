"""Sorting functions. NaN comes last in ascending and in descending order."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._operand import as_operand
from ._typing import ArrayLike
from .backends.op import Op
from .backends.ops import sorting as ops
from .manipulation_functions import ravel

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex", "topk"]


_STABLE: Final = {"quicksort": False, "heapsort": False, "mergesort": True, "stable": True}


def sort(
    a: ArrayLike,
    axis: int | None = -1,
    kind: str | None = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> Array:
    """Sort a copy of an array. See `numpy.sort`."""
    return _sorted(ops.sort, a, axis, kind, order, stable, descending)


def argsort(
    a: ArrayLike,
    axis: int | None = -1,
    kind: str | None = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool = False,
) -> Array:
    """Find the indices that sort an array. See `numpy.argsort`."""
    return _sorted(ops.argsort, a, axis, kind, order, stable, descending)


class TopKResult(NamedTuple):
    """The result of `topk`."""

    values: Array
    indices: Array


def topk(x: ArrayLike, k: int, /, *, axis: int = -1, mode: Literal["largest", "smallest"] = "largest") -> TopKResult:
    """
    Find the largest or the smallest elements along an axis, in order. NumPy has no such function.

    Parameters
    ----------
    x : array_like
        The array. Complex numbers are ordered by real part, then by imaginary part.
    k : int
        How many elements, no more than there are.
    axis : int, optional
        The axis.
    mode : {'largest', 'smallest'}, optional
        Which ones. NaN counts as neither, and comes after all numbers.

    Returns
    -------
    TopKResult
        ``values``, the first of which is the largest (or smallest), and ``indices``, as `take_along_axis` takes them; of equal elements the
        earlier ones first.

    Raises
    ------
    ValueError
        If `k` is negative or larger than the axis, or `mode` is unknown.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.topk([3.0, 1.0, xp.nan, 7.0], 2)
    TopKResult(values=Array([7., 3.], dtype=float64, device='cpu'), indices=Array([3, 0], dtype=int64, device='cpu'))
    """
    if mode not in ("largest", "smallest"):
        raise ValueError(f"mode {mode!r} is unknown; it is 'largest' or 'smallest'")
    return TopKResult(*apply_for_tuple(ops.topk, as_operand(x), operator.index(k), axis=axis, descending=mode == "largest"))


def partition(a: ArrayLike, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None) -> Array:
    """Sort a copy of an array only so far that certain elements are in place. See `numpy.partition`."""
    _no_fields(order)
    return apply(ops.partition, a, kth, axis, kind)


def argpartition(a: ArrayLike, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None) -> Array:
    """Find the indices that partition an array. See `numpy.argpartition`."""
    _no_fields(order)
    return apply(ops.argpartition, a, kth, axis, kind)


def lexsort(keys: Sequence[ArrayLike] | Array, axis: int = -1) -> Array:
    """Find the indices that sort by several keys. See `numpy.lexsort`."""
    return apply(ops.lexsort, keys, axis)


def sort_complex(a: ArrayLike) -> Array:
    """
    Sort a copy of an array as complex numbers, by real part and then by imaginary part.

    See `numpy.sort_complex`.
    """
    return apply(ops.sort_complex, a)


def _sorted(op: Op, a: Any, axis: int | None, kind: str | None, order: None, stable: bool | None, descending: bool) -> Array:
    _no_fields(order)
    if kind is not None:
        if kind not in _STABLE:
            raise ValueError(f"kind {kind!r} is unknown; use one of {', '.join(map(repr, _STABLE))}, or stable=True or False")
        if stable is not None:
            raise ValueError(f"both kind={kind!r} and stable={stable} are given; give one of them")
        stable = _STABLE[kind]
    if axis is None:
        a, axis = ravel(a), -1
    elif type(a) is not Array:
        a = as_operand(a)
    if op is ops.argsort and a.ndim == 0:  # NumPy's sort refuses it, its argsort does not
        a = ravel(a)
    return apply(op, a, axis=axis, descending=descending, stable=stable is not False)


def _no_fields(order: object) -> None:
    if order is not None:
        raise TypeError(f"order={order!r} names fields of a structured dtype, and Arrays have none; leave it out")
