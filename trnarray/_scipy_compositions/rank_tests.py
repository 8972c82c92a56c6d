"""
Signs, orders and ranks of samples of scipy.stats: Kendall's, Wilcoxon's and Mood's tests, slopes by medians, and the commonest value.

Of small samples without ties probabilities are exact: the statistic, an integer, is fetched, and the orders that give less are counted by
recurrence. Those of others are of the normal distribution. All pairs of a sample are compared at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any, Final

from .hypothesis_tests import SIDES, of_z, ranked
from .objectives import fetched
from .operands import along, leave_unless, one_of, xp
from .results import result

__all__ = ["COMPOSITIONS", "single"]

_MOST_PAIRED: Final = 4096
"""Elements of a sample whose pairs are compared: their counts are exact in float32."""
_MOST_SORTED: Final = 1024
"""Points whose slopes are sorted."""
_EXACT: Final = 50
"""Differences of a signed-rank test with an exact probability."""


def single(*items: Any, least: int = 1, most: int = 1 << 23, **options: Any) -> list[Any]:
    """Make samples of one axis."""
    made, _ = along(*items, least=least, **options)
    leave_unless(all(x.ndim == 1 and x.shape[0] < most for x in made) and not options.get("keepdims"))
    return made


def _rankdata(a: Any, method: str = "average", *, axis: Any = None, nan_policy: str = "propagate") -> Any:
    one_of(method, "average", "min", "max", "dense", "ordinal")
    (x,), _ = along(a, axis=axis, nan_policy=nan_policy)
    leave_unless(x.ndim == 1 and x.shape[0] < 1 << 23)
    shape = x.shape if axis is not None else xp.asarray(a, device=x.device).shape
    if method == "average":
        return xp.where(xp.any(xp.isnan(x)), math.nan, ranked(x)[0]).reshape(shape)
    leave_unless(not bool(xp.any(xp.isnan(x))))
    ordered = xp.sort(x)
    if method == "ordinal":
        found = xp.argsort(xp.argsort(x, stable=True)) + 1
    elif method == "dense":
        steps = xp.cumsum(xp.concatenate([xp.ones_like(ordered[:1]), xp.astype(ordered[1:] != ordered[:-1], x.dtype)]))
        found = xp.take(steps, xp.searchsorted(ordered, x))
    else:
        found = xp.searchsorted(ordered, x, side="left" if method == "min" else "right") + (method == "min")
    return xp.astype(found, x.dtype).reshape(shape)


def _inversions(n: int, most: int) -> float:
    """Find the share of orders of n elements that have at most so many pairs in the wrong order."""
    counts = [1] + [0] * most
    for j in range(2, n + 1):
        sums = [0]
        for each in counts:
            sums.append(sums[-1] + each)
        counts = [sums[k + 1] - sums[max(0, k + 1 - j)] for k in range(most + 1)]
    return sum(counts) / math.factorial(n)


def _kendalltau(
    x: Any, y: Any, *, nan_policy: str = "propagate", method: str = "auto", variant: str = "b", alternative: str = "two-sided",
    axis: Any = None, keepdims: bool = False,
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    one_of(method, "auto", "exact", "asymptotic")
    leave_unless(variant == "b")
    a, b = single(x, y, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=3, most=_MOST_PAIRED + 1)
    leave_unless(a.shape == b.shape)
    n = a.shape[0]
    signs = [xp.sign(z[:, None] - z[None, :]) for z in (a, b)]
    both, *apart = [xp.sum(p * q) / 2.0 for p, q in ((signs[0], signs[1]), (signs[0], signs[0]), (signs[1], signs[1]))]
    tau = xp.clip(both / xp.sqrt(apart[0]) / xp.sqrt(apart[1]), -1.0, 1.0)  # NaN of constants and of NaN
    pairs = n * (n - 1) // 2
    if method != "asymptotic":
        difference, *untied = fetched(both, *apart)
        known = not math.isnan(difference) and untied == [pairs, pairs]
        wrong = (pairs - int(difference)) // 2 if known else 0
        exact = known and (n <= 33 or min(wrong, pairs - wrong) <= 1)
        leave_unless(method == "auto" or exact)
        if exact:
            few = min(wrong, pairs - wrong)
            if alternative == "two-sided":
                p = min(1.0, 2.0 * _inversions(n, few))
            else:
                less = wrong if alternative == "greater" else pairs - wrong
                p = _inversions(n, less) if less == few else 1.0 - (_inversions(n, few - 1) if few else 0.0)
            return result("kendalltau", tau, xp.full_like(tau, p), correlation=tau)
    ties = [ranked(z)[1] for z in (a, b)]
    zeros = [xp.sum((t - 1.0) * (t - 2.0)) for t in ties]
    ones = [xp.sum((t - 1.0) * (2.0 * t + 5.0)) for t in ties]
    m = n * (n - 1.0)
    missing = [pairs - each for each in apart]
    spread = (m * (2.0 * n + 5.0) - ones[0] - ones[1]) / 18.0
    spread = spread + 2.0 * missing[0] * missing[1] / m + zeros[0] * zeros[1] / (9.0 * m * (n - 2.0))
    p = xp.where(xp.isnan(tau), math.nan, of_z(both / xp.sqrt(spread), alternative))
    return result("kendalltau", tau, p, correlation=tau)


def _signed_ranks(n: int) -> list[int]:
    """Count the choices of signs that give each sum of positive ranks."""
    counts = [1]
    for k in range(1, n + 1):
        counts = [a + b for a, b in zip(counts + [0] * k, [0] * k + counts, strict=True)]
    return counts


def _wilcoxon(
    x: Any, y: Any = None, zero_method: str = "wilcox", correction: bool = False, alternative: str = "two-sided", method: Any = "auto", *,
    axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    one_of(zero_method, "wilcox", "pratt", "zsplit")
    one_of(method, "auto", "asymptotic")
    leave_unless(type(correction) is bool)
    made = single(x, *([] if y is None else [y]), axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    leave_unless(all(z.shape == made[0].shape for z in made))
    d = made[0] if y is None else made[0] - made[1]
    n = d.shape[0]
    zero = d == 0
    rank, ties = ranked(xp.abs(d))
    none = xp.sum(xp.astype(zero, d.dtype))
    if zero_method == "wilcox":
        rank = rank - none
    above = xp.sum(xp.sign(d) * rank) / 2.0  # of the sum of positive ranks over its mean
    more = xp.where(zero, 0.0, ties * ties - 1.0) if zero_method != "zsplit" else ties * ties - 1.0
    lost = xp.any(xp.isnan(d))
    count = n - none if zero_method == "wilcox" else n + xp.zeros_like(none)
    mean, spread = count * (count + 1.0) / 4.0, count * (count + 1.0) * (2.0 * count + 1.0)
    if zero_method == "pratt":
        mean, spread = mean - none * (none + 1.0) / 4.0, spread - none * (none + 1.0) * (2.0 * none + 1.0)
    positive = mean + above
    statistic = xp.where(lost, math.nan, mean - xp.abs(above) if alternative == "two-sided" else positive)
    if method == "auto" and n <= _EXACT:
        tied, sum_of_positive = fetched(xp.sum(ties) - n + none, positive)
        leave_unless(tied == 0)  # what SciPy does then depends on its version
        counts, k = _signed_ranks(n), round(sum_of_positive)
        less, greater = [sum(part) / 2**n for part in (counts[: k + 1], counts[k:])]
        p = {"less": less, "greater": greater}.get(alternative, min(1.0, 2.0 * min(less, greater)))
        return result("wilcoxon", statistic, xp.full_like(statistic, p))
    error = xp.sqrt((spread - xp.sum(more) / 2.0) / 24.0)
    if correction:
        above = above - 0.5 * {"greater": 1.0, "less": -1.0}.get(alternative, xp.sign(above))
    z = xp.where(lost, math.nan, above / error)
    return result("wilcoxon", statistic, of_z(z, alternative), **({} if method == "auto" else {"zstatistic": z}))


def _mood(
    x: Any, y: Any, axis: Any = 0, alternative: str = "two-sided", *, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:  # fmt: skip
    one_of(alternative, *SIDES)
    a, b = single(x, y, axis=axis, nan_policy=nan_policy, keepdims=keepdims, least=2)
    m, n = a.shape[0], b.shape[0]
    total = m + n
    rank, ties = ranked(xp.concatenate([a, b]))
    leave_unless(total < 1 << 16 and not bool(xp.any(ties > 1)))
    expected = (total * total - 1.0) / 12.0
    above = xp.sum(xp.square(rank[:m] - (total + 1.0) / 2.0) - expected)  # each less its mean, which would cancel
    z = above / math.sqrt(m * n * (total + 1.0) * (total**2 - 4.0) / 180.0)
    z = xp.where(xp.any(xp.isnan(a)) | xp.any(xp.isnan(b)), math.nan, z)
    return result("mood", z, of_z(z, alternative))


def _theilslopes(
    y: Any, x: Any = None, alpha: Any = 0.95, method: str = "separate", *, axis: Any = None, nan_policy: str = "propagate"
) -> Any:  # fmt: skip
    """Take the median of the slopes of all pairs, and those around it by the spread of Kendall's statistic (Sen 1968)."""
    one_of(method, "separate", "joint")
    leave_unless(type(alpha) is float and 0 < alpha < 1)
    b, *known = single(y, *([] if x is None else [x]), axis=axis, nan_policy=nan_policy, least=3, most=_MOST_SORTED + 1)
    n = b.shape[0]
    a = known[0] if known else xp.arange(n, dtype=b.dtype, device=b.device)
    leave_unless(a.shape == b.shape)
    ties = ranked(b)[1]
    doubled, varied, finite = fetched(
        xp.sum(xp.astype(ranked(a)[1] > 1, a.dtype)), xp.sum((ties - 1.0) * (2.0 * ties + 5.0)),
        xp.astype(xp.all(xp.isfinite(a)) & xp.all(xp.isfinite(b)), a.dtype),
    )  # fmt: skip
    leave_unless(doubled == 0 and finite == 1)
    order = xp.argsort(a)
    a, b = xp.take(a, order), xp.take(b, order)
    slopes = xp.sort(xp.concatenate([(b[shift:] - b[:-shift]) / (a[shift:] - a[:-shift]) for shift in range(1, n)]))
    slope = xp.median(slopes)
    intercept = xp.median(b) - slope * xp.median(a) if method == "separate" else xp.median(b - slope * a)
    reach = -NormalDist().inv_cdf(min(alpha, 1.0 - alpha) / 2.0) * math.sqrt((n * (n - 1.0) * (2.0 * n + 5.0) - varied) / 18.0)
    pairs = n * (n - 1) / 2.0
    high = min(round((pairs + reach) / 2.0), slopes.shape[0] - 1)
    low = max(round((pairs - reach) / 2.0) - 1, 0)
    return result("theilslopes", slope, intercept, slopes[low], slopes[high])


