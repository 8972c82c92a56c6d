"""Which steps make a transform: by its length alone, so that equal signals have equal transforms whatever lies beside them."""

from __future__ import annotations

import functools
from typing import Final, NamedTuple

from ....dtypes import BFLOAT16, FLOAT32, DType
from ....precision import Precision
from ...folding import products
from ...three_steps import three_steps
from ...two_steps import two_steps

__all__ = ["DENSE", "Steps", "is_folded", "row_factors", "smallest_tile", "steps"]

DENSE: Final = 1024
"""The longest transform that is one product."""

_LONGEST_STEP: Final = 512
"""The longest step of a longer one, unless it is a prime number."""

_LONGEST_ROW: Final = 2048
"""The longest rows that are one product: matrices of longer ones leave no room for rows."""

_TILE: Final = 128
"""Rows of the Tensor Engine: steps of fewer take as long."""


class Steps(NamedTuple):
    """
    How to transform a length.

    Attributes
    ----------
    lengths : tuple of int
        Of the steps, whose product is the length.
    circle : int
        0, or the length of the convolution by which the last step is done.
    """

    lengths: tuple[int, ...]
    circle: int = 0

    @property
    def is_one(self) -> bool:
        """Whether there is one step, which is no convolution."""
        return len(self.lengths) == 1 and not self.circle


def smallest_tile(target: str) -> int:
    """Tell how many rows tiles of the Tensor Engine have at least."""
    return 64 if target == "trn1" else 32


def row_factors(target: str, rung: Precision) -> DType:
    """Tell which dtype the numbers have that rows are multiplied by; on trn1 these are transposed, and stay float32."""
    return BFLOAT16 if rung == "bfloat16" and target != "trn1" else FLOAT32


def is_folded(n: int) -> bool:
    """Tell whether rows of a length are transformed by one product, folded before it."""
    if n <= DENSE or n > _LONGEST_ROW:
        return n <= DENSE
    pairs = two_steps(n, smallest_tile(""))
    return pairs is None or 8 * products(n) <= _TILE * pairs.cost  # of both planes, four cycles for a column


def _is_short(n: int, smallest: int) -> bool:
    """Tell whether one kernel transforms rows of a length, several of them at once."""
    return is_folded(n) or two_steps(n, smallest) is not None


def _is_one(n: int, smallest: int) -> bool:
    """Tell whether one kernel transforms rows of a length."""
    return _is_short(n, smallest) or three_steps(n, smallest) is not None


@functools.lru_cache(maxsize=4096)
def steps(n: int, smallest: int = 0) -> Steps:
    """
    Choose steps: the fewest products for each element, a step counting for 128 at least.

    With `smallest`, of rows that lie in memory one after the other, the last step is what one kernel transforms: folded, or in two steps of
    its own. Tiles of the Tensor Engine have so many rows at least.

    Examples
    --------
    >>> steps(16384), steps(2000), steps(2 * 10007).lengths
    (Steps(lengths=(128, 128), circle=0), Steps(lengths=(40, 50), circle=0), (2, 10007))
    >>> steps(16384, 32), steps(1 << 20, 32)
    (Steps(lengths=(16384,), circle=0), Steps(lengths=(1048576,), circle=0))
    """
    if n <= DENSE or (smallest and _is_one(n, smallest)):
        return Steps((n,))
    prime = _largest_prime(n)
    if prime <= _LONGEST_STEP:
        return Steps((smallest and _to_one(n, smallest)) or _divided(n))
    rest = _divided(n // prime) if n > prime else ()
    return Steps((*rest, prime), 0 if prime <= DENSE or (smallest and is_folded(prime)) else _circle(prime, smallest))


@functools.lru_cache(maxsize=4096)
def _to_one(n: int, smallest: int) -> tuple[int, ...]:
    """Divide a length into a few short steps and a last one for which there is a kernel; nothing where that is none."""
    if _is_short(n, smallest):
        return (n,)
    found = []
    for first in (2, *range(_TILE // 4, _LONGEST_STEP + 1)):  # sums and differences, or products that are worth a matrix
        if n % first == 0 and n // first > 1:
            rest = _to_one(n // first, smallest)
            if rest:
                found.append((first, *rest))
    return min(found, key=lambda one: (len(one), sum(one[:-1])), default=())


def _largest_prime(n: int) -> int:
    largest, divisor = 1, 2
    while divisor * divisor <= n:
        while n % divisor == 0:
            largest, n = divisor, n // divisor
        divisor += 1
    return max(largest, n)


@functools.lru_cache(maxsize=4096)
def _divided(n: int) -> tuple[int, ...]:
    """Divide a length of small primes into steps, from the shortest to the longest."""
    return tuple(sorted(_best(n)[1]))


@functools.lru_cache(maxsize=1 << 14)
def _best(n: int) -> tuple[int, tuple[int, ...]]:
    found: list[tuple[int, tuple[int, ...]]] = [(max(n, _TILE), (n,))] if n <= _LONGEST_STEP else []
    for length in range(min(_LONGEST_STEP, n // 2), 1, -1):
        if n % length == 0 and n // length >= 2:
            cost, others = _best(n // length)
            found.append((max(length, _TILE) + cost, (length, *others)))
    return min(found, key=lambda one: (one[0], len(one[1]), max(one[1])))


def _circle(n: int, smallest: int) -> int:
    """Choose the length of a convolution: long enough that nothing of it is added to itself where it is wanted."""
    found: list[tuple[int, int]] = []
    for threes in range(3):
        for fives in range(2):
            length = 3**threes * 5**fives
            while length < 2 * n - 1:
                length *= 2
            cost = _best(length)[0]
            if smallest and _is_one(length, smallest):
                cost = _TILE if _is_short(length, smallest) else 2 * _TILE
            found.append((length * cost, length))
    return min(found)[1]
