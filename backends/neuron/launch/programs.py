"""The programs that a launcher has made, by plan."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["ProgramCache", "Statistics"]

_Program = TypeVar("_Program")


@dataclass(slots=True)
class Statistics:
    """
    What a cache was asked.

    Attributes
    ----------
    hits, misses : int
        Launches whose program was there, and whose was not.
    evicted : int
        Programs that were given up for others.
    """

    hits: int = 0
    misses: int = 0
    evicted: int = 0


class ProgramCache(Generic[_Program]):
    """
    Programs by plan, of which those that were not used for longest are given up.

    Not for several threads at once: launchers are called under the lock of their device.

    Parameters
    ----------
    capacity : int, optional
        How many it keeps.

    Attributes
    ----------
    statistics : Statistics
        Hits and misses.

    Examples
    --------
    >>> cache = ProgramCache(capacity=2)
    >>> [cache.find(plan, lambda plan=plan: plan.upper()) for plan in ("a", "b", "a", "c", "b")]
    ['A', 'B', 'A', 'C', 'B']
    >>> cache.statistics
    Statistics(hits=1, misses=4, evicted=2)
    """

    def __init__(self, capacity: int = 256) -> None:
        self.capacity = capacity
        self.statistics = Statistics()
        self._programs: dict[Hashable, _Program] = {}  # in the order of their last use

    def __len__(self) -> int:
        return len(self._programs)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._programs

    def find(self, key: Hashable, make: Callable[[], _Program]) -> _Program:
        """Find a program, or make it."""
        program = self._programs.pop(key, None)
        if program is None:
            self.statistics.misses += 1
            program = make()
            while len(self._programs) >= self.capacity:
                del self._programs[next(iter(self._programs))]
                self.statistics.evicted += 1
        else:
            self.statistics.hits += 1
        self._programs[key] = program
        return program
