"""What the functions that reduce or accumulate have in common: the meaning of parameters, of which what was asked for is passed on."""

from __future__ import annotations

from typing import Any, Final

from ._apply import apply
from ._array import Array
from ._array.reductions import NO_VALUE, requested
from ._operand import as_operand, as_operands
from ._typing import ArrayLike, Axes, DTypeLike
from .backends.op import Op

__all__ = ["MAXIMUM", "MINIMUM", "NO_VALUE", "PARAMETERS", "PRODUCT", "SUM", "reduce", "reduce_deviations"]

PARAMETERS: Final = {
    "a": "array_like: The array.",
    "axis": "int or tuple of int, optional: The axes to reduce; all by default.",
    "correction": (
        "float, optional: What to subtract from the number of elements in the divisor: 1 for the unbiased variance; 0 by default."
    ),
    "ddof": "float, optional: NumPy's name of `correction`.",
    "dtype": "dtype, optional: The dtype to compute in; by default the array's, or the default float for integers.",
    "keepdims": "bool, optional: Whether to keep the reduced axes, with length 1.",
    "mean": "Array, optional: The mean if it is known, computed with ``keepdims=True``.",
    "out": "Array, optional: Where to write the result.",
    "where": "array_like of bool, optional: Which elements to include.",
}
"""What the parameters mean of all functions that reduce."""

SUM: Final = PARAMETERS | {
    "dtype": (
        "dtype, optional: The dtype to compute in; by default the array's, or the default integer for narrower integers, which raises "
        "OverflowError where 32 bits of a device do not hold exact values."
    ),
    "initial": "scalar, optional: What to begin with; 0 by default.",
}
PRODUCT: Final = SUM | {"initial": "scalar, optional: What to begin with; 1 by default."}
MAXIMUM: Final = PARAMETERS | {
    "initial": "scalar, optional: The least result; arrays without elements need it.",
    "where": f"{PARAMETERS['where'][:-1]}; needs `initial`.",
}
MINIMUM: Final = MAXIMUM | {"initial": "scalar, optional: The greatest result; arrays without elements need it."}
"""What they mean of sums and products, which begin with a number, and of extrema, which are bounded by one."""


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
