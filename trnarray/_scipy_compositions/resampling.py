"""
Resampling methods of scipy.stats: statistics of many samples at once, on the device.

Which observations a resample has, SciPy says: its own function is run on their numbers, on the host, with a statistic that notes them. So
the resamples are SciPy's for the same generator, and all else is computed on the device. A statistic that takes no axis, and tests of many
axes, are SciPy's.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ..backends.policy import count_transfer
from .operands import floats, leave_unless, one_of, xp
from .results import kind_of

__all__ = ["COMPOSITIONS"]

special: Final[Any] = xp.scipy.special
_SIDES: Final = ("two-sided", "less", "greater")
_MOST: Final = 1 << 26
_MOST_LEFT: Final = 8192
"""Observations that are left out one by one."""


class _Interval(NamedTuple):
    low: Any
    high: Any


def _samples(data: Any, statistic: Any, vectorized: Any, axis: Any) -> list[Any]:
    """Take samples of one axis, and a statistic of an axis."""
    leave_unless(type(data) in {tuple, list} and len(data) > 0 and axis in {0, -1} and callable(statistic))
    if vectorized is None:
        try:
            vectorized = "axis" in inspect.signature(statistic).parameters
        except (TypeError, ValueError):
            vectorized = False
    leave_unless(vectorized is True)
    made = floats(*data)
    leave_unless(all(x.ndim == 1 and x.shape[0] > 1 for x in made))
    return made


def _noted(name: str, made: list[Any], *, batch: Any, **options: Any) -> list[Any]:
    """Have SciPy choose observations: one array of numbers of observations, by resample, for each sample."""
    import scipy.stats

    found: list[tuple[Any, ...]] = []

    def note(*numbers: Any, axis: int = -1) -> Any:
        if numbers[0].ndim > 1:
            found.append(tuple([np.moveaxis(each, axis, -1).reshape(-1, each.shape[axis]) for each in numbers]))
        return np.zeros(np.delete(numbers[0].shape, axis))

    ends = np.cumsum([0, *(x.shape[0] for x in made)])
    numbers = tuple([np.arange(low, high) for low, high in itertools.pairwise(ends)])
    known = inspect.signature(getattr(scipy.stats, name)).parameters
    options = {("random_state" if key == "rng" and "rng" not in known else key): item for key, item in options.items() if item is not None}
    getattr(scipy.stats, name)(numbers, note, vectorized=True, batch=batch, axis=-1, **options)
    leave_unless(bool(found))
    return [np.concatenate([row[place] for row in found]) for place in range(len(found[0]))]


def _resampled(made: list[Any], statistic: Callable[..., Any], numbers: list[Any]) -> Any:
    """Compute a statistic of all resamples."""
    leave_unless(sum(each.size for each in numbers) <= _MOST)
    pooled = xp.concatenate(made)
    chosen = []
    for each in numbers:
        index = each.astype(np.int32)
        count_transfer(index.nbytes)
        chosen.append(xp.take(pooled, xp.asarray(index, device=pooled.device)))
    found = statistic(*chosen, axis=-1)
    leave_unless(type(found) is xp.Array and found.shape == chosen[0].shape[:-1])
    return found


def _quantiles(ordered: Any, q: Any) -> Any:
    """Interpolate between ordered numbers, as NumPy's percentiles do."""
    last = ordered.shape[0] - 1
    place = xp.clip(q, 0.0, 1.0) * last
    low = xp.floor(place)
    index = xp.astype(xp.where(xp.isnan(low), 0.0, low), xp.int32)
    below, above = xp.take(ordered, index), xp.take(ordered, xp.minimum(index + 1, last))
    return below + (above - below) * (place - low)


def _accelerated(made: list[Any], statistic: Callable[..., Any], observed: Any, found: Any, alpha: float, paired: bool) -> Any:
    """Correct the probabilities of quantiles for bias, and for skewness by a jackknife of each sample (B. Efron, 1987)."""
    x, count = made[0], found.shape[0]
    below = (xp.sum(xp.astype(found < observed, x.dtype)) + xp.sum(xp.astype(found <= observed, x.dtype))) / (2.0 * count)
    bias = special.ndtri(below)
    ends = np.cumsum([0, *(each.shape[0] for each in made)])
    cubes: Any = 0.0
    squares: Any = 0.0
    for place in range(1 if paired else len(made)):
        n = made[place].shape[0]
        rest = np.delete(np.tile(np.arange(n), (n, 1)), np.arange(n) * (n + 1)).reshape(n, n - 1)
        whole = [np.broadcast_to(np.arange(low, high), (n, high - low)) for low, high in itertools.pairwise(ends)]
        left = _resampled(made, statistic, [rest + ends[other] if paired or other == place else each for other, each in enumerate(whole)])
        apart = (xp.mean(left) - left) * (n - 1.0)
        cubes, squares = cubes + xp.sum(apart**3) / n**3, squares + xp.sum(apart * apart) / n**2
    skew = cubes / (6.0 * squares**1.5)
    z = bias + special.ndtri(xp.asarray([alpha, 1.0 - alpha], dtype=x.dtype, device=x.device))
    return special.ndtr(bias + z / (1.0 - skew * z))


