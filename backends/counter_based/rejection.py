"""
Rejection with so many tries for every element: what a try decides.

A try takes two words of its own, whatever became of the tries before, so that an element is a function of its place in the stream alone;
the first try that is accepted counts, and the last one without a test: one element in 2**24 or fewer comes to that. Decisions are made in
float32 by operations that are rounded correctly, from parameters of float64, so that every device and every dtype of results makes the same
ones. Their error is that of float32: probabilities are off by 2**-20 of themselves at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log as natural_log
from math import pi
from typing import Any, Final, NamedTuple

from ..dtypes import FLOAT32
from .elementary import exp as single_exp
from .elementary import expm1, log, log1p, log1p_rest, uniform

__all__ = ["CHOSEN", "COUNTED", "GAMMA", "VON_MISES", "ZIPF", "Rejection", "around", "von_mises", "zipf"]

_LEAST: Final = 1e-30  # which no engine takes for zero
_WIDTH: Final = (1.7155277699214135, 0.8989161620588988)  # 2 sqrt(2 / e), and 3 - 2 sqrt(3 / e)
_LN2: Final = natural_log(2.0)
_LARGEST: Final = 63 * _LN2  # logarithm of what int64 holds


class Rejection(NamedTuple):
    """
    A way to draw by rejection.

    Attributes
    ----------
    tries : int
        How many, a multiple of 4.
    table : str
        Of `quantiles.QUANTILES`, that the first word of a try goes through; "" for the word itself.
    attempt : callable
        ``attempt(m, first, second, *setup)`` says what is accepted, and gives the number.
    """

    tries: int
    table: str
    attempt: Callable[..., tuple[Any, Any]]


def _gamma(m: Any, z: Any, word: Any, d: Any, c: Any) -> tuple[Any, Any]:
    """
    Accept normal numbers whose transform ``d (1 + c z)**3`` has the distribution (Marsaglia and Tsang, 2000).

    ``z**2 / 2 + d - d v + d log(v)`` of their test is 3 d times what log(1 + c z) has beyond the third power, where nothing cancels.
    """
    e = c * z
    inside = e > -1.0
    return m("logical_and", inside, log(m, uniform(word)) <= 3.0 * d * log1p_rest(m, m("where", inside, e, 0.0))), z


def _von_mises(m: Any, cauchy: Any, word: Any, kappa: Any, scale: Any, factor: Any, most: Any) -> tuple[Any, Any]:
    """Accept tangents of half an angle of a wrapped Cauchy distribution (Best and Fisher, 1979)."""
    square = (scale * cauchy) * (scale * cauchy)
    q = square / (1.0 + square) * 2.0  # 1 - cos(angle)
    return log(m, uniform(word)) <= log1p(m, factor * q) - kappa * q - most, cauchy


def von_mises(m: Any, kappa: Any) -> tuple[tuple[Any, ...], Any]:
    """Prepare; the second result is the scale of the tangents, of float64."""
    kappa = m("minimum", kappa, 1e15)
    factor = kappa * (1.0 + 2.0 * kappa) / (1.0 + kappa)
    best = 1.0 / (1.0 + 2.0 * kappa)
    scale = 1.0 / m("sqrt", 1.0 + 2.0 * factor)
    most = log1p(m, (factor * best).astype(FLOAT32)) - (kappa * best).astype(FLOAT32)
    return (kappa.astype(FLOAT32), scale.astype(FLOAT32), factor.astype(FLOAT32), most), scale


def _zipf(m: Any, first: Any, second: Any, order: Any, top: Any, least: Any, bound: Any) -> tuple[Any, Any]:
    """Accept whole parts of Pareto numbers up to 2**63 (Devroye, 1986, chapter X.6)."""
    below = uniform(m("invert", first)) * top
    u = uniform(first)
    small = below < 0.25
    length = m("where", small, -log1p(m, -m("minimum", below, 0.5)), -log(m, u + (1.0 - u) * least))
    x = m("floor", single_exp(m, m("minimum", length / order, _LARGEST - 1e-4)))
    return uniform(second) * x * -expm1(m, -order * log1p(m, 1.0 / x)) <= bound, x


def zipf(m: Any, a: Any) -> tuple[Any, ...]:
    """Prepare."""
    order = m("minimum", a - 1.0, 1024.0).astype(FLOAT32)
    decay = -order * _LARGEST
    return order, -expm1(m, decay), single_exp(m, decay), -expm1(m, -order * _LN2)


# Counts


def _factorial_rest(m: Any, count: Any) -> Any:
    """Take ``log(count!) - count log(count) + count``: Stirling's formula with 1/6 added, and a polynomial that fits what is left."""
    t = 1.0 / (count + 1.0)
    rest = -0.372794412
    for coefficient in (0.537301204, -0.293605124, 0.089250226, -0.001263348, 0.011128078, 0.006924581):
        rest = rest * t + coefficient
    return log(m, (count + 1 / 6) * (2 * pi)) * 0.5 + t * t * rest


