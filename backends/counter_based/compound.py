"""
Distributions of parameters that are arrays, and of numbers that no table takes, on every device alike.

Each function gets the draws of a device, or of the host, and parameters of float64, and returns floats of the dtype of the draws, or counts
as float64. Words of an element: the first two, a few others by number, and those of the tries of `rejection`, in slots of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from ..dtypes import FLOAT32, FLOAT64
from . import elementary
from .rejection import CHOSEN, COUNTED, GAMMA, VON_MISES, ZIPF, Rejection, around, von_mises, zipf

__all__ = ["COUNTS", "FLOATS", "Draws", "dirichlet", "lanes_of", "multinomial", "multivariate_hypergeometric", "width_of_tree"]

_TINY: Final = 1e-30
_TRIES: Final = {8: 0, 16: 1, 32: 2, 48: 3}
_FIRST_LANE: Final = 128


class Draws(ABC):
    """
    Elements to draw, of one shape, and what computes with them.

    Attributes
    ----------
    wide : bool
        Whether floats are of float64.
    """

    wide: bool

    @abstractmethod
    def __call__(self, name: str, *operands: Any) -> Any:
        """Call a function of NumPy's by its name."""

    @abstractmethod
    def bits(self, x: Any) -> Any:
        """Read float32 as int32."""

    @abstractmethod
    def floats(self, x: Any) -> Any:
        """Read int32 as float32."""

    @abstractmethod
    def words(self, number: int) -> Any:
        """Give a word of each element."""

    @abstractmethod
    def uniform(self) -> Any:
        """Draw multiples of 2**-53, of the first two words."""

    @abstractmethod
    def single(self, name: str) -> Any:
        """Draw float32 from a distribution without parameters, of the first words."""

    @abstractmethod
    def double(self, name: str, first: Any, second: Any) -> Any:
        """Take quantiles of float64 of two words."""

    @abstractmethod
    def accepted(self, way: Rejection, setup: tuple[Any, ...], slot: int = 0, *, word: bool = False) -> Any:
        """Give the number of the first try that is accepted, or its first word."""

    @abstractmethod
    def of_last_axis(self, begin: int, end: int) -> Draws:
        """Take some elements along the last axis."""

    @abstractmethod
    def of_single(self) -> Draws:
        """Draw float32."""

    @abstractmethod
    def concatenate(self, parts: list[Any]) -> Any:
        """Join along the last axis."""

    @abstractmethod
    def zeros(self, shape: tuple[int, ...]) -> Any:
        """Make zeros of float64."""

    def standard(self, name: str) -> Any:
        """Draw from a distribution without parameters."""
        return self.double(name, self.words(0), self.words(1)) if self.wide else self.single(name)

    def exp(self, x: Any) -> Any:
        """Take exponentials of numbers that are not positive, or whose result may be infinite."""
        return self("exp", x)

    def small_exp(self, x: Any) -> Any:
        """Take exponentials of numbers up to 0."""
        return self("exp", x) if self.wide else elementary.exp(self, x)

    def as_drawn(self, x: Any) -> Any:
        """Round a parameter to the dtype of the draws."""
        return x if self.wide else x.astype(FLOAT32)


def lanes_of(way: Rejection, slot: int) -> int:
    """Tell the number of the lane of the first words of tries; the next one has the second words."""
    return _FIRST_LANE + 2 * (_TRIES[way.tries] * 4 + slot)


# Floats


def _gamma_parts(m: Draws, a: Any, slot: int = 0) -> tuple[Any, Any]:
    """Draw gamma numbers as a factor and the logarithm of another one, which is 0 but for shapes below 1."""
    small = a < 1.0
    d = m("where", small, a + 1.0, a) - 1 / 3
    c = (1 / 3) / m("sqrt", d)
    setup = (d.astype(FLOAT32), c.astype(FLOAT32))
    if m.wide:
        x = m.double("normal", m.accepted(GAMMA, setup, slot, word=True), m.words(1))
        e = m.double("exponential", m.words(2 + slot), m.words(4 + slot))
    else:
        x, (d, c) = m.accepted(GAMMA, setup, slot), setup
        e = elementary.exponential(m, m.words(2 + slot))
    root = m("maximum", c * x + 1.0, 0.0)
    shape = m.as_drawn(m("maximum", a, _TINY))
    return root * root * root * d, m("where", small, -e / shape, 0.0)


