"""Transformations of samples, distances between their distributions, and places in them, of scipy.stats."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objectives import fetched
from .operands import along, floats, leave_unless, one_of, reduced, xp

__all__ = ["COMPOSITIONS"]

special: Final[Any] = xp.scipy.special


def _likeliest(transformed: Callable[[float], tuple[Any, Any]], count: int) -> float:
    """Search for the power of the greatest likelihood, as SciPy does; a number is fetched for each one that is tried."""
    from scipy.optimize import brent

    def negative(power: float) -> float:
        made, total = transformed(float(power))
        found: float = fetched(count / 2.0 * xp.log(xp.var(made)) - (float(power) - 1.0) * total)[0]
        return found

    return float(brent(negative, brack=(-2.0, 2.0)))


def _positive(x: Any) -> Any:
    (a,), _ = along(x, axis=0)
    leave_unless(a.ndim == 1 and bool(xp.all(a > 0) & xp.any(a != a[0])))
    return a


def _boxcox_normmax(
    x: Any, brack: Any = None, method: Any = "pearsonr", optimizer: Any = None, *, ymax: Any = None  # noqa: ARG001
) -> Any:  # fmt: skip
    one_of(method, "mle")
    leave_unless(brack is optimizer is None)
    a = _positive(x)
    total = xp.sum(xp.log(a))
    return _likeliest(lambda power: (special.boxcox(a, power), total), a.shape[0])


def _boxcox(x: Any, lmbda: Any = None, alpha: Any = None, optimizer: Any = None) -> Any:
    """Transform by a power that is given, or by the likeliest one."""
    leave_unless((lmbda is None or type(lmbda) in {int, float}) and alpha is None and optimizer is None)
    a = _positive(x)
    if lmbda is not None:
        return special.boxcox(a, float(lmbda))
    power = _boxcox_normmax(a, method="mle")
    return special.boxcox(a, power), power


def _boxcox_llf(lmb: Any, data: Any, *, axis: Any = 0, keepdims: bool = False, nan_policy: str = "propagate") -> Any:
    leave_unless(type(lmb) in {int, float} and lmb != 0)
    (x,), axis = along(data, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    logs = xp.log(x)
    # of the power less its mean, which is that of the transformed numbers times the exponent
    above = special.boxcox(x, float(lmb))
    found = (lmb - 1.0) * xp.sum(logs, axis=axis, keepdims=True) - x.shape[axis] / 2.0 * xp.log(xp.var(above, axis=axis, keepdims=True))
    return reduced(found, axis, keepdims)


def _stretched(a: Any, power: float) -> Any:
    above = special.boxcox1p(xp.where(a >= 0, a, 0.0), power)
    below = -special.boxcox1p(xp.where(a < 0, -a, 0.0), 2.0 - power)
    return xp.where(a >= 0, above, xp.where(a < 0, below, a))


def _yeojohnson_normmax(x: Any, brack: Any = None) -> Any:
    leave_unless(brack is None)
    (a,), _ = along(x, axis=0)
    leave_unless(a.ndim == 1 and bool(xp.all(xp.isfinite(a)) & xp.any(a != a[0])))
    total = xp.sum(xp.sign(a) * xp.log1p(xp.abs(a)))
    return _likeliest(lambda power: (_stretched(a, power), total), a.shape[0])


def _yeojohnson_llf(lmb: Any, data: Any, *, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    leave_unless(type(lmb) in {int, float})
    (x,), axis = along(data, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    total = xp.sum(xp.sign(x) * xp.log1p(xp.abs(x)), axis=axis, keepdims=True)
    spread = xp.var(_stretched(x, float(lmb)), axis=axis, keepdims=True)
    return reduced((lmb - 1.0) * total - x.shape[axis] / 2.0 * xp.log(spread), axis, keepdims)


def _yeojohnson(x: Any, lmbda: Any = None) -> Any:
    leave_unless(lmbda is None or type(lmbda) in {int, float})
    (a,), _ = along(x, axis=0)
    if lmbda is not None:
        return _stretched(a, float(lmbda))
    power = _yeojohnson_normmax(a)
    return _stretched(a, power), power


def _score_at(a: Any, per: Any, limit: Any = (), interpolation_method: str = "fraction", axis: Any = None) -> Any:
    leave_unless(type(per) in {int, float} and 0 <= per <= 100 and limit == ())
    one_of(interpolation_method, "fraction")
    (x,), axis = along(a, axis=axis)
    return xp.quantile(x, per / 100.0, axis=axis)


def _quantile(
    x: Any, p: Any, *, method: str = "linear", axis: Any = 0, nan_policy: str = "propagate", keepdims: Any = None, **more: Any
) -> Any:  # fmt: skip
    one_of(method, "linear")
    leave_unless(type(p) is float and 0 <= p <= 1 and keepdims is None and all(item is None for item in more.values()))
    (made,), axis = along(x, axis=axis, nan_policy=nan_policy)
    return xp.quantile(made, p, axis=axis)


def _percentile_of(a: Any, score: Any, kind: str = "rank", nan_policy: str = "propagate") -> Any:
    one_of(kind, "rank", "weak", "strict", "mean")
    leave_unless(type(score) in {int, float} and not math.isnan(score))
    (x,), _ = along(a, axis=0, nan_policy=nan_policy)
    leave_unless(x.ndim == 1)
    below, upto = [xp.sum(xp.astype(each, x.dtype)) for each in (x < score, x <= score)]
    percent = 100.0 / x.shape[0]
    if kind == "rank":
        found = (below + upto + xp.astype(below < upto, x.dtype)) * (percent / 2.0)
    else:
        found = {"weak": upto, "strict": below, "mean": (below + upto) / 2.0}[kind] * percent
    return xp.where(xp.any(xp.isnan(x)), math.nan, found)


def _trimboth(a: Any, proportiontocut: Any, axis: Any = 0) -> Any:
    """Cut both ends off; what is left is in order, which SciPy leaves open."""
    leave_unless(type(proportiontocut) is float and 0 <= proportiontocut < 0.5)
    (x,), axis = along(a, axis=axis)
    leave_unless(axis in {0, -x.ndim})
    cut = int(proportiontocut * x.shape[0])
    return xp.sort(x, axis=0)[cut : x.shape[0] - cut]


def _apart(u: Any, v: Any) -> tuple[Any, Any]:
    """Give the differences of distribution functions between neighbours of both samples, and how far these are apart."""
    x, y = floats(u, v)
    leave_unless(x.ndim == y.ndim == 1 and x.size > 0 and y.size > 0)
    both = xp.sort(xp.concatenate([x, y]))
    below = [xp.astype(xp.searchsorted(xp.sort(z), both[:-1], side="right"), x.dtype) / float(z.shape[0]) for z in (x, y)]
    return below[0] - below[1], both[1:] - both[:-1]


def _wasserstein(u_values: Any, v_values: Any, u_weights: Any = None, v_weights: Any = None) -> Any:
    leave_unless(u_weights is None and v_weights is None)
    difference, width = _apart(u_values, v_values)
    return xp.sum(xp.abs(difference) * width)


def _energy(u_values: Any, v_values: Any, u_weights: Any = None, v_weights: Any = None) -> Any:
    leave_unless(u_weights is None and v_weights is None)
    difference, width = _apart(u_values, v_values)
    return xp.sqrt(2.0 * xp.sum(difference * difference * width))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "boxcox": _boxcox,
    "boxcox_llf": _boxcox_llf,
    "boxcox_normmax": _boxcox_normmax,
    "energy_distance": _energy,
    "percentileofscore": _percentile_of,
    "quantile": _quantile,
    "scoreatpercentile": _score_at,
    "trimboth": _trimboth,
    "wasserstein_distance": _wasserstein,
    "yeojohnson": _yeojohnson,
    "yeojohnson_llf": _yeojohnson_llf,
    "yeojohnson_normmax": _yeojohnson_normmax,
}
"""Functions of scipy.stats."""