def _deviance(m: Any, count: Any, x: Any, mean: Any) -> Any:
    """Take ``count log(count / mean) - x``, x being count - mean (Loader, 2000)."""
    v = x / (count + mean)
    near = abs(v) < 0.2
    z = m("where", near, v * v, 0.0)
    series = x * v + count * v * z * (((((z * (2 / 13) + 2 / 11) * z + 2 / 9) * z + 2 / 7) * z + 2 / 5) * z + 2 / 3)
    return m("where", near, series, count * log(m, m("maximum", count / mean, _LEAST)) - x)


def _counted(signs: tuple[float, ...]) -> Callable[..., tuple[Any, Any]]:
    """Make the test of counts that rise and fall together by signs: those of a table, or one."""

    def attempt(m: Any, first: Any, second: Any, off: Any, width: Any, most: Any, *tables: Any) -> tuple[Any, Any]:
        """Accept by the ratio of uniforms (Stadlober, 1990)."""
        bases, means = tables[: len(signs)], tables[len(signs) :]
        u = uniform(first)
        v = uniform(second) - 0.5
        d = m("floor", width * v / u + off + 0.5)
        possible, mass = None, most
        for sign, base, mean in zip(signs, bases, means, strict=True):
            count = base + d * sign
            here = count >= 0.0
            possible = here if possible is None else m("logical_and", possible, here)
            count = m("maximum", count, 0.0)
            mass = mass - (_factorial_rest(m, count) + _deviance(m, count, (d - off) * sign, mean))
        return m("logical_and", possible, log(m, u) * 2.0 <= mass), d

    return attempt


def around(m: Any, variance: Any, counts: Sequence[tuple[float, Any, Any]]) -> tuple[Any, ...]:
    """
    Prepare to draw how far a count is from its mode.

    Each count of a table has a sign, its number at the mode, and its mean. The width of the hat is Stadlober's, which holds for all
    parameters, or where a mean is below 1 what the mode needs.
    """
    _, mode, mean = counts[0]
    off = (mean - mode).astype(FLOAT32)
    least: Any = mean
    bases, means = list[Any](), list[Any]()
    most: Any = 0.0
    for sign, base, expected in counts:
        least = m("minimum", least, expected)
        bases.append(base.astype(FLOAT32))
        means.append(m("maximum", expected, _LEAST).astype(FLOAT32))
        most = most + (_factorial_rest(m, bases[-1]) + _deviance(m, bases[-1], off * -sign, means[-1]))
    width = m("minimum", m("sqrt", variance + 0.5) * _WIDTH[0] + _WIDTH[1], least * 2.0 + 1.0) * (1 + 2.0**-20)
    return off, width.astype(FLOAT32), most, *bases, *means


GAMMA: Final = Rejection(8, "normal of one word", _gamma)
VON_MISES: Final = Rejection(16, "cauchy", _von_mises)
ZIPF: Final = Rejection(16, "", _zipf)
COUNTED: Final = Rejection(32, "", _counted((1.0,)))
CHOSEN: Final = {2: Rejection(48, "", _counted((1.0, -1.0))), 4: Rejection(48, "", _counted((1.0, -1.0, -1.0, 1.0)))}
"""Counts of tables of two and of four: binomial and hypergeometric ones."""