def _gamma(m: Draws, a: Any, slot: int = 0) -> Any:
    factor, rest = _gamma_parts(m, a, slot)
    return factor * m.small_exp(rest)


def _scaled_gamma(m: Draws, a: Any, scale: Any) -> Any:
    return _gamma(m, a) * m.as_drawn(scale)


def _chisquare(m: Draws, df: Any, slot: int = 0) -> Any:
    return _gamma(m, df * 0.5, slot) * 2.0


def _beta(m: Draws, a: Any, b: Any) -> Any:
    (first, of_first), (second, of_second) = _gamma_parts(m, a), _gamma_parts(m, b, 1)
    most = m("maximum", of_first, of_second)
    x = first * m.small_exp(of_first - most)
    return x / (x + second * m.small_exp(of_second - most))


def _f(m: Draws, first: Any, second: Any) -> Any:
    (x, of_x), (y, of_y) = _gamma_parts(m, first * 0.5), _gamma_parts(m, second * 0.5, 1)
    return x / y * m.as_drawn(second / first) * m.exp(of_x - of_y)


def _standard_t(m: Draws, df: Any) -> Any:
    x, rest = _gamma_parts(m, df * 0.5)
    return m.standard("normal") * m("sqrt", m.as_drawn(df * 0.5) / x) * m.exp(rest * -0.5)


def _noncentral_chisquare(m: Draws, df: Any, nonc: Any) -> Any:
    return _chisquare(m, df + _poisson(m, nonc * 0.5) * 2.0)


def _noncentral_f(m: Draws, first: Any, second: Any, nonc: Any) -> Any:
    return _noncentral_chisquare(m, first, nonc) / _chisquare(m, second, 1) * m.as_drawn(second / first)


def _wald(m: Draws, mean: Any, scale: Any) -> Any:
    """Take one root of a quadratic equation or the other (Michael, Schucany and Haas, 1976)."""

    def root(z: Any, factor: Any) -> Any:
        c = factor * z * z
        return 1.0 / (m("sqrt", c) * m("sqrt", c + 2.0) + c + 1.0)

    factor = mean / scale * 0.5
    narrow = root(m.single("normal"), factor.astype(FLOAT32))
    lower = elementary.uniform(m.words(2)) * (narrow + 1.0) <= 1.0
    x = root(m.standard("normal"), factor) if m.wide else narrow
    mean = m.as_drawn(mean)
    return m("where", lower, mean * x, mean / x)


def _vonmises(m: Draws, mu: Any, kappa: Any) -> Any:
    setup, scale = von_mises(m, kappa)
    if m.wide:
        tangent = m.double("cauchy", m.accepted(VON_MISES, setup, word=True), m.words(1))
    else:
        tangent = m.accepted(VON_MISES, setup)
    angle = m("arctan", tangent * m.as_drawn(scale)) * 2.0 + m.as_drawn(mu)
    turn = 6.283185307179586
    return angle - m("floor", angle * (1 / turn) + 0.5) * turn


def _triangular(m: Draws, left: Any, mode: Any, right: Any) -> Any:
    u = m.uniform() if m.wide else elementary.uniform(m.words(0))
    base, rise, fall = (m.as_drawn(item) for item in (right - left, mode - left, right - mode))
    risen = m.as_drawn(left) + m("sqrt", u * base * rise)
    return m("where", u * base <= rise, risen, m.as_drawn(right) - m("sqrt", (1.0 - u) * base * fall))


