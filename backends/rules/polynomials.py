"""Rules of Ops on vectors of coefficients and samples: polynomials, convolution, interpolation."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from ..dtypes import FLOAT64, is_low_precision, real_of
from ..promotion import PromotionTable
from .reduction import with_integers
from .signature import NeedsValueError, Results, Signature, broadcast_shapes, double_dtype, signature_of

__all__ = ["convolve", "interp", "polyadd", "polyder", "polyfit", "polyint", "polysub", "polyval"]

_MODES: Final = {0: "valid", 1: "same", 2: "full"}


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
    arrays = [item.dtype for item in (x, xp, fp) if hasattr(item, "dtype") and not getattr(item, "of_numbers", False)]
    met = promotion.result_type(*arrays) if arrays else promotion.default_float
    if is_low_precision(met) and promotion.default_float != FLOAT64:  # devices round to the operands' dtype
        return Signature(points.shape, met)
    return Signature(points.shape, double_dtype(promotion, points.dtype, knots.dtype, values.dtype))


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
    if len(shape) != 1:
        raise ValueError(f"the coefficients of a polynomial to integrate are a vector, and have the shape {shape}")
    given = constants.dtype
    if isinstance(k, np.ndarray):  # Python's numbers, which were read
        given = promotion.default_complex if given.kind == "c" else promotion.default_float
    return Signature((shape[0] + order,), double_dtype(promotion, dtype, given))


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
    dtype = double_dtype(promotion, points.dtype, values.dtype)
    count = int(degrees.max()) + 1
    fit = Signature((count, *values.shape[1:]), dtype)
    if not cov:
        return fit
    if cov != "unscaled" and points.shape[0] <= (count if degrees.ndim == 0 else degrees.size):
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    real = real_of(values.dtype) if values.dtype.kind == "c" else values.dtype  # of which residuals are
    return fit, Signature((count, count, *values.shape[1:]), double_dtype(promotion, points.dtype, real))
