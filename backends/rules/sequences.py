"""Rules of Ops on sequences along an axis: accumulations, differences, interpolation, convolution, polynomials, orders."""

from __future__ import annotations

import operator
from math import prod
from typing import Any, Final

import numpy as np

from ..dtypes import FLOAT64, DType, complex_of, is_low_precision
from ..promotion import PromotionTable
from ..shape import checked_axis
from .reduction import sum_dtype, with_integers
from .signature import NeedsValueError, Results, Shape, Signature, broadcast_shapes, double_dtype, float_dtype, signature_of
from .views import in_a_row

__all__ = [
    "Ordered",
    "Partitioned",
    "accumulated",
    "convolve",
    "cumulative",
    "diff",
    "double",
    "ediff1d",
    "gradient",
    "interp",
    "lexsort",
    "meeting",
    "polyadd",
    "polyder",
    "polyfit",
    "polyint",
    "polysub",
    "polyval",
    "sort_complex",
    "topk",
    "trapezoid",
    "unwrap",
]

_WEAK: Final = (bool, int, float, complex)


def meeting(promotion: PromotionTable, *operands: Any) -> DType:
    """Give the dtype in which operands meet, among which Python's numbers are weak."""
    return promotion.result_type(*[item if type(item) in _WEAK else signature_of(promotion, item).dtype for item in operands])


def double(promotion: PromotionTable, *operands: Any) -> DType:
    """Give the dtype of what is computed of operands in double precision."""
    return double_dtype(promotion, *[signature_of(promotion, item).dtype for item in operands])


# Accumulations and differences


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
    if any(shape[one] < edge_order + 1 for one in axes):
        raise ValueError(f"Shape of array too small to calculate a numerical gradient, at least {edge_order + 1} elements are required.")
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
        return Signature((*shape[:axis], *shape[axis + 1 :]), meeting(promotion, Signature((), dtype), dx, 1.0))
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
    return Signature(shape, meeting(promotion, Signature((), dtype), period))


