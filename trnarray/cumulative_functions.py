"""Accumulations: partial sums and products along an axis.

Low-precision floats accumulate in float32; integers narrower than the default integer are summed in that.
"""

from __future__ import annotations

from ._apply import apply
from ._array import Array
from ._reduction import reduce
from ._typing import ArrayLike, DTypeLike
from .backends.dtypes import canonical_dtype
from .backends.op import Op
from .backends.ops import statistical as ops

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "nancumprod", "nancumsum"]



def cumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, out: Array | None = None) -> Array:
    """Add elements up one after the other. See `numpy.cumsum`."""
    return reduce(ops.cumsum, a, axis, dtype, out)


def cumprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, out: Array | None = None) -> Array:
    """Multiply elements one after the other. See `numpy.cumprod`."""
    return reduce(ops.cumprod, a, axis, dtype, out)


def cumulative_sum(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    include_initial: bool = False,
) -> Array:
    """Add elements up one after the other. See `numpy.cumulative_sum`."""
    return _accumulate(ops.cumulative_sum, x, axis, dtype, out, include_initial)


def cumulative_prod(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike = None,
    out: Array | None = None,
    include_initial: bool = False,
) -> Array:
    """Multiply elements one after the other. See `numpy.cumulative_prod`."""
    return _accumulate(ops.cumulative_prod, x, axis, dtype, out, include_initial)


def nancumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, out: Array | None = None) -> Array:
    """Add elements up one after the other, NaN as 0. See `numpy.nancumsum`."""
    return reduce(ops.nancumsum, a, axis, dtype, out)


def nancumprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, out: Array | None = None) -> Array:
    """Multiply elements one after the other, NaN as 1. See `numpy.nancumprod`."""
    return reduce(ops.nancumprod, a, axis, dtype, out)


def _accumulate(op: Op, x: ArrayLike, axis: int | None, dtype: DTypeLike, out: Array | None, include_initial: bool) -> Array:
    keywords = {} if out is None else {"out": out}
    return apply(op, x, axis=axis, dtype=dtype if dtype is None else canonical_dtype(dtype), include_initial=include_initial, **keywords)
