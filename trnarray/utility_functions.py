"""Utility functions: whether all or any elements are true, and differences of neighbours."""

from __future__ import annotations

import operator
from typing import Any

from ._apply import apply
from ._array import Array
from ._operand import as_operand, as_operands
from ._reduction import NO_VALUE, reduce
from ._typing import ArrayLike, Axes
from .backends.ops import statistical as ops

__all__ = ["all", "any", "diff"]



def all(a: ArrayLike, axis: Axes = None, out: Array | None = None, keepdims: bool = False, *, where: ArrayLike = True) -> Array:
    """Tell whether all elements are true, that is, not 0. See `numpy.all`."""
    if out is None and keepdims is False and where is True:
        return apply(ops.all, a, axis)
    return reduce(ops.all, a, axis, None, out, keepdims, where=where)


def any(a: ArrayLike, axis: Axes = None, out: Array | None = None, keepdims: bool = False, *, where: ArrayLike = True) -> Array:
    """Tell whether any element is true, that is, not 0. See `numpy.any`."""
    if out is None and keepdims is False and where is True:
        return apply(ops.any, a, axis)
    return reduce(ops.any, a, axis, None, out, keepdims, where=where)


def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Array:
    """Subtract each element from its successor. See `numpy.diff`."""
    a, prepend, append = as_operands(a, prepend, append)
    ends = {name: x for name, x in (("prepend", prepend), ("append", append)) if x is not None and x is not NO_VALUE}
    a = as_operand(a)
    return apply(ops.diff, a, n, axis, **ends) if operator.index(n) else a