def _weibull(m: Draws, a: Any) -> Any:
    radius = m.standard("rayleigh")
    order = m.as_drawn(m("maximum", a, _TINY))
    return m("where", a > 0.0, m("power", radius * radius * 0.5, 1.0 / order), 0.0)


def _pareto(m: Draws, a: Any) -> Any:
    return m("expm1", m.standard("exponential") / m.as_drawn(a))


def _power(m: Draws, a: Any) -> Any:
    return m("exp", -m.standard("exponential") / m.as_drawn(a))


FLOATS: Final[Mapping[str, Callable[..., Any]]] = {
    "standard_gamma": _gamma,
    "gamma": _scaled_gamma,
    "chisquare": _chisquare,
    "beta": _beta,
    "f": _f,
    "standard_t": _standard_t,
    "noncentral_chisquare": _noncentral_chisquare,
    "noncentral_f": _noncentral_f,
    "wald": _wald,
    "vonmises": _vonmises,
    "triangular": _triangular,
    "weibull": _weibull,
    "pareto": _pareto,
    "power": _power,
}

# Counts


def _poisson(m: Draws, rate: Any) -> Any:
    mode = m("floor", rate)
    return mode + m.accepted(COUNTED, around(m, rate, [(1.0, mode, rate)])).astype(FLOAT64)


def _binomial(m: Draws, n: Any, p: Any) -> Any:
    mean, other = n * p, n * (1.0 - p)
    mode = m("minimum", m("floor", (n + 1.0) * p), n)
    setup = around(m, mean * (1.0 - p), [(1.0, mode, mean), (-1.0, n - mode, other)])
    return mode + m.accepted(CHOSEN[2], setup).astype(FLOAT64)


def _hypergeometric(m: Draws, good: Any, bad: Any, sample: Any) -> Any:
    total = good + bad
    some = m("maximum", total, 1.0)
    of_good, of_bad = sample * (good / some), sample * (bad / some)
    left = total - sample
    variance = of_good * (bad / some) * (left / m("maximum", total - 1.0, 1.0))
    mode = m("floor", (sample + 1.0) * ((good + 1.0) / (total + 2.0)))
    mode = m("maximum", m("minimum", m("minimum", mode, good), sample), m("maximum", sample - bad, 0.0))
    counts = [
        *((1.0, mode, of_good), (-1.0, good - mode, left * (good / some))),
        *((-1.0, sample - mode, of_bad), (1.0, bad - sample + mode, left * (bad / some))),
    ]
    return mode + m.accepted(CHOSEN[4], around(m, variance, counts)).astype(FLOAT64)


def _negative_binomial(m: Draws, n: Any, p: Any) -> Any:
    narrow = m.of_single()
    return _poisson(m, _gamma(narrow, n).astype(FLOAT64) * ((1.0 - p) / p))


def _spread(m: Draws, x: Any) -> Any:
    """Choose among the whole numbers from one float32 to the next."""
    gap = m("maximum", m("right_shift", m.bits(x), 23).astype(FLOAT32) - 150.0, 0.0)
    below = m.words(6).astype(FLOAT64) * 2.0**-32
    return x.astype(FLOAT64) + m("floor", below * elementary.power_of_two(m, gap).astype(FLOAT64))


def _log_failure(m: Draws, p: Any) -> Any:
    """Take log(1 - p)."""
    small, rest = p < 0.25, (1.0 - p).astype(FLOAT32)
    near = elementary.log1p(m, -m("where", small, p, 0.0).astype(FLOAT32))
    return m("where", small, near, elementary.log(m, m("maximum", rest, _TINY)))


def _geometric(m: Draws, p: Any) -> Any:
    decay = m("maximum", -_log_failure(m, p), _TINY)
    return _spread(m, m("floor", elementary.exponential(m, m.words(0)) / decay) + 1.0)


