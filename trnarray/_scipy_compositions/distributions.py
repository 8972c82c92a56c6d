"""
Densities, probabilities and quantiles of distributions of scipy.stats.

Constants of numbers, as the logarithm of the gamma function of a shape, are computed on the host in float64 and rounded once; those of
Arrays on the device. A density is the exponential of its logarithm: its error is 4 u of the terms of that, and as much of the density.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .operands import doubles, leave_unless, xp

__all__ = ["METHODS"]

_ROOT: Final = math.log(2.0 * math.pi) / 2.0
special: Final[Any] = xp.scipy.special
Shapes = tuple[Any, ...]


def _of(name: str, *shapes: Any) -> Any:
    """Apply a function of scipy.special, or of math, to shapes: on the host where they are numbers."""
    if all(type(shape) is float for shape in shapes):
        import scipy.special

        return float(np.log(*shapes) if name == "log" else getattr(scipy.special, name)(*shapes))
    return getattr(xp if name == "log" else special, name)(*shapes)


class _Continuous:
    """
    A distribution with a density, at location 0 and scale 1.

    Parameters
    ----------
    low, high : float
        The support.
    logpdf, cdf, sf, ppf : callable
        Functions of elements and shapes; those that are absent SciPy computes.
    """

    def __init__(
        self, low: float, high: float, logpdf: Callable[..., Any], cdf: Callable[..., Any], sf: Callable[..., Any] | None = None,
        ppf: Callable[..., Any] | None = None,
    ) -> None:  # fmt: skip
        self.low, self.high = low, high
        self.functions: Final = {"logpdf": logpdf, "cdf": cdf, "sf": sf, "ppf": ppf}

    def compute(self, method: str, x: Any, shapes: Shapes, loc: Any, scale: Any) -> Any:
        base = {"pdf": "logpdf", "logcdf": "cdf", "logsf": "sf", "isf": "ppf"}.get(method, method)
        function = self.functions.get(base)
        if base == "sf" and function is None:
            cdf = self.functions["cdf"]
            function = lambda z, *given: 1.0 - cdf(z, *given)  # type: ignore[misc]  # noqa: E731
        leave_unless(function is not None)
        assert function is not None
        if base == "ppf":
            q = 1.0 - x if method == "isf" else x
            inside = (q >= 0) & (q <= 1)
            return xp.where(inside, function(xp.where(inside, q, 0.5), *shapes) * scale + loc, math.nan)
        z = (x - loc) / scale
        inside = (z >= self.low) & (z <= self.high)
        middle = 0.5 if self.high <= 1 else max(self.low, 0.0) + 1.0
        found = function(xp.where(inside, z, middle), *shapes)
        if base == "logpdf":
            found = xp.where(inside, found - (xp.log(scale) if type(scale) is xp.Array else math.log(scale)), -math.inf)
            found = xp.exp(found) if method == "pdf" else found
        else:
            below, above = (0.0, 1.0) if base == "cdf" else (1.0, 0.0)
            found = xp.where(inside, found, xp.where(z < self.low, below, above))
            found = xp.log(found) if method in {"logcdf", "logsf"} else found
        return xp.where(xp.isnan(z), math.nan, found)


def _t_logpdf(x: Any, df: Any) -> Any:
    half = 0.5 if type(df) is float else 0.5 + 0.0 * df
    return -(df + 1.0) / 2.0 * xp.log1p(x * x / df) - (_of("betaln", df / 2.0, half) + _of("log", df) / 2.0)


def _lognorm_logpdf(x: Any, s: Any) -> Any:
    log = xp.log(xp.where(x > 0, x, 1.0))
    return xp.where(x > 0, -xp.square(log / s) / 2.0 - log - (_of("log", s) + _ROOT), -math.inf)


def _f_logpdf(x: Any, n: Any, m: Any) -> Any:
    constant = m / 2.0 * _of("log", m) + n / 2.0 * _of("log", n) - _of("betaln", n / 2.0, m / 2.0)
    return special.xlogy(n / 2.0 - 1.0 + 0.0 * x, x) - (n + m) / 2.0 * xp.log(m + n * x) + constant


def _filled(shape: Any, x: Any) -> Any:
    return xp.full_like(x, shape) if type(shape) is float else shape + xp.zeros_like(x)


def _gamma(x: Any, a: Any) -> Any:
    return special.xlogy(_filled(a - 1.0, x), x) - x - _of("gammaln", a)


def _beta(x: Any, a: Any, b: Any) -> Any:
    return special.xlog1py(_filled(b - 1.0, x), -x) + special.xlogy(_filled(a - 1.0, x), x) - _of("betaln", a, b)


def _f_cdf(x: Any, n: Any, m: Any) -> Any:
    return special.betainc(_filled(n / 2.0, x), _filled(m / 2.0, x), n * x / (n * x + m))


def _f_sf(x: Any, n: Any, m: Any) -> Any:
    return special.betainc(_filled(m / 2.0, x), _filled(n / 2.0, x), m / (n * x + m))


def _logistic(x: Any) -> Any:
    y = -xp.abs(x)
    return y - 2.0 * xp.log1p(xp.exp(y))


_CONTINUOUS: Final[Mapping[str, _Continuous]] = {
    "norm": _Continuous(-math.inf, math.inf, lambda x: -x * x / 2.0 - _ROOT, special.ndtr, lambda x: special.ndtr(-x), special.ndtri),
    "expon": _Continuous(0, math.inf, lambda x: -x, lambda x: -xp.expm1(-x), lambda x: xp.exp(-x), lambda q: -xp.log1p(-q)),
    "uniform": _Continuous(0, 1, lambda x: 0.0 * x, lambda x: x, lambda x: 1.0 - x, lambda q: q),
    "gamma": _Continuous(
        0, math.inf, _gamma, lambda x, a: special.gammainc(_filled(a, x), x), lambda x, a: special.gammaincc(_filled(a, x), x)
    ),
    "beta": _Continuous(
        0, 1, _beta, lambda x, a, b: special.betainc(_filled(a, x), _filled(b, x), x),
        lambda x, a, b: special.betainc(_filled(b, x), _filled(a, x), 1.0 - x),
    ),
    "t": _Continuous(
        -math.inf, math.inf, _t_logpdf, lambda x, df: special.stdtr(_filled(df, x), x), lambda x, df: special.stdtr(_filled(df, x), -x)
    ),
    "chi2": _Continuous(
        0, math.inf, lambda x, df: _gamma(x / 2.0, df / 2.0) - math.log(2.0),
        lambda x, df: special.gammainc(_filled(df / 2.0, x), x / 2.0), lambda x, df: special.gammaincc(_filled(df / 2.0, x), x / 2.0),
    ),
    "f": _Continuous(0, math.inf, _f_logpdf, _f_cdf, _f_sf),
    "lognorm": _Continuous(
        0, math.inf, _lognorm_logpdf,
        lambda x, s: special.ndtr(xp.log(x) / s), lambda x, s: special.ndtr(-xp.log(x) / s), lambda q, s: xp.exp(s * special.ndtri(q)),
    ),
    "laplace": _Continuous(
        -math.inf, math.inf, lambda x: -xp.abs(x) - math.log(2.0),
        lambda x: xp.where(x > 0, 1.0 - 0.5 * xp.exp(-xp.abs(x)), 0.5 * xp.exp(-xp.abs(x))),
        lambda x: xp.where(x < 0, 1.0 - 0.5 * xp.exp(-xp.abs(x)), 0.5 * xp.exp(-xp.abs(x))),
        lambda q: xp.where(q > 0.5, -xp.log(2.0 * (1.0 - q)), xp.log(2.0 * q)),
    ),
    "logistic": _Continuous(-math.inf, math.inf, _logistic, special.expit, lambda x: special.expit(-x), special.logit),
    "cauchy": _Continuous(
        -math.inf, math.inf, lambda x: -xp.log1p(x * x) - math.log(math.pi), lambda x: 0.5 + xp.atan(x) / math.pi,
        lambda x: 0.5 - xp.atan(x) / math.pi,
    ),
    "weibull_min": _Continuous(
        0, math.inf, lambda x, c: _of("log", c) + special.xlogy(_filled(c - 1.0, x), x) - xp.power(x, c),
        lambda x, c: -xp.expm1(-xp.power(x, c)), lambda x, c: xp.exp(-xp.power(x, c)), lambda q, c: xp.power(-xp.log1p(-q), 1.0 / c),
    ),
    "rayleigh": _Continuous(
        0, math.inf, lambda x: xp.log(x) - x * x / 2.0, lambda x: -xp.expm1(-x * x / 2.0), lambda x: xp.exp(-x * x / 2.0),
        lambda q: xp.sqrt(-2.0 * xp.log1p(-q)),
    ),
    "halfnorm": _Continuous(
        0, math.inf, lambda x: -x * x / 2.0 + math.log(2.0 / math.pi) / 2.0, lambda x: special.erf(x * math.sqrt(0.5)),
        lambda x: 2.0 * special.ndtr(-x),
    ),
    "gumbel_r": _Continuous(
        -math.inf, math.inf, lambda x: -x - xp.exp(-x), lambda x: xp.exp(-xp.exp(-x)), lambda x: -xp.expm1(-xp.exp(-x)),
        lambda q: -xp.log(-xp.log(q)),
    ),
}  # fmt: skip
_SHAPES: Final = {"gamma": 1, "beta": 2, "t": 1, "chi2": 1, "f": 2, "lognorm": 1, "weibull_min": 1, "poisson": 1, "binom": 2, "geom": 1}
"""How many shapes a distribution has; all of them are positive."""


def _poisson_logpmf(k: Any, mu: Any) -> Any:
    return special.xlogy(k, _filled(mu, k)) - special.gammaln(k + 1.0) - mu


def _binom_logpmf(k: Any, n: Any, p: Any) -> Any:
    ways = _of("gammaln", n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    return ways + special.xlogy(k, _filled(p, k)) + special.xlog1py(n - k, _filled(-p, k))


def _binom_cdf(k: Any, n: Any, p: Any) -> Any:
    left = xp.where(k < n, n - k, 1.0)
    return xp.where(k < n, special.betainc(left, k + 1.0, _filled(1.0 - p, k)), 1.0)


def _binom_sf(k: Any, n: Any, p: Any) -> Any:
    left = xp.where(k < n, n - k, 1.0)
    return xp.where(k < n, special.betainc(k + 1.0, left, _filled(p, k)), 0.0)


def _geom_sf(k: Any, p: Any) -> Any:
    return xp.exp(k * (xp.log1p(-p) if type(p) is not float else math.log1p(-p)))


_DISCRETE: Final[Mapping[str, tuple[float, Callable[..., Any], Callable[..., Any], Callable[..., Any]]]] = {
    "poisson": (
        0.0, _poisson_logpmf, lambda k, mu: special.gammaincc(k + 1.0, _filled(mu, k)),
        lambda k, mu: special.gammainc(k + 1.0, _filled(mu, k)),
    ),
    "binom": (0.0, _binom_logpmf, _binom_cdf, _binom_sf),
    "geom": (1.0, lambda k, p: special.xlog1py(k - 1.0, _filled(-p, k)) + _of("log", p), lambda k, p: 1.0 - _geom_sf(k, p), _geom_sf),
}  # fmt: skip
"""The least value, the logarithm of the probability of a value, that of values up to it, and of those above it."""


def _discrete(name: str, method: str, x: Any, shapes: Shapes, loc: Any) -> Any:
    least, logpmf, cdf, sf = _DISCRETE[name]
    k = x - loc
    high = shapes[0] if name == "binom" else math.inf
    if method in {"pmf", "logpmf"}:
        inside = (k >= least) & (k <= high) & (xp.floor(k) == k)
        found = xp.where(inside, logpmf(xp.where(inside, k, least), *shapes), -math.inf)
        found = xp.exp(found) if method == "pmf" else found
    else:
        whole = xp.floor(k)
        inside = (whole >= least) & (whole < high)
        found = (sf if method.endswith("sf") else cdf)(xp.where(inside, whole, least), *shapes)
        below, above = (1.0, 0.0) if method.endswith("sf") else (0.0, 1.0)
        found = xp.where(inside, found, xp.where(whole < least, below, above))
        found = xp.log(found) if method.startswith("log") else found
    return xp.where(xp.isnan(k), math.nan, found)


def _evaluated(distribution: Any, method: str, frozen: tuple[tuple[Any, ...], Mapping[str, Any]], x: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute a method of one of SciPy's distributions, whose shapes, location and scale are given, or were frozen."""
    name = distribution.name
    leave_unless(name in _CONTINUOUS or name in _DISCRETE)
    known = ([] if distribution.shapes is None else distribution.shapes.replace(" ", "").split(",")) + ["loc", "scale"]
    args, kwargs = (*frozen[0], *args), {**frozen[1], **kwargs}
    leave_unless(len(args) <= len(known) and kwargs.keys() <= {*known})
    given = {"loc": 0.0, "scale": 1.0, **dict(zip(known, args, strict=False)), **kwargs}
    leave_unless(set(known) <= set(given) and len(known) - 2 == _SHAPES.get(name, 0) and (name in _CONTINUOUS or "scale" not in kwargs))
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
    if "p" in known:  # a probability, and a number of trials
        leave_unless(not {"n", "p"} & {*arrays} and given["p"] < 1 and given.get("n", 1.0).is_integer())
    if name in _DISCRETE:
        found = _discrete(name, method, x, shapes, given["loc"])
    else:
        found = _CONTINUOUS[name].compute(method, x, shapes, given["loc"], given["scale"])
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
        for table, own in ((_CONTINUOUS, "pdf logpdf"), (_DISCRETE, "pmf logpmf"))
        for name in table
        for method in (*own.split(), *("cdf", "sf", "logcdf", "logsf"), *(("ppf", "isf") if table is _CONTINUOUS else ()))
    },
    **{f"scipy.stats.{kind}.{method}": _method(method) for kind in _FROZEN for method in _METHODS},
}
"""Methods of SciPy's distributions, and of frozen ones."""
