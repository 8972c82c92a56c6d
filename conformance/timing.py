"""Times of calls beside each other: the machine changes its speed, so that calls take turns."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from timeit import Timer
from typing import Any, Final, NamedTuple

__all__ = ["Excess", "excess", "medians"]

_RUN: Final = 3e-4  # seconds that one run should take at least: few of them are interrupted
_KEPT: Final = 3  # one run in so many counts: those in which the machine was fastest
_ERROR: Final = 2e-7  # the standard error that is small enough
_BATCHES: Final = 12  # of runs, at most
_NORMAL: Final = 1.4826 * math.sqrt(math.pi / 2)  # from the median of deviations to the standard error of a median, times sqrt(n)


def medians(first: Timer, second: Timer, runs: int, number: int) -> tuple[float, float]:
    """
    Time two statements in turns.

    Parameters
    ----------
    first, second : Timer
        The statements.
    runs : int
        How often each is timed.
    number : int
        How often it is executed each time.

    Returns
    -------
    tuple of float
        The median of each, in seconds for one execution.

    Examples
    --------
    >>> first, second = medians(Timer("1 + 1"), Timer("sum(range(1000))"), 5, 100)
    >>> first < second
    True
    """
    times = _times(first, second, runs, number)
    return statistics.median(times[0]), statistics.median(times[1])


class Excess(NamedTuple):
    """
    How much longer one call takes than another.

    Attributes
    ----------
    base : float
        The median time of the other, in seconds.
    excess : float
        The median of the differences of neighbouring runs, in seconds.
    error : float
        Its standard error.
    """

    base: float
    excess: float
    error: float


def excess(base: Callable[[], Any], other: Callable[[], Any], runs: int) -> Excess:
    """
    Measure how much longer a call takes than another.

    Runs of the two take turns, and a run beside one of the other is a pair. The third of the pairs counts that took least time as a
    whole: where the machine was slow or did something else, both calls are slower and so is their difference. To choose pairs by
    their sums favours neither call. Batches of pairs are added until the standard error is below 0.2 microseconds, twelve at most.

    Parameters
    ----------
    base, other : callable
        The calls.
    runs : int
        How many pairs a batch has; each run takes 0.3 ms at least.

    Returns
    -------
    Excess
        The times.

    Examples
    --------
    >>> excess(lambda: 0, lambda: sum(range(1000)), 5).excess > 0
    True
    """
    first, second = Timer(base), Timer(other)
    first.timeit(3)
    second.timeit(3)  # caches are filled
    number = max(1, math.ceil(_RUN / (first.timeit(3) / 3)))
    pairs: list[tuple[float, float]] = []
    for _ in range(_BATCHES):
        pairs += zip(*_times(first, second, runs, number), strict=True)
        found = _excess(sorted(pairs, key=sum)[: math.ceil(len(pairs) / _KEPT)])
        if found.error < _ERROR:
            break
    return found


def _excess(pairs: Sequence[tuple[float, float]]) -> Excess:
    """Estimate the difference of the times in pairs."""
    differences = [after - before for before, after in pairs]
    middle = statistics.median(differences)
    deviation = statistics.median(abs(difference - middle) for difference in differences)
    return Excess(statistics.median(before for before, _ in pairs), middle, _NORMAL * deviation / math.sqrt(len(pairs)))


def _times(first: Timer, second: Timer, runs: int, number: int) -> tuple[list[float], list[float]]:
    """Time two statements in turns, in seconds for one execution."""
    timers = (first, second)
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(2 * runs):
        which = (turn + turn // 2) % 2  # which of the two goes first alternates
        times[which].append(timers[which].timeit(number) / number)
    return times
