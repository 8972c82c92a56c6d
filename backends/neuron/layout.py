"""Layouts: where the elements of an array lie in a flat tensor."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Layout", "contiguous_strides", "nearby"]

_NEAR = 16  # elements, which take less to move than to describe
_APART = 64  # elements, whose neighbours are moved with them


@functools.lru_cache(maxsize=1024)
def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """
    Return the strides of C order, in elements.

    Examples
    --------
    >>> contiguous_strides((2, 3, 4))
    (12, 4, 1)
    """
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def nearby(axes: Iterable[tuple[int, int]]) -> int:
    """
    Tell how many elements after each other accesses of the same strides and lengths may begin that are moved together.

    Examples
    --------
    >>> nearby([(300, 5), (1, 100)]), nearby([(24, 100)]), nearby([(300, 5)])
    (16, 23, 0)
    """
    apart = min((abs(stride) for stride, length in axes if stride and length > 1), default=0)
    return max(_NEAR, apart - 1) if 0 < apart <= _APART else 0


@dataclass(frozen=True, slots=True)
class Layout:
    """
    Where the elements of an array lie in a flat tensor.

    Parameters
    ----------
    offset : int
        Of the first element, in elements.
    shape : tuple of int
        Lengths.
    strides : tuple of int
        Elements from one to the next, by axis; 0 and negative ones included.
    """

    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def lowest(self) -> int:
        """Find the element that lies first in memory."""
        back = sum(stride * (length - 1) for length, stride in zip(self.shape, self.strides, strict=True) if stride < 0)
        return self.offset + back

    @property
    def is_whole(self) -> bool:
        """Tell whether it is the first elements in their order."""
        return self.offset == 0 and self.strides == contiguous_strides(self.shape)

    @property
    def overlaps(self) -> bool:
        """Tell whether two elements may share memory."""
        span = 0
        for stride, length in sorted((abs(stride), length) for stride, length in zip(self.strides, self.shape, strict=True) if length > 1):
            if stride <= span:
                return True
            span += stride * (length - 1)
        return False

    def lies_in(self, size: int) -> bool:
        """Tell whether a flat tensor of that size has all the elements."""
        if 0 in self.shape:
            return True
        first = last = self.offset
        for length, stride in zip(self.shape, self.strides, strict=True):
            if stride > 0:
                last += stride * (length - 1)
            else:
                first += stride * (length - 1)
        return first >= 0 and last < size

    def varies(self, size: int) -> bool:
        """Tell whether the same elements could lie elsewhere."""
        span = 1
        for length, stride in zip(self.shape, self.strides, strict=True):
            span += abs(stride) * (length - 1)
        return span < size
