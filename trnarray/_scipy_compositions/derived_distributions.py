"""
Continuous distributions of scipy.stats that are powers, logarithms, halves or sides of others, at location 0 and scale 1.

Errors are those of ``continuous_distributions.py``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from .continuous_distributions import CONTINUOUS
from .distribution_functions import Continuous, constant, filled, log1p_power, on_sides, special
from .operands import xp

__all__ = ["DERIVED"]

_ROOT: Final = math.log(2.0 * math.pi) / 2.0
_SUPPORT: Final = (-math.inf, math.inf)
_POSITIVE: Final = (0.0, math.inf)
_GAMMA: Final = CONTINUOUS["gamma"]
_LAPLACE: Final = CONTINUOUS["laplace"]
_LOGNORM: Final = CONTINUOUS["lognorm"]
_LEAST: Final = 2.0**-10


def _softplus(x: Any) -> Any:
    return xp.maximum(x, 0.0) + xp.log1p(xp.exp(-xp.abs(x)))


def _log1mexp(x: Any) -> Any:
    """Compute log(1 - exp(-x)), of positive numbers."""
    near = x < 0.6875
    return xp.where(near, xp.log(-xp.expm1(-xp.where(near, x, 0.5))), xp.log1p(-xp.exp(-xp.where(near, 1.0, x))))


def _betaprime(x: Any, a: Any, b: Any) -> Any:
    return special.xlogy(filled(a - 1.0, x), x) - (a + b) * xp.log1p(x) - constant("betaln", a, b)


def _burr12(x: Any, c: Any, d: Any) -> Any:
    return constant("log", c) + constant("log", d) + special.xlogy(filled(c - 1.0, x), x) - (d + 1.0) * log1p_power(x, c)


def _exponweib(x: Any, a: Any, c: Any) -> Any:
    power, factors = xp.power(x, c), constant("log", a) + constant("log", c)
    return factors + (a - 1.0) * _log1mexp(power) - power + special.xlogy(filled(c - 1.0, x), x)


def _exponweib_quantile(log: Any, a: Any, c: Any) -> Any:
    """Compute it from the logarithm of the probability below."""
    return xp.power(-_log1mexp(-log / a), 1.0 / c)


def _fatigue(x: Any, c: Any) -> Any:
    """Compute what is normal."""
    root = xp.sqrt(xp.where(x > 0, x, 1.0))
    return xp.where(x > 0, (root - 1.0 / root) / c, -math.inf)


def _fatigue_logpdf(x: Any, c: Any) -> Any:
    inside = xp.where(x > 0, x, 1.0)
    found = xp.log1p(inside) - 1.5 * xp.log(inside) - xp.square(_fatigue(inside, c)) / 2.0 - (constant("log", c) + math.log(2.0) + _ROOT)
    return xp.where(x > 0, found, -math.inf)


def _fatigue_quantile(t: Any) -> Any:
    half = (xp.abs(t) + xp.sqrt(t * t + 4.0)) / 2.0
    return xp.square(xp.where(t > 0, half, 1.0 / half))


def _foldnorm_logsf(x: Any, c: Any) -> Any:
    near = special.log_ndtr(c - x)
    return near + xp.log1p(xp.exp(special.log_ndtr(-x - c) - near))


def _invweibull(x: Any, c: Any) -> Any:
    inside = xp.where(x > 0, x, 1.0)
    found = constant("log", c) - (c + 1.0) * xp.log(inside) - xp.power(inside, -c)
    return xp.where(x > 0, found, -math.inf)


def _inverse_power(x: Any, c: Any) -> Any:
    return xp.where(x > 0, xp.power(xp.where(x > 0, x, 1.0), -c), math.inf)


def _loglaplace(x: Any, c: Any) -> Any:
    return constant("log", c) - math.log(2.0) + special.xlogy(xp.where(x < 1.0, c - 1.0, -c - 1.0), x)


def _truncexpon_quantile(q: Any, b: float) -> Any:
    return -xp.log1p(q * math.expm1(-b))


DERIVED: Final[Mapping[str, Continuous]] = {
    "betaprime": Continuous(
        _POSITIVE, _betaprime, lambda x, a, b: special.betainc(filled(a, x), filled(b, x), x / (1.0 + x)),
        lambda x, a, b: special.betainc(filled(b, x), filled(a, x), 1.0 / (1.0 + x)),
    ),
    "bradford": Continuous(
        (0.0, 1.0), lambda x, c: constant("log", c) - math.log(math.log1p(c)) - xp.log1p(c * x),
        lambda x, c: xp.log1p(c * x) / math.log1p(c), lambda x, c: -xp.log1p(-c * (1.0 - x) / (1.0 + c)) / math.log1p(c),
        lambda q, c: xp.expm1(q * math.log1p(c)) / c, lambda q, c: xp.expm1((1.0 - q) * math.log1p(c)) / c, takes=lambda c: c > 0.0,
    ),
    "burr12": Continuous(
        _POSITIVE, _burr12, lambda x, c, d: -xp.expm1(-d * log1p_power(x, c)), lambda x, c, d: xp.exp(-d * log1p_power(x, c)),
        lambda q, c, d: xp.power(xp.expm1(-xp.log1p(-q) / d), 1.0 / c), lambda q, c, d: xp.power(xp.expm1(-xp.log(q) / d), 1.0 / c),
        logsf=lambda x, c, d: -d * log1p_power(x, c),
    ),
    "dgamma": Continuous(
        _SUPPORT, lambda x, a: _GAMMA.logpdf(xp.abs(x), a) - math.log(2.0),
        lambda x, a: on_sides(x, 0.5 * _GAMMA.sf(xp.abs(x), a), True), lambda x, a: on_sides(x, 0.5 * _GAMMA.sf(xp.abs(x), a), False),
    ),
    "exponweib": Continuous(
        _POSITIVE, _exponweib, lambda x, a, c: xp.exp(a * _log1mexp(xp.power(x, c))),
        lambda x, a, c: -xp.expm1(a * _log1mexp(xp.power(x, c))), lambda q, a, c: _exponweib_quantile(xp.log(q), a, c),
        lambda q, a, c: _exponweib_quantile(xp.log1p(-q), a, c), lambda x, a, c: a * _log1mexp(xp.power(x, c)),
    ),
    "fatiguelife": Continuous(
        _POSITIVE, _fatigue_logpdf, lambda x, c: special.ndtr(_fatigue(x, c)), lambda x, c: special.ndtr(-_fatigue(x, c)),
        lambda q, c: _fatigue_quantile(c * special.ndtri(q)), lambda q, c: _fatigue_quantile(-c * special.ndtri(q)),
        lambda x, c: special.log_ndtr(_fatigue(x, c)), lambda x, c: special.log_ndtr(-_fatigue(x, c)),
    ),
    "foldnorm": Continuous(
        _POSITIVE, lambda x, c: _softplus(-2.0 * c * x) - xp.square(x - c) / 2.0 - _ROOT,
        lambda x, c: special.ndtr(x - c) - special.ndtr(-x - c), lambda x, c: special.ndtr(c - x) + special.ndtr(-x - c),
        logsf=_foldnorm_logsf, least=_LEAST,
    ),
    "gengamma": Continuous(
        _POSITIVE, lambda x, a, c: constant("log", c) + special.xlogy(filled(c * a - 1.0, x), x) - xp.power(x, c) - constant("gammaln", a),
        lambda x, a, c: _GAMMA.cdf(xp.power(x, c), a), lambda x, a, c: _GAMMA.sf(xp.power(x, c), a),
        takes=lambda a, c: a > 0.0 and c > 0.0,
    ),
    "genlogistic": Continuous(
        _SUPPORT, lambda x, c: constant("log", c) - x - (c + 1.0) * _softplus(-x), lambda x, c: xp.exp(-c * _softplus(-x)),
        lambda x, c: -xp.expm1(-c * _softplus(-x)), lambda q, c: -xp.log(xp.expm1(-xp.log(q) / c)),
        lambda q, c: -xp.log(xp.expm1(-xp.log1p(-q) / c)), lambda x, c: -c * _softplus(-x),
    ),
    "gibrat": Continuous(
        _POSITIVE, lambda x: _LOGNORM.logpdf(x, 1.0), lambda x: _LOGNORM.cdf(x, 1.0), lambda x: _LOGNORM.sf(x, 1.0),
        lambda q: xp.exp(special.ndtri(q)), lambda q: xp.exp(-special.ndtri(q)), lambda x: special.log_ndtr(xp.log(x)),
        lambda x: special.log_ndtr(-xp.log(x)),
    ),
    "halflogistic": Continuous(
        _POSITIVE, lambda x: math.log(2.0) - x - 2.0 * xp.log1p(xp.exp(-x)), lambda x: xp.tanh(x / 2.0), lambda x: 2.0 * special.expit(-x),
        lambda q: 2.0 * xp.atanh(q), lambda q: xp.log((2.0 - q) / q), logsf=lambda x: math.log(2.0) - x - xp.log1p(xp.exp(-x)),
    ),
    "invweibull": Continuous(
        _POSITIVE, _invweibull, lambda x, c: xp.exp(-_inverse_power(x, c)), lambda x, c: -xp.expm1(-_inverse_power(x, c)),
        lambda q, c: xp.power(-xp.log(q), -1.0 / c), lambda q, c: xp.power(-xp.log1p(-q), -1.0 / c), lambda x, c: -_inverse_power(x, c),
    ),
    "loglaplace": Continuous(
        _POSITIVE, _loglaplace, lambda x, c: _LAPLACE.cdf(c * xp.log(x)), lambda x, c: _LAPLACE.sf(c * xp.log(x)),
        lambda q, c: xp.exp(_LAPLACE.quantile("ppf", q, ()) / c), lambda q, c: xp.exp(_LAPLACE.quantile("isf", q, ()) / c),
    ),
    "moyal": Continuous(
        _SUPPORT, lambda x: -(x + xp.exp(-x)) / 2.0 - _ROOT, lambda x: 2.0 * special.ndtr(-xp.exp(-x / 2.0)),
        lambda x: special.erf(xp.exp(-x / 2.0) * math.sqrt(0.5)), lambda q: -2.0 * xp.log(-special.ndtri(q / 2.0)),
        lambda q: -2.0 * xp.log(special.erfinv(q) * math.sqrt(2.0)),
    ),
    "powernorm": Continuous(
        _SUPPORT, lambda x, c: constant("log", c) - x * x / 2.0 - _ROOT + (c - 1.0) * special.log_ndtr(-x),
        lambda x, c: -xp.expm1(c * special.log_ndtr(-x)), lambda x, c: xp.exp(c * special.log_ndtr(-x)),
        lambda q, c: -special.ndtri(xp.exp(xp.log1p(-q) / c)), lambda q, c: -special.ndtri(xp.exp(xp.log(q) / c)),
        logsf=lambda x, c: c * special.log_ndtr(-x),
    ),
    "truncexpon": Continuous(
        lambda b: (0.0, b), lambda x, b: -x - math.log(-math.expm1(-b)), lambda x, b: xp.expm1(-x) / math.expm1(-b),
        lambda x, b: xp.exp(-x) * xp.expm1(x - b) / math.expm1(-b), _truncexpon_quantile,
        lambda q, b: _truncexpon_quantile(1.0 - q, b), takes=lambda b: b > 0.0,
    ),
}  # fmt: skip
"""The distributions by the names of SciPy's classes; their shapes are positive where nothing else is said."""
