"""
Folding: how rows of numbers are made into shorter ones before products with roots of unity.

Even frequencies of n numbers are those of the sums of both halves. Odd ones are of the differences d; of m of these, cosines need
d[j] - d[m-j] and sines d[j] + d[m-j], half as many. What is not halved any more is folded the same way, by sums for cosines and differences
for sines, if it is longer than the Tensor Engine is high. There are no products before the last sums: the method is the even-odd
decomposition of the discrete Fourier transform of real data; see Rader and Brenner, IEEE Trans. ASSP 24 (1976), for its odd frequencies.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "Block",
    "Folding",
    "Part",
    "Run",
    "Sum",
    "folding",
    "from_half",
    "grouped",
    "is_stacked",
    "matrix",
    "matrix_from_half",
    "placed",
    "plain",
    "products",
    "stacked",
    "stacked_matrix",
]

_ROWS: Final = 128  # of the Tensor Engine
_COLUMNS: Final = 512  # of a PSUM bank
_HALVINGS: Final = 5


class Block(NamedTuple):
    """
    Numbers of a row that lie on partitions together.

    Attributes
    ----------
    folded : bool
        Whether they are results of sums, else numbers of the row itself.
    start, length : int
        Which ones.
    stride : int
        From one to the next.
    other : int
        The first of those, the opposite way, that they are rotated with once they lie on partitions; -1 where they are not.
    """

    folded: bool
    start: int
    length: int
    stride: int = 1
    other: int = -1


class Sum(NamedTuple):
    """
    A sum, a difference or, without a right operand, a copy of parts of a row.

    Attributes
    ----------
    into : int
        The first result, among results.
    sign : int
        1, -1, or 0 for a copy.
    folded : bool
        Whether operands are results of sums.
    left, right : int
        The first operands.
    step : int
        1 or -1: from one right operand to the next.
    numbers : int
        How many.
    """

    into: int
    sign: int
    folded: bool
    left: int
    right: int
    step: int
    numbers: int


class Run(NamedTuple):
    """
    Frequencies of one product.

    Attributes
    ----------
    first, step, frequencies : int
        Which ones; cosines have as many columns.
    lead, tail : int
        1 where the first and the last one are their own mirror images, and have no sines; or how many there are where none has.
    cosines, sines : tuple of Block
        What is multiplied.
    cosine, cosine_step, sine, sine_step : int
        The first column of the matrix for the first block, and from there to the next one's.
    """

    first: int
    step: int
    frequencies: int
    lead: int
    tail: int
    cosines: tuple[Block, ...]
    sines: tuple[Block, ...]
    cosine: int
    cosine_step: int
    sine: int
    sine_step: int

    @property
    def pairs(self) -> int:
        """Frequencies that have a mirror image; sines have as many columns."""
        return self.frequencies - self.lead - self.tail

    @property
    def columns(self) -> int:
        """Of the product."""
        return self.frequencies + self.pairs

    @property
    def together(self) -> bool:
        """Whether cosines and sines are one product: of the same numbers, with columns beside each other."""
        return self.cosines == self.sines and self.sine == self.cosine + self.frequencies and len(self.cosines) == 1

    def split(self, most: int) -> Iterator[Run]:
        """Cut it into runs of fewer columns."""
        parts = 1 if self.columns <= most else -(-2 * self.frequencies // most)
        bounds = [part * self.frequencies // parts for part in range(parts + 1)]
        for begin, end in itertools.pairwise(bounds):
            lead, tail = min(max(0, self.lead - begin), end - begin), self.tail if end == self.frequencies else 0
            sine = self.sine + max(0, begin - self.lead)
            first = self.first + self.step * begin
            yield self._replace(first=first, frequencies=end - begin, lead=lead, tail=tail, cosine=self.cosine + begin, sine=sine)


@dataclass(frozen=True)
class Folding:
    """
    How rows are folded, and multiplied by what.

    Parameters
    ----------
    n : int
        The length of the transform.
    width : int
        Numbers of a row, of both planes where they are parts of one row.
    sums : tuple of Sum
        In order.
    zeros : tuple of int
        Results that are zero from the start.
    results : int
        How many results of sums a row has.
    groups : tuple of tuple of Run
        Runs whose columns share a PSUM bank.
    columns : int
        Of the matrix, after which two factors follow for each block that is rotated.
    height : int
        Partitions from one row's block to the next, of short rows that share a transpose; else 128.
    """

    n: int
    width: int
    sums: tuple[Sum, ...]
    zeros: tuple[int, ...]
    results: int
    groups: tuple[tuple[Run, ...], ...]
    columns: int
    height: int

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All that is transposed, in the order in which groups need it."""
        return tuple(dict.fromkeys(block for group in self.groups for run in group for block in (*run.cosines, *run.sines)))

    @property
    def rotated(self) -> dict[Block, int]:
        """Give the column, of those after the matrix, from which on the factors of blocks are that are rotated."""
        blocks = [block for block in self.blocks if block.other >= 0]
        return {block: 2 * number for number, block in enumerate(blocks)}

    @property
    def widest(self) -> int:
        """Find the columns of the largest group."""
        return max(sum(run.columns for run in group) for group in self.groups)