def _bootstrap(
    data: Any, statistic: Callable[..., Any], *, n_resamples: int = 9999, batch: Any = None, vectorized: Any = None, paired: bool = False,
    axis: int = 0, confidence_level: float = 0.95, alternative: str = "two-sided", method: str = "BCa", bootstrap_result: Any = None,
    rng: Any = None, random_state: Any = None,
) -> Any:  # fmt: skip
    one_of(alternative, *_SIDES)
    leave_unless(method in {"BCa", "percentile", "basic"} and bootstrap_result is None and type(n_resamples) is int and n_resamples > 0)
    made = _samples(data, statistic, vectorized, axis)
    leave_unless(method != "BCa" or sum(x.shape[0] for x in made) <= _MOST_LEFT)
    numbers = _noted("bootstrap", made, batch=batch, n_resamples=n_resamples, paired=paired, method="percentile",
                     rng=random_state if rng is None else rng)  # fmt: skip
    observed = statistic(*made, axis=-1)
    found = _resampled(made, statistic, numbers)
    alpha = (1.0 - confidence_level) / (2.0 if alternative == "two-sided" else 1.0)
    if method == "BCa":
        q = _accelerated(made, statistic, observed, found, alpha, paired)
    else:
        q = xp.asarray([alpha, 1.0 - alpha], dtype=found.dtype, device=found.device)
    ends = _quantiles(xp.sort(found), q)
    low, high = (2.0 * observed - ends[1], 2.0 * observed - ends[0]) if method == "basic" else (ends[0], ends[1])
    wide = xp.full_like(low, math.inf)
    interval = _Interval(-wide if alternative == "less" else low, wide if alternative == "greater" else high)
    return kind_of("bootstrap")(interval, found, xp.std(found, ddof=1))


def _probability(found: Any, observed: Any, alternative: str, more: int) -> Any:
    """Count resamples that are at least as extreme, within some roundings."""
    apart = xp.abs(observed) * (100.0 * float(xp.finfo(observed.dtype).eps))
    below = (xp.sum(xp.astype(found <= observed + apart, found.dtype)) + more) / float(found.shape[0] + more)
    above = (xp.sum(xp.astype(found >= observed - apart, found.dtype)) + more) / float(found.shape[0] + more)
    if alternative == "two-sided":
        return xp.minimum(2.0 * xp.minimum(below, above), 1.0)
    return below if alternative == "less" else above


def _permutation_test(
    data: Any, statistic: Callable[..., Any], *, permutation_type: str = "independent", vectorized: Any = None, n_resamples: Any = 9999,
    batch: Any = None, alternative: str = "two-sided", axis: int = 0, rng: Any = None, random_state: Any = None,
) -> Any:  # fmt: skip
    one_of(alternative, *_SIDES)
    one_of(permutation_type, "independent", "samples", "pairings")
    made = _samples(data, statistic, vectorized, axis)
    lengths = [x.shape[0] for x in made]
    if permutation_type == "independent":
        leave_unless(len(made) > 1)
        most = math.factorial(sum(lengths)) // math.prod(map(math.factorial, lengths))
    else:
        leave_unless(len(set(lengths)) == 1 and (len(made) > 1 or permutation_type == "samples"))
        most = math.factorial(len(made)) ** lengths[0] if permutation_type == "samples" else math.factorial(lengths[0]) ** len(made)
        leave_unless(len(made) > 1)
    numbers = _noted("permutation_test", made, batch=batch, permutation_type=permutation_type, n_resamples=n_resamples,
                     rng=random_state if rng is None else rng)  # fmt: skip
    observed, found = statistic(*made, axis=-1), _resampled(made, statistic, numbers)
    more = 0 if n_resamples >= most else 1
    return kind_of("permutation_test")(observed, _probability(found, observed, alternative, more), found)


def _monte_carlo_test(
    data: Any, rvs: Any, statistic: Callable[..., Any], *, vectorized: Any = None, n_resamples: int = 9999, batch: Any = None,
    alternative: str = "two-sided", axis: int = 0,
) -> Any:  # fmt: skip
    one_of(alternative, *_SIDES)
    several = type(data) in {tuple, list} and type(rvs) in {tuple, list}
    made = _samples(data if several else (data,), statistic, vectorized, axis)
    makers = [*rvs] if several else [rvs]
    leave_unless(len(makers) == len(made) and all(map(callable, makers)) and type(n_resamples) is int and n_resamples > 0)
    observed, parts = statistic(*made, axis=-1), []
    for first in range(0, n_resamples, batch or n_resamples):
        count = min(batch or n_resamples, n_resamples - first)
        drawn = [xp.asarray(maker(size=(count, x.shape[0])), dtype=x.dtype, device=x.device) for maker, x in zip(makers, made, strict=True)]
        parts.append(statistic(*drawn, axis=-1))
    found = xp.concatenate(parts) if len(parts) > 1 else parts[0]
    leave_unless(type(found) is xp.Array and found.shape == (n_resamples,))
    return kind_of("monte_carlo_test")(observed, _probability(found, observed, alternative, 1), found)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "bootstrap": _bootstrap,
    "monte_carlo_test": _monte_carlo_test,
    "permutation_test": _permutation_test,
}
"""Functions of scipy.stats."""
