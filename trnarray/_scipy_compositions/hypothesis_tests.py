"""
Tests of hypotheses, correlations and ranks of scipy.stats.

Probabilities come from the incomplete gamma and beta functions of the device: 8 to 32 u.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .moments import kurtosis, skew
from .operands import along, floats, leave_unless, one_of, reduced, xp
from .results import PearsonRResult, TtestResult, result

__all__ = ["COMPOSITIONS", "SIDES", "of_z", "ranked"]

special: Final[Any] = xp.scipy.special
_MOST_COLUMNS: Final = 64
"""Columns that are ranked one by one."""
SIDES: Final = ("two-sided", "less", "greater")


def _of_t(t: Any, df: Any, alternative: str) -> Any:
    """Compute the probability of Student's t."""
    df = df + xp.zeros_like(t)
    if alternative == "two-sided":
        return 2.0 * special.stdtr(df, -xp.abs(t))
    return special.stdtr(df, t if alternative == "less" else -t)


def of_z(z: Any, alternative: str) -> Any:
    """Compute the probability of the normal distribution."""
    if alternative == "two-sided":
        return 2.0 * special.ndtr(-xp.abs(z))
    return special.ndtr(z if alternative == "less" else -z)


def _of_f(f: Any, dfn: float, dfd: float) -> Any:
    """Compute the probability that F is larger."""
    x = dfd / (dfd + dfn * f)
    return special.betainc(xp.full_like(x, dfd / 2.0), xp.full_like(x, dfn / 2.0), x)


def _of_chi2(x: Any, df: float) -> Any:
    return special.gammaincc(xp.full_like(x, df / 2.0), x / 2.0)


def _tested(t: Any, df: Any, alternative: str, error: Any, estimate: Any) -> TtestResult:
    found = TtestResult(t, _of_t(t, df, alternative))
    found.df = df if type(df) is xp.Array else xp.full_like(t, df)
    found._alternative, found._standard_error, found._estimate = alternative, error, estimate
    return found