def interp(promotion: PromotionTable, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Signature:
    """See `numpy.interp`."""
    points, knots, values = (signature_of(promotion, item) for item in (x, xp, fp))
    if points.dtype.kind == "c" or knots.dtype.kind == "c":
        raise TypeError("interp takes real numbers for x and xp, and some are complex here; take their real parts")
    if knots.ndim != 1 or values.ndim != 1:
        raise ValueError(f"Data points must be 1-D sequences, and are of shapes {knots.shape} and {values.shape}")
    if knots.shape != values.shape:
        raise ValueError(f"fp and xp are not of the same length: {values.shape[0]} and {knots.shape[0]}")
    if not knots.shape[0]:
        raise ValueError("array of sample points is empty")
    arrays = [item.dtype for item in (x, xp, fp) if hasattr(item, "dtype")]
    met = promotion.result_type(*arrays) if arrays else promotion.default_float
    if is_low_precision(met) and promotion.default_float != FLOAT64:  # devices round to the operands' dtype
        return Signature(points.shape, met)
    return Signature(points.shape, double(promotion, points, knots, values))


def convolve(promotion: PromotionTable, a: Any, v: Any, mode: Any = "full") -> Signature:
    """See `numpy.convolve` and `numpy.correlate`."""
    operands = [signature_of(promotion, item) for item in (a, v)]
    lengths = sorted(operand.shape[0] if operand.shape else 1 for operand in operands)
    if any(operand.ndim > 1 for operand in operands):
        shapes = f"{operands[0].shape} and {operands[1].shape}"
        raise ValueError(f"object too deep for desired array: vectors are convolved, and the shapes are {shapes}")
    if not lengths[0]:
        raise ValueError("a vector without elements cannot be convolved")
    length = {"full": sum(lengths) - 1, "same": lengths[1], "valid": lengths[1] - lengths[0] + 1}.get(_MODES.get(mode, mode))
    if length is None:
        raise ValueError(f"mode {mode!r} is not supported; use 'full', 'same' or 'valid'")
    return Signature((length,), promotion.result_type(*[operand.dtype for operand in operands]))


_MODES: Final = {0: "valid", 1: "same", 2: "full"}


# Polynomials


def polyval(promotion: PromotionTable, p: Any, x: Any) -> Signature:
    """See `numpy.polyval`."""
    coefficients, points = signature_of(promotion, p), signature_of(promotion, x)
    if not coefficients.shape:
        raise TypeError("a polynomial is a sequence of coefficients, and a number is none; write [p]")
    shape = broadcast_shapes(points.shape, coefficients.shape[1:])
    return Signature(shape, promotion.result_type(points.dtype, coefficients.dtype) if coefficients.shape[0] else points.dtype)


def polyadd(promotion: PromotionTable, a1: Any, a2: Any) -> Signature:
    """See `numpy.polyadd` and `numpy.polysub`."""
    one, other = (signature_of(promotion, item) for item in (a1, a2))
    shapes = [one.shape or (1,), other.shape or (1,)]
    dtype = promotion.result_type(one.dtype, other.dtype)
    if shapes[0][0] == shapes[1][0]:
        return Signature(broadcast_shapes(*shapes), dtype)
    if any(len(shape) > 1 for shape in shapes):
        raise ValueError(f"polynomials are vectors of coefficients, and the shapes are {one.shape} and {other.shape}")
    return Signature((max(shapes[0][0], shapes[1][0]),), dtype)


def polysub(promotion: PromotionTable, a1: Any, a2: Any) -> Signature:
    """See `numpy.polysub`."""
    result = polyadd(promotion, a1, a2)
    if result.dtype.kind == "b":
        raise TypeError("a difference is not defined for bool; cast with astype")
    return result


def polyder(promotion: PromotionTable, p: Any, m: int = 1) -> Signature:
    """See `numpy.polyder`."""
    shape, dtype = signature_of(promotion, p)
    order = operator.index(m)
    if order < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    return Signature((max(shape[0] - order, 0), *shape[1:]), with_integers(promotion, dtype) if order else dtype)


def polyint(promotion: PromotionTable, p: Any, m: int = 1, k: Any = None) -> Signature:
    """See `numpy.polyint`."""
    shape, dtype = signature_of(promotion, p)
    order = operator.index(m)
    if order < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = Signature((1,), promotion.default_float) if k is None else signature_of(promotion, k)
    count = constants.size
    if count < order and not (count == 1 and order > 1):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    if not order:
        return Signature(shape, dtype)
    return Signature((shape[0] + order, *shape[1:]), double(promotion, Signature(shape, dtype), constants))


def polyfit(
    promotion: PromotionTable, x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False
) -> Results:  # fmt: skip
    """See `numpy.polyfit`."""
    points, values = signature_of(promotion, x), signature_of(promotion, y)
    degrees = np.asarray(deg)
    if degrees.ndim > 1 or degrees.dtype.kind not in "iu" or not degrees.size:
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    if degrees.min() < 0:
        raise ValueError("expected deg >= 0")
    if points.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if not points.shape[0]:
        raise TypeError("expected non-empty vector for x")
    if not 1 <= values.ndim <= 2:
        raise TypeError("expected 1D or 2D array for y")
    if points.shape[0] != values.shape[0]:
        raise TypeError("expected x and y to have same length")
    if w is not None and signature_of(promotion, w).shape != values.shape[:1]:
        raise TypeError("expected a 1-d array for weights, of as many elements as y has rows")
    if full:
        raise NeedsValueError("the number of residuals depends on the rank")
    dtype = double(promotion, points, values)
    count = int(degrees.max()) + 1
    fit = Signature((count, *values.shape[1:]), dtype)
    if not cov:
        return fit
    if cov != "unscaled" and points.shape[0] <= (count if degrees.ndim == 0 else degrees.size):
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    return fit, Signature((count, count, *values.shape[1:]), dtype)


# Orders


class Ordered:
    """
    The rule of an Op that orders elements along an axis.

    Parameters
    ----------
    indices : bool
        Whether it gives indices.
    flat : bool
        Whether it takes a number for a vector.
    """

    __slots__ = ("_flat", "_indices")

    def __init__(self, *, indices: bool, flat: bool = False) -> None:
        self._indices: Final = indices
        self._flat: Final = flat

    def __call__(self, promotion: PromotionTable, /, a: Any, *_: Any, axis: int | None = -1, **__: Any) -> Signature:
        """Infer the result; see `Rule`."""
        shape, dtype = signature_of(promotion, a)
        if axis is None:
            shape = (prod(shape),)
        elif shape or not self._flat:
            checked_axis(axis, len(shape))
        return Signature(shape, promotion.default_index if self._indices else dtype)


class Partitioned:
    """
    The rule of an Op that puts the elements of some ranks along an axis where sorting would.

    Parameters
    ----------
    indices : bool
        Whether it gives indices.
    """

    __slots__ = ("_indices",)

    def __init__(self, *, indices: bool) -> None:
        self._indices: Final = indices

    def __call__(self, promotion: PromotionTable, /, a: Any, kth: Any, axis: int | None = -1, *_: Any, **__: Any) -> Signature:
        """Infer the result; see `Rule`."""
        shape, dtype = signature_of(promotion, a)
        if axis is not None and not shape and not self._indices:
            raise np.exceptions.AxisError(axis, 0)
        shape, axis = in_a_row(Signature(shape, dtype), axis)
        length = shape[axis]
        for rank in np.ravel(kth).tolist():
            if not isinstance(rank, int):
                raise TypeError("Partition index must be integer")
            if prod(shape) and not -length <= rank < length:
                raise ValueError(f"kth(={rank}) out of bounds ({length})")
        return Signature(shape, promotion.default_index if self._indices else dtype)


def lexsort(promotion: PromotionTable, keys: Any, axis: int = -1) -> Signature:
    """See `numpy.lexsort`."""
    if isinstance(keys, (list, tuple)):
        shapes = [signature_of(promotion, key).shape for key in keys]
    else:
        shape = signature_of(promotion, keys).shape
        shapes = [shape[1:]] * (shape[0] if shape else 0)
    if not shapes:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError(f"all keys need to be the same shape, and they are {', '.join(map(str, shapes))}")
    if shapes[0]:
        checked_axis(axis, len(shapes[0]))
    return Signature(shapes[0], promotion.default_index)


def topk(promotion: PromotionTable, x: Any, /, k: int, *, axis: int = -1, descending: bool = True) -> tuple[Signature, Signature]:
    """See `trnarray.topk`."""
    shape, dtype = signature_of(promotion, x)
    axis = checked_axis(axis, len(shape))
    if not 0 <= k <= shape[axis]:
        raise ValueError(f"topk takes from 0 to {shape[axis]} elements of this axis, and k is {k}")
    taken = (*shape[:axis], k, *shape[axis + 1 :])
    return Signature(taken, dtype), Signature(taken, promotion.default_index)


def sort_complex(promotion: PromotionTable, a: Any) -> Signature:
    """See `numpy.sort_complex`."""
    shape, dtype = signature_of(promotion, a)
    if not shape:
        raise np.exceptions.AxisError(-1, 0)
    if dtype.kind == "c":
        return Signature(shape, dtype)
    if dtype.kind in "iu" and dtype.itemsize <= 2:
        return Signature(shape, complex_of(np.dtype(np.float32)))
    return Signature(shape, complex_of(double(promotion, Signature(shape, dtype))))