def _mode(a: Any, axis: Any = 0, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    leave_unless(type(a) is xp.Array and a.dtype.kind in "fiu")
    x = a
    if a.dtype.kind == "f":
        (x,) = single(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
        leave_unless(not bool(xp.any(xp.isnan(x))))
    else:  # integers stay integers
        leave_unless(nan_policy == "propagate" and not keepdims and (axis is None or (type(axis) is int and a.ndim == 1)) and a.size > 0)
        x = a.reshape((-1,))
    ordered = xp.sort(x)
    counts = xp.searchsorted(ordered, ordered, side="right") - xp.searchsorted(ordered, ordered, side="left")
    first = xp.argmax(counts)
    return result("mode", ordered[first], counts[first])


def _false_discovery(ps: Any, *, axis: Any = 0, method: str = "bh") -> Any:
    one_of(method, "bh", "by")
    (p,), axis = along(ps, axis=axis)
    count = p.shape[axis]
    leave_unless(count > 1 and bool(xp.all((p >= 0) & (p <= 1))))
    rows = xp.moveaxis(p, axis, -1)
    order = xp.argsort(rows, axis=-1)
    places = xp.arange(1, count + 1, dtype=p.dtype, device=p.device)
    factor = 1.0 if method == "bh" else math.fsum(1.0 / k for k in range(1, count + 1))
    found = xp.take_along_axis(rows, order, axis=-1) * (count * factor / places)
    found = xp.minimum.accumulate(found[..., ::-1], axis=-1)[..., ::-1]
    found = xp.take_along_axis(found, xp.argsort(order, axis=-1), axis=-1)
    return xp.moveaxis(xp.clip(found, 0.0, 1.0), -1, axis)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "false_discovery_control": _false_discovery,
    "kendalltau": _kendalltau,
    "mode": _mode,
    "mood": _mood,
    "rankdata": _rankdata,
    "theilslopes": _theilslopes,
    "wilcoxon": _wilcoxon,
}
"""Functions of scipy.stats."""
