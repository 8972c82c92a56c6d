"""
Densities, probabilities and quantiles of distributions of scipy.stats.

Discrete ones are here, continuous ones in ``continuous_distributions.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .continuous_distributions import CONTINUOUS, constant, filled, logarithm, special
from .operands import doubles, leave_unless, xp

__all__ = ["METHODS"]

Shapes = tuple[Any, ...]


def _poisson_logpmf(k: Any, mu: Any) -> Any:
    return special.xlogy(k, filled(mu, k)) - special.gammaln(k + 1.0) - mu


def _binom_logpmf(k: Any, n: Any, p: Any) -> Any:
    ways = constant("gammaln", n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    return ways + special.xlogy(k, filled(p, k)) + special.xlog1py(n - k, filled(-p, k))


def _binom_cdf(k: Any, n: Any, p: Any) -> Any:
    left = xp.where(k < n, n - k, 1.0)
    return xp.where(k < n, special.betainc(left, k + 1.0, filled(1.0 - p, k)), 1.0)


def _binom_sf(k: Any, n: Any, p: Any) -> Any:
    left = xp.where(k < n, n - k, 1.0)
    return xp.where(k < n, special.betainc(k + 1.0, left, filled(p, k)), 0.0)


def _nbinom_logpmf(k: Any, n: Any, p: Any) -> Any:
    ways = special.gammaln(n + k) - special.gammaln(k + 1.0) - constant("gammaln", n)
    return ways + n * constant("log", p) + special.xlog1py(k, filled(-p, k))


def _once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function of one trial of one of several."""
    return lambda k, p: function(k, 1.0, p)


_DISCRETE: Final[Mapping[str, tuple[float, Callable[..., Any], Callable[..., Any], Callable[..., Any]]]] = {
    "poisson": (
        0.0, _poisson_logpmf, lambda k, mu: special.gammaincc(k + 1.0, filled(mu, k)),
        lambda k, mu: special.gammainc(k + 1.0, filled(mu, k)),
    ),
    "binom": (0.0, _binom_logpmf, _binom_cdf, _binom_sf),
    "bernoulli": (0.0, _once(_binom_logpmf), _once(_binom_cdf), _once(_binom_sf)),
    "geom": (
        1.0, lambda k, p: special.xlog1py(k - 1.0, filled(-p, k)) + constant("log", p), lambda k, p: -xp.expm1(k * math.log1p(-p)),
        lambda k, p: xp.exp(k * math.log1p(-p)),
    ),
    "nbinom": (
        0.0, _nbinom_logpmf, lambda k, n, p: special.betainc(filled(n, k), k + 1.0, filled(p, k)),
        lambda k, n, p: special.betainc(k + 1.0, filled(n, k), filled(1.0 - p, k)),
    ),
}  # fmt: skip
"""The least value, the logarithm of the probability of a value, that of values up to it, and of those above it."""


def _discrete(name: str, method: str, x: Any, shapes: Shapes, loc: Any) -> Any:
    least, logpmf, cdf, sf = _DISCRETE[name]
    k = x - loc
    high = {"binom": shapes[0], "bernoulli": 1.0}.get(name, math.inf)
    if method in {"pmf", "logpmf"}:
        inside = (k >= least) & (k <= high) & (xp.floor(k) == k)
        found = xp.where(inside, logpmf(xp.where(inside, k, least), *shapes), -math.inf)
        found = xp.exp(found) if method == "pmf" else found
    else:
        whole = xp.floor(k)
        inside = (whole >= least) & (whole < high)
        near, far = (sf, cdf) if method.endswith("sf") else (cdf, sf)
        at = xp.where(inside, whole, least)
        found = near(at, *shapes)
        if method.startswith("log"):
            found = logarithm(found, lambda: far(at, *shapes), inside)
        ends = (-math.inf, 0.0) if method.startswith("log") else (0.0, 1.0)
        below, above = ends[::-1] if method.endswith("sf") else ends
        found = xp.where(inside, found, xp.where(whole < least, below, above))
    return xp.where(xp.isnan(k), math.nan, found)


def _evaluated(distribution: Any, method: str, frozen: tuple[tuple[Any, ...], Mapping[str, Any]], x: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute a method of one of SciPy's distributions, whose shapes, location and scale are given, or were frozen."""
    name = distribution.name
    leave_unless((name in CONTINUOUS or name in _DISCRETE) and type(distribution).__name__ == f"{name}_gen")
    known = ([] if distribution.shapes is None else distribution.shapes.replace(" ", "").split(",")) + ["loc", "scale"]
    args, kwargs = (*frozen[0], *args), {**frozen[1], **kwargs}
    leave_unless(len(args) <= len(known) and kwargs.keys() <= {*known})
    given = {"loc": 0.0, "scale": 1.0, **dict(zip(known, args, strict=False)), **kwargs}
    leave_unless(set(known) <= set(given) and (name in CONTINUOUS or "scale" not in kwargs))
    arrays = [key for key in known if not isinstance(given[key], (int, float, np.floating, np.integer))]
    x, *made = doubles(x, *[given[key] for key in arrays])
    given |= dict(zip(arrays, made, strict=True))
    valid: Any = None
    for key in known:
        if key in arrays:
            valid = valid if key == "loc" else given[key] > 0 if valid is None else valid & (given[key] > 0)
        else:
            given[key] = float(given[key])
            leave_unless(math.isfinite(given[key]) and (key == "loc" or given[key] > 0))
    shapes = tuple([given[key] for key in known[:-2]])
    leave_unless(name != "genpareto" or "c" not in arrays)  # whose shape may be negative
    if "p" in known:  # a probability, and a number of trials
        leave_unless(not {"n", "p"} & {*arrays} and given["p"] < 1 and given.get("n", 1.0).is_integer())
    if name in _DISCRETE:
        found = _discrete(name, method, x, shapes, given["loc"])
    else:
        found = CONTINUOUS[name].compute(method, x, shapes, given["loc"], given["scale"])
    return found if valid is None else xp.where(valid, found, math.nan)


def _method(method: str) -> Callable[..., Any]:
    def compute(distribution: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if hasattr(distribution, "dist"):
            return _evaluated(distribution.dist, method, (distribution.args, distribution.kwds), x, *args, **kwargs)
        return _evaluated(distribution, method, ((), {}), x, *args, **kwargs)

    return compute


_METHODS: Final = ("pdf", "logpdf", "pmf", "logpmf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
_FROZEN: Final = ("rv_continuous_frozen", "rv_discrete_frozen")
METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    **{
        f"scipy.stats.{name}_gen.{method}": _method(method)
        for table, own in ((CONTINUOUS, "pdf logpdf"), (_DISCRETE, "pmf logpmf"))
        for name in table
        for method in (*own.split(), *("cdf", "sf", "logcdf", "logsf"), *(("ppf", "isf") if table is CONTINUOUS else ()))
    },
    **{f"scipy.stats.{kind}.{method}": _method(method) for kind in _FROZEN for method in _METHODS},
}
"""Methods of SciPy's distributions, and of frozen ones."""
