"""Python's cycle collector, which finds nothing in graphs, traces and schedules that stay, and goes over all of them each time."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["without_collector"]


@contextmanager
def without_collector() -> Iterator[None]:
    """
    Pause the cycle collector of the process.

    Examples
    --------
    >>> with without_collector():
    ...     gc.isenabled()
    False
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
