"""
Continuous distributions of scipy.stats at location 0 and scale 1.

Constants of numbers, as the logarithm of the gamma function of a shape, are computed on the host in float64 and rounded once; those of
Arrays on the device. A density is the exponential of its logarithm: its error is 4 u of the terms of that, and as much of the density.
Tails have functions of their own, since 1 - p and log(p) have lost them. Quantiles without a closed form are found by bisection.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from .distribution_functions import Continuous, constant, filled, log1p_power, on_sides, special
from .operands import leave_unless, xp

__all__ = ["CONTINUOUS"]

_ROOT: Final = math.log(2.0 * math.pi) / 2.0
_QUARTER: Final = math.pi / 2.0
_SUPPORT: Final = (-math.inf, math.inf)
_POSITIVE: Final = (0.0, math.inf)
_UNIT: Final = (0.0, 1.0)
_LEAST: Final = 2.0**-10


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


def _cauchy_ppf(q: Any) -> Any:
    """Compute the tangent, near its poles by its reciprocal."""
    near = xp.abs(q - 0.5) < 0.25
    tail = xp.where(near, 0.25, xp.where(q < 0.5, q, 1.0 - q))
    return xp.where(near, xp.tan(math.pi * (q - 0.5)), xp.copysign(1.0 / xp.tan(math.pi * tail), q - 0.5))


def _half_cauchy(q: Any, rest: Any) -> Any:
    """Compute the quantile of a probability below, and one above."""
    return xp.where(q < 0.5, xp.tan(_QUARTER * q), 1.0 / xp.tan(_QUARTER * xp.where(q < 0.5, 0.5, rest)))


def _inverse(x: Any) -> Any:
    return 1.0 / xp.where(x > 0, x, 1.0)


def _invgamma(x: Any, a: Any) -> Any:
    below = (a + 1.0) * xp.log(_inverse(x)) - _inverse(x) - constant("gammaln", a)
    return xp.where(x > 0, below, -math.inf)


def _invgauss(x: Any, mu: Any) -> Any:
    found = -1.5 * xp.log(xp.where(x > 0, x, 1.0)) - _ROOT - xp.square(x / mu - 1.0) * _inverse(x) / 2.0
    return xp.where(x > 0, found, -math.inf)


def _invgauss_logs(x: Any, mu: Any, side: float) -> tuple[Any, Any]:
    """Compute the logarithms of the two terms of the probability below, or of that above."""
    root = xp.sqrt(_inverse(x))
    return special.log_ndtr(side * root * (x / mu - 1.0)), 2.0 / mu + special.log_ndtr(-root * (x / mu + 1.0))


def _invgauss_logcdf(x: Any, mu: Any) -> Any:
    first, second = _invgauss_logs(x, mu, 1.0)
    return xp.where(x > 0, first + xp.log1p(xp.exp(second - first)), -math.inf)


def _invgauss_logsf(x: Any, mu: Any) -> Any:
    first, second = _invgauss_logs(x, mu, -1.0)
    return xp.where(x > 0, first + xp.log1p(-xp.exp(second - first)), 0.0)


def _genextreme_log(x: Any, c: float) -> Any:
    """Compute the logarithm of -log(cdf)."""
    return xp.log1p(-c * x) / c


def _exponnorm_log(x: Any, k: Any) -> Any:
    return (0.5 / k - x) / k + special.log_ndtr(x - 1.0 / k)


def _exponnorm_cdf(x: Any, k: Any) -> Any:
    return special.ndtr(x) - xp.exp(_exponnorm_log(x, k))


def _exponnorm_sf(x: Any, k: Any) -> Any:
    return special.ndtr(-x) + xp.exp(_exponnorm_log(x, k))


def _normal_between(low: Any, high: Any, right: bool) -> Any:
    """Compute the probability of an interval by the tails that do not cancel."""
    return special.ndtr(-low) - special.ndtr(-high) if right else special.ndtr(high) - special.ndtr(low)


def _mass(a: float, b: float) -> tuple[float, float, float]:
    """Compute normal probabilities below, between and above two numbers, in float64."""
    below, above = constant("ndtr", a), constant("ndtr", -b)
    return below, (constant("ndtr", -a) - above if a > 0 else constant("ndtr", b) - below), above


def _is_wide(a: float, b: float) -> bool:
    """Tell whether probabilities of float32 of an interval lose no more than 6 bits."""
    if not a < b:
        return False
    below, between, above = _mass(a, b)
    return between > 2.0**-100 and between > (1.0 - below if a > 0 else 1.0 - above) / 64.0


def _truncnorm_quantile(q: Any, rest: Any, a: float, b: float) -> Any:
    """Compute the quantile of a probability below, and one above."""
    below, between, above = _mass(a, b)
    low, high = below + q * between, above + rest * between
    return xp.clip(xp.where(low <= 0.5, special.ndtri(xp.minimum(low, 0.5)), -special.ndtri(xp.minimum(high, 0.5))), a, b)


def _owens_t(h: Any, a: float) -> Any:
    """Integrate Owen's function by Gauss and Legendre's rule: the integrand is smooth for slopes to 1, larger ones are reflected."""
    if abs(a) > 1.0:
        size = xp.abs(h)
        first, second = special.ndtr(-size), special.ndtr(-abs(a) * size)  # 1 - p of both, of which products do not cancel
        return math.copysign(1.0, a) * ((first + second) / 2.0 - first * second - _owens_t(abs(a) * size, 1.0 / abs(a)))
    nodes, weights = np.polynomial.legendre.leggauss(32)
    points = (nodes + 1.0) / 2.0 * a
    factors = weights * a / (4.0 * math.pi * (1.0 + points * points))
    half = -h * h / 2.0
    total = 0.0 * h
    for point, factor in zip(points.tolist(), factors.tolist(), strict=True):
        total = total + factor * xp.exp(half * (1.0 + point * point))
    return total


def _vonmises_cdf(x: Any, kappa: float) -> Any:
    """Add up the Fourier series (Clenshaw), whose coefficients are quotients of Bessel functions."""
    import scipy.special

    leave_unless(type(kappa) is float and kappa <= 50.0)
    orders = np.arange(1, 80)
    terms = scipy.special.ive(orders, kappa) / (scipy.special.ive(0, kappa) * orders * math.pi)
    turns = xp.round(x / (2.0 * math.pi))
    angle = x - turns * 6.28125 - turns * (2.0 * math.pi - 6.28125)  # the first product is exact
    twice = 2.0 * xp.cos(angle)
    after, latest = 0.0 * x, 0.0 * x
    for term in terms[terms > 1e-18][::-1].tolist():
        after, latest = latest, term + twice * latest - after
    return 0.5 + turns + (angle / (2.0 * math.pi) + latest * xp.sin(angle))


def _triang(x: Any, c: float) -> Any:
    rising = 2.0 * x / (c or 1.0)
    falling = 2.0 * (1.0 - x) / ((1.0 - c) or 1.0)
    return xp.log(xp.where((x < c) if c < 1.0 else (x <= c), rising, falling))


def _cosh_log(x: Any) -> Any:
    """Compute the logarithm of twice the hyperbolic cosine."""
    return xp.abs(x) + xp.log1p(xp.exp(-2.0 * xp.abs(x)))


def _burr(x: Any, c: Any, d: Any) -> Any:
    return constant("log", c) + constant("log", d) + special.xlogy(filled(c * d - 1.0, x), x) - (d + 1.0) * log1p_power(x, c)


def _hypsecant_ppf(q: Any) -> Any:
    small = q <= 0.5
    found = xp.log(xp.tan(_QUARTER * xp.where(small, q, 1.0 - q)))
    return xp.where(small, found, -found)


def _johnson(x: Any, a: Any, b: Any) -> Any:
    return a + b * xp.asinh(x)


def _weibull_tail(x: Any, c: Any) -> Any:
    return 0.5 * xp.exp(-xp.power(xp.abs(x), c))


def _gennorm_tail(x: Any, beta: Any) -> Any:
    return 0.5 * _gammaincc(xp.power(xp.abs(x), beta), 1.0 / beta)


_GAMMA: Final = Continuous(
    _POSITIVE, _gamma, _gammainc, _gammaincc,
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
    ),
    "burr": Continuous(
        _POSITIVE, _burr, lambda x, c, d: xp.exp(-d * log1p_power(x, -c)), lambda x, c, d: -xp.expm1(-d * log1p_power(x, -c)),
        lambda q, c, d: xp.exp(-xp.log(xp.expm1(-xp.log(q) / d)) / c), lambda q, c, d: xp.exp(-xp.log(xp.expm1(-xp.log1p(-q) / d)) / c),
        lambda x, c, d: -d * log1p_power(x, -c),
    ),
    "cauchy": Continuous(
        _SUPPORT, lambda x: -xp.log1p(x * x) - math.log(math.pi), lambda x: xp.atan2(xp.ones_like(x), -x) / math.pi,
        lambda x: xp.atan2(xp.ones_like(x), x) / math.pi, _cauchy_ppf, lambda q: -_cauchy_ppf(q),
    ),
    "chi": Continuous(_POSITIVE, _chi, lambda x, df: _gammainc(x * x / 2.0, df / 2.0), lambda x, df: _gammaincc(x * x / 2.0, df / 2.0)),
    "chi2": Continuous(
        _POSITIVE, lambda x, df: _gamma(x / 2.0, df / 2.0) - math.log(2.0),
        lambda x, df: _gammainc(x / 2.0, df / 2.0), lambda x, df: _gammaincc(x / 2.0, df / 2.0),
    ),
    "dweibull": Continuous(
        _SUPPORT, lambda x, c: _weibull(xp.abs(x), c) - math.log(2.0), lambda x, c: on_sides(x, _weibull_tail(x, c), True),
        lambda x, c: on_sides(x, _weibull_tail(x, c), False),
    ),
    "erlang": _GAMMA,
    "expon": Continuous(
        _POSITIVE, lambda x: -x, lambda x: -xp.expm1(-x), lambda x: xp.exp(-x), lambda q: -xp.log1p(-q), lambda q: -xp.log(q),
        logsf=lambda x: -x,
    ),
    "exponnorm": Continuous(
        _SUPPORT, lambda x, k: _exponnorm_log(x, k) - constant("log", k), _exponnorm_cdf, _exponnorm_sf, least=_LEAST,
    ),
    "f": Continuous(_POSITIVE, _f_logpdf, _f_cdf, _f_sf),
    "fisk": Continuous(
        _POSITIVE, lambda x, c: _burr(x, c, 1.0), lambda x, c: special.expit(c * xp.log(x)), lambda x, c: special.expit(-c * xp.log(x)),
        lambda q, c: xp.exp(special.logit(q) / c), lambda q, c: xp.exp(-special.logit(q) / c),
        lambda x, c: -log1p_power(x, -c), lambda x, c: -log1p_power(x, c),
    ),
    "gamma": _GAMMA,
    "genextreme": Continuous(
        lambda c: (-math.inf, 1.0 / c) if c > 0 else (1.0 / c, math.inf),
        lambda x, c: (1.0 - c) * _genextreme_log(x, c) - xp.exp(_genextreme_log(x, c)),
        lambda x, c: xp.exp(-xp.exp(_genextreme_log(x, c))), lambda x, c: -xp.expm1(-xp.exp(_genextreme_log(x, c))),
        lambda q, c: -xp.expm1(c * xp.log(-xp.log(q))) / c, lambda q, c: -xp.expm1(c * xp.log(-xp.log1p(-q))) / c,
        lambda x, c: -xp.exp(_genextreme_log(x, c)), takes=lambda c: c != 0.0,
    ),
    "gennorm": Continuous(
        _SUPPORT, lambda x, beta: constant("log", beta / 2.0) - constant("gammaln", 1.0 / beta) - xp.power(xp.abs(x), beta),
        lambda x, beta: on_sides(x, _gennorm_tail(x, beta), True), lambda x, beta: on_sides(x, _gennorm_tail(x, beta), False),
    ),
    "genpareto": Continuous(
        _POSITIVE, lambda x, c: -(1.0 + 1.0 / c) * xp.log1p(c * x), lambda x, c: -xp.expm1(-xp.log1p(c * x) / c),
        lambda x, c: xp.exp(-xp.log1p(c * x) / c), lambda q, c: xp.expm1(-c * xp.log1p(-q)) / c, lambda q, c: xp.expm1(-c * xp.log(q)) / c,
        logsf=lambda x, c: -xp.log1p(c * x) / c,
    ),
    "gompertz": Continuous(
        _POSITIVE, lambda x, c: constant("log", c) + x - c * xp.expm1(x), lambda x, c: -xp.expm1(-c * xp.expm1(x)),
        lambda x, c: xp.exp(-c * xp.expm1(x)), lambda q, c: xp.log1p(-xp.log1p(-q) / c), lambda q, c: xp.log1p(-xp.log(q) / c),
        logsf=lambda x, c: -c * xp.expm1(x),
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
        lambda x: xp.atan2(xp.ones_like(x), x) / _QUARTER, lambda q: _half_cauchy(q, 1.0 - q), lambda q: _half_cauchy(1.0 - q, q),
    ),
    "halfnorm": Continuous(
        _POSITIVE, lambda x: -x * x / 2.0 + math.log(2.0 / math.pi) / 2.0, lambda x: special.erf(x * math.sqrt(0.5)),
        lambda x: 2.0 * special.ndtr(-x), lambda q: special.erfinv(q) * math.sqrt(2.0),
        lambda q: -special.ndtri(q / 2.0), logsf=lambda x: special.log_ndtr(-x) + math.log(2.0),
    ),
    "hypsecant": Continuous(
        _SUPPORT, lambda x: math.log(2.0 / math.pi) - _cosh_log(x), lambda x: xp.atan(xp.exp(x)) / _QUARTER,
        lambda x: xp.atan(xp.exp(-x)) / _QUARTER, _hypsecant_ppf, lambda q: -_hypsecant_ppf(q),
    ),
    "invgamma": Continuous(
        _POSITIVE, _invgamma, lambda x, a: xp.where(x > 0, _gammaincc(_inverse(x), a), 0.0),
        lambda x, a: xp.where(x > 0, _gammainc(_inverse(x), a), 1.0),
    ),
    "invgauss": Continuous(
        _POSITIVE, _invgauss, lambda x, mu: xp.exp(_invgauss_logcdf(x, mu)), lambda x, mu: xp.exp(_invgauss_logsf(x, mu)),
        logcdf=_invgauss_logcdf, logsf=_invgauss_logsf,
    ),
    "johnsonsu": Continuous(
        _SUPPORT, lambda x, a, b: constant("log", b) - _ROOT - xp.log1p(x * x) / 2.0 - xp.square(_johnson(x, a, b)) / 2.0,
        lambda x, a, b: special.ndtr(_johnson(x, a, b)), lambda x, a, b: special.ndtr(-_johnson(x, a, b)),
        lambda q, a, b: xp.sinh((special.ndtri(q) - a) / b), lambda q, a, b: xp.sinh((-special.ndtri(q) - a) / b),
        lambda x, a, b: special.log_ndtr(_johnson(x, a, b)), lambda x, a, b: special.log_ndtr(-_johnson(x, a, b)),
        takes=lambda a, b: b > 0.0,  # noqa: ARG005
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
    "levy": Continuous(
        _POSITIVE, lambda x: xp.where(x > 0, -_ROOT - 1.5 * xp.log(x) - _inverse(x) / 2.0, -math.inf),
        lambda x: xp.where(x > 0, 2.0 * special.ndtr(-xp.sqrt(_inverse(x))), 0.0),
        lambda x: xp.where(x > 0, special.erf(xp.sqrt(_inverse(x) / 2.0)), 1.0), lambda q: 1.0 / xp.square(special.ndtri(q / 2.0)),
        lambda q: 0.5 / xp.square(special.erfinv(q)),
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
    "reciprocal": Continuous(
        lambda a, b: (a, b), lambda x, a, b: -xp.log(x) - math.log(math.log(b / a)), lambda x, a, b: xp.log(x / a) / math.log(b / a),
        lambda x, a, b: -xp.log(x / b) / math.log(b / a), lambda q, a, b: xp.exp(q * math.log(b / a)) * a,
        lambda q, a, b: xp.exp(-q * math.log(b / a)) * b, takes=lambda a, b: 0.0 < a < b,
    ),
    "skewnorm": Continuous(
        _SUPPORT, lambda x, a: special.log_ndtr(a * x) - x * x / 2.0 + (math.log(2.0) - _ROOT),
        lambda x, a: xp.clip(special.ndtr(x) - 2.0 * _owens_t(x, a), 0.0, 1.0),
        lambda x, a: xp.clip(special.ndtr(-x) + 2.0 * _owens_t(x, a), 0.0, 1.0), takes=lambda a: True,  # noqa: ARG005
        least=_LEAST,
    ),
    "t": Continuous(
        _SUPPORT, _t_logpdf, lambda x, df: special.stdtr(filled(df, x), x), lambda x, df: special.stdtr(filled(df, x), -x),
    ),
    "triang": Continuous(
        _UNIT, _triang, lambda x, c: xp.where(x < c, x * x / (c or 1.0), 1.0 - xp.square(1.0 - x) / ((1.0 - c) or 1.0)),
        lambda x, c: xp.where(x < c, 1.0 - x * x / (c or 1.0), xp.square(1.0 - x) / ((1.0 - c) or 1.0)),
        lambda q, c: xp.where(q < c, xp.sqrt(c * q), 1.0 - xp.sqrt((1.0 - c) * (1.0 - q))),
        lambda q, c: xp.where(1.0 - q < c, xp.sqrt(c * (1.0 - q)), 1.0 - xp.sqrt((1.0 - c) * q)), takes=lambda c: 0.0 <= c <= 1.0,
    ),
    "truncnorm": Continuous(
        lambda a, b: (a, b), lambda x, a, b: -x * x / 2.0 - (_ROOT + math.log(_mass(a, b)[1])),
        lambda x, a, b: _normal_between(a + 0.0 * x, x, a > 0) / _mass(a, b)[1],
        lambda x, a, b: _normal_between(x, b + 0.0 * x, a > 0) / _mass(a, b)[1],
        lambda q, a, b: _truncnorm_quantile(q, 1.0 - q, a, b), lambda q, a, b: _truncnorm_quantile(1.0 - q, q, a, b), takes=_is_wide,
    ),
    "uniform": Continuous(_UNIT, lambda x: 0.0 * x, lambda x: x, lambda x: 1.0 - x, lambda q: q, lambda q: 1.0 - q),
    "vonmises": Continuous(
        _SUPPORT, lambda x, k: -2.0 * k * xp.square(xp.sin(x / 2.0)) - (constant("log", constant("i0e", k)) + math.log(2.0 * math.pi)),
        _vonmises_cdf, lambda x, k: 1.0 - _vonmises_cdf(x, k), least=_LEAST,
    ),
    "wald": Continuous(
        _POSITIVE, lambda x: _invgauss(x, 1.0), lambda x: xp.exp(_invgauss_logcdf(x, 1.0)), lambda x: xp.exp(_invgauss_logsf(x, 1.0)),
        logcdf=lambda x: _invgauss_logcdf(x, 1.0), logsf=lambda x: _invgauss_logsf(x, 1.0),
    ),
    "weibull_max": Continuous(
        (-math.inf, 0.0), lambda x, c: _weibull(-x, c), lambda x, c: xp.exp(-xp.power(-x, c)), lambda x, c: -xp.expm1(-xp.power(-x, c)),
        lambda q, c: -xp.power(-xp.log(q), 1.0 / c), lambda q, c: -xp.power(-xp.log1p(-q), 1.0 / c), lambda x, c: -xp.power(-x, c),
    ),
    "weibull_min": Continuous(
        _POSITIVE, _weibull, lambda x, c: -xp.expm1(-xp.power(x, c)), lambda x, c: xp.exp(-xp.power(x, c)),
        lambda q, c: xp.power(-xp.log1p(-q), 1.0 / c), lambda q, c: xp.power(-xp.log(q), 1.0 / c), logsf=lambda x, c: -xp.power(x, c),
    ),
}  # fmt: skip
"""The distributions by the names of SciPy's classes; their shapes are positive where nothing else is said."""
