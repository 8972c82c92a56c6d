"""Distributions of counts as thresholds: how many of them a number of 32 random bits is not below."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from math import ceil, floor, isfinite, log1p, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Thresholds", "thresholds", "thresholds_of"]

_WIDEST: Final = 1 << 16
_SPREAD: Final = 40  # standard deviations on either side, beyond which tails of exponentials are below 2**-32


class Thresholds(NamedTuple):
    """
    A distribution of counts.

    Attributes
    ----------
    first : int
        The count of numbers that are below all thresholds.
    values : array of uint32
        In order; each is a probability times 2**32, rounded.
    """

    first: int
    values: npt.NDArray[np.uint32]


class _Counts(NamedTuple):
    """Mean and variance, the least and the largest count, and the probabilities of counts up to each of some consecutive ones."""

    mean: float
    variance: float
    least: float
    most: float
    cumulative: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]


def _special() -> Any:
    from scipy import special  # imported where a distribution needs it

    return special


def _poisson(rate: float) -> _Counts:
    return _Counts(rate, rate, 0, np.inf, lambda k: _special().pdtr(k, rate))


def _binomial(n: int, p: float) -> _Counts:
    return _Counts(n * p, n * p * (1 - p), 0, n, lambda k: np.where(k >= n, 1.0, _special().betainc(np.maximum(n - k, 1), k + 1, 1 - p)))


def _negative_binomial(n: float, p: float) -> _Counts:
    return _Counts(n * (1 - p) / p, n * (1 - p) / p**2, 0, np.inf, lambda k: _special().betainc(n, k + 1, p))


def _geometric(p: float) -> _Counts:
    return _Counts(1 / p, (1 - p) / p**2, 1, np.inf, lambda k: np.ones(len(k)) if p == 1 else -np.expm1(k * log1p(-p)))


def _hypergeometric(good: int, bad: int, sample: int) -> _Counts:
    total = good + bad
    mean = sample * good / total if total else 0.0
    variance = mean * (bad / total) * (total - sample) / (total - 1) if total > 1 else 0.0

    def cumulative(k: npt.NDArray[Any]) -> npt.NDArray[Any]:
        def ways(n: Any, some: Any) -> Any:
            return -_special().betaln(n - some + 1, some + 1) - np.log(n + 1)

        chance = np.exp(ways(good, k) + ways(bad, sample - k) - ways(total, sample))
        return np.asarray(np.cumsum(chance) / np.sum(chance))

    return _Counts(mean, variance, max(0, sample - bad), min(good, sample), cumulative)


def _logseries(p: float) -> _Counts:
    norm = -1 / log1p(-p) if p else 1.0
    mean = norm * p / (1 - p) if p else 1.0
    variance = norm * p / (1 - p) ** 2 if p else 0.0
    return _Counts(mean, variance, 1, np.inf, lambda k: np.cumsum(norm * p**k / k) if p else np.ones(len(k)))


_DISTRIBUTIONS: Final[dict[str, Callable[..., _Counts]]] = {
    "poisson": _poisson,
    "binomial": _binomial,
    "negative_binomial": _negative_binomial,
    "geometric": _geometric,
    "hypergeometric": _hypergeometric,
    "logseries": _logseries,
}


@lru_cache(64)
def thresholds(name: str, *parameters: Hashable) -> Thresholds | None:
    """
    Make the thresholds of a distribution; None for one that has too many, or that there are none of.

    Examples
    --------
    >>> thresholds("binomial", 2, 0.5)
    Thresholds(first=0, values=array([1073741824, 3221225472], dtype=uint32))
    """
    make = _DISTRIBUTIONS.get(name)
    if make is None:
        return None
    mean, variance, least, most, cumulative = make(*parameters)
    if not isfinite(mean) or not isfinite(variance):
        return None
    reach = _SPREAD * sqrt(variance) + _SPREAD
    if name in ("poisson", "binomial", "hypergeometric"):  # of tails that fall faster
        reach = 8 * sqrt(variance) + _SPREAD
    if name in ("hypergeometric", "logseries"):  # which are summed from the first one on
        begin, end = int(least), int(min(most, ceil(mean + reach)))
    else:
        begin, end = int(max(least, floor(mean - reach))), int(min(most, ceil(mean + reach)))
    if end - begin >= _WIDEST:
        return None
    return thresholds_of(np.asarray(cumulative(np.arange(begin, end + 1, dtype=np.float64))), begin)


def thresholds_of(cumulative: npt.NDArray[Any], first: int = 0) -> Thresholds:
    """Make the thresholds of counts whose cumulative probabilities are given."""
    scaled = np.rint(cumulative * 2.0**32)
    values = scaled[scaled < 2.0**32].astype(np.uint32)
    values.flags.writeable = False
    return Thresholds(first, values)
