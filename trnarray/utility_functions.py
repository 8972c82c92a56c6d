"""Utility functions: whether all or any elements are true, and differences of neighbours."""

from __future__ import annotations

import operator
from typing import Any, Final

from ._apply import apply
from ._array import Array
from ._array.parameters import document
from ._operand import as_operand, as_operands
from ._reduction import NO_VALUE, PARAMETERS, reduce
from ._typing import ArrayLike, Axes
from .backends.ops import statistical as ops

__all__ = ["all", "any", "diff"]

_documented: Final = document(PARAMETERS | {"a": "array_like: The array; NaN is true."})


@_documented
def all(a: ArrayLike, axis: Axes = None, out: Array | None = None, keepdims: bool = False, *, where: ArrayLike = True) -> Array:
    """
    Tell whether all elements are true, that is, not 0.

    Returns
    -------
    Array
        The answers; true where there are no elements.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.all(xp.asarray([[True, False], [True, True]]), axis=1)
    Array([False,  True], dtype=bool, device='cpu')
    """
    if out is None and keepdims is False and where is True:
        return apply(ops.all, a, axis)
    return reduce(ops.all, a, axis, None, out, keepdims, where=where)


@_documented
def any(a: ArrayLike, axis: Axes = None, out: Array | None = None, keepdims: bool = False, *, where: ArrayLike = True) -> Array:
    """
    Tell whether any element is true, that is, not 0.

    Returns
    -------
    Array
        The answers; false where there are no elements.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.any(xp.asarray([[True, False], [False, False]]), axis=1)
    Array([ True, False], dtype=bool, device='cpu')
    """
    if out is None and keepdims is False and where is True:
        return apply(ops.any, a, axis)
    return reduce(ops.any, a, axis, None, out, keepdims, where=where)


def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Array:
    """
    Subtract each element from its successor.

    Parameters
    ----------
    a : array_like
        The array.
    n : int, optional
        How often.
    axis : int, optional
        The axis along which the elements follow each other.
    prepend, append : array_like, optional
        What to put before and behind the array first; a scalar counts as one element.

    Returns
    -------
    Array
        The differences: `n` fewer along the axis. Of booleans, whether they differ.

    Raises
    ------
    ValueError
        If `n` is negative, or the array is 0-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.diff(xp.asarray([1, 4, 9]))
    Array([3, 5], dtype=int64, device='cpu')
    """
    a, prepend, append = as_operands(a, prepend, append)
    ends = {name: x for name, x in (("prepend", prepend), ("append", append)) if x is not None and x is not NO_VALUE}
    a = as_operand(a)
    return apply(ops.diff, a, n, axis, **ends) if operator.index(n) else a
