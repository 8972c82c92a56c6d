"""What the functions that reduce or accumulate have in common: the meaning of parameters, of which what was asked for is passed on."""

from __future__ import annotations

from typing import Any

from ._apply import apply
from ._array import Array
from ._array.reductions import NO_VALUE, requested
from ._operand import as_operand, as_operands
from ._typing import ArrayLike, Axes, DTypeLike
from .backends.op import Op

__all__ = ["NO_VALUE", "reduce", "reduce_deviations"]


def reduce(
    op: Op,
    a: ArrayLike,
    axis: Axes,
    dtype: DTypeLike = None,
    out: Array | None = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: ArrayLike = True,
    **keywords: Any,
) -> Array:
    """Run an Op along axes."""
    return apply(op, a, axis, **keywords, **requested(dtype, out, keepdims, initial, where))


def reduce_deviations(
    op: Op,
    a: ArrayLike,
    axis: Axes,
    dtype: DTypeLike,
    out: Array | None,
    ddof: float,
    keepdims: bool,
    where: ArrayLike,
    mean: Any,
    correction: float,
) -> Array:
    """Run an Op on deviations from the mean."""
    if correction is NO_VALUE:
        correction = ddof
    elif ddof:
        raise ValueError(f"ddof and correction can't be provided simultaneously. They are one number, and are {ddof} and {correction}")
    keywords = {} if mean is NO_VALUE else {"mean": mean}
    keywords |= requested(dtype, out, keepdims, NO_VALUE, where)
    names = [name for name in ("where", "mean") if name in keywords]
    a, *others, _ = as_operands(a, *(keywords[name] for name in names), out if type(out) is Array else None)
    keywords |= zip(names, others, strict=True)
    return apply(op, as_operand(a), axis=axis, correction=correction, **keywords)
