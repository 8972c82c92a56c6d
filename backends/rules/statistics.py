"""Rules of averages, quantiles and covariances."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..dtypes import DType
from ..promotion import PromotionTable
from ..shape import all_axes
from .reduction import Reduction
from .signature import Results, Signature, double_dtype, real_double_dtype, refused, signature_of

__all__ = ["Quantile", "average", "corrcoef", "cov", "spread"]

_MEAN: Final = Reduction("float")
_SPREAD: Final = Reduction("real")
_CONTINUOUS: Final = (
    *("averaged_inverted_cdf", "hazen", "interpolated_inverted_cdf", "linear"),
    *("median_unbiased", "midpoint", "normal_unbiased", "weibull"),
)
_DISCRETE: Final = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")


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
    shape, dtype = _MEAN(promotion, operand, axis=axis, keepdims=keepdims)
    if weights is None and 0 in shape:
        raise ZeroDivisionError("division by zero: there are no averages, so each is that of any number of elements")
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
        if ranks.dtype.kind == "b":  # by which NumPy does not always interpolate
            raise refused()
        kept, dtype = _MEAN(promotion, operand, axis=axis, keepdims=keepdims)
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
        axes = all_axes(tuple(axis) if isinstance(axis, list) else axis, operand.ndim)
        if not self._skips and any(operand.shape[one] == 0 for one in axes):
            raise IndexError("there are no elements to take quantiles of")
        if method in _DISCRETE:
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
    found = dtype or double_dtype(promotion, *[part.dtype for part in parts])
    sizes = []
    for part in parts:
        rows, columns = part.shape if part.ndim == 2 else (1, part.shape[0] if part.shape else 1)
        sizes.append((columns, rows) if not rowvar and part.ndim != 1 else (rows, columns))
    if not sizes[0][0]:
        return Signature((0, 0), real_double_dtype(promotion, *parts))
    if len({observations for _, observations in sizes}) > 1:
        raise ValueError(f"all variables have as many observations, and these have {sizes[0][1]} and {sizes[1][1]}")
    count = sum(variables for variables, _ in sizes)
    return Signature(() if count == 1 else (count, count), found)


def corrcoef(promotion: PromotionTable, x: Any, y: Any = None, rowvar: bool = True, *, dtype: DType | None = None) -> Signature:
    """See `numpy.corrcoef`."""
    return cov(promotion, x, y, rowvar, dtype=dtype)
