"""Results of the tests of scipy.stats: its own named tuples, with Arrays in them; where these compute, ours that pass for them."""

from __future__ import annotations

import functools
import math
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from .operands import xp

__all__ = ["PearsonRResult", "TtestResult", "kind_of", "result"]


@functools.cache
def kind_of(name: str) -> type[Any]:
    """Find the class that a function of scipy.stats makes."""
    import scipy.stats

    x = np.arange(1.0, 25.0)
    singles = {"describe", "jarque_bera", "kurtosistest", "mode", "normaltest", "power_divergence", "shapiro", "sigmaclip", "skewtest"}
    resampled: dict[str, list[Any]] = {
        "bootstrap": [(x,), np.mean], "permutation_test": [(x, x), lambda a, _b: a[0]],
        "monte_carlo_test": [x, np.random.default_rng(0).normal, np.mean],
    }  # fmt: skip
    if name in resampled:
        more = {"method": "percentile"} if name == "bootstrap" else {}
        return type(getattr(scipy.stats, name)(*resampled[name], n_resamples=2, **more))
    if name == "cramervonmises":
        return type(scipy.stats.cramervonmises(x, "norm"))
    if name in {"binned_statistic_2d", "binned_statistic_dd"}:
        return type(getattr(scipy.stats, name)(*([x, x, x] if name.endswith("2d") else [x, x])))
    if name == "chi2_contingency":
        return type(scipy.stats.chi2_contingency([[3, 4], [2, 6]]))
    if name == "combine_pvalues":
        return type(scipy.stats.combine_pvalues(x / 25.0))
    if name == "friedmanchisquare":
        return type(scipy.stats.friedmanchisquare(x, x % 7, x % 5))
    given = [x] if name in singles else [1, 1, 5, 2, 1, 5] if name == "ttest_ind_from_stats" else [x, x % 7]
    return type(getattr(scipy.stats, name)(*given))


def result(name: str, *values: Any, **attributes: Any) -> Any:
    """Make the result of a function of scipy.stats, with attributes that are none of its items."""
    made = tuple.__new__(kind_of(name), values)
    if attributes:
        made.__dict__.update(attributes)
    return made


class _ConfidenceInterval(NamedTuple):
    low: Any
    high: Any


class _Significance(NamedTuple):
    statistic: Any
    pvalue: Any


class PearsonRResult(_Significance):
    """What `scipy.stats.pearsonr` gives."""

    _nobs: int
    _alternative: str

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """SciPy's class."""
        return kind_of("pearsonr")

    @property
    def correlation(self) -> Any:
        """The statistic."""
        return self.statistic

    def confidence_interval(self, confidence_level: float = 0.95) -> Any:
        """Find an interval by Fisher's transformation."""
        middle, width = xp.atanh(self.statistic), 1.0 / math.sqrt(self._nobs - 3)
        tail = (1 - confidence_level) / (2 if self._alternative == "two-sided" else 1)
        reach = -width * NormalDist().inv_cdf(tail)
        low, high, one = xp.tanh(middle - reach), xp.tanh(middle + reach), xp.ones_like(middle)
        return _ConfidenceInterval(-one if self._alternative == "less" else low, one if self._alternative == "greater" else high)


class TtestResult(_Significance):
    """What Student's tests give."""

    df: Any
    _alternative: str
    _standard_error: Any
    _estimate: Any

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """SciPy's class."""
        return kind_of("ttest_rel")

    def confidence_interval(self, confidence_level: float = 0.95) -> Any:
        """Find the interval of the mean, or of the difference of means."""
        tail = (1 - confidence_level) / (2 if self._alternative == "two-sided" else 1)
        reach = xp.scipy.stats.t.isf(xp.full_like(self.df, tail), self.df) * self._standard_error
        low, high = self._estimate - reach, self._estimate + reach
        wide = xp.full_like(low, math.inf)
        return _ConfidenceInterval(-wide if self._alternative == "less" else low, wide if self._alternative == "greater" else high)