def _logseries(m: Draws, p: Any) -> Any:
    """Draw a geometric number of a random parameter (Kemp, 1981)."""
    power = _log_failure(m, p) * elementary.uniform(m.words(2))
    q, v = -elementary.expm1(m, power), elementary.uniform(m.words(0))
    rest = elementary.exp(m, power)
    low = rest < 0.5
    decay = m("where", low, elementary.log1p(m, -m("where", low, rest, 0.0)), elementary.log(m, m("maximum", q, _TINY)))
    large = m("floor", elementary.log(m, v) / m("minimum", decay, -_TINY) + 1.0)
    few = m("where", v >= q, 1.0, m("where", v > q * q, 2.0, m("maximum", large, 1.0)))
    return _spread(m, m("where", v >= p.astype(FLOAT32), 1.0, few).astype(FLOAT32))


def _zipf(m: Draws, a: Any) -> Any:
    return m("minimum", _spread(m, m.accepted(ZIPF, zipf(m, a))), 2.0**63 - 1024)


COUNTS: Final[Mapping[str, Callable[..., Any]]] = {
    "poisson": _poisson,
    "binomial": _binomial,
    "hypergeometric": _hypergeometric,
    "negative_binomial": _negative_binomial,
    "geometric": _geometric,
    "logseries": _logseries,
    "zipf": _zipf,
}

# Vectors


def dirichlet(m: Draws, alpha: Any) -> Any:
    """Draw shares: gamma numbers by their sum."""
    factor, rest = _gamma_parts(m, alpha)
    x = factor * m.small_exp(rest - rest.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def width_of_tree(count: int) -> int:
    """Tell how many elements of the stream a vector of so many outcomes takes: the next power of two."""
    return 1 << (count - 1).bit_length()


def _tree(leaves: Any) -> list[Any]:
    """Sum pairs, and pairs of sums, down to one."""
    levels = [leaves]
    while levels[-1].shape[-1] > 1:
        level = levels[-1]
        levels.append(level[..., ::2] + level[..., 1::2])
    return levels[::-1]


def _shared_out(m: Draws, count: Any, levels: list[Any], left: Callable[[Draws, Any, Any, Any], Any]) -> Any:
    """Share a count out among the leaves of a tree, from the root on; the elements of a level follow those of the level above."""
    found = count
    for parents, children in pairwise(levels):
        width = parents.shape[-1]
        first = left(m.of_last_axis(width, 2 * width), found, children[..., ::2], parents)
        pairs = m.concatenate([first[..., None], (found - first)[..., None]])
        found = pairs.reshape(*pairs.shape[:-2], 2 * width)
    return found


def multinomial(m: Draws, n: Any, pvals: Any) -> Any:
    """Draw how often each outcome comes; the probability of the last one is what the others leave."""
    known = pvals[..., :-1]
    count = pvals.shape[-1]
    wide = width_of_tree(count)

    def padded(last: Any) -> Any:
        parts = [known, last, *([m.zeros((*pvals.shape[:-1], wide - count))] if wide > count else [])]
        return m.concatenate(parts)

    total = _tree(padded(m.zeros((*pvals.shape[:-1], 1))))[0]
    levels = _tree(padded(m("maximum", 1.0 - total, 0.0)))

    def left(some: Draws, found: Any, first: Any, parents: Any) -> Any:
        return _binomial(some, found, m("minimum", first / m("maximum", parents, 1e-300), 1.0))

    return _shared_out(m, n[..., None], levels, left)[..., :count]


def multivariate_hypergeometric(m: Draws, colors: Any, sample: Any) -> Any:
    """Draw how many of each kind are in a sample."""
    count = colors.shape[-1]
    wide = width_of_tree(count)
    leaves = m.concatenate([colors, m.zeros((wide - count,))]) if wide > count else colors

    def left(some: Draws, found: Any, first: Any, parents: Any) -> Any:
        return _hypergeometric(some, first, parents - first, found)

    return _shared_out(m, sample[..., None], _tree(leaves), left)[..., :count]
