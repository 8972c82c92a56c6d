"""Rules of histograms."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..promotion import PromotionTable
from .signature import NeedsValueError, Results, Signature, float_dtype, real_double_dtype, signature_of

__all__ = ["histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


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
    dtype = real_double_dtype(promotion, a, counts) if density else counts.dtype
    return Signature((max(edges.shape[0] - 1, 0),), dtype), edges


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
            edges = Signature(edges.shape, real_double_dtype(promotion, column))
        each.append(edges)
    counts = real_double_dtype(promotion, *columns, *([] if weights is None else [weights]))
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
