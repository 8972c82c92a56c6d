"""Rows dealt out over partitions."""

from __future__ import annotations

from collections.abc import Iterator

from .sbuf import PARTITIONS

__all__ = ["spread_rows"]


def spread_rows(rows: int, most: int) -> Iterator[tuple[int, int, int]]:
    """
    Cut rows into tiles of neighbouring ones, equally many on each partition.

    Examples
    --------
    >>> list(spread_rows(1000, 4))
    [(0, 128, 4), (512, 128, 3), (896, 104, 1)]
    """
    first = 0
    while first < rows:
        left = rows - first
        each = min(most, max(1, left // PARTITIONS))
        count = min(PARTITIONS, left // each)
        yield first, count, each
        first += count * each
