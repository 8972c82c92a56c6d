"""Descriptive statistics of scipy.stats: moments, scores, means and measures of spread."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .operands import along, arrays, floats, leave_unless, reduced, xp
from .results import result

__all__ = ["COMPOSITIONS", "kurtosis", "power", "skew"]


def power(x: Any, order: int) -> Any:
    """Multiply by squares, as SciPy does."""
    if order == 1:
        return x
    half = power(x, order // 2)
    return half * half * x if order % 2 else half * half


def _central(x: Any, axis: int, *orders: int, center: Any = None) -> list[Any]:
    """Average powers of what lies above the mean."""
    above = x - (xp.mean(x, axis=axis, keepdims=True) if center is None else center)
    return [xp.mean(power(above, order), axis=axis, keepdims=True) for order in orders]


def _flat(x: Any, second: Any, axis: int) -> Any:
    """Tell where a sample is constant but for rounding, by SciPy's rule."""
    return second <= xp.square(xp.finfo(x.dtype).eps * xp.mean(x, axis=axis, keepdims=True))


def _standardized(x: Any, axis: int, order: int) -> Any:
    second, higher = _central(x, axis, 2, order)
    root = xp.sqrt(second)
    return xp.where(_flat(x, second, axis), math.nan, higher / (second * (root if order == 3 else second)))


def skew(a: Any, axis: Any = 0, bias: bool = True, nan_policy: str = "propagate", *, keepdims: bool = False) -> Any:
    """Compute the skewness."""
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    n = x.shape[axis]
    found = _standardized(x, axis, 3)
    if not bias and n > 2:
        found = found * (math.sqrt((n - 1.0) * n) / (n - 2.0))
    return reduced(found, axis, keepdims)


def kurtosis(
    a: Any, axis: Any = 0, fisher: bool = True, bias: bool = True, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Any:  # fmt: skip
    """Compute the kurtosis."""
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    n = x.shape[axis]
    found = _standardized(x, axis, 4)
    if not bias and n > 3:
        found = ((n**2 - 1.0) * found - 3 * (n - 1) ** 2.0) / ((n - 2.0) * (n - 3.0)) + 3.0
    return reduced(found - 3.0 if fisher else found, axis, keepdims)


def _moment(a: Any, order: Any = 1, axis: Any = 0, nan_policy: str = "propagate", *, center: Any = None, keepdims: bool = False) -> Any:
    if type(order) in {list, tuple} and len(order) > 0:
        return xp.stack([_moment(a, each, axis, nan_policy, center=center, keepdims=keepdims) for each in order])
    leave_unless(type(order) is int and order > 0 and (center is None or type(center) in {int, float}))
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    if order == 1 and center is None:
        return reduced(xp.zeros_like(xp.mean(x, axis=axis, keepdims=True)), axis, keepdims)
    return reduced(_central(x, axis, order, center=center)[0], axis, keepdims)


def _describe(a: Any, axis: Any = 0, ddof: int = 1, bias: bool = True, nan_policy: str = "propagate") -> Any:
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, least=2)
    (given,) = arrays(a)
    given = given.reshape((-1,)) if given.shape != x.shape else given
    extremes = (xp.min(given, axis=axis), xp.max(given, axis=axis))
    variance = xp.var(x, axis=axis, ddof=ddof)
    shape = skew(x, axis, bias), kurtosis(x, axis, bias=bias)
    return result("describe", x.shape[axis], extremes, xp.mean(x, axis=axis), variance, *shape)


def _zmap(scores: Any, compare: Any, axis: Any = 0, ddof: int = 0, nan_policy: str = "propagate") -> Any:
    leave_unless(nan_policy == "propagate")
    same = scores is compare
    x, samples = floats(scores, compare)
    (samples,), along_axis = along(samples, axis=axis, least=ddof + 1)
    keep: dict[str, Any] = {"axis": along_axis, "keepdims": True}
    mean, deviation = xp.mean(samples, **keep), xp.std(samples, ddof=ddof, **keep)
    found = (x - mean) / deviation
    return xp.where(deviation <= xp.abs(xp.finfo(x.dtype).eps * mean), math.nan, found) if same else found


def _zscore(a: Any, axis: Any = 0, ddof: int = 0, nan_policy: str = "propagate") -> Any:
    return _zmap(a, a, axis, ddof, nan_policy)