class Part(NamedTuple):
    """
    A product before its columns have places: see `Run`; rows are the numbers of cosines and sines that blocks stand for.

    Where there is a span, so many numbers are rotated from both ends on, and the sines are of those from the last one on.
    """

    first: int
    step: int
    frequencies: int
    lead: int
    tail: int
    cosines: tuple[bool, int, int]
    sines: tuple[bool, int, int]
    length: int
    halved: bool
    stride: int = 1
    span: int = 0

    def blocks(self, which: tuple[bool, int, int]) -> tuple[Block, ...]:
        """Cut numbers into blocks that the Tensor Engine is high enough for."""
        folded, start, length = which
        parts = max(1, -(-length // _ROWS))
        each = max(1, -(-length // parts))
        stride = -1 if self.span and which == self.sines else self.stride
        begins = [(at, start + stride * at) for at in range(0, length, each)]
        ends = 2 * self.cosines[1] + self.span - 1
        return tuple(Block(folded, own, min(each, length - at), stride, ends - own if self.span else -1) for at, own in begins)

    @property
    def pairs(self) -> int:
        """Frequencies that have sines."""
        return self.frequencies - self.lead - self.tail

    @property
    def work(self) -> int:
        """Count columns of products with blocks."""
        return len(self.blocks(self.cosines)) * self.frequencies + len(self.blocks(self.sines)) * self.pairs


class _Folder:
    def __init__(self, n: int, halvings: int) -> None:
        self.n = n
        self.sums: list[Sum] = []
        self.zeros: list[int] = []
        self.results = 0
        self.parts: list[Part] = []
        self.spent: int | None = None  # where results are that are not needed any more, as many as a level has
        folded, start, length = False, 0, n
        for level in range(halvings):
            start, folded = self.halve(folded, start, length, 1 << level), True
            length //= 2
        self.rest(folded, start, length, 1 << halvings)

    def take(self, count: int) -> int:
        first = self.results
        self.results += count
        return first

    def add(self, sign: int, folded: bool, left: int, right: int, step: int, count: int) -> int:
        into = self.take(count)
        self.sums.append(Sum(into, sign, folded, left, right, step, count))
        return into

    def halve(self, folded: bool, start: int, length: int, unit: int) -> int:
        half = length // 2
        if self.spent is None:
            added = self.add(1, folded, start, start + half, 1, half)
            below = self.add(-1, folded, start, start + half, 1, half)
        else:  # in the place of differences that are sums and differences of their own by now
            added, below = self.spent, self.spent + half
            self.sums += [Sum(into, sign, folded, start, start + half, 1, half) for into, sign in ((added, 1), (below, -1))]
        count, pairs = (half + 1) // 2, half // 2
        cosines = sines = (True, below, half)
        if half > _ROWS:
            if self.spent is None:
                self.zeros.append(self.take(1))  # what follows the differences, on every level
            cosines = (True, self.add(-1, True, below, below + half, -1, count), count)
            sines = (True, self.add(1, True, below + 1, below + half - 1, -1, pairs), pairs)
            self.spent = below
        self.parts.append(Part(unit, 2 * unit, count, 0, half % 2, cosines, sines, length, half % 2 == 0))
        return added

    def rest(self, folded: bool, start: int, length: int, unit: int) -> None:
        count, pairs = length // 2 + 1, (length - 1) // 2
        cosines = sines = (folded, start, length)
        if length > _ROWS:
            first = self.take(count)
            self.sums.append(Sum(first, 0, folded, start, 0, 1, 1))
            self.sums.append(Sum(first + 1, 1, folded, start + 1, start + length - 1, -1, pairs))
            if length % 2 == 0:
                self.sums.append(Sum(first + count - 1, 0, folded, start + length // 2, 0, 1, 1))
            cosines = (True, first, count)
            sines = (True, self.add(-1, folded, start + 1, start + length - 1, -1, pairs), pairs)
        self.parts.append(Part(0, unit, count, 1, 1 - length % 2, cosines, sines, length, False))

    @property
    def work(self) -> int:
        return sum(part.work for part in self.parts)


@functools.lru_cache(maxsize=512)
def _folder(n: int) -> _Folder:
    halvings = [h for h in range(_HALVINGS + 1) if n % (1 << h) == 0 and n >> h >= 1]
    found = [_Folder(n, h) for h in halvings if h == 0 or n > _ROWS]
    return min(found, key=lambda one: (one.work, one.results))


def products(n: int) -> int:
    """Count the products for a row of a length, in columns of up to 128 rows."""
    return _folder(n).work


def height(n: int) -> int:
    """Find the partitions that a short row takes in a transpose: its products are on a tile of the Tensor Engine of their own."""
    return next((height for height in (32, 64) if n <= height), _ROWS)


@functools.lru_cache(maxsize=512)
def folding(n: int, smallest: int = 32) -> Folding:
    """Fold rows of a length, in the way that has the least products; tiles of the Tensor Engine have so many rows at least."""
    folder = _folder(n)
    runs, columns = placed(folder.parts)
    tall = max(smallest, height(n))
    return Folding(n, n, tuple(folder.sums), tuple(folder.zeros), folder.results, grouped(runs), columns, tall)


@functools.lru_cache(maxsize=512)
def from_half(n: int) -> Folding:
    """Let rows be half a spectrum, its real parts and then its imaginary ones: cosines are of the first, sines of the others."""
    half, pairs = n // 2 + 1, (n - 1) // 2
    part = Part(0, 1, half, 1, 1 - n % 2, (False, 0, half), (False, half + 1, pairs), n, False)
    runs, columns = placed([part])
    return Folding(n, half, (), (), 0, grouped(runs), columns, _ROWS)


def is_stacked(n: int, smallest: int) -> bool:
    """Tell whether real and imaginary parts of complex rows are multiplied together, on a tile of the Tensor Engine that they fill."""
    return n in (16, 32) and 2 * n >= smallest


@functools.lru_cache(maxsize=8)
def stacked(n: int) -> Folding:
    """Let both parts of a short complex row lie below each other: one product gives both parts of all frequencies."""
    block = (Block(False, 0, 2 * n),)
    return Folding(n, n, (), (), 0, ((Run(0, 1, 2 * n, 2 * n, 0, block, (), 0, 0, 0, 0),),), 2 * n, 2 * n)


def stacked_matrix(n: int, factor: float, roots: Callable[[int], npt.NDArray[np.complex128]]) -> npt.NDArray[np.float64]:
    """Make the matrix for both parts of short complex rows, once for each tile: (128, 2 n)."""
    table = roots(n)[np.multiply.outer(np.arange(n), np.arange(n)) % n] * factor
    return np.tile(np.block([[table.real, table.imag], [-table.imag, table.real]]), (_ROWS // (2 * n), 1))


@functools.lru_cache(maxsize=512)
def plain(rows: int, columns: int) -> Folding:
    """Multiply rows by a matrix of one's own, whose blocks of rows come beside each other."""
    part = Part(0, 1, columns, columns, 0, (False, 0, rows), (False, 0, 0), columns, False)
    blocks = part.blocks(part.cosines)
    runs = [
        Run(first, 1, min(_COLUMNS, columns - first), min(_COLUMNS, columns - first), 0, blocks, (), first, columns, 0, 0)
        for first in range(0, columns, _COLUMNS)
    ]
    return Folding(columns, rows, (), (), 0, grouped(runs), columns * len(blocks), _ROWS)


def placed(parts: Sequence[Part]) -> tuple[list[Run], int]:
    """Give products columns of the matrix, and count these."""
    runs, column = list[Run](), 0
    for part in parts:
        cosines, sines = part.blocks(part.cosines), part.blocks(part.sines)
        if cosines == sines and len(cosines) == 1:
            run = Run(*part[:5], cosines, sines, column, 0, column + part.frequencies, 0)
            column += part.frequencies + part.pairs
        else:
            run = Run(*part[:5], cosines, sines, column, part.frequencies, column + len(cosines) * part.frequencies, part.pairs)
            column += len(cosines) * part.frequencies + len(sines) * part.pairs
        runs += run.split(_COLUMNS)
    return runs, column


def grouped(runs: Sequence[Run]) -> tuple[tuple[Run, ...], ...]:
    """Share PSUM banks out."""
    groups: list[list[Run]] = [[]]
    for run in runs:
        if groups[-1] and sum(one.columns for one in groups[-1]) + run.columns > _COLUMNS:
            groups.append([])
        groups[-1].append(run)
    return tuple(map(tuple, groups))


def matrix(n: int, factor: float, roots: Callable[[int], npt.NDArray[np.complex128]], smallest: int) -> npt.NDArray[np.float64]:
    """Make the matrix of all products, its blocks beside each other: (128, columns)."""
    plan, folder = folding(n, smallest), _folder(n)
    made = np.zeros((_ROWS, plan.columns))
    column = 0
    for part in folder.parts:
        table = roots(part.length) * factor
        frequency = (part.first + part.step * np.arange(part.frequencies)) * part.length // n
        together = part.cosines == part.sines
        for which, columns, values in (
            (part.cosines, frequency, table.real), (part.sines, frequency[part.lead : part.lead + part.pairs], table.imag),
        ):  # fmt: skip
            rows = np.arange(which[2]) + (0 if together or which is part.cosines else 1)
            block = values[np.multiply.outer(rows, columns) % part.length]
            if part.halved and not together and which is part.sines:
                block[-1] *= 0.5
            for one in part.blocks(which):
                at = one.start - which[1]
                made[: one.length, column : column + len(columns)] = block[at : at + one.length]
                column += len(columns)
    for at in range(plan.height, _ROWS, plan.height):
        made[at : at + n] = made[:n]
    return made


def matrix_from_half(
    n: int, factor: float, roots: Callable[[int], npt.NDArray[np.complex128]], *, inverse: bool
) -> npt.NDArray[np.float64]:
    """Make the matrix for half a spectrum in the place of rows, of which the inverse transform takes conjugates: (128, columns)."""
    plan, table = from_half(n), roots(n) * factor
    made = np.zeros((_ROWS, plan.columns))
    for begin, count, values in ((0, n // 2 + 1, table.real), (1, (n - 1) // 2, table.imag if inverse else -table.imag)):
        places = np.arange(begin, begin + count)
        weights = np.where((places == 0) | (2 * places == n), 1.0, 2.0)
        block = values[np.multiply.outer(places, places) % n] * weights[:, np.newaxis]
        part = Part(0, 1, count, 0, 0, (False, 0, count), (False, 0, count), n, False)
        column = 0 if begin == 0 else plan.groups[0][0].sine
        for one in part.blocks(part.cosines):
            made[: one.length, column : column + count] = block[one.start : one.start + one.length]
            column += count
    return made
