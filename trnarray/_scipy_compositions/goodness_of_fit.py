"""
Tests of the distribution of samples, of scipy.stats: Kolmogorov and Smirnov, Cramér and von Mises, Shapiro and Wilk, Fligner and Killeen.

Statistics are computed on the device. The distributions of those of the first three are SciPy's, on the host: a few numbers are fetched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from .hypothesis_tests import SIDES, ranked
from .objectives import fetched
from .operands import leave_unless, one_of, xp
from .rank_tests import single
from .results import kind_of, result

__all__ = ["COMPOSITIONS"]

special: Final[Any] = xp.scipy.special
_MOST: Final = 1 << 23


def _single(*items: Any, least: int = 1, **options: Any) -> list[Any]:
    """Make samples of one axis, without NaN."""
    made = single(*items, least=least, **options)
    leave_unless(not bool(xp.any(xp.isnan(xp.concatenate(made)))))
    return made


def _distribution(cdf: Any) -> Any:
    """Find the function of a distribution that may be named."""
    return getattr(xp.scipy.stats, cdf).cdf if type(cdf) is str else cdf


def _furthest(apart: Any, alternative: str, *places: Any) -> tuple[Any, float, Any, float]:
    """Find the largest difference of distributions on the sides that count: the number, also fetched, where it is, and its sign."""
    signs = {"two-sided": (1.0, -1.0), "greater": (1.0,), "less": (-1.0,)}[alternative]
    sides = [xp.clip(each * sign, 0.0, 1.0) for each, sign in zip(apart, (1.0, -1.0), strict=True) if sign in signs]
    at = [xp.argmax(each) for each in sides]
    values = fetched(*[each[place] for each, place in zip(sides, at, strict=True)])
    best = 0 if values[0] > values[-1] or len(values) == 1 else 1
    kept = [place for place, sign in zip(places, (1.0, -1.0), strict=True) if sign in signs][best]
    return sides[best][at[best]], values[best], kept[at[best]], signs[best]


def _ks(statistic: Any, p: float, location: Any, sign: float) -> Any:
    made = result("ks_2samp", statistic, xp.full_like(statistic, min(max(p, 0.0), 1.0)))
    made.__dict__.update(statistic_location=location, statistic_sign=np.int8(sign))
    return made


def _ks_1samp(
    x: Any, cdf: Any, args: Any = (), alternative: str = "two-sided", method: str = "auto", *, axis: Any = 0, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    one_of(method, "auto", "exact", "approx", "asymp")
    leave_unless(callable(cdf) and type(args) is tuple)
    (sample,) = _single(x, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    from scipy.stats import ksone, kstwo, kstwobign

    sample = xp.sort(sample)
    n = sample.shape[0]
    values = xp.asarray(cdf(sample, *args), device=sample.device)
    leave_unless(values.shape == sample.shape)
    steps = xp.arange(0, n + 1, dtype=sample.dtype, device=sample.device) / float(n)
    found, d, location, sign = _furthest((steps[1:] - values, steps[:-1] - values), alternative, sample, sample)
    if alternative != "two-sided":
        p = ksone.sf(d, n)
    elif method in {"auto", "exact"}:
        p = kstwo.sf(d, n)
    else:
        p = kstwobign.sf(d * math.sqrt(n)) if method == "asymp" else 2.0 * ksone.sf(d, n)
    return _ks(found, float(p), location, sign)


def _ks_2samp(
    data1: Any, data2: Any, alternative: str = "two-sided", method: str = "auto", *, axis: Any = 0, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    one_of(method, "auto", "exact", "asymp")
    a, b = _single(data1, data2, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    n, m = a.shape[0], b.shape[0]
    pooled = xp.concatenate([a, b])
    shares = [xp.astype(xp.searchsorted(xp.sort(x), pooled, side="right"), x.dtype) / float(x.shape[0]) for x in (a, b)]
    difference = shares[0] - shares[1]
    found, d, location, sign = _furthest((difference, difference), alternative, pooled, pooled)
    p = math.nan
    if method == "exact" or (method == "auto" and max(n, m) <= 10000):
        from scipy.stats._stats_py import _attempt_exact_2kssamp

        known, _, p = _attempt_exact_2kssamp(n, m, math.gcd(n, m), d, alternative)
        leave_unless(known)
    elif alternative == "two-sided":
        from scipy.stats import kstwo

        p = float(kstwo.sf(d, round(n * m / (n + m))))
    else:
        large, small = float(max(n, m)), float(min(n, m))
        z = math.sqrt(large * small / (large + small)) * d
        p = math.exp(-2.0 * z**2 - 2.0 * z * (large + 2.0 * small) / math.sqrt(large * small * (large + small)) / 3.0)
    return _ks(found, float(p), location, sign)


def _kstest(
    rvs: Any, cdf: Any, args: Any = (), N: Any = 20, alternative: str = "two-sided", method: str = "auto", *, axis: Any = 0,  # noqa: ARG001
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    leave_unless(type(rvs) is xp.Array)
    more: dict[str, Any] = {"axis": axis, "nan_policy": nan_policy, "keepdims": keepdims}
    if type(cdf) is xp.Array:
        return _ks_2samp(rvs, cdf, alternative, method, **more)
    return _ks_1samp(rvs, _distribution(cdf), args, alternative, method, **more)


def _cramervonmises(
    rvs: Any, cdf: Any, args: Any = (), *, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    leave_unless(type(args) is tuple)
    (x,) = _single(rvs, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    from scipy.stats._hypotests import _cdf_cvm

    x, n = xp.sort(x), x.shape[0]
    values = xp.asarray(_distribution(cdf)(x, *args), device=x.device)
    leave_unless(values.shape == x.shape)
    middles = (2.0 * xp.arange(1, n + 1, dtype=x.dtype, device=x.device) - 1.0) / (2.0 * n)
    found = xp.sum(xp.square(middles - values)) + 1.0 / (12.0 * n)
    p = max(0.0, 1.0 - float(_cdf_cvm(fetched(found)[0], n)))
    return kind_of("cramervonmises")(statistic=found, pvalue=xp.full_like(found, p))


_C1: Final = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
_C2: Final = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
_SMALL: Final = ((0.544, -0.39978, 0.025054, -6.714e-4), (1.3822, -0.77857, 0.062767, -0.0020322), (-2.273, 0.459))
_LARGE: Final = ((-1.5861, -0.31082, -0.083751, 0.0038915), (-0.4803, -0.082676, 0.0030302))


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    return sum(c * x**power for power, c in enumerate(coefficients))


def _shapiro_weights(n: int) -> Any:
    """Approximate the weights of ordered normal numbers (P. Royston, Applied Statistics 44 (1995), algorithm R94)."""
    half = n // 2
    if n == 3:
        lower = np.array([math.sqrt(0.5)])
    else:
        expected = np.array([-NormalDist().inv_cdf((i - 0.375) / (n + 0.25)) for i in range(1, half + 1)])
        square, last = 2.0 * float(expected @ expected), 1.0 / math.sqrt(n)
        lower = expected / math.sqrt(square)
        own = [expected[0] / math.sqrt(square) + _polynomial(_C1, last)]
        if n > 5:
            own.append(expected[1] / math.sqrt(square) + _polynomial(_C2, last))
        own_squares = 2.0 * sum(a * a for a in own)
        rest = square - 2.0 * float(expected[: len(own)] @ expected[: len(own)])
        lower = expected * math.sqrt((1.0 - own_squares) / rest)
        lower[: len(own)] = own
    return np.concatenate([-lower, np.zeros(n % 2), lower[::-1]])


def _shapiro_probability(left: float, n: int) -> float:
    """Compute the probability that W is smaller, of 1 - W."""
    if n == 3:
        return max(0.0, 6.0 / math.pi * (math.asin(math.sqrt(1.0 - left)) - math.pi / 3.0))
    y, count = math.log(left), float(n) if n <= 11 else math.log(n)
    if n <= 11:
        bound = _polynomial(_SMALL[2], count)
        if y >= bound:
            return 1e-99
        y = -math.log(bound - y)
    mean, log_spread = (_polynomial(each, count) for each in (_SMALL[:2] if n <= 11 else _LARGE))
    return 1.0 - NormalDist().cdf((y - mean) / math.exp(log_spread))


def _shapiro(x: Any, *, axis: Any = None, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    (sample,) = _single(x, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=3)
    n = sample.shape[0]
    leave_unless(n <= 5000)
    weights = _shapiro_weights(n)
    ordered = xp.sort(sample - xp.median(sample))
    above = ordered - xp.mean(ordered)
    largest = xp.max(xp.abs(above))
    above = above / largest
    unit = above / xp.sqrt(xp.sum(above * above))
    known = xp.asarray(weights / np.linalg.norm(weights), dtype=unit.dtype, device=unit.device)
    half = xp.sum(xp.square(unit - known)) / 2.0  # 1 less their product, which would cancel
    left = half * (2.0 - half)
    number, size = fetched(left, largest)
    leave_unless(size > 0 and 0 < number < 1)
    return result("shapiro", 1.0 - left, xp.full_like(left, _shapiro_probability(number, n)))


def _fligner(
    *samples: Any, center: str = "median", proportiontocut: float = 0.05, axis: Any = 0, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    one_of(center, "median", "mean")
    leave_unless(proportiontocut == 0.05 and len(samples) > 1)
    made = _single(*samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    middle: Any = xp.median if center == "median" else xp.mean
    apart = [xp.abs(x - middle(x)) for x in made]
    total = sum(x.shape[0] for x in made)
    leave_unless(total < _MOST)
    scores = special.ndtri(ranked(xp.concatenate(apart))[0] / (2.0 * (total + 1.0)) + 0.5)
    scores = scores - xp.mean(scores)
    found: Any = 0.0
    first = 0
    for x in made:
        own = scores[first : first + x.shape[0]]
        found, first = found + xp.square(xp.sum(own)) / float(x.shape[0]), first + x.shape[0]
    found = found / xp.var(scores, ddof=1)
    half = xp.full_like(found, (len(made) - 1) / 2.0)
    return result("fligner", found, special.gammaincc(half, found / 2.0))


def _probplot(x: Any, sparams: Any = (), dist: Any = "norm", fit: bool = True, plot: Any = None, rvalue: bool = False) -> Any:  # noqa: ARG001
    """Pair ordered elements with the quantiles of their ranks' medians (J. Filliben, 1975), and fit a line."""
    one_of(dist, "norm")
    leave_unless(sparams == () and plot is None and type(fit) is bool)
    (sample,) = _single(x, axis=0)
    n = sample.shape[0]
    leave_unless(n > 1)
    last = 0.5 ** (1.0 / n)
    medians = [1.0 - last, *((i - 0.3175) / (n + 0.365) for i in range(2, n)), last]
    quantiles = xp.asarray([NormalDist().inv_cdf(p) for p in medians], dtype=sample.dtype, device=sample.device)
    ordered = xp.sort(sample)
    if not fit:
        return quantiles, ordered
    line = xp.scipy.stats.linregress(quantiles, ordered)
    return (quantiles, ordered), (line.slope, line.intercept, line.rvalue)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "cramervonmises": _cramervonmises,
    "fligner": _fligner,
    "ks_1samp": _ks_1samp,
    "ks_2samp": _ks_2samp,
    "kstest": _kstest,
    "probplot": _probplot,
    "shapiro": _shapiro,
}
"""Functions of scipy.stats."""
