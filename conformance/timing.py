"""Times of calls beside each other: the machine changes its speed, so that calls take turns."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from timeit import Timer
from typing import Any, Final, NamedTuple

__all__ = ["Excess", "excess", "medians"]

_RUN: Final = 1e-3  # seconds that one run should take at least
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

    Parameters
    ----------
    base, other : callable
        The calls.
    runs : int
        How often each is timed, a millisecond at least.

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
    times = _times(first, second, runs, number)
    differences = [after - before for before, after in zip(*times, strict=True)]
    middle = statistics.median(differences)
    deviation = statistics.median(abs(difference - middle) for difference in differences)
    return Excess(statistics.median(times[0]), middle, _NORMAL * deviation / math.sqrt(runs))


def _times(first: Timer, second: Timer, runs: int, number: int) -> tuple[list[float], list[float]]:
    """Time two statements in turns, in seconds for one execution."""
    timers = (first, second)
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(2 * runs):
        which = (turn + turn // 2) % 2  # which of the two goes first alternates
        times[which].append(timers[which].timeit(number) / number)
    return times
