"""Threads of the host: how many CPUs there are for them, and work that is split between them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

__all__ = ["available_cpus", "in_threads"]


def available_cpus() -> int:
    """Count the CPUs that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(work: Callable[[int, int], object], count: int, step: int, least: int) -> None:
    """
    Do ``work(begin, end)`` for all of ``range(count)``: in a thread for each CPU, where each gets at least so many elements.

    Every begin is a multiple of `step`. What the work raises is raised.

    Examples
    --------
    >>> in_threads(lambda begin, end: print(begin, end), 10, 4, 100)
    0 10
    """
    threads = min(available_cpus(), count // least)
    if threads < 2:
        work(0, count)
        return
    from concurrent.futures import ThreadPoolExecutor  # which takes milliseconds to import

    each = -(-count // (threads * step)) * step
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(lambda begin: work(begin, min(begin + each, count)), range(0, count, each)):
            pass
