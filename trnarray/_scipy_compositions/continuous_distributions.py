"""
Continuous distributions of scipy.stats at location 0 and scale 1.

Constants of numbers, as the logarithm of the gamma function of a shape, are computed on the host in float64 and rounded once; those of
Arrays on the device. A density is the exponential of its logarithm: its error is 4 u of the terms of that, and as much of the density.
Tails have functions of their own, since 1 - p and log(p) have lost them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .operands import leave_unless, xp

__all__ = ["CONTINUOUS", "constant", "filled", "logarithm", "special"]

_ROOT: Final = math.log(2.0 * math.pi) / 2.0
_QUARTER: Final = math.pi / 2.0
_SUPPORT: Final = (-math.inf, math.inf)
_POSITIVE: Final = (0.0, math.inf)
_UNIT: Final = (0.0, 1.0)
special: Final[Any] = xp.scipy.special
Function = Callable[..., Any]


def constant(name: str, *shapes: Any) -> Any:
    """Apply a function of scipy.special, or of math, to shapes: on the host where they are numbers."""
    if all(type(shape) is float for shape in shapes):
        import scipy.special

        return float(np.log(*shapes) if name == "log" else getattr(scipy.special, name)(*shapes))
    return getattr(xp if name == "log" else special, name)(*shapes)


def filled(shape: Any, x: Any) -> Any:
    """Make an Array of a shape of a distribution."""
    return xp.full_like(x, shape) if type(shape) is float else shape + xp.zeros_like(x)


def logarithm(near: Any, far: Callable[[], Any], inside: Any) -> Any:
    """
    Compute the logarithm of a probability, which SciPy does where it underflows.

    `near` is the probability; `far`, which makes its complement, tells how much it is less than 1.
    """
    least = xp.finfo(near.dtype).tiny * 2.0**24
    leave_unless(bool(xp.all((near >= least) | ~inside)))
    return xp.where(near > 0.5, xp.log1p(-far()), xp.log(near))


@dataclasses.dataclass(frozen=True)
class Continuous:
    """
    A distribution with a density.

    Parameters
    ----------
    support : tuple of float
        The least and the largest element.
    logpdf, cdf, sf, ppf, isf, logcdf, logsf : callable
        Functions of elements and shapes. Logarithms are composed of `cdf` and `sf` where they are absent; other functions SciPy computes.
    """

    support: tuple[float, float]
    logpdf: Function
    cdf: Function
    sf: Function
    ppf: Function | None = None
    isf: Function | None = None
    logcdf: Function | None = None
    logsf: Function | None = None

    def compute(self, method: str, x: Any, shapes: tuple[Any, ...], loc: Any, scale: Any) -> Any:
        """Compute a method by its name."""
        if method in {"ppf", "isf"}:
            quantile = self.ppf if method == "ppf" else self.isf
            leave_unless(quantile is not None)
            assert quantile is not None
            inside = (x >= 0) & (x <= 1)
            return xp.where(inside, quantile(xp.where(inside, x, 0.5), *shapes) * scale + loc, math.nan)
        low, high = self.support
        z = (x - loc) / scale
        inside = (z >= low) & (z <= high)
        z_inside = xp.where(inside, z, 0.5 if low <= 0.5 <= high else low + 1.0 if math.isfinite(low) else high - 1.0)
        if method in {"pdf", "logpdf"}:
            found = self.logpdf(z_inside, *shapes) - (xp.log(scale) if type(scale) is xp.Array else math.log(scale))
            found = xp.where(inside, found, -math.inf)
            found = xp.exp(found) if method == "pdf" else found
        else:
            sides = (self.cdf, self.sf) if method.endswith("cdf") else (self.sf, self.cdf)
            own = {"logcdf": self.logcdf, "logsf": self.logsf}.get(method)
            if own is not None:
                found = own(z_inside, *shapes)
            elif method in {"logcdf", "logsf"}:
                found = logarithm(sides[0](z_inside, *shapes), lambda: sides[1](z_inside, *shapes), (z > low) & (z < high))
            else:
                found = sides[0](z_inside, *shapes)
            ends = (-math.inf, 0.0) if method.startswith("log") else (0.0, 1.0)
            below, above = ends if method.endswith("cdf") else ends[::-1]
            found = xp.where(inside, found, xp.where(z < low, below, above))
        return xp.where(xp.isnan(z), math.nan, found)


def _t_logpdf(x: Any, df: Any) -> Any:
    half = 0.5 if type(df) is float else 0.5 + 0.0 * df
    return -(df + 1.0) / 2.0 * xp.log1p(x * x / df) - (constant("betaln", df / 2.0, half) + constant("log", df) / 2.0)


def _lognorm_logpdf(x: Any, s: Any) -> Any:
    log = xp.log(xp.where(x > 0, x, 1.0))
    return xp.where(x > 0, -xp.square(log / s) / 2.0 - log - (constant("log", s) + _ROOT), -math.inf)


def _f_logpdf(x: Any, n: Any, m: Any) -> Any:
    rest = m / 2.0 * constant("log", m) + n / 2.0 * constant("log", n) - constant("betaln", n / 2.0, m / 2.0)
    return special.xlogy(n / 2.0 - 1.0 + 0.0 * x, x) - (n + m) / 2.0 * xp.log(m + n * x) + rest


def _gamma(x: Any, a: Any) -> Any:
    return special.xlogy(filled(a - 1.0, x), x) - x - constant("gammaln", a)


def _beta(x: Any, a: Any, b: Any) -> Any:
    return special.xlog1py(filled(b - 1.0, x), -x) + special.xlogy(filled(a - 1.0, x), x) - constant("betaln", a, b)


def _f_cdf(x: Any, n: Any, m: Any) -> Any:
    return special.betainc(filled(n / 2.0, x), filled(m / 2.0, x), n * x / (n * x + m))


def _f_sf(x: Any, n: Any, m: Any) -> Any:
    return special.betainc(filled(m / 2.0, x), filled(n / 2.0, x), m / (n * x + m))


def _logistic(x: Any) -> Any:
    y = -xp.abs(x)
    return y - 2.0 * xp.log1p(xp.exp(y))


def _weibull(x: Any, c: Any) -> Any:
    return constant("log", c) + special.xlogy(filled(c - 1.0, x), x) - xp.power(x, c)


def _maxwell(x: Any) -> Any:
    return 2.0 * xp.log(x) - x * x / 2.0 + math.log(2.0 / math.pi) / 2.0


def _chi(x: Any, df: Any) -> Any:
    return special.xlogy(filled(df - 1.0, x), x) - x * x / 2.0 - constant("gammaln", df / 2.0) + (1.0 - df / 2.0) * math.log(2.0)


def _nakagami(x: Any, nu: Any) -> Any:
    return special.xlogy(filled(2.0 * nu - 1.0, x), x) - nu * x * x + nu * constant("log", nu) - constant("gammaln", nu) + math.log(2.0)


def _powerlaw(x: Any, a: Any) -> Any:
    return special.xlogy(filled(a - 1.0, x), x) + constant("log", a)


def _gammainc(x: Any, a: Any) -> Any:
    return special.gammainc(filled(a, x), x)


def _gammaincc(x: Any, a: Any) -> Any:
    return special.gammaincc(filled(a, x), x)


_GAMMA: Final = Continuous(
    _POSITIVE, _gamma, _gammainc, _gammaincc,
    lambda q, a: special.gammaincinv(filled(a, q), q), lambda q, a: special.gammainccinv(filled(a, q), q),
)  # fmt: skip
CONTINUOUS: Final[Mapping[str, Continuous]] = {
    "arcsine": Continuous(
        _UNIT, lambda x: -0.5 * (xp.log(x) + xp.log1p(-x)) - math.log(math.pi), lambda x: xp.asin(xp.sqrt(x)) / _QUARTER,
        lambda x: xp.asin(xp.sqrt(1.0 - x)) / _QUARTER, lambda q: xp.square(xp.sin(_QUARTER * q)),
        lambda q: xp.square(xp.cos(_QUARTER * q)),
    ),
    "beta": Continuous(
        _UNIT, _beta, lambda x, a, b: special.betainc(filled(a, x), filled(b, x), x),
        lambda x, a, b: special.betainc(filled(b, x), filled(a, x), 1.0 - x),
        lambda q, a, b: special.betaincinv(filled(a, q), filled(b, q), q),
    ),
    "cauchy": Continuous(
        _SUPPORT, lambda x: -xp.log1p(x * x) - math.log(math.pi), lambda x: xp.atan2(xp.ones_like(x), -x) / math.pi,
        lambda x: xp.atan2(xp.ones_like(x), x) / math.pi,
    ),
    "chi": Continuous(_POSITIVE, _chi, lambda x, df: _gammainc(x * x / 2.0, df / 2.0), lambda x, df: _gammaincc(x * x / 2.0, df / 2.0)),
    "chi2": Continuous(
        _POSITIVE, lambda x, df: _gamma(x / 2.0, df / 2.0) - math.log(2.0),
        lambda x, df: _gammainc(x / 2.0, df / 2.0), lambda x, df: _gammaincc(x / 2.0, df / 2.0),
        lambda q, df: 2.0 * special.gammaincinv(filled(df / 2.0, q), q), lambda q, df: 2.0 * special.gammainccinv(filled(df / 2.0, q), q),
    ),
    "erlang": _GAMMA,
    "expon": Continuous(
        _POSITIVE, lambda x: -x, lambda x: -xp.expm1(-x), lambda x: xp.exp(-x), lambda q: -xp.log1p(-q), lambda q: -xp.log(q),
        logsf=lambda x: -x,
    ),
    "f": Continuous(_POSITIVE, _f_logpdf, _f_cdf, _f_sf),
    "gamma": _GAMMA,
    "genpareto": Continuous(
        _POSITIVE, lambda x, c: -(1.0 + 1.0 / c) * xp.log1p(c * x), lambda x, c: -xp.expm1(-xp.log1p(c * x) / c),
        lambda x, c: xp.exp(-xp.log1p(c * x) / c), lambda q, c: xp.expm1(-c * xp.log1p(-q)) / c, lambda q, c: xp.expm1(-c * xp.log(q)) / c,
        logsf=lambda x, c: -xp.log1p(c * x) / c,
    ),
    "gumbel_l": Continuous(
        _SUPPORT, lambda x: x - xp.exp(x), lambda x: -xp.expm1(-xp.exp(x)), lambda x: xp.exp(-xp.exp(x)),
        lambda q: xp.log(-xp.log1p(-q)), lambda q: xp.log(-xp.log(q)), logsf=lambda x: -xp.exp(x),
    ),
    "gumbel_r": Continuous(
        _SUPPORT, lambda x: -x - xp.exp(-x), lambda x: xp.exp(-xp.exp(-x)), lambda x: -xp.expm1(-xp.exp(-x)),
        lambda q: -xp.log(-xp.log(q)), lambda q: -xp.log(-xp.log1p(-q)), logcdf=lambda x: -xp.exp(-x),
    ),
    "halfcauchy": Continuous(
        _POSITIVE, lambda x: math.log(2.0 / math.pi) - xp.log1p(x * x), lambda x: xp.atan(x) / _QUARTER,
        lambda x: xp.atan2(xp.ones_like(x), x) / _QUARTER,
    ),
    "halfnorm": Continuous(
        _POSITIVE, lambda x: -x * x / 2.0 + math.log(2.0 / math.pi) / 2.0, lambda x: special.erf(x * math.sqrt(0.5)),
        lambda x: 2.0 * special.ndtr(-x), isf=lambda q: -special.ndtri(q / 2.0), logsf=lambda x: special.log_ndtr(-x) + math.log(2.0),
    ),
    "laplace": Continuous(
        _SUPPORT, lambda x: -xp.abs(x) - math.log(2.0),
        lambda x: xp.where(x > 0, 1.0 - 0.5 * xp.exp(-xp.abs(x)), 0.5 * xp.exp(-xp.abs(x))),
        lambda x: xp.where(x < 0, 1.0 - 0.5 * xp.exp(-xp.abs(x)), 0.5 * xp.exp(-xp.abs(x))),
        lambda q: xp.where(q > 0.5, -xp.log(2.0 * (1.0 - q)), xp.log(2.0 * q)),
        lambda q: xp.where(q > 0.5, xp.log(2.0 * (1.0 - q)), -xp.log(2.0 * q)),
        lambda x: xp.where(x > 0, xp.log1p(-0.5 * xp.exp(-xp.abs(x))), x - math.log(2.0)),
        lambda x: xp.where(x < 0, xp.log1p(-0.5 * xp.exp(-xp.abs(x))), -x - math.log(2.0)),
    ),
    "loggamma": Continuous(
        _SUPPORT, lambda x, c: c * x - xp.exp(x) - constant("gammaln", c), lambda x, c: _gammainc(xp.exp(x), c),
        lambda x, c: _gammaincc(xp.exp(x), c),
    ),
    "logistic": Continuous(
        _SUPPORT, _logistic, special.expit, lambda x: special.expit(-x), special.logit, lambda q: -special.logit(q),
        lambda x: xp.minimum(x, 0.0) - xp.log1p(xp.exp(-xp.abs(x))), lambda x: xp.minimum(-x, 0.0) - xp.log1p(xp.exp(-xp.abs(x))),
    ),
    "lognorm": Continuous(
        _POSITIVE, _lognorm_logpdf, lambda x, s: special.ndtr(xp.log(x) / s), lambda x, s: special.ndtr(-xp.log(x) / s),
        lambda q, s: xp.exp(s * special.ndtri(q)), lambda q, s: xp.exp(-s * special.ndtri(q)),
        lambda x, s: special.log_ndtr(xp.log(x) / s), lambda x, s: special.log_ndtr(-xp.log(x) / s),
    ),
    "lomax": Continuous(
        _POSITIVE, lambda x, c: constant("log", c) - (c + 1.0) * xp.log1p(x), lambda x, c: -xp.expm1(-c * xp.log1p(x)),
        lambda x, c: xp.exp(-c * xp.log1p(x)), lambda q, c: xp.expm1(-xp.log1p(-q) / c), lambda q, c: xp.expm1(-xp.log(q) / c),
        logsf=lambda x, c: -c * xp.log1p(x),
    ),
    "maxwell": Continuous(_POSITIVE, _maxwell, lambda x: _gammainc(x * x / 2.0, 1.5), lambda x: _gammaincc(x * x / 2.0, 1.5)),
    "nakagami": Continuous(_POSITIVE, _nakagami, lambda x, nu: _gammainc(nu * x * x, nu), lambda x, nu: _gammaincc(nu * x * x, nu)),
    "norm": Continuous(
        _SUPPORT, lambda x: -x * x / 2.0 - _ROOT, special.ndtr, lambda x: special.ndtr(-x), special.ndtri, lambda q: -special.ndtri(q),
        special.log_ndtr, lambda x: special.log_ndtr(-x),
    ),
    "pareto": Continuous(
        (1.0, math.inf), lambda x, b: constant("log", b) - (b + 1.0) * xp.log(x), lambda x, b: -xp.expm1(-b * xp.log(x)),
        lambda x, b: xp.exp(-b * xp.log(x)), lambda q, b: xp.exp(-xp.log1p(-q) / b), lambda q, b: xp.exp(-xp.log(q) / b),
        logsf=lambda x, b: -b * xp.log(x),
    ),
    "powerlaw": Continuous(
        _UNIT, _powerlaw, lambda x, a: xp.exp(a * xp.log(x)), lambda x, a: -xp.expm1(a * xp.log(x)), lambda q, a: xp.exp(xp.log(q) / a),
        lambda q, a: xp.exp(xp.log1p(-q) / a), lambda x, a: a * xp.log(x),
    ),
    "rayleigh": Continuous(
        _POSITIVE, lambda x: xp.log(x) - x * x / 2.0, lambda x: -xp.expm1(-x * x / 2.0), lambda x: xp.exp(-x * x / 2.0),
        lambda q: xp.sqrt(-2.0 * xp.log1p(-q)), lambda q: xp.sqrt(-2.0 * xp.log(q)), logsf=lambda x: -x * x / 2.0,
    ),
    "t": Continuous(
        _SUPPORT, _t_logpdf, lambda x, df: special.stdtr(filled(df, x), x), lambda x, df: special.stdtr(filled(df, x), -x),
        lambda q, df: special.stdtrit(filled(df, q), q), lambda q, df: -special.stdtrit(filled(df, q), q),
    ),
    "uniform": Continuous(_UNIT, lambda x: 0.0 * x, lambda x: x, lambda x: 1.0 - x, lambda q: q, lambda q: 1.0 - q),
    "weibull_max": Continuous(
        (-math.inf, 0.0), lambda x, c: _weibull(-x, c), lambda x, c: xp.exp(-xp.power(-x, c)), lambda x, c: -xp.expm1(-xp.power(-x, c)),
        lambda q, c: -xp.power(-xp.log(q), 1.0 / c), lambda q, c: -xp.power(-xp.log1p(-q), 1.0 / c), lambda x, c: -xp.power(-x, c),
    ),
    "weibull_min": Continuous(
        _POSITIVE, _weibull, lambda x, c: -xp.expm1(-xp.power(x, c)), lambda x, c: xp.exp(-xp.power(x, c)),
        lambda q, c: xp.power(-xp.log1p(-q), 1.0 / c), lambda q, c: xp.power(-xp.log(q), 1.0 / c), logsf=lambda x, c: -xp.power(x, c),
    ),
}  # fmt: skip
"""The distributions by name; their shapes are positive."""