def _ttest_1samp(
    a: Any, popmean: Any, axis: Any = 0, nan_policy: str = "propagate", alternative: str = "two-sided", *, keepdims: bool = False
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    leave_unless(type(popmean) in {int, float})
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    mean = xp.mean(x, axis=axis, keepdims=keepdims)
    error = xp.std(x, axis=axis, ddof=1, keepdims=keepdims) / math.sqrt(x.shape[axis])
    return _tested((mean - popmean) / error, float(x.shape[axis] - 1), alternative, error, mean)


def _ttest_rel(
    a: Any, b: Any, axis: Any = 0, nan_policy: str = "propagate", alternative: str = "two-sided", *, keepdims: bool = False
) -> Any:  # fmt: skip
    (x, y), axis = along(a, b, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    leave_unless(x.shape == y.shape)
    return _ttest_1samp(x - y, 0, axis, alternative=alternative, keepdims=keepdims)


def _ttest_ind(
    a: Any, b: Any, *, axis: Any = 0, equal_var: bool = True, nan_policy: str = "propagate", alternative: str = "two-sided", trim: Any = 0,
    method: Any = None, keepdims: bool = False, **more: Any,
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    leave_unless(trim == 0 and method is None and all(more.get(name) is None for name in more))
    (x, y), axis = along(a, b, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    means, variances = [[f(z, axis=axis, keepdims=keepdims) for z in (x, y)] for f in (xp.mean, lambda z, **o: xp.var(z, ddof=1, **o))]
    n = [x.shape[axis], y.shape[axis]]
    df: Any
    if equal_var:
        df = n[0] + n[1] - 2.0
        pooled = (variances[0] * (n[0] - 1.0) + variances[1] * (n[1] - 1.0)) / df
        error = xp.sqrt(pooled * (1.0 / n[0] + 1.0 / n[1]))
    else:
        parts = [v / float(count) for v, count in zip(variances, n, strict=True)]
        error = xp.sqrt(parts[0] + parts[1])
        fractions = [part / (parts[0] + parts[1]) for part in parts]  # their squares stay in the range of float32
        df = 1.0 / (fractions[0] * fractions[0] / (n[0] - 1.0) + fractions[1] * fractions[1] / (n[1] - 1.0))
        df = xp.where(xp.isnan(df), 1.0, df)
    difference = means[0] - means[1]
    return _tested(difference / error, df, alternative, error, difference)


def _pearsonr(x: Any, y: Any, *, alternative: str = "two-sided", method: Any = None, axis: Any = 0) -> Any:
    one_of(alternative, *SIDES)
    leave_unless(method is None)
    (a, b), axis = along(x, y, axis=axis, least=4)
    leave_unless(a.shape == b.shape)
    n = a.shape[axis]
    r = _correlated(a, b, axis)
    constant = [xp.all(z == xp.take(z, xp.asarray([0], device=z.device), axis=axis), axis=axis) for z in (a, b)]
    r = xp.where(constant[0] | constant[1], math.nan, r)
    half = xp.full_like(r, n / 2 - 1)
    below = (1.0 - (xp.abs(r) if alternative == "two-sided" else -r if alternative == "less" else r)) / 2.0
    p = special.betainc(half, half, below)
    found = PearsonRResult(r, 2.0 * p if alternative == "two-sided" else p)
    found._nobs, found._alternative = n, alternative
    return found


def _correlated(a: Any, b: Any, axis: int) -> Any:
    parts = []
    for z in (a, b):
        above = z - xp.mean(z, axis=axis, keepdims=True)
        largest = xp.max(xp.abs(above), axis=axis, keepdims=True)
        above = above / xp.where(largest > 0, largest, 1.0)  # its squares stay in the range of float32
        parts.append(above / xp.sqrt(xp.sum(above * above, axis=axis, keepdims=True)))
    return xp.clip(xp.sum(parts[0] * parts[1], axis=axis), -1.0, 1.0)


def ranked(x: Any) -> tuple[Any, Any]:
    """Rank elements, ties by the average, and count the ties of each."""
    ordered = xp.sort(x)
    low, high = [xp.astype(xp.searchsorted(ordered, x, side=side), x.dtype) for side in ("left", "right")]
    return (low + high + 1.0) / 2.0, high - low


def _spearmanr(a: Any, b: Any = None, axis: Any = 0, nan_policy: str = "propagate", alternative: str = "two-sided") -> Any:
    one_of(alternative, *SIDES)
    if b is None:
        return _spearman_matrix(a, axis, nan_policy, alternative)
    (x, y), _ = along(a, b, axis=axis, nan_policy=nan_policy, least=3)
    leave_unless(x.ndim == y.ndim == 1 and x.shape == y.shape and x.shape[0] < 1 << 23)
    r = _correlated(ranked(x)[0], ranked(y)[0], 0)
    r = xp.where(xp.any(xp.isnan(x) | xp.isnan(y)) | xp.all(x == x[0]) | xp.all(y == y[0]), math.nan, r)
    df = x.shape[0] - 2.0
    return result("spearmanr", r, _of_t(r * xp.sqrt(df / ((r + 1.0) * (1.0 - r))), df, alternative), correlation=r)


def _spearman_matrix(a: Any, axis: Any, nan_policy: str, alternative: str) -> Any:
    """Correlate the ranks of all pairs of columns, or of rows."""
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, least=3)
    leave_unless(x.ndim == 2)
    rows = x if axis else x.T
    k, n = rows.shape
    leave_unless(2 < k <= _MOST_COLUMNS and n < 1 << 23 and not bool(xp.any(xp.isnan(rows)) | xp.any(xp.all(rows == rows[:, :1], axis=1))))
    ranks = xp.stack([ranked(row)[0] for row in rows]) - (n + 1) / 2.0
    unit = ranks / xp.sqrt(xp.sum(ranks * ranks, axis=1, keepdims=True))
    r = xp.where(xp.eye(k, dtype=xp.bool, device=x.device), 1.0, xp.clip(unit @ unit.T, -1.0, 1.0))
    t = r * xp.sqrt((n - 2.0) / ((r + 1.0) * (1.0 - r)))
    return result("spearmanr", r, _of_t(t, n - 2.0, alternative), correlation=r)


def _linregress(x: Any, y: Any, alternative: str = "two-sided", *, axis: Any = 0, nan_policy: str = "propagate") -> Any:
    one_of(alternative, *SIDES)
    (a, b), axis = along(x, y, axis=axis, nan_policy=nan_policy, least=3)
    leave_unless(a.ndim == 1 and a.shape == b.shape and not bool(xp.all(a == a[0])))
    n = a.shape[0]
    means = xp.mean(a), xp.mean(b)
    a, b = a - means[0], b - means[1]
    squares = xp.sum(a * a), xp.sum(b * b)
    slope = xp.sum(a * b) / squares[0]
    left = xp.sum(xp.square(b - slope * a))  # 1 - r² would lose what is small
    r = xp.clip(_correlated(a, b, 0), -1.0, 1.0)
    r = xp.where(squares[1] == 0, 0.0, r)
    df = n - 2.0
    error = xp.sqrt(left / squares[0] / df)
    t = xp.where(squares[1] == 0, 0.0, slope / xp.where(error == 0, xp.finfo(a.dtype).tiny, error))
    of_intercept = error * xp.sqrt(squares[0] / n + means[0] * means[0])
    p = _of_t(t, df, alternative)
    return result("linregress", slope, means[1] - slope * means[0], r, p, error, intercept_stderr=of_intercept)


def _f_oneway(*samples: Any, axis: Any = 0, equal_var: bool = True, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    leave_unless(equal_var is True and len(samples) > 1)
    made, axis = along(*samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    counts, groups = [x.shape[axis] for x in made], len(made)
    total = sum(counts)
    middle = sum((xp.sum(x, axis=axis, keepdims=True) for x in made), start=0.0) / total
    made = [x - middle for x in made]
    means = [xp.mean(x, axis=axis, keepdims=True) for x in made]
    between = sum((n * m * m for n, m in zip(counts, means, strict=True)), start=0.0)
    within: Any = sum((xp.sum(xp.square(x - m), axis=axis, keepdims=True) for x, m in zip(made, means, strict=True)), start=0.0)
    firsts = [xp.take(x, xp.asarray([0], device=x.device), axis=axis) for x in made]
    constant = xp.all(xp.concatenate([xp.all(x == f, axis=axis, keepdims=True) for x, f in zip(made, firsts, strict=True)], axis=axis),
                      axis=axis, keepdims=True)  # fmt: skip
    same = constant & xp.all(xp.concatenate([f == firsts[0] for f in firsts], axis=axis), axis=axis, keepdims=True)
    f = (between / (groups - 1.0)) / (within / float(total - groups))
    f = xp.where(same, math.nan, xp.where(constant, math.inf, f))
    p = xp.where(constant & ~same, 0.0, _of_f(f, groups - 1.0, float(total - groups)))
    return result("f_oneway", reduced(f, axis, keepdims), reduced(p, axis, keepdims))


_POWERS: Final = {
    "pearson": 1.0, "log-likelihood": 0.0, "freeman-tukey": -0.5, "mod-log-likelihood": -1.0, "neyman": -2.0, "cressie-read": 2.0 / 3.0,
}  # fmt: skip


def _divergence(observed: Any, expected: Any, power: Any) -> Any:
    """Compute the terms of a power divergence."""
    power = 1.0 if power is None else _POWERS.get(power, math.nan) if isinstance(power, str) else power
    leave_unless(type(power) in {int, float} and math.isfinite(power))
    if power == 1:
        return xp.square(observed - expected) / expected
    if power == 0:
        return 2.0 * special.xlogy(observed, observed / expected)
    if power == -1:
        return 2.0 * special.xlogy(expected, expected / observed)
    return observed * (xp.power(observed / expected, float(power)) - 1.0) * (2.0 / (power * (power + 1)))


def _power_divergence(
    f_obs: Any, f_exp: Any = None, ddof: Any = 0, axis: Any = 0, lambda_: Any = None, *, sum_check: bool = True,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    leave_unless(type(ddof) is int)
    made, axis = along(f_obs, *([] if f_exp is None else [f_exp]), axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    observed = made[0]
    keep = {"axis": axis, "keepdims": True}
    if f_exp is None:
        expected = xp.mean(observed, **keep)
    else:
        expected = made[1]
        leave_unless(expected.shape == observed.shape)
        if sum_check:
            sums = xp.sum(observed, **keep), xp.sum(expected, **keep)
            tolerance = math.sqrt(xp.finfo(observed.dtype).eps)
            leave_unless(bool(xp.all(xp.abs(sums[0] - sums[1]) <= tolerance * xp.minimum(*map(xp.abs, sums)))))
    terms = _divergence(observed, expected, lambda_)
    found = xp.sum(terms, axis=axis, keepdims=keepdims)
    df = observed.shape[axis] - 1 - ddof
    leave_unless(df > 0)
    return result("power_divergence", found, _of_chi2(found, df))


def _chi2_contingency(observed: Any, correction: bool = True, lambda_: Any = None, *, method: Any = None) -> Any:
    (x,) = floats(observed)
    leave_unless(x.ndim == 2 and min(x.shape) > 1 and method is None)
    expected = xp.sum(x, axis=1, keepdims=True) * (xp.sum(x, axis=0, keepdims=True) / xp.sum(x))
    leave_unless(bool(xp.all((x >= 0) & (expected > 0))))
    df = (x.shape[0] - 1) * (x.shape[1] - 1)
    if df == 1 and correction:
        apart = expected - x
        x = x + xp.sign(apart) * xp.minimum(0.5, xp.abs(apart))
    found = xp.sum(_divergence(x, expected, lambda_))
    return result("chi2_contingency", found, _of_chi2(found, df), df, expected)


def _combine_pvalues(
    pvalues: Any, method: str = "fisher", weights: Any = None, *, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    one_of(method, "fisher", "stouffer")
    leave_unless(weights is None)
    (p,), axis = along(pvalues, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    if method == "fisher":
        found = -2.0 * xp.sum(xp.log(p), axis=axis, keepdims=keepdims)
        return result("combine_pvalues", found, _of_chi2(found, 2.0 * p.shape[axis]))
    found = -xp.sum(special.ndtri(p), axis=axis, keepdims=keepdims) / math.sqrt(p.shape[axis])
    return result("combine_pvalues", found, special.ndtr(-found))


def _friedman(*samples: Any, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    k = len(samples)
    leave_unless(2 < k <= 32)
    made, _ = along(*samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    leave_unless(all(x.ndim == 1 and x.shape == made[0].shape for x in made) and not keepdims)
    n, rows = made[0].shape[0], xp.stack(made)
    below, upto = [xp.sum(xp.astype(each, rows.dtype), axis=0) for each in (rows[:, None] < rows[None], rows[:, None] <= rows[None])]
    ties, sums = upto - below, xp.sum((below + upto + 1.0) / 2.0 - (k + 1) / 2.0, axis=1)  # of ranks less their mean
    left = 1.0 - xp.sum(ties * ties - 1.0) / (k * (k * k - 1.0) * n)
    found = 12.0 / (k * n * (k + 1.0)) * xp.sum(sums * sums) / left
    found = xp.where(xp.any(xp.isnan(rows)), math.nan, found)
    return result("friedmanchisquare", found, _of_chi2(found, k - 1.0))


def _pointbiserial(x: Any, y: Any, *, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    leave_unless(nan_policy == "propagate" and not keepdims)
    found = _pearsonr(x, y, axis=axis)
    return result("pointbiserialr", found.statistic, found.pvalue, correlation=found.statistic)


def _brunner_munzel(
    x: Any, y: Any, alternative: str = "two-sided", distribution: str = "t", nan_policy: str = "propagate", *, keepdims: bool = False,
    axis: Any = 0,
) -> Any:  # fmt: skip
    one_of(alternative, "two-sided")
    one_of(distribution, "t", "normal")
    (a, b), _ = along(x, y, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    n, m = a.shape[0], b.shape[0]
    leave_unless(a.ndim == b.ndim == 1 and not keepdims and n + m < 1 << 23)
    pooled = xp.concatenate([a, b])
    ranks = ranked(pooled)[0]
    ranks, means, parts = [ranks[:n], ranks[n:]], [], []
    for rank, sample in zip(ranks, (a, b), strict=True):
        means.append(xp.mean(rank))
        apart = rank - ranked(sample)[0] - (means[-1] - (sample.shape[0] + 1) / 2.0)
        parts.append(xp.sum(apart * apart) * (sample.shape[0] / (sample.shape[0] - 1.0)))
    total = parts[0] + parts[1]
    found = n * m * (means[1] - means[0]) / ((n + m) * xp.sqrt(total))
    df = total * total / (parts[0] * parts[0] / (n - 1.0) + parts[1] * parts[1] / (m - 1.0))
    p = _of_t(found, df, alternative) if distribution == "t" else of_z(found, alternative)
    lost = xp.any(xp.isnan(pooled))
    return result("brunnermunzel", *[xp.where(lost, math.nan, each) for each in (found, p)])


def _chisquare(
    f_obs: Any, f_exp: Any = None, ddof: Any = 0, axis: Any = 0, *, sum_check: bool = True, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    return _power_divergence(f_obs, f_exp, ddof, axis, sum_check=sum_check, nan_policy=nan_policy, keepdims=keepdims)


def _skew_score(x: Any, axis: int) -> Any:
    """Score the skewness (D'Agostino 1970)."""
    n = float(x.shape[axis])
    y = skew(x, axis, keepdims=True) * math.sqrt(((n + 1) * (n + 3)) / (6.0 * (n - 2)))
    beta = 3.0 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2.0) * (n + 5) * (n + 7) * (n + 9))
    w = -1 + math.sqrt(2 * (beta - 1))
    y = xp.where(y == 0, 1.0, y)
    return xp.asinh(y / math.sqrt(2.0 / (w - 1))) / math.sqrt(0.5 * math.log(w))


def _kurtosis_score(x: Any, axis: int) -> Any:
    """Score the kurtosis (Anscombe and Glynn 1983)."""
    n = float(x.shape[axis])
    mean = 3.0 * (n - 1) / (n + 1)
    variance = 24.0 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    above = (kurtosis(x, axis, keepdims=True) + (3.0 - mean)) / math.sqrt(variance)
    root = 6.0 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * math.sqrt((6.0 * (n + 3) * (n + 5)) / (n * (n - 2) * (n - 3)))
    a = 6.0 + 8.0 / root * (2.0 / root + math.sqrt(1 + 4.0 / (root**2)))
    below = 1 + above * math.sqrt(2 / (a - 4.0))
    third = xp.sign(below) * xp.exp(xp.log((1 - 2.0 / a) / xp.abs(below)) / 3.0)
    return (1 - 2.0 / (9.0 * a) - xp.where(below == 0, math.nan, third)) / math.sqrt(2 / (9.0 * a))


def _scored(name: str, score: Callable[[Any, int], Any], least: int) -> Callable[..., Any]:
    def tested(
        a: Any, axis: Any = 0, nan_policy: str = "propagate", alternative: str = "two-sided", *, keepdims: bool = False
    ) -> Any:  # fmt: skip
        one_of(alternative, *SIDES)
        (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=least)
        z = reduced(score(x, axis), axis, keepdims)
        return result(name, z, of_z(z, alternative))

    return tested


def _normaltest(a: Any, axis: Any = 0, nan_policy: str = "propagate", *, keepdims: bool = False) -> Any:
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=20)
    found = reduced(xp.square(_skew_score(x, axis)) + xp.square(_kurtosis_score(x, axis)), axis, keepdims)
    return result("normaltest", found, xp.exp(-found / 2.0))


def _jarque_bera(x: Any, *, axis: Any = None, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    (a,), axis = along(x, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    s, k = skew(a, axis, keepdims=keepdims), kurtosis(a, axis, keepdims=keepdims)
    found = a.shape[axis] / 6.0 * (s * s + k * k / 4.0)
    return result("jarque_bera", found, xp.exp(-found / 2.0))


def _kruskal(*samples: Any, nan_policy: str = "propagate", axis: Any = 0, keepdims: bool = False) -> Any:
    leave_unless(len(samples) > 1)
    made, _ = along(*samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=1)
    leave_unless(all(x.ndim == 1 for x in made) and not keepdims)
    pooled = xp.concatenate(made)
    n = pooled.shape[0]
    leave_unless(n < 1 << 23)
    ranks, ties = ranked(pooled)
    total, start = 0.0, 0
    for x in made:
        above = xp.sum(ranks[start : start + x.shape[0]] - (n + 1) / 2.0)  # of the average, which would cancel
        total, start = total + above * above / float(x.shape[0]), start + x.shape[0]
    found = 12.0 / (n * (n + 1.0)) * total / (1.0 - xp.sum(ties * ties - 1.0) / (float(n) ** 3 - n))
    found = xp.where(xp.any(xp.isnan(pooled)), math.nan, found)
    return result("kruskal", found, _of_chi2(found, len(made) - 1.0))


def _mannwhitneyu(
    x: Any, y: Any, use_continuity: bool = True, alternative: str = "two-sided", axis: Any = 0, method: Any = "auto", *,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    (a, b), _ = along(x, y, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    n, m = a.shape[0], b.shape[0]
    leave_unless(a.ndim == b.ndim == 1 and not keepdims and n + m < 1 << 23)
    leave_unless(method == "asymptotic" or (method == "auto" and n > 8 and m > 8))
    pooled = xp.concatenate([a, b])
    ranks, ties = ranked(pooled)
    above = xp.sum(ranks[:n] - (n + m + 1) / 2.0)  # U less its mean
    larger = xp.abs(above) if alternative == "two-sided" else above if alternative == "greater" else -above
    spread = xp.sqrt(n * m / 12.0 * ((n + m + 1.0) - xp.sum(ties * ties - 1.0) / ((n + m) * (n + m - 1.0))))
    p = special.ndtr(-(larger - (0.5 if use_continuity else 0.0)) / spread)
    p = xp.clip(2.0 * p if alternative == "two-sided" else p, 0.0, 1.0)
    lost = xp.any(xp.isnan(pooled))
    return result("mannwhitneyu", *[xp.where(lost, math.nan, found) for found in (above + n * m / 2.0, p)])


def _spread_test(
    *samples: Any, center: str = "median", proportiontocut: float = 0.05, axis: Any = 0, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    """Compose Levene's test, of the distances from the center."""
    one_of(center, "median", "mean")
    leave_unless(proportiontocut == 0.05)  # which `trimmed` alone takes
    made, axis = along(*samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    middle: Any = xp.median if center == "median" else xp.mean
    return result("levene", *_f_oneway(*[xp.abs(x - middle(x, axis=axis, keepdims=True)) for x in made], axis=axis, keepdims=keepdims))


def _bartlett(*samples: Any, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    leave_unless(len(samples) > 1)
    made, axis = along(*samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    counts, k = [x.shape[axis] - 1.0 for x in made], len(made)
    variances = [xp.var(x, axis=axis, ddof=1, keepdims=keepdims) for x in made]
    total = sum(counts)
    pooled = sum((n * v for n, v in zip(counts, variances, strict=True)), start=0.0) / total
    above = -sum((n * xp.log(v / pooled) for n, v in zip(counts, variances, strict=True)), start=0.0)
    found: Any = above / (1.0 + (sum(1.0 / n for n in counts) - 1.0 / total) / (3.0 * (k - 1)))
    return result("bartlett", found, _of_chi2(found, k - 1.0))


def _from_stats(
    mean1: Any, std1: Any, nobs1: Any, mean2: Any, std2: Any, nobs2: Any, equal_var: bool = True, alternative: str = "two-sided"
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    m1, s1, n1, m2, s2, n2 = floats(mean1, std1, nobs1, mean2, std2, nobs2)
    v1, v2 = s1 * s1, s2 * s2
    if equal_var:
        df = n1 + n2 - 2.0
        error = xp.sqrt((v1 * (n1 - 1.0) + v2 * (n2 - 1.0)) / df * (1.0 / n1 + 1.0 / n2))
    else:
        a, b = v1 / n1, v2 / n2
        df = xp.square(a + b) / (a * a / (n1 - 1.0) + b * b / (n2 - 1.0))
        error = xp.sqrt(a + b)
    t = (m1 - m2) / error
    return result("ttest_ind_from_stats", t, _of_t(t, df, alternative))


def _ranksums(
    x: Any, y: Any, alternative: str = "two-sided", *, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    (a, b), _ = along(x, y, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    n, m = a.shape[0], b.shape[0]
    leave_unless(a.ndim == b.ndim == 1 and not keepdims and n + m < 1 << 23)
    pooled = xp.concatenate([a, b])
    above = xp.sum(ranked(pooled)[0][:n] - (n + m + 1) / 2.0)  # less its mean, which would cancel
    z = xp.where(xp.any(xp.isnan(pooled)), math.nan, above / math.sqrt(n * m * (n + m + 1) / 12.0))
    return result("ranksums", z, of_z(z, alternative))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "bartlett": _bartlett,
    "brunnermunzel": _brunner_munzel,
    "chi2_contingency": _chi2_contingency,
    "chisquare": _chisquare,
    "combine_pvalues": _combine_pvalues,
    "f_oneway": _f_oneway,
    "friedmanchisquare": _friedman,
    "jarque_bera": _jarque_bera,
    "kruskal": _kruskal,
    "kurtosistest": _scored("kurtosistest", _kurtosis_score, 20),
    "levene": _spread_test,
    "linregress": _linregress,
    "mannwhitneyu": _mannwhitneyu,
    "normaltest": _normaltest,
    "pearsonr": _pearsonr,
    "pointbiserialr": _pointbiserial,
    "power_divergence": _power_divergence,
    "ranksums": _ranksums,
    "skewtest": _scored("skewtest", _skew_score, 8),
    "spearmanr": _spearmanr,
    "ttest_1samp": _ttest_1samp,
    "ttest_ind": _ttest_ind,
    "ttest_ind_from_stats": _from_stats,
    "ttest_rel": _ttest_rel,
}
"""Functions of scipy.stats that test hypotheses."""
