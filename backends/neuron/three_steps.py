"""
Three steps: how a transform of n = n₁n₂n₃ numbers goes through SBUF, read and written once, in long rows.

Number (n₁, n₂, n₃) is n₃ + N₃(n₂ + N₂n₁), frequency (k₁, k₂, k₃) is k₁ + N₁(k₂ + N₂k₃). Each step contracts what is on partitions and has
the next of these indices there, and what is between two steps is multiplied by roots of unity: those after the first one are a table of
all n numbers, in the order in which groups of neighbouring n₃ come.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .two_steps import half_spectrum

__all__ = ["MOST", "ThreeSteps", "three_matrices", "three_steps"]

_ROWS: Final = 128  # of the Tensor Engine
_NARROWEST: Final = 64  # columns of a product: fewer take as long
_TOGETHER: Final = 4  # numbers of 16 bytes: transforms that are written with this distance take no longer
MOST: Final = 1 << 15
"""Numbers of a partition that two steps' operands and results may take together."""

_MOST_OF_TRN1: Final = 7 << 12
"""The same where SBUF is smaller."""

_COSTLIEST: Final = 9 / 8
"""What a transform may cost for each number: beyond that steps through HBM are shorter for many rows."""


class ThreeSteps(NamedTuple):
    """
    The steps of a transform, and how it lies.

    Attributes
    ----------
    first, second, third : int
        The lengths N₁, N₂ and N₃.
    groups : int
        Parts of the k₁ that lie below each other, where n₃ takes but a part of the partitions.
    """

    first: int
    second: int
    third: int
    groups: int

    @property
    def each(self) -> int:
        """How many k₁ a group has."""
        return self.first // self.groups

    @property
    def before(self) -> int:
        """How many neighbouring n₃ the first step takes at once."""
        return _run(self.third)

    @property
    def between(self) -> int:
        """How many neighbouring k₁ of each group the second step takes at once."""
        return _run(self.each)

    @property
    def room(self) -> tuple[int, int, int]:
        """Numbers of a partition that operands take, and results of the first step and of the second one."""
        return 2 * self.second * self.third, 2 * self.first * self.third, 2 * self.each * self.second

    @property
    def columns(self) -> int:
        """Of the constants but the table: the matrices of both first steps, the second one's roots of unity, and three of the last one."""
        return self.first + 3 * self.second + 3 * self.third

    @property
    def table(self) -> int:
        """Columns of the table."""
        return 2 * self.first * self.third

    @property
    def cost(self) -> int:
        """Count about the columns of products, or what the Vector Engine takes in their place."""
        first, second, third, groups = self
        one = third * max(16 * max(_NARROWEST, first), 14 * first)
        other = first * max(8 * max(_NARROWEST, second), 14 * second) // groups
        return one + other + 16 * first * second // groups**2


def _run(count: int) -> int:
    return next(length for length in (_TOGETHER, 2, 1) if count % length == 0)


@functools.lru_cache(maxsize=1 << 12)
def three_steps(n: int, smallest: int) -> ThreeSteps | None:
    """Choose three steps for a length, of which tiles of the Tensor Engine have so many rows at least; None where there are none."""
    found = []
    for first in range(2, _ROWS + 1):
        for second in range(2, _ROWS + 1) if n % first == 0 else ():
            third, rest = divmod(n // first, second)
            if rest or not 2 <= third <= _ROWS:
                continue
            groups = _ROWS // third if third in (32, 64) and third >= smallest and first % (_ROWS // third) == 0 else 1
            plan = ThreeSteps(first, second, third, groups)
            if max(plan.room[0], plan.room[2]) + plan.room[1] <= (MOST if smallest < _NARROWEST else _MOST_OF_TRN1):
                found.append(plan)
    best = min(found, key=lambda plan: (plan.cost, plan), default=None)
    return best if best is not None and best.cost <= _COSTLIEST * n else None


def three_matrices(
    n: int, factor: float, roots: Callable[[int], npt.NDArray[np.complex128]], smallest: int
) -> npt.NDArray[np.float64]:
    """Make the constants beside each other, with the table at the end: (128, columns)."""
    plan = three_steps(n, smallest)
    assert plan is not None
    first, second, third, groups = plan
    made = np.zeros((_ROWS, plan.columns + plan.table))
    made[:first, :first] = half_spectrum(first, roots(first))
    made[:second, first : first + second] = half_spectrum(second, roots(second))
    column = first + second
    turns = roots(second * third)[np.multiply.outer(np.arange(third), np.arange(second))]
    matrix = roots(third)[np.multiply.outer(np.arange(third), np.arange(third)) % third] * factor
    rows = np.concatenate([turns.real, turns.imag, matrix.real, -matrix.imag, matrix.imag], axis=1)
    made[: groups * third, column : plan.columns] = np.tile(rows, (groups, 1))
    numbers = np.arange(second)[:, np.newaxis] * third + np.arange(third)
    table = roots(n)[np.multiply.outer(numbers, np.arange(first))]  # (n₂, n₃, k₁)
    table = table.reshape(second, third // plan.before, plan.before, first).swapaxes(2, 3).reshape(second, -1, plan.before * first)
    made[:second, plan.columns :] = np.stack([table.real, table.imag], axis=2).reshape(second, plan.table)
    return made
