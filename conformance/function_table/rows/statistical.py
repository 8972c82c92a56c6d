"""Rows of reductions, running sums, order statistics, histograms and windows of sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .. import template as t
from ..row import CORRECT, EXACT, PLAIN, REAL, Row, Tolerance, rows

__all__ = ["ROWS"]

_SUM = Tolerance(256, "a sum of up to 130 terms in any order is off by at most its length, both ways", "absolute")
_PRODUCT = Tolerance(512, "a product of up to 64 factors in any order")
_NORM = Tolerance(16, "interpolated between neighbours, at a rounded position", "norm")
_AXES = {"axis": t.axes(), "keepdims": t.flag()}
_AXIS = {"axis": t.axis(none=True)}
_WHERE = {"where": t.other(dtype=np.bool)}
_SUMMED = t.array("small", "finite")


def _mean_square(x: Any, **kwargs: Any) -> Any:
    kept = {key: value for key, value in kwargs.items() if key in ("axis", "keepdims", "where")}
    return np.mean(np.square(np.abs(1.0 * x)), **kept)  # in floats, which squares of integers fit


def _root_mean_square(x: Any, **kwargs: Any) -> Any:
    return np.sqrt(_mean_square(x, **kwargs))


_VAR = Tolerance(256, "deviations from a rounded mean are squared and summed", _mean_square)
_STD = Tolerance(256, "as for the variance; its root is as far off as the mean is", _root_mean_square)


def _spread_of(reduction: Any) -> Any:
    """Make NumPy's var or std NaN where there are no more elements than the correction."""

    def function(x: Any, *, correction: float = 0, axis: Any = None, keepdims: bool = False, **kwargs: Any) -> Any:
        result = reduction(x, axis=axis, keepdims=keepdims, correction=correction, **kwargs)
        ones: Any = np.ones(x.shape)
        count = ones.sum(axis=axis, keepdims=keepdims)
        return result if correction == 0 else np.where(count <= correction, np.nan, result).astype(result.dtype)[()]

    return function


def _count(x: Any, **kwargs: Any) -> Any:
    return np.asarray(np.count_nonzero(x, **kwargs))[()]


_QUANTILES = t.choice(0.5, 0.0, 1.0, 0.25, [0.1, 0.9], [], -0.5)
_PERCENTILES = t.choice(50, 0, 100.0, 25, [10, 90.0], 101)
_METHODS = t.choice("linear", "lower", "higher", "midpoint", "nearest", "median_unbiased", "weibull", "hazen", "no such method")
_FINITE = t.array("finite", "small", dims=(1, 3))

