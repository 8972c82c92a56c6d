"""
What draws the distributions of scipy.stats: methods of a generator of `trnarray.random`, and functions of what these draw.

Where a distribution is that of a function of exponential or normal variates, these are drawn and not uniform ones, whose steps of 2⁻²⁴ in
float32 would show in the tails.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .operands import xp

__all__ = ["COUNTS", "DRAWS"]

Draw = Callable[..., Any]


def _named(name: str) -> Draw:
    """Draw by a method of a generator, of shapes and a size."""

    def draw(generator: Any, *shapes: float, size: Any) -> Any:
        return getattr(generator, name)(*shapes, size=size)

    return draw


def _exponential(function: Callable[..., Any]) -> Draw:
    """Draw a function of an exponential variate and shapes."""
    return lambda generator, *shapes, size: function(generator.standard_exponential(size=size), *shapes)


def _normal(function: Callable[..., Any]) -> Draw:
    """Draw a function of a normal variate and shapes."""
    return lambda generator, *shapes, size: function(generator.standard_normal(size=size), *shapes)


def _uniform(function: Callable[..., Any]) -> Draw:
    """Draw a function of a uniform variate and shapes."""
    return lambda generator, *shapes, size: function(generator.random(size=size), *shapes)


def _even(draw: Draw) -> Draw:
    """Give a positive variate either sign."""
    return lambda generator, *shapes, size: xp.copysign(draw(generator, *shapes, size=size), generator.random(size=size) - 0.5)


def _half_general_normal(generator: Any, beta: float, size: Any) -> Any:
    return generator.standard_gamma(1.0 / beta, size=size) ** (1.0 / beta)


def _fatigue_life(z: Any, c: float) -> Any:
    half = z * (c / 2.0)
    return 1.0 + 2.0 * half * (half + xp.sqrt(1.0 + half * half))


def _skew_normal(generator: Any, a: float, size: Any) -> Any:
    first, other = generator.standard_normal(size=size), generator.standard_normal(size=size)
    beside = (a * first + other) * (1.0 / math.hypot(1.0, a))
    return xp.where(first >= 0, beside, -beside)


DRAWS: Final[Mapping[str, Draw]] = {
    "anglit": _uniform(lambda u: xp.arcsin(xp.sqrt(u)) - math.pi / 4),
    "arcsine": _uniform(lambda u: xp.square(xp.sin(u * (math.pi / 2)))),
    "beta": _named("beta"),
    "betaprime": lambda g, a, b, size: g.standard_gamma(a, size=size) / g.standard_gamma(b, size=size),
    "bradford": _uniform(lambda u, c: xp.expm1(u * math.log1p(c)) / c),
    "burr": _exponential(lambda e, c, d: xp.expm1(e / d) ** (-1.0 / c)),
    "burr12": _exponential(lambda e, c, d: xp.expm1(e / d) ** (1.0 / c)),
    "cauchy": _named("standard_cauchy"),
    "chi": lambda g, df, size: xp.sqrt(g.chisquare(df, size=size)),
    "chi2": _named("chisquare"),
    "dgamma": _even(_named("standard_gamma")),
    "dweibull": _even(_named("weibull")),
    "erlang": _named("standard_gamma"),
    "expon": _named("standard_exponential"),
    "exponnorm": lambda g, k, size: g.standard_exponential(size=size) * k + g.standard_normal(size=size),
    "exponpow": _exponential(lambda e, b: xp.log1p(e) ** (1.0 / b)),
    "exponweib": _exponential(lambda e, a, c: (-xp.log(-xp.expm1(-e / a))) ** (1.0 / c)),
    "f": _named("f"),
    "fatiguelife": _normal(_fatigue_life),
    "fisk": _exponential(lambda e, c: xp.expm1(e) ** (1.0 / c)),
    "foldcauchy": lambda g, c, size: xp.abs(g.standard_cauchy(size=size) + c),
    "foldnorm": _normal(lambda z, c: xp.abs(z + c)),
    "gamma": _named("standard_gamma"),
    "genextreme": _exponential(lambda e, c: -xp.expm1(c * xp.log(e)) / c if c else -xp.log(e)),
    "gengamma": lambda g, a, c, size: g.standard_gamma(a, size=size) ** (1.0 / c),
    "genlogistic": _exponential(lambda e, c: -xp.log(xp.expm1(e / c))),
    "gennorm": _even(_half_general_normal),
    "genpareto": _exponential(lambda e, c: xp.expm1(c * e) / c if c else e),
    "gibrat": _normal(xp.exp),
    "gompertz": _exponential(lambda e, c: xp.log1p(e / c)),
    "gumbel_l": lambda g, size: -g.gumbel(size=size),
    "gumbel_r": _named("gumbel"),
    "halfcauchy": lambda g, size: xp.abs(g.standard_cauchy(size=size)),
    "halfgennorm": _half_general_normal,
    "halflogistic": lambda g, size: xp.abs(g.logistic(size=size)),
    "halfnorm": _normal(xp.abs),
    "hypsecant": lambda g, size: xp.log(xp.abs(g.standard_cauchy(size=size))),
    "invgamma": lambda g, a, size: 1.0 / g.standard_gamma(a, size=size),
    "invgauss": lambda g, mu, size: g.wald(mu, 1.0, size=size),
    "invweibull": _exponential(lambda e, c: e ** (-1.0 / c)),
    "johnsonsb": _normal(lambda z, a, b: xp.special.expit((z - a) / b)),
    "johnsonsu": _normal(lambda z, a, b: xp.sinh((z - a) / b)),
    "laplace": _named("laplace"),
    "levy": _normal(lambda z: 1.0 / (z * z)),
    "levy_l": _normal(lambda z: -1.0 / (z * z)),
    "loggamma": lambda g, c, size: xp.log(g.standard_gamma(c + 1.0, size=size)) - g.standard_exponential(size=size) / c,
    "logistic": _named("logistic"),
    "loglaplace": lambda g, c, size: xp.exp(g.laplace(size=size) / c),
    "lognorm": _normal(lambda z, s: xp.exp(s * z)),
    "lomax": _named("pareto"),
    "maxwell": lambda g, size: xp.sqrt(g.chisquare(3.0, size=size)),
    "moyal": _normal(lambda z: -2.0 * xp.log(xp.abs(z))),
    "nakagami": lambda g, nu, size: xp.sqrt(g.standard_gamma(nu, size=size) / nu),
    "ncf": _named("noncentral_f"),
    "nct": lambda g, df, nc, size: (g.standard_normal(size=size) + nc) * (math.sqrt(df) / xp.sqrt(g.chisquare(df, size=size))),
    "ncx2": _named("noncentral_chisquare"),
    "norm": _named("standard_normal"),
    "pareto": lambda g, b, size: g.pareto(b, size=size) + 1.0,
    "powerlaw": _exponential(lambda e, a: xp.exp(-e / a)),
    "rayleigh": _named("rayleigh"),
    "recipinvgauss": lambda g, mu, size: 1.0 / g.wald(mu, 1.0, size=size),
    "reciprocal": _uniform(lambda u, a, b: a * xp.exp(u * math.log(b / a))),
    "rice": lambda g, b, size: xp.hypot(g.standard_normal(size=size) + b, g.standard_normal(size=size)),
    "semicircular": lambda g, size: xp.sqrt(g.random(size=size)) * xp.cos(g.random(size=size) * math.pi),
    "skewnorm": _skew_normal,
    "t": _named("standard_t"),
    "triang": lambda g, c, size: g.triangular(0.0, c, 1.0, size=size),
    "truncexpon": _uniform(lambda u, b: -xp.log1p(u * math.expm1(-b))),
    "uniform": _named("random"),
    "vonmises": lambda g, kappa, size: g.vonmises(0.0, kappa, size=size),
    "wald": lambda g, size: g.wald(1.0, 1.0, size=size),
    "weibull_max": lambda g, c, size: -g.weibull(c, size=size),
    "weibull_min": _named("weibull"),
}  # fmt: skip
"""By distribution: what draws it at location 0 and scale 1, of a generator, shapes and a size."""
COUNTS: Final[Mapping[str, Draw]] = {
    "bernoulli": lambda g, p, size: g.binomial(1, p, size=size),
    "binom": lambda g, n, p, size: g.binomial(int(n), p, size=size),
    "dlaplace": lambda g, a, size: g.geometric(-math.expm1(-a), size=size) - g.geometric(-math.expm1(-a), size=size),
    "geom": _named("geometric"),
    "hypergeom": lambda g, total, good, drawn, size: g.hypergeometric(int(good), int(total - good), int(drawn), size=size),
    "logser": _named("logseries"),
    "nbinom": _named("negative_binomial"),
    "planck": lambda g, rate, size: g.geometric(-math.expm1(-rate), size=size) - 1,
    "poisson": _named("poisson"),
    "randint": lambda g, low, high, size: g.integers(int(low), int(high), size=size),
    "skellam": lambda g, first, other, size: g.poisson(first, size=size) - g.poisson(other, size=size),
    "zipf": _named("zipf"),
}
"""The same of discrete distributions."""
