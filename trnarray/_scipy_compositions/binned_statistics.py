"""Statistics of what falls into each bin, of scipy.stats: sums by bin, and orders within bins, as of labelled elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .measurements import medians
from .objectives import fetched
from .operands import floats, leave_unless, one_of, points_like, xp
from .results import result

__all__ = ["COMPOSITIONS"]

_MOST: Final = 1 << 26
"""Elements of the matrix that says which bin each is in."""
_STATISTICS: Final = ("mean", "count", "sum", "std", "median", "min", "max")


def _edges(x: Any, bins: Any, limits: Any) -> Any:
    """Make the edges of bins: so many of one width, or those that are given."""
    if type(bins) is not int:
        edges = points_like(bins, x)
        leave_unless(edges.ndim == 1 and edges.shape[0] > 1 and bool(xp.all(edges[1:] > edges[:-1])))
        return edges
    leave_unless(bins > 0)
    low, high = fetched(xp.min(x), xp.max(x)) if limits is None else map(float, limits)
    leave_unless(math.isfinite(low) and math.isfinite(high))
    low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
    return xp.linspace(low, high, bins + 1, dtype=x.dtype, device=x.device)


def _binned(samples: list[Any], values: Any, statistic: Any, bins: Any, limits: Any) -> tuple[Any, list[Any], Any]:
    """Compute a statistic by bins of several variables: the statistics, the edges, and the numbers of bins, of which 0 is below all."""
    one_of(statistic, *_STATISTICS)
    made = floats(*samples, *([] if values is None else [values]))
    values = xp.ones_like(made[0]) if values is None else made.pop()
    leave_unless(all(x.ndim == 1 and x.shape == values.shape and 0 < x.shape[0] < 1 << 24 for x in made))
    given = [bins] * len(made) if type(bins) is int or len(made) == 1 else list(bins)
    ranges = [None] * len(made) if limits is None else [limits] if len(made) == 1 and type(limits[0]) in {int, float} else list(limits)
    leave_unless(len(given) == len(ranges) == len(made))
    edges = [_edges(*each) for each in zip(made, given, ranges, strict=True)]
    number: Any = 0
    inside: Any = None
    within: Any = 0
    for x, ends in zip(made, edges, strict=True):
        count = ends.shape[0] - 1
        index = xp.searchsorted(ends, x, side="right")
        place = xp.astype(index, xp.int32) - xp.astype(x == ends[-1], xp.int32)
        number, known = number * (count + 2) + place, (place > 0) & (place <= count)
        inside, within = known if inside is None else inside & known, within * count + xp.clip(place - 1, 0, count - 1)
    number = xp.astype(number, index.dtype)
    shape = tuple([ends.shape[0] - 1 for ends in edges])
    size = math.prod(shape)
    label = xp.where(inside, within, size)  # the last bin is of what is outside
    counts = xp.astype(xp.bincount(label, minlength=size + 1), values.dtype)
    if statistic == "count":
        return counts[:size].reshape(shape), edges, number
    if statistic in {"median", "min", "max"}:
        leave_unless(size * values.shape[0] <= _MOST)
        belongs = label == xp.arange(size, dtype=label.dtype, device=values.device)[:, None]
        if statistic == "median":
            found = medians(values, belongs)
        else:
            found = getattr(xp, statistic)(xp.where(belongs, values, math.inf if statistic == "min" else -math.inf), axis=1)
        return xp.where(counts[:size] > 0, found, math.nan).reshape(shape), edges, number
    values = xp.where(inside, values, 0.0)
    sums = xp.bincount(label, weights=values, minlength=size + 1)
    if statistic != "sum":
        sums = sums / xp.where(counts > 0, counts, math.nan)
    if statistic == "std":
        apart = xp.where(inside, values - xp.take(sums, label), 0.0)
        sums = xp.sqrt(xp.bincount(label, weights=apart * apart, minlength=size + 1) / xp.where(counts > 0, counts, math.nan))
    return xp.astype(sums[:size], values.dtype).reshape(shape), edges, number


def _binned_statistic(x: Any, values: Any, statistic: Any = "mean", bins: Any = 10, range: Any = None) -> Any:
    found, edges, number = _binned([x], None if statistic == "count" else values, statistic, bins, range)
    return result("binned_statistic", found, *edges, number)


def _binned_statistic_2d(
    x: Any, y: Any, values: Any, statistic: Any = "mean", bins: Any = 10, range: Any = None, expand_binnumbers: bool = False
) -> Any:  # fmt: skip
    leave_unless(expand_binnumbers is False)
    found, edges, number = _binned([x, y], None if statistic == "count" else values, statistic, bins, range)
    return result("binned_statistic_2d", found, *edges, number)


def _binned_statistic_dd(
    sample: Any, values: Any, statistic: Any = "mean", bins: Any = 10, range: Any = None, expand_binnumbers: bool = False,
    binned_statistic_result: Any = None,
) -> Any:  # fmt: skip
    leave_unless(expand_binnumbers is False and binned_statistic_result is None and type(sample) is xp.Array and sample.ndim == 2)
    columns = [sample[:, place] for place in np.arange(sample.shape[1]).tolist()]
    leave_unless(0 < len(columns) <= 8)
    found, edges, number = _binned(columns, None if statistic == "count" else values, statistic, bins, range)
    return result("binned_statistic_dd", found, edges, number)


def _sigmaclip(a: Any, low: Any = 4.0, high: Any = 4.0) -> Any:
    """Drop what lies further from the mean than so many standard deviations, until nothing does: a number is fetched in each turn."""
    leave_unless(all(type(each) in {int, float} for each in (low, high)))
    (x,) = floats(a)
    x = x.reshape((-1,))
    leave_unless(x.shape[0] > 0)
    while True:
        mean, spread = xp.mean(x), xp.std(x)
        least, most = mean - spread * float(low), mean + spread * float(high)
        kept = x[(x >= least) & (x <= most)]
        if kept.shape[0] == x.shape[0] or not kept.shape[0]:
            return result("sigmaclip", kept, least, most)
        x = kept


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "binned_statistic": _binned_statistic,
    "binned_statistic_2d": _binned_statistic_2d,
    "binned_statistic_dd": _binned_statistic_dd,
    "sigmaclip": _sigmaclip,
}
"""Functions of scipy.stats."""