ROWS: tuple[Row, ...] = (
    *rows("sum", t.call_into(_SUMMED, **_AXES, **_WHERE, dtype=t.lead(), initial=t.choice(2)), _SUM),
    *rows("prod", t.call_into(t.array("positive", "small", long=False), **_AXES, **_WHERE, dtype=t.lead(), initial=t.choice(2)), _PRODUCT),
    *rows("mean", t.call_into(_SUMMED, **_AXES, **_WHERE), _SUM),
    *rows("max min amax amin", t.call_into(t.array(*t.ANY), **_AXES)),
    *rows("max min", t.call(t.array("finite"), **_AXES, where=t.always(t.other(dtype=np.bool)), initial=t.always(t.choice(1)))),
    *rows("all any", t.call_into(t.array(*t.ANY), **_AXES, **_WHERE)),
    *rows("ptp", t.call(t.array("finite"), **_AXES), CORRECT),
    *rows(
        "var",
        t.call(_SUMMED, correction=t.choice(0, 1, 2, 1.5), **_AXES),
        _VAR,
        reference=_spread_of(np.var),
        difference="nan where there are no more elements than the correction",
    ),
    *rows(
        "std",
        t.call(_SUMMED, correction=t.choice(0, 1, 2, 1.5), **_AXES),
        _STD,
        reference=_spread_of(np.std),
        difference="nan where there are no more elements than the correction",
    ),
    *rows("var", t.call(_SUMMED, ddof=t.choice(0), **_AXES, **_WHERE), _VAR),
    *rows("std", t.call(_SUMMED, ddof=t.choice(0), **_AXES, **_WHERE), _STD),
    *rows("argmax argmin", t.call(t.array(*t.ANY), **_AXIS, keepdims=t.flag())),
    *rows(
        "count_nonzero", t.call(t.array(*t.ANY), **_AXES), reference=_count, difference="the count of a whole array is an array, not an int"
    ),
    *rows("cumsum", t.call_into(_SUMMED, **_AXIS, dtype=t.lead()), _SUM),
    *rows("cumprod", t.call_into(t.array("positive", "small", long=False), **_AXIS, dtype=t.lead()), _PRODUCT),
    *rows("cumulative_sum", t.call(_SUMMED, axis=t.always(t.axis()), dtype=t.lead(), include_initial=t.flag()), _SUM),
    *rows(
        "cumulative_prod",
        t.call(t.array("positive", "small", long=False), axis=t.always(t.axis()), dtype=t.lead(), include_initial=t.flag()),
        _PRODUCT,
    ),
    *rows("cumulative_sum cumulative_prod", t.call(t.array("small", dims=(0, 2), long=False)), _SUM),
    *rows("nansum nanmean", t.call(t.array("small", "any", long=False), **_AXES), Tolerance(64, "as for sums", "norm"), dtypes=PLAIN),
    *rows("nanprod", t.call(t.array("small", long=False), **_AXES), _PRODUCT),
    *rows("nanmax nanmin", t.call(t.array(*t.ANY), **_AXES)),
    *rows("nanvar nanstd", t.call(_SUMMED, **_AXES, ddof=t.choice(0, 1)), Tolerance(64, "as for the variance", "norm"), dtypes=PLAIN),
    *rows("nanargmax nanargmin", t.call(t.array(*t.ANY), **_AXIS)),
    *rows("nancumsum nancumprod", t.call(t.array("small", long=False), **_AXIS), _PRODUCT),
    *rows("median nanmedian", t.call(_FINITE, **_AXES), _NORM),
    *rows("average", t.call(_FINITE, axis=t.axis(none=True), keepdims=t.flag()), _SUM),
    *rows("average", t.call(_FINITE, weights=t.always(t.other("positive")), returned=t.flag()), _SUM, dtypes=PLAIN),
    *rows("quantile nanquantile", t.call(_FINITE, _QUANTILES, **_AXES), _NORM),
    *rows("percentile nanpercentile", t.call(_FINITE, _PERCENTILES, **_AXES), _NORM),
    *rows("quantile percentile", t.call(_FINITE, t.choice(0.25, 0.9, 1), **_AXIS, method=t.always(_METHODS)), _NORM, dtypes=PLAIN),
    *rows(
        "histogram",
        t.call(t.array("finite", "small"), bins=t.choice(3, 10, [0, 1, 2.5], 0), range=t.choice((-1, 2), None, (2, 1)), density=t.flag()),
        Tolerance(4, "linspace"),
        dtypes=PLAIN[1:],
    ),
    *rows(
        "histogram_bin_edges",
        t.call(t.array("finite", "small"), bins=t.choice(3, 10, "auto", "sturges"), range=t.choice((-1, 2))),
        Tolerance(4, "linspace", "norm"),
        dtypes=PLAIN[1:],
    ),
    *rows(
        "histogram2d",
        t.call(t.array("small", dims=(1, 1), long=False), t.other("small"), bins=t.choice(2, 3, [2, 3])),
        Tolerance(4, "linspace", "norm"),
        dtypes=PLAIN[1:],
    ),
    *rows(
        "histogramdd",
        t.call(t.array("small", dims=(2, 2), long=False), bins=t.choice(2, 3)),
        Tolerance(4, "linspace", "norm"),
        dtypes=PLAIN[1:],
    ),
    *rows("bincount", t.call(t.array("index", dims=(0, 2)), minlength=t.choice(0, 5, -1), weights=t.other("small")), EXACT, dtypes=PLAIN),
    *rows("bincount", t.call(t.indices(6, negative=False, dims=(1, 1)), minlength=t.choice(0, 5)), dtypes=(np.dtype(np.int64),)),
    *rows("digitize", t.call(t.array("finite"), t.choice([0.0, 1, 2], [2, 1, 0], [0, 2, 1]), right=t.flag())),
    *rows(
        "corrcoef cov",
        t.call(t.array("small", "finite", dims=(1, 2), long=False), rowvar=t.flag()),
        Tolerance(64, "means and products", "norm"),
        dtypes=PLAIN,
    ),
    *rows("diff", t.call(t.array("small", dims=(1, 3)), n=t.integers(-1, 2), axis=t.axis()), CORRECT),
    *rows("ediff1d", t.call(t.array("small", dims=(0, 2))), CORRECT),
    *rows("gradient", t.call(t.array("small", dims=(1, 2)), axis=t.axis(), edge_order=t.choice(1, 2)), Tolerance(8, "differences", "norm")),
    *rows("trapezoid", t.call(t.array("small", dims=(1, 3)), dx=t.choice(0.5, 2), axis=t.axis()), _SUM),
    *rows("trapezoid", t.call(t.array("small", dims=(1, 1)), t.other("ascending")), Tolerance(64, "a sum of products", "norm")),
    *rows(
        "interp",
        t.call(t.array("finite"), t.choice([-1.0, 0, 1, 3]), t.choice([0.0, 2, 1, 5]), left=t.choice(9.0), right=t.choice(7.0)),
        Tolerance(8, "a slope times a distance", "norm"),
        dtypes=REAL,
    ),
    *rows(
        "convolve correlate",
        t.call(
            t.array("small", "finite", dims=(1, 1)),
            t.computed(lambda s: s.operand((s.draw(st.integers(0, 4)),), ("small",))),
            t.choice("full", "same", "valid", "no"),
        ),
        _SUM,
    ),
)
