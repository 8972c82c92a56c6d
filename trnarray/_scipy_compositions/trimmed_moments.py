"""Descriptive statistics of scipy.stats of what lies within limits, of directions and of powers, and cumulants."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .moments import power
from .operands import along, leave_unless, reduced, xp

__all__ = ["COMPOSITIONS"]


def _within(x: Any, limits: Any, inclusive: Any) -> Any:
    """Tell which elements lie within limits; NaN does."""
    leave_unless(type(limits) in {tuple, list} and len(limits) == 2 and type(inclusive) in {tuple, list} and len(inclusive) == 2)
    leave_unless(all(each is None or type(each) in {int, float} for each in limits) and all(type(each) is bool for each in inclusive))
    kept = xp.full_like(x, True, dtype=xp.bool)
    if limits[0] is not None:
        kept = kept & ~((x < limits[0]) if inclusive[0] else (x <= limits[0]))
    if limits[1] is not None:
        kept = kept & ~((x > limits[1]) if inclusive[1] else (x >= limits[1]))
    return kept


def _trimmed(a: Any, limits: Any, inclusive: Any, axis: Any, nan_policy: Any, keepdims: Any) -> tuple[Any, Any, Any, Any, int]:
    """Give the sample, what of it is kept, how much that is, its mean, and the axis."""
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    kept = _within(x, (None, None) if limits is None else limits, inclusive)
    leave_unless(limits is None or bool(xp.any(kept)))  # SciPy's error
    count = xp.sum(xp.astype(kept, x.dtype), axis=axis, keepdims=True)
    mean = xp.sum(xp.where(kept, x, 0.0), axis=axis, keepdims=True) / count
    return x, kept, count, mean, axis


def _tmean(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = None, *, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    *_, mean, axis = _trimmed(a, limits, inclusive, axis, nan_policy, keepdims)
    return reduced(mean, axis, keepdims)


def _variance(
    a: Any, limits: Any, inclusive: Any, axis: Any, ddof: Any, nan_policy: Any, keepdims: Any
) -> tuple[Any, Any, int]:  # fmt: skip
    """Give the variance of what is kept, how much that is, and the axis."""
    leave_unless(type(ddof) is int)
    x, kept, count, mean, axis = _trimmed(a, limits, inclusive, axis, nan_policy, keepdims)
    squares = xp.sum(xp.where(kept, xp.square(x - mean), 0.0), axis=axis, keepdims=True)
    return xp.where(count > ddof, squares / (count - ddof), math.nan), count, axis


def _tvar(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    variance, _, axis = _variance(a, limits, inclusive, axis, ddof, nan_policy, keepdims)
    return reduced(variance, axis, keepdims)


def _tstd(a: Any, *args: Any, **kwargs: Any) -> Any:
    return xp.sqrt(_tvar(a, *args, **kwargs))


def _tsem(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    variance, count, axis = _variance(a, limits, inclusive, axis, ddof, nan_policy, keepdims)
    return reduced(xp.sqrt(variance) / xp.sqrt(count), axis, keepdims)


def _extreme(lowest: bool) -> Callable[..., Any]:
    def compute(
        a: Any, limit: Any = None, axis: Any = 0, inclusive: Any = True, nan_policy: str = "propagate", *, keepdims: bool = False
    ) -> Any:  # fmt: skip
        leave_unless(type(a) is xp.Array and a.dtype.kind == "f")  # whose integers stay integers
        limits = None if limit is None else (limit, None) if lowest else (None, limit)
        x, kept, count, _, axis = _trimmed(a, limits, (inclusive, inclusive), axis, nan_policy, keepdims)
        far = math.inf if lowest else -math.inf
        found = (xp.min if lowest else xp.max)(xp.where(kept, x, far), axis=axis, keepdims=True)
        return reduced(xp.where(count > 0, found, math.nan), axis, keepdims)

    return compute


def _tmin(a: Any, lowerlimit: Any = None, *args: Any, **kwargs: Any) -> Any:
    return _extreme(True)(a, lowerlimit, *args, **kwargs)


def _tmax(a: Any, upperlimit: Any = None, *args: Any, **kwargs: Any) -> Any:
    return _extreme(False)(a, upperlimit, *args, **kwargs)


def _directions(samples: Any, high: Any, low: Any, axis: Any, nan_policy: Any, keepdims: Any) -> tuple[Any, Any, float, int]:
    """Give the mean angle, and the share of the resultant that is lost: a mean of squares, which 1 - R would cancel."""
    leave_unless(type(high) in {int, float} and type(low) in {int, float} and high > low)
    (x,), axis = along(samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    turn = (high - low) / (2.0 * math.pi)
    angles = (x - low) / turn
    keep: dict[str, Any] = {"axis": axis, "keepdims": True}
    mean = xp.atan2(xp.mean(xp.sin(angles), **keep), xp.mean(xp.cos(angles), **keep))
    lost = xp.mean(2.0 * xp.square(xp.sin((angles - mean) / 2.0)), **keep)
    return mean, lost, turn, axis


def _circmean(
    samples: Any, high: Any = 2 * math.pi, low: Any = 0, axis: Any = None, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Any:  # fmt: skip
    mean, _, turn, axis = _directions(samples, high, low, axis, nan_policy, keepdims)
    return reduced(xp.where(mean < 0, mean + 2.0 * math.pi, mean) * turn + low, axis, keepdims)


def _circvar(
    samples: Any, high: Any = 2 * math.pi, low: Any = 0, axis: Any = None, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Any:  # fmt: skip
    _, lost, _, axis = _directions(samples, high, low, axis, nan_policy, keepdims)
    return reduced(lost, axis, keepdims)


def _circstd(
    samples: Any, high: Any = 2 * math.pi, low: Any = 0, axis: Any = None, nan_policy: str = "propagate", *, normalize: Any = False,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    leave_unless(type(normalize) is bool)
    _, lost, turn, axis = _directions(samples, high, low, axis, nan_policy, keepdims)
    found = xp.sqrt(-2.0 * xp.log1p(-xp.minimum(lost, 1.0)))
    return reduced(found if normalize else found * turn, axis, keepdims)


def _pmean(
    a: Any, p: Any, *, axis: Any = 0, dtype: Any = None, weights: Any = None, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    leave_unless(type(p) in {int, float} and p != 0 and dtype is None and weights is None)
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    found = xp.power(xp.mean(xp.power(x, float(p)), axis=axis, keepdims=True), 1.0 / p)
    return reduced(xp.where(xp.any(x < 0, axis=axis, keepdims=True), math.nan, found), axis, keepdims)


def _gstd(a: Any, axis: Any = 0, ddof: Any = 1, *, keepdims: bool = False, nan_policy: str = "propagate") -> Any:
    leave_unless(type(ddof) is int)
    (x,), axis = along(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=ddof + 1)
    leave_unless(bool(xp.all(x > 0)))
    return xp.exp(xp.std(xp.log(x), axis=axis, ddof=ddof, keepdims=keepdims))


def _cumulant(x: Any, n: int, axis: int) -> Any:
    count = float(x.shape[axis])
    mean = xp.mean(x, axis=axis, keepdims=True)
    if n == 1:
        return mean
    second, third, fourth = [xp.mean(power(x - mean, order), axis=axis, keepdims=True) for order in (2, 3, 4)]
    if n == 2:
        return second * (count / (count - 1))
    if n == 3:
        return third * (count**2 / ((count - 1) * (count - 2)))
    return ((count + 1) * fourth - 3 * (count - 1) * second * second) * (count**2 / ((count - 1) * (count - 2) * (count - 3)))


def _kstat(data: Any, n: Any = 2, *, axis: Any = None, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    leave_unless(n in {1, 2, 3, 4})
    (x,), axis = along(data, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=int(n))
    return reduced(_cumulant(x, int(n), axis), axis, keepdims)


def _kstatvar(data: Any, n: Any = 2, *, axis: Any = None, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    leave_unless(n in {1, 2})
    (x,), axis = along(data, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=4)
    count, second = float(x.shape[axis]), _cumulant(x, 2, axis)
    if n == 1:
        return reduced(second / count, axis, keepdims)
    found = (2.0 * count * second * second + (count - 1) * _cumulant(x, 4, axis)) / (count * (count + 1))
    return reduced(found, axis, keepdims)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "circmean": _circmean,
    "circstd": _circstd,
    "circvar": _circvar,
    "gstd": _gstd,
    "kstat": _kstat,
    "kstatvar": _kstatvar,
    "pmean": _pmean,
    "tmax": _tmax,
    "tmean": _tmean,
    "tmin": _tmin,
    "tsem": _tsem,
    "tstd": _tstd,
    "tvar": _tvar,
}
"""Functions of scipy.stats that describe samples."""