def _gzscore(a: Any, *, axis: Any = 0, ddof: int = 0, nan_policy: str = "propagate") -> Any:
    return _zscore(xp.log(floats(a)[0]), axis, ddof, nan_policy)


def _sem(a: Any, axis: Any = 0, ddof: int = 1, nan_policy: str = "propagate", *, keepdims: bool = False) -> Any:
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=ddof + 1)
    return xp.std(x, axis=axis, ddof=ddof, keepdims=keepdims) / math.sqrt(x.shape[axis])


def _variation(a: Any, axis: Any = 0, nan_policy: str = "propagate", ddof: int = 0, *, keepdims: bool = False) -> Any:
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=ddof + 1)
    return xp.std(x, axis=axis, ddof=ddof, keepdims=keepdims) / xp.mean(x, axis=axis, keepdims=keepdims)


def _averaged(x: Any, axis: int, weights: Any, keepdims: bool) -> Any:
    if weights is None:
        return xp.mean(x, axis=axis, keepdims=keepdims)
    (w,) = floats(weights, beside=(x,))
    leave_unless(w.shape == x.shape)
    return xp.sum(x * w, axis=axis, keepdims=keepdims) / xp.sum(w, axis=axis, keepdims=keepdims)


def _gmean(
    a: Any, axis: Any = 0, dtype: Any = None, weights: Any = None, *, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    leave_unless(dtype is None)
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    return xp.exp(_averaged(xp.log(x), axis, weights, keepdims))


def _hmean(
    a: Any, axis: Any = 0, dtype: Any = None, *, weights: Any = None, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    leave_unless(dtype is None)
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    found = 1.0 / _averaged(1.0 / x, axis, weights, keepdims)
    return xp.where(xp.any(x < 0, axis=axis, keepdims=keepdims), math.nan, found)


def _entropy(
    pk: Any, qk: Any = None, base: float | None = None, axis: Any = 0, *, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    leave_unless(base is None or (type(base) in {int, float} and base > 0))
    made, axis = along(pk, *([] if qk is None else [qk]), axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    p, *rest = [x / xp.sum(x, axis=axis, keepdims=True) for x in made]
    terms = xp.scipy.special.rel_entr(p, rest[0]) if rest else xp.scipy.special.entr(p)
    return xp.sum(terms, axis=axis, keepdims=keepdims) / (1.0 if base is None else math.log(base))


def _iqr(
    x: Any, axis: Any = None, rng: Any = (25, 75), scale: Any = 1.0, nan_policy: str = "propagate", interpolation: str = "linear",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    leave_unless(type(scale) in {int, float} and type(rng) is tuple and len(rng) == 2 and interpolation == "linear")
    (sample,), axis = along(x, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    low, high = [xp.quantile(sample, q / 100.0, axis=axis, keepdims=keepdims) for q in sorted(rng)]
    return (high - low) / scale


def _median_abs_deviation(
    x: Any, axis: Any = 0, center: Any = None, scale: Any = 1.0, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Any:  # fmt: skip
    leave_unless(center is None and (scale == "normal" or type(scale) in {int, float}))
    (sample,), axis = along(x, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    found = xp.median(xp.abs(sample - xp.median(sample, axis=axis, keepdims=True)), axis=axis, keepdims=keepdims)
    return found / (0.6744897501960817 if scale == "normal" else scale)


def _trim_mean(a: Any, proportiontocut: float, axis: Any = 0, *, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    cut = int(proportiontocut * x.shape[axis])
    leave_unless(0 <= cut < x.shape[axis] - cut)
    lead = (slice(None),) * (axis % x.ndim)
    found = xp.mean(xp.sort(x, axis=axis)[(*lead, slice(cut, x.shape[axis] - cut))], axis=axis, keepdims=keepdims)
    return xp.where(xp.any(xp.isnan(x), axis=axis, keepdims=keepdims), math.nan, found)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "describe": _describe,
    "entropy": _entropy,
    "gmean": _gmean,
    "gzscore": _gzscore,
    "hmean": _hmean,
    "iqr": _iqr,
    "kurtosis": kurtosis,
    "median_abs_deviation": _median_abs_deviation,
    "moment": _moment,
    "sem": _sem,
    "skew": skew,
    "trim_mean": _trim_mean,
    "variation": _variation,
    "zmap": _zmap,
    "zscore": _zscore,
}
"""Functions of scipy.stats that describe samples."""
