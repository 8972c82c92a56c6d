"""The iteration space of a stage: the fewest dims in which all its accesses are strided."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from ..layout import Layout

__all__ = ["boundaries", "divide", "is_chain", "strides_over"]


def _merged(layout: Layout) -> list[tuple[int, int]]:
    """(length, stride) of the axes, neighbours merged where one stride does for both; at least one."""
    axes: list[tuple[int, int]] = []
    for length, stride in zip(layout.shape, layout.strides, strict=True):
        if length == 1:
            continue
        if axes and axes[-1][1] == stride * length:
            axes[-1] = (axes[-1][0] * length, stride)
        else:
            axes.append((length, stride))
    return axes or [(1, 0)]


def boundaries(layout: Layout, repeat: int = 1) -> frozenset[int]:
    """
    Find where the strides of an access change.

    Examples
    --------
    >>> sorted(boundaries(Layout(0, (4, 6), (1, 4))))
    [6, 24]
    """
    found, size = [], repeat
    for length, _ in reversed(_merged(layout)):
        size *= length
        found.append(size)
    return frozenset(found)


def is_chain(marks: Iterable[int]) -> bool:
    """
    Tell whether dims can be laid between marks.

    Examples
    --------
    >>> is_chain({3, 6, 24}), is_chain({6, 8, 24})
    (True, False)
    """
    return all(large % small == 0 for small, large in itertools.pairwise(sorted(marks)))


def divide(marks: Iterable[int]) -> tuple[int, ...]:
    """
    Lay dims between marks.

    Examples
    --------
    >>> divide({3, 6, 24})
    (4, 2, 3)
    """
    ordered = [1, *sorted(set(marks) - {1})]
    return tuple(large // small for small, large in itertools.pairwise(ordered))[::-1] or (1,)


def strides_over(layout: Layout, dims: tuple[int, ...]) -> tuple[int, ...]:
    """
    Express an access over finer dims.

    Examples
    --------
    >>> strides_over(Layout(0, (4, 6), (1, 4)), (4, 2, 3))
    (1, 12, 4)
    """
    axes, strides = _merged(layout), list[int]()
    length, stride = axes.pop()
    done = 1
    for dim in reversed(dims):
        if dim == 1:
            strides.append(0)
            continue
        if done == length:
            length, stride = axes.pop()
            done = 1
        strides.append(stride * done)
        done *= dim
    return tuple(reversed(strides))
