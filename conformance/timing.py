"""Times of calls beside each other: the machine changes its speed, so that calls take turns."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from timeit import Timer
from typing import Any, Final, NamedTuple

__all__ = ["Excess", "excess", "medians"]

_RUN: Final = 5e-5  # seconds that one run should take at least: so few are interrupted
_KEPT: Final = 3  # one round in so many counts: those in which the machine was fastest
_ERROR: Final = 1.5e-7  # the standard error that is small enough
_NORMAL: Final = 1.4826 * math.sqrt(math.pi / 2)  # from the median of deviations to the standard error of a median, times sqrt(n)


def medians(first: Timer, second: Timer, runs: int, number: int) -> tuple[float, float]:
    """
    Time two statements in turns.

    Examples
    --------
    >>> first, second = medians(Timer("1 + 1"), Timer("sum(range(1000))"), 5, 100)
    >>> first < second
    True
    """
    before, after = zip(*_pairs(first, second, runs, number), strict=True)
    return statistics.median(before), statistics.median(after)


class Excess(NamedTuple):
    """
    How much longer one call takes than another.

    Attributes
    ----------
    base : float
        The median time of the other, in seconds.
    excess : float
        The median of the differences, in seconds.
    error : float
        Its standard error.
    reference : float
        The median time that a loop of fixed work took meanwhile, in seconds: large where the machine was slow.
    """

    base: float
    excess: float
    error: float
    reference: float

    def at_speed(self, reference: float) -> Excess:
        """
        Convert to another speed of the machine.

        Examples
        --------
        >>> Excess(8e-6, 4e-6, 1e-6, 2e-5).at_speed(1e-5)
        Excess(base=4e-06, excess=2e-06, error=5e-07, reference=1e-05)
        """
        speed = reference / self.reference
        return Excess(self.base * speed, self.excess * speed, self.error * speed, reference)


def excess(base: Callable[[], Any], other: Callable[[], Any], runs: int, seconds: float = 1.0) -> Excess:
    """
    Measure how much longer a call takes than another.

    A round times a loop of fixed work and both calls, which take turns in going first. The third of the rounds counts that took least
    time as a whole, for what else the machine does makes both calls slower, and their difference larger; choosing by the whole favours
    neither call. Rounds are made until the standard error is below 0.15 microseconds, or the time is over.

    Examples
    --------
    >>> excess(lambda: 0, lambda: sum(range(1000)), 5).excess > 0
    True
    """
    first, second, work = Timer(base), Timer(other), Timer(_fixed_work)
    first.timeit(3)
    second.timeit(3)  # caches are filled
    number = max(1, math.ceil(_RUN / (first.timeit(3) / 3)))
    rounds: list[tuple[float, float, float]] = []
    end = perf_counter() + seconds
    while True:
        rounds += [(before, after, work.timeit(1)) for before, after in _pairs(first, second, runs, number)]
        rounds.sort(key=lambda times: number * (times[0] + times[1]) + times[2])
        found = _excess(rounds[: math.ceil(len(rounds) / _KEPT)])
        if found.error < _ERROR or perf_counter() > end:
            return found


def _excess(rounds: Sequence[tuple[float, float, float]]) -> Excess:
    """Estimate the difference of the times in rounds."""
    differences = [after - before for before, after, _ in rounds]
    middle = statistics.median(differences)
    deviation = statistics.median(abs(difference - middle) for difference in differences)
    error = _NORMAL * deviation / math.sqrt(len(rounds))
    return Excess(statistics.median(before for before, _, _ in rounds), middle, error, statistics.median(work for _, _, work in rounds))


def _fixed_work() -> int:
    """Do what depends on nothing but the machine's speed: about 20 microseconds of Python."""
    return sum([number & 3 for number in range(400)])


def _pairs(first: Timer, second: Timer, runs: int, number: int) -> Iterator[tuple[float, float]]:
    """Time two statements in turns, in seconds for one execution."""
    for turn in range(runs):
        if turn % 2:  # which of the two goes first alternates
            after = second.timeit(number)
            before = first.timeit(number)
        else:
            before = first.timeit(number)
            after = second.timeit(number)
        yield before / number, after / number
