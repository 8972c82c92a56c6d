"""Rules of statistics and of functions that give something for each element: averages, quantiles, covariances, histograms."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from ..dtypes import BOOL, DType, real_of
from ..promotion import PromotionTable
from .elementwise import Elementwise
from .reduction import Reduction, reduced_axes
from .sequences import double
from .signature import NeedsValueError, Results, Signature, broadcast_shapes, float_dtype, signature_of

__all__ = [
    "Quantile",
    "angle",
    "asked",
    "average",
    "compared",
    "corrcoef",
    "cov",
    "digitize",
    "floats",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "isin",
    "rounded",
    "searchsorted",
    "spread",
]

_ANGLE: Final = Elementwise(np.arctan2)
_ROUND: Final = Elementwise(np.rint)
_MEAN: Final = Reduction("float")
_SPREAD: Final = Reduction("real")


def floats(promotion: PromotionTable, x: Any) -> Signature:
    """Give floats for all elements, as `numpy.sinc` does."""
    shape, dtype = signature_of(promotion, x)
    return Signature(shape, float_dtype(promotion, dtype))


def real_floats(promotion: PromotionTable, x: Any) -> Signature:
    """See `numpy.i0`."""
    shape, dtype = signature_of(promotion, x)
    if dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return Signature(shape, float_dtype(promotion, dtype))


def asked(promotion: PromotionTable, x: Any, *_: Any, **__: Any) -> Signature:
    """Give a truth value for each element, as `numpy.iscomplex` does."""
    return Signature(signature_of(promotion, x).shape, BOOL)


def asked_of_reals(promotion: PromotionTable, x: Any, out: Any = None) -> Signature:  # NumPy's
    """See `numpy.isposinf` and `numpy.isneginf`."""
    shape, dtype = signature_of(promotion, x)
    if dtype.kind == "c":
        raise TypeError(f"This operation is not supported for {dtype} values because it would be ambiguous.")
    return Signature(shape, BOOL)


def compared(promotion: PromotionTable, a: Any, b: Any, *_: Any, **__: Any) -> Signature:
    """See `numpy.isclose`."""
    return Signature(broadcast_shapes(signature_of(promotion, a).shape, signature_of(promotion, b).shape), BOOL)


def angle(promotion: PromotionTable, z: Any, deg: bool = False) -> Results:  # NumPy's
    """See `numpy.angle`."""
    shape, dtype = signature_of(promotion, z)
    if dtype.kind != "c":
        return _ANGLE(promotion, 0, Signature(shape, dtype))
    part = Signature(shape, real_of(dtype))
    return _ANGLE(promotion, part, part)


def rounded(promotion: PromotionTable, a: Any, decimals: int = 0, out: Any = None) -> Results:  # NumPy's
    """See `numpy.round`."""
    shape, dtype = signature_of(promotion, a)
    if operator.index(decimals) and dtype.kind == "b":
        raise TypeError(f"bools are not rounded to {decimals} decimals; convert to integers")
    return _ROUND(promotion, Signature(shape, dtype)) if dtype.kind == "b" else Signature(shape, dtype)


def spread(
    promotion: PromotionTable, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = False, **_: Any,
) -> Signature:  # fmt: skip
    """See `numpy.var` and `numpy.std`."""
    return _SPREAD(promotion, a, axis=axis, dtype=dtype, keepdims=keepdims)


def average(
    promotion: PromotionTable, a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False
) -> Results:
    """See `numpy.average`."""
    operand = signature_of(promotion, a)
    shape, dtype = _MEAN(promotion, operand, axis=axis, keepdims=_truth(keepdims))
    if weights is not None:
        other = signature_of(promotion, weights)
        if other.shape != operand.shape:
            if axis is None:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            axes = np.lib.array_utils.normalize_axis_tuple(axis, operand.ndim, "axis")
            if other.shape != tuple([operand.shape[one] for one in axes]):
                raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        dtype = promotion.result_type(operand.dtype, other.dtype)
        if operand.dtype.kind in "biu":
            dtype = promotion.result_type(dtype, promotion.default_float)
    result = Signature(shape, dtype)
    return (result, result) if returned else result


def _truth(keepdims: Any) -> bool:
    return keepdims is not np._NoValue and bool(keepdims)


_CONTINUOUS: Final = (
    *("averaged_inverted_cdf", "hazen", "interpolated_inverted_cdf", "linear"),
    *("median_unbiased", "midpoint", "normal_unbiased", "weibull"),
)
_DISCRETE: Final = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")


class Quantile:
    """
    The rule of a quantile: the axes of the ranks come before those that are left.

    Parameters
    ----------
    percents : bool
        Whether ranks are percents.
    skips : bool, optional
        Whether NaN is skipped.
    """

    __slots__ = ("_percents", "_skips")

    def __init__(self, *, percents: bool, skips: bool = False) -> None:
        self._percents: Final = percents
        self._skips: Final = skips

    def __call__(
        self, promotion: PromotionTable, /, a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
        method: str = "linear", keepdims: Any = False, *, weights: Any = None, interpolation: str | None = None,
    ) -> Signature:  # fmt: skip
        """Infer the result; see `Rule`. `interpolation` is the old name of `method`."""
        method = interpolation or method
        operand, ranks = signature_of(promotion, a), signature_of(promotion, q)
        if operand.dtype.kind == "c":
            raise TypeError("a must be an array of real numbers")
        kept, dtype = _MEAN(promotion, operand, axis=axis, keepdims=_truth(keepdims))
        end = 100 if self._percents else 1
        if not hasattr(q, "dtype") or isinstance(q, np.generic):
            numbers = np.asarray(q)
            if numbers.dtype.kind in "biuf" and not ((numbers >= 0) & (numbers <= end) | (numbers != numbers)).all():
                raise ValueError(f"{'Percentiles' if self._percents else 'Quantiles'} must be in the range [0, {end}]")
        if method not in _DISCRETE and method not in _CONTINUOUS:
            raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join((*_CONTINUOUS, *_DISCRETE))}")
        weak = type(q) in (int, float) or (isinstance(q, float) and not self._percents)
        if self._skips and not operand.size:
            return Signature(kept, dtype)
        if not self._skips and any(operand.shape[one] == 0 for one in reduced_axes(axis, operand.ndim)):
            raise IndexError("there are no elements to take quantiles of")
        if method in _DISCRETE and weights is None:
            dtype = operand.dtype
        elif not weak:
            dtype = promotion.result_type(dtype, ranks.dtype)
        if method not in _DISCRETE and operand.dtype.kind == "b":
            raise TypeError("there is no value between True and False; use a method that takes one of the elements, as 'lower'")
        return Signature((*ranks.shape, *kept), dtype)


def cov(
    promotion: PromotionTable, m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, fweights: Any = None,
    aweights: Any = None, *, dtype: DType | None = None,
) -> Signature:  # fmt: skip
    """See `numpy.cov`."""
    parts = [signature_of(promotion, item) for item in (m, y) if item is not None]
    if any(part.ndim > 2 for part in parts):
        raise ValueError("m has more than 2 dimensions" if parts[0].ndim > 2 else "y has more than 2 dimensions")
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        if weights is not None and signature_of(promotion, weights).ndim > 1:
            raise RuntimeError(f"cannot handle multidimensional {name}")
    found = dtype or double(promotion, *parts)
    sizes = []
    for part in parts:
        rows, columns = part.shape if part.ndim == 2 else (1, part.shape[0] if part.shape else 1)
        sizes.append((columns, rows) if not rowvar and part.ndim != 1 else (rows, columns))
    if not sizes[0][0]:
        return Signature((0, 0), double(promotion, *_real(promotion, *parts)))
    if len({observations for _, observations in sizes}) > 1:
        raise ValueError(f"all variables have as many observations, and these have {sizes[0][1]} and {sizes[1][1]}")
    count = sum(variables for variables, _ in sizes)
    return Signature(() if count == 1 else (count, count), found)


def corrcoef(promotion: PromotionTable, x: Any, y: Any = None, rowvar: bool = True, *, dtype: DType | None = None) -> Signature:
    """See `numpy.corrcoef`."""
    return cov(promotion, x, y, rowvar, dtype=dtype)


def digitize(promotion: PromotionTable, x: Any, bins: Any, right: bool = False) -> Signature:  # NumPy's
    """See `numpy.digitize`."""
    points, edges = signature_of(promotion, x), signature_of(promotion, bins)
    if points.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if edges.ndim != 1:
        raise ValueError(f"bins must be 1-dimensional, and have the shape {edges.shape}")
    return Signature(points.shape, promotion.default_index)


def searchsorted(promotion: PromotionTable, a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Signature:
    """See `numpy.searchsorted`."""
    numbers = signature_of(promotion, a)
    if numbers.ndim != 1:
        raise ValueError(f"searchsorted looks in a vector, and this array has the shape {numbers.shape}")
    if side not in ("left", "right", "l", "r"):
        raise ValueError(f"side is 'left' or 'right', and not {side!r}")
    if sorter is not None:
        order = signature_of(promotion, sorter)
        if order.dtype.kind not in "biu":
            raise TypeError("sorter must only contain integers")
        if order.shape != numbers.shape:
            raise ValueError("sorter.size must equal input.size")
    return Signature(signature_of(promotion, v).shape, promotion.default_index)


def isin(promotion: PromotionTable, element: Any, test_elements: Any, *_: Any, **__: Any) -> Signature:
    """See `numpy.isin`."""
    signature_of(promotion, test_elements)
    return Signature(signature_of(promotion, element).shape, BOOL)


# Histograms


def _edges(promotion: PromotionTable, a: Signature, bins: Any, range: Any) -> Signature:  # NumPy's
    """Tell the edges of bins, of which there are so many, or which are given."""
    if isinstance(bins, str):
        raise NeedsValueError(f"the rule {bins!r} chooses the number of bins by the elements")
    given = signature_of(promotion, bins)
    if given.ndim > 1:
        raise ValueError("`bins` must be 1d, when an array")
    if given.ndim == 1:
        return given
    if hasattr(bins, "dtype") and not isinstance(bins, np.generic):
        raise NeedsValueError("the number of bins is an Array")
    count = operator.index(bins)
    if count < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if range is not None:
        first, last = range
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
    return Signature((count + 1,), float_dtype(promotion, a.dtype))


def histogram_bin_edges(promotion: PromotionTable, a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Signature:
    """See `numpy.histogram_bin_edges`."""
    operand = signature_of(promotion, a)
    _check_weights(promotion, operand, weights)
    return _edges(promotion, operand, bins, range)


def _check_weights(promotion: PromotionTable, operand: Signature, weights: Any) -> None:
    if weights is not None and signature_of(promotion, weights).shape != operand.shape:
        raise ValueError("weights should have the same shape as a.")


def histogram(
    promotion: PromotionTable, a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Signature, Signature]:
    """See `numpy.histogram`."""
    edges = histogram_bin_edges(promotion, a, bins, range, weights)
    counts = Signature((), promotion.default_index) if weights is None else signature_of(promotion, weights)
    dtype = double(promotion, *_real(promotion, a), counts) if density else counts.dtype
    return Signature((max(edges.shape[0] - 1, 0),), dtype), edges


def _real(promotion: PromotionTable, *operands: Any) -> list[Signature]:
    """Tell the real parts of operands."""
    found = [signature_of(promotion, item) for item in operands]
    return [Signature(shape, real_of(dtype) if dtype.kind == "c" else dtype) for shape, dtype in found]


def histogramdd(
    promotion: PromotionTable, sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Results:
    """See `numpy.histogramdd`."""
    if isinstance(sample, (list, tuple)):
        columns = [signature_of(promotion, item) for item in sample]
        dtype = promotion.result_type(*[column.dtype for column in columns])
        columns = [Signature(column.shape, dtype) for column in columns]
    else:
        shape, dtype = signature_of(promotion, sample)
        if len(shape) == 1:
            shape = (*shape, 1)
        if len(shape) != 2:
            raise ValueError(f"a sample is a matrix of points, and has the shape {shape}")
        columns = [Signature(shape[:1], dtype)] * shape[1]
    several = isinstance(bins, (list, tuple)) or (hasattr(bins, "shape") and bins.shape)
    if several and len(bins) != len(columns):
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is not None and len(range) != len(columns):
        raise ValueError("range argument must have one entry per dimension")
    each = []
    for place, column in enumerate(columns):
        wanted = bins[place] if several else bins
        ends = None if range is None else range[place]
        edges = _edges(promotion, column, wanted, ends)
        if not signature_of(promotion, wanted).shape and (ends is not None or not column.size):  # the ends are Python's numbers
            edges = Signature(edges.shape, double(promotion, *_real(promotion, column)))
        each.append(edges)
    counts = double(promotion, *_real(promotion, *columns, *([] if weights is None else [weights])))
    if density:  # counts are divided by widths, which are complex where points are
        counts = promotion.result_type(counts, *[edges.dtype for edges in each if edges.dtype.kind == "c"])
    return Signature(tuple([edges.shape[0] - 1 for edges in each]), counts), each


def histogram2d(
    promotion: PromotionTable, x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Signature, Signature, Signature]:
    """See `numpy.histogram2d`."""
    points = [signature_of(promotion, item) for item in (x, y)]
    if points[0].shape != points[1].shape:
        raise ValueError("x and y must have the same length.")
    single = (not isinstance(bins, (list, tuple)) and getattr(bins, "ndim", 0) == 1) or (isinstance(bins, (list, tuple)) and len(bins) > 2)
    result = histogramdd(promotion, points, [bins, bins] if single else bins, range, density, weights)
    assert isinstance(result, tuple)
    counts, (first, second) = result
    return counts, first, second
