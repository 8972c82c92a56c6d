"""Rules of accumulations, differences and integrals along an axis."""

from __future__ import annotations

import operator
from math import prod
from typing import Any

import numpy as np

from ..dtypes import DType
from ..promotion import PromotionTable
from ..shape import checked_axis
from .reduction import sum_dtype
from .signature import Results, Shape, Signature, broadcast_shapes, float_dtype, meeting_dtype, signature_of
from .views import in_a_row

__all__ = ["accumulated", "cumulative", "diff", "ediff1d", "gradient", "trapezoid", "unwrap"]


def accumulated(promotion: PromotionTable, a: Any, axis: int | None = None, dtype: DType | None = None, out: Any = None) -> Signature:
    """See `numpy.cumsum` and `numpy.cumprod`."""
    shape, old = signature_of(promotion, a)
    return Signature(in_a_row(Signature(shape, old), axis)[0], dtype or sum_dtype(promotion, old))


def cumulative(
    promotion: PromotionTable, x: Any, /, *, axis: int | None = None, dtype: DType | None = None, out: Any = None,
    include_initial: bool = False,
) -> Signature:  # fmt: skip
    """See `numpy.cumulative_sum` and `numpy.cumulative_prod`."""
    operand = signature_of(promotion, x)
    if not operand.shape:
        operand = Signature((1,), operand.dtype)
    if axis is None:
        if operand.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    shape, dtype = accumulated(promotion, operand, axis, dtype, out)
    axis = checked_axis(axis, len(shape))
    return Signature((*shape[:axis], shape[axis] + bool(include_initial), *shape[axis + 1 :]), dtype)


def diff(
    promotion: PromotionTable, a: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue
) -> Signature:
    """See `numpy.diff`."""
    operand = signature_of(promotion, a)
    if n == 0:
        return operand
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    shape = operand.shape
    if not shape:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = checked_axis(axis, len(shape))
    length, dtypes = shape[axis], [operand.dtype]
    for part in (prepend, append):
        if part is not np._NoValue:
            sides, dtype = signature_of(promotion, part)
            sides = sides or (*shape[:axis], 1, *shape[axis + 1 :])
            if len(sides) != len(shape) or any(one != other for i, (one, other) in enumerate(zip(sides, shape, strict=True)) if i != axis):
                raise ValueError(f"an array of shape {sides} does not join one of shape {shape} along axis {axis}")
            length += sides[axis]
            dtypes.append(dtype)
    return Signature((*shape[:axis], max(length - operator.index(n), 0), *shape[axis + 1 :]), promotion.result_type(*dtypes))


def ediff1d(promotion: PromotionTable, ary: Any, to_end: Any = None, to_begin: Any = None) -> Signature:
    """See `numpy.ediff1d`."""
    shape, dtype = signature_of(promotion, ary)
    if dtype.kind == "b":
        raise TypeError("ediff1d subtracts, which is not defined for bool; cast with astype")
    length = max(prod(shape) - 1, 0)
    for name, part in (("to_end", to_end), ("to_begin", to_begin)):
        if part is not None:
            given = signature_of(promotion, part)
            if not promotion.can_cast(given.dtype, dtype, "same_kind") and (hasattr(part, "dtype") or given.dtype.kind not in "iu"):
                raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
            length += given.size
    return Signature((length,), dtype)


def gradient(promotion: PromotionTable, f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Results:
    """See `numpy.gradient`."""
    shape, dtype = signature_of(promotion, f)
    given = range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [checked_axis(one, len(shape)) for one in given]
    if len(set(axes)) != len(axes):
        raise ValueError("repeated axis")
    if len(varargs) > 1 and len(varargs) != len(axes):
        raise TypeError("invalid number of arguments")
    for place, distances in enumerate(varargs):
        sides = signature_of(promotion, distances).shape
        if len(sides) > 1:
            raise ValueError("distances must be either scalars or 1d")
        if sides and (len(varargs) != len(axes) or sides[0] != shape[axes[place]]):
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    for one in axes:
        if shape[one] < edge_order + 1:
            raise ValueError(f"Shape of array too small to calculate a numerical gradient: at least {edge_order + 1} elements are needed.")
        if dtype.kind == "b":
            raise TypeError("gradient subtracts, which is not defined for bool; cast with astype")
    result = Signature(shape, float_dtype(promotion, dtype))
    return result if len(axes) == 1 else (result,) * len(axes)


def trapezoid(promotion: PromotionTable, y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Signature:
    """See `numpy.trapezoid`."""
    shape, dtype = signature_of(promotion, y)
    axis = checked_axis(axis, len(shape))
    slices = (*shape[:axis], max(shape[axis] - 1, 0), *shape[axis + 1 :])
    if x is None:
        return Signature((*shape[:axis], *shape[axis + 1 :]), meeting_dtype(promotion, Signature((), dtype), dx, 1.0))
    sides, other = signature_of(promotion, x)
    if len(sides) == 1:
        steps: Shape = (*(1,) * axis, max(sides[0] - 1, 0), *(1,) * (len(shape) - axis - 1))
    else:
        place = checked_axis(axis - len(shape), len(sides)) if axis >= len(sides) else axis
        steps = (*sides[:place], max(sides[place] - 1, 0), *sides[place + 1 :])
    result = broadcast_shapes(steps, slices)
    return Signature((*result[:axis], *result[axis + 1 :]), promotion.result_type(dtype, other, 1.0))


def unwrap(promotion: PromotionTable, p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * np.pi) -> Signature:
    """See `numpy.unwrap`."""
    shape, dtype = signature_of(promotion, p)
    if not shape:
        raise ValueError("unwrap takes an array of at least one dimension")
    checked_axis(axis, len(shape))
    if dtype.kind == "c":
        raise TypeError("unwrap is not defined for complex numbers; take angles first, as in numpy.angle(x)")
    return Signature(shape, meeting_dtype(promotion, Signature((), dtype), period))
