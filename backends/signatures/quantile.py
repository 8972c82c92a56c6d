"""Signatures of quantiles: probabilities are numbers of the host, methods one of NumPy's, or 'lower' where the ends are asked for."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..dtypes import BOOL
from ..rules import is_true
from .attributes import output, several_axes
from .call import Call, NotNativeError, Reader, SignatureKind

__all__ = ["BETWEEN", "DISCRETE", "median", "quantile"]

DISCRETE: Final = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
"""Methods that take one of the elements."""
BETWEEN: Final = (
    *("linear", "midpoint", "averaged_inverted_cdf", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased"),
    "normal_unbiased",
)
"""Methods that take a number between two of them."""


def quantile(scale: float, *, skipping: bool = False) -> SignatureKind:
    """Read ``numpy.quantile``, or ``percentile``, whose probabilities are up to 100, or those that skip NaN."""

    def read(
        reader: Reader, a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, method: Any = "linear",
        keepdims: Any = False, *, weights: Any = None,
    ) -> Call:  # fmt: skip
        if weights is not None:
            raise NotNativeError("weighted quantiles are found on the host")
        value = reader.array(a)
        if value.dtype.kind == "c":
            raise TypeError("a must be an array of real numbers")
        if method not in DISCRETE and method not in BETWEEN:
            raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join((*DISCRETE, *BETWEEN))}")
        chosen = reader.known(q)
        found = np.asarray(chosen)
        if not ((found >= 0) & (found <= scale)).all():
            raise ValueError(f"{'Quantiles' if scale == 1 else 'Percentiles'} must be in the range [0, {scale:g}]")
        if found.dtype.kind in "iu" and scale == 1 and method == "linear":  # the ends
            method = "lower"
        axes = several_axes(axis, value.ndim)
        missing = value.size == 0 if skipping else any(value.shape[one] == 0 for one in axes)  # which comes first
        if method not in DISCRETE and value.dtype == BOOL and not missing:
            raise TypeError("there is no value between True and False; use a method that takes one of the elements, as 'lower'")
        return Call((value, chosen), {"axis": axes, "method": method, "keepdims": is_true(keepdims)}, output(out))

    return read


def median(reader: Reader, a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> Call:
    """Read ``numpy.median``."""
    value = reader.array(a)
    return Call((value,), {"axis": several_axes(axis, value.ndim), "keepdims": is_true(keepdims)}, output(out))
