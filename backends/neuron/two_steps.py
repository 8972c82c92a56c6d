"""
Two steps: how a transform of n = n₁n₂ numbers lies on partitions, so that memory is read and written in long rows without transposes.

Number n₁ of a transform is h·l + j on partition h, and all n₂ numbers after it lie beside each other. The first step contracts over h, and
adds up over j; its result has n₂ on partitions. The second one, by a matrix whose columns are taken l apart, gives rows of n₁ frequencies.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "LONGEST", "TURNED", "TwoSteps", "cosine_matrices", "cosine_steps", "half_matrices", "half_spectrum", "half_steps", "matrices",
    "plane_matrices", "plane_steps", "steps_from_half", "two_steps",
]  # fmt: skip

_ROWS: Final = 128  # of the Tensor Engine
_NARROWEST: Final = 64  # columns of a product: fewer take as long
_MULTIPLIED: Final = 12  # rows of products that take as long as multiplying spectra by a frequency's roots elsewhere
_BANK: Final = 512  # columns of a PSUM bank
LONGEST: Final = _ROWS * _ROWS
"""The longest transform."""

_COSTLIEST: Final = 1 << 13
"""What a transform may cost for 16384 numbers, in columns of products: beyond that other steps are shorter."""


TURNED: Final[Mapping[str, tuple[bool, bool]]] = {"II": (True, False), "III": (False, True), "IV": (True, True)}
"""Whether operands and results of sine and cosine transforms, by their types, are even numbers and then odd ones from the end."""


Powers = Callable[[int, "npt.NDArray[np.int64]"], "npt.NDArray[np.complex128]"]


class TwoSteps(NamedTuple):
    """
    The steps of a transform, and how it lies.

    Attributes
    ----------
    first, second : int
        The lengths n₁ and n₂.
    height : int
        Partitions from one transform to the next, which lie below each other.
    high, low : int
        Partitions that a transform takes of these at first, and how many of its n₁ numbers lie on each.
    after : int
        How many of its rows of frequencies lie on a partition in the end; 0 for both axes of matrices, which lie as at first.
    kept : int
        How many rows of frequencies there are: n₂, or half of these where the others are known from them.
    """

    first: int
    second: int
    height: int
    high: int
    low: int
    after: int
    kept: int

    @property
    def together(self) -> int:
        """Transforms below each other."""
        return _ROWS // self.height

    @property
    def columns(self) -> int:
        """Of the constants: the first matrix, twiddles, and the second step's cosines and sines of either sign; or both matrices."""
        if not self.after:
            return self.low * self.first + self.second
        return self.low * self.first + 2 * self.first + 3 * self.kept + (self.kept < self.second)

    @property
    def cost(self) -> float:
        """Count about the columns of products of a transform, on the whole Tensor Engine."""
        wide = 4 * max(_NARROWEST, self.first)
        one = max(2 * self.low * wide, 2 * self.together * self.low * self.second)
        other = max(4 * self.after * wide, 4 * self.together * self.second)
        if not self.after:
            other = 8 * self.low * max(_NARROWEST, self.second)
        if self.kept < self.second:  # of one plane, whose spectra the Vector Engine and GpSimd multiply as those of two
            return max((one / 2 + other) / self.together, _MULTIPLIED * self.first)
        return (one + other) / self.together


def _divisor(n: int, most: int) -> int:
    return next(length for length in range(min(n, most), 0, -1) if n % length == 0)


@functools.lru_cache(maxsize=1 << 13)
def two_steps(n: int, smallest: int, turned: tuple[bool, bool] = (False, False), *, half: bool = False) -> TwoSteps | None:
    """
    Choose two steps for a length, of which tiles of the Tensor Engine have so many rows at least; None where there are none.

    Where even numbers are followed by odd ones from the end, of operands or of results, partitions have an even number of rows of these.
    Half of the rows of frequencies tell all of real numbers, but for the last frequency, which has columns of its own.
    """
    found = []
    for first in range(2, _ROWS + 1):
        second, rest = divmod(n, first)
        if rest or not 2 <= second <= _ROWS or (turned[0] and first % 2) or ((turned[1] or half) and second % 2):
            continue
        kept = second // (1 + half)
        for height in (32, 64, _ROWS):
            high, after = _divisor(first // (1 + turned[0]), height), kept // _divisor(kept // (1 + turned[1]), height)
            plan = TwoSteps(first, second, height, high, first // high, after, kept)
            if height >= smallest and plan.together * first <= _BANK and after * first + plan.together * half <= _BANK:
                found.append(plan)
    best = min(found, key=lambda plan: (plan.cost, plan.height), default=None)
    return best if best is not None and best.cost * LONGEST <= _COSTLIEST * n else None


def cosine_steps(kind: str, n: int, smallest: int) -> TwoSteps | None:
    """Choose two steps of a sine or cosine transform, as "DCT-II"; None where there are none."""
    turned = TURNED.get(kind[4:])
    return None if turned is None else two_steps(n, smallest, turned)


def half_steps(n: int, smallest: int) -> TwoSteps | None:
    """Choose two steps of real numbers, whose second one gives half of the rows of frequencies; None where there are none."""
    return None if two_steps(n, smallest) is None else two_steps(n, smallest, half=True)


def steps_from_half(n: int, smallest: int) -> TwoSteps | None:
    """
    Choose two steps of half a Hermitian spectrum, to real numbers; None where there are none.

    Of n₁ rows of n₂ numbers half are there. Of what the first step gives, the columns up to n₂ / 2 tell all.
    """
    plan = two_steps(n, smallest)
    if plan is None or plan.first % 2 or (plan.low % 2 and plan.high % 2):
        return None
    high, low = (plan.high, plan.low // 2) if plan.low % 2 == 0 else (plan.high // 2, plan.low)
    return plan._replace(second=plan.second // 2 + 1, high=high, low=low)


@functools.lru_cache(maxsize=1 << 10)
def plane_steps(first: int, second: int, smallest: int) -> TwoSteps | None:
    """Choose how both axes of matrices are transformed; None where that is not worth a kernel."""
    found = []
    if max(first, second) <= _ROWS and min(first, second) >= 2:
        for height in (32, 64, _ROWS):
            high = _divisor(first, height)
            plan = TwoSteps(first, second, height, high, first // high, 0, second)
            if height >= smallest and plan.together * first <= _BANK and plan.low * second <= _BANK:
                found.append(plan)
    best = min(found, key=lambda plan: (plan.cost, plan.height), default=None)
    return best if best is not None and best.cost * LONGEST <= _COSTLIEST * first * second else None


def plane_matrices(
    first: int, second: int, factor: float, roots: Callable[[int], npt.NDArray[np.complex128]], smallest: int
) -> npt.NDArray[np.float64]:
    """Make the constants for both axes of matrices beside each other: (128, columns)."""
    plan = plane_steps(first, second, smallest)
    assert plan is not None
    made = np.zeros((_ROWS, plan.columns))
    _put_first(made, plan, roots(first), factor)
    made[:second, plan.low * first :] = half_spectrum(second, roots(second))
    return made


def half_spectrum(n: int, roots: npt.NDArray[np.complex128]) -> npt.NDArray[np.float64]:
    """Make the matrix of cosines and sines of half a spectrum: (n, n)."""
    table = roots[np.multiply.outer(np.arange(n), np.arange(n)) % n]
    return np.concatenate([table.real[:, : n // 2 + 1], table.imag[:, 1 : (n + 1) // 2]], axis=1)


def _put_first(made: npt.NDArray[np.float64], plan: TwoSteps, roots: npt.NDArray[np.complex128], factor: float) -> None:
    rows = factor * half_spectrum(plan.first, roots).reshape(plan.high, plan.low * plan.first)
    for begin in range(0, _ROWS, plan.height):
        made[begin : begin + plan.high, : plan.low * plan.first] = rows


def matrices(
    n: int, factor: float, roots: Callable[[int], npt.NDArray[np.complex128]], smallest: int, *, half: bool = False
) -> npt.NDArray[np.float64]:
    """
    Make the constants beside each other: (128, columns).

    Of half a spectrum the last frequency follows, in a column of its own.
    """
    plan = (half_steps if half else two_steps)(n, smallest)
    assert plan is not None
    first, second, kept = plan.first, plan.second, plan.kept
    made = np.zeros((_ROWS, plan.columns))
    _put_first(made, plan, roots(first), 1.0)
    column = plan.low * first
    turns = roots(n)[np.multiply.outer(np.arange(second), np.arange(first))] * factor
    made[:second, column : column + 2 * first] = np.concatenate([turns.real, turns.imag], axis=1)
    column += 2 * first
    table = roots(second)[np.multiply.outer(np.arange(second), np.arange(kept)) % second]
    table = table.reshape(second, kept // plan.after, plan.after).swapaxes(1, 2).reshape(second, kept)
    made[:second, column : column + 3 * kept] = np.concatenate([table.real, -table.imag, table.imag], axis=1)
    if half:
        made[:second, -1] = 1.0 - 2.0 * (np.arange(second) % 2)
    return made


def half_matrices(
    n: int, factor: float, roots: Callable[[int], npt.NDArray[np.complex128]], smallest: int, *, inverse: bool
) -> npt.NDArray[np.float64]:
    """
    Make the constants of half spectra: (128, columns).

    They are the first step's matrix, that of the rows that are conjugates, and its negative; twiddles; and the second step's cosines and
    sines, in which columns count for their conjugates, too.
    """
    plan = steps_from_half(n, smallest)
    assert plan is not None
    first, second, kept, rows = plan.first, plan.second, plan.kept, plan.high * plan.low

    def turned(table: npt.NDArray[np.complex128]) -> npt.NDArray[np.complex128]:
        return table.conj() if inverse else table

    given = np.arange(rows)
    tables = [turned(roots(first)[np.multiply.outer(places, np.arange(first)) % first]) for places in (given, first - 1 - given)]
    parts = [np.concatenate([table.real[:, : first // 2 + 1], table.imag[:, 1 : (first + 1) // 2]], axis=1) for table in tables]
    made = np.zeros((_ROWS, (3 * plan.low + 2) * first + 2 * kept))
    for begin in range(0, _ROWS, plan.height):
        for number, part in enumerate((*parts, -parts[1])):
            columns = slice(number * plan.low * first, (number + 1) * plan.low * first)
            made[begin : begin + plan.high, columns] = part.reshape(plan.high, plan.low * first)
    column = 3 * plan.low * first
    turns = turned(roots(n)[np.multiply.outer(np.arange(second), np.arange(first))])
    made[:second, column : column + 2 * first] = np.concatenate([turns.real, turns.imag], axis=1)
    weights = np.full((second, 1), 2.0 * factor)
    weights[0] = factor
    if kept % 2 == 0:
        weights[-1] = factor
    table = turned(roots(kept)[np.multiply.outer(np.arange(second), np.arange(kept)) % kept]) * weights
    table = table.reshape(second, kept // plan.after, plan.after).swapaxes(1, 2).reshape(second, kept)
    made[:second, column + 2 * first :] = np.concatenate([table.real, -table.imag], axis=1)
    return made


def cosine_matrices(kind: str, n: int, factor: float, edge: float, powers: Powers, smallest: int) -> npt.NDArray[np.float64]:
    """
    Make the constants of a sine or cosine transform: (128, columns).

    The last column is what partitions' numbers at one end of rows, or of results, are multiplied by, where the first or last one of a
    transform has a weight of its own.

    Number a₁n₂ + a₂ of a row, in the order of even numbers and of odd ones from the end where it is turned, counts for result b₁ + n₁b₂ by
    the real part of a root of unity, whose exponent is a sum of three: of a₁ and b₁, of a₂ and b₁, and of a₂ and b₂. Sines are cosines of
    what is turned around, with other signs. `powers` gives exp(-2πi k / m) for exponents k of a length m.
    """
    plan = cosine_steps(kind, n, smallest)
    assert plan is not None
    first, second, (source, result), sine, number = plan.first, plan.second, TURNED[kind[4:]], kind.startswith("DST"), kind[4:]
    a, a_odd = _in_rows(first, plan.low, turned=source)
    b, b_odd = _in_rows(second, plan.after, turned=result, backwards=True)
    a_signs, b_signs = np.ones(a.shape), np.ones(b.shape)
    a2, b1 = np.arange(second), np.arange(first)
    if sine and number == "II":
        b, b1, a_signs = second - 1 - b, first - 1 - b1, np.where(a_odd, -1.0, 1.0)
    elif sine:
        a, a2 = (first - 1 - a, second - 1 - a2) if number == "III" else ((a + first // 2) % first, a2)
        b_signs = np.where(b_odd, -1.0, 1.0)
    if number == "IV":
        a_signs, b_signs = np.where(2 * a < first, a_signs, -a_signs), np.where(2 * b < second, b_signs, -b_signs)
    parts = []
    for (counts, times, of_one, of_other, more), one, other, length in zip(
        _EXPONENTS[number], (a, a2, a2), (np.arange(first), b1, b), (first, n, second), strict=True
    ):
        exponents = np.add.outer(of_one * one, of_other * other) + times * np.multiply.outer(one, other) + more
        parts.append(powers(counts * length, exponents % (counts * length)).conj())
    rows = np.moveaxis(parts[0] * a_signs[..., np.newaxis], 0, 1)
    planes = [rows.real, rows.imag]
    if number == "II":
        planes = [np.concatenate([rows.real[..., : first // 2 + 1], rows.imag[..., 1 : (first + 1) // 2]], axis=2)]
    column = len(planes) * plan.low * first
    made = np.ones((_ROWS, column + 2 * first + 2 * second + 1))
    for begin in range(0, _ROWS, plan.height):
        made[begin : begin + plan.high, :column] = np.concatenate(planes, axis=1).reshape(plan.high, column)
    columns = (parts[2] * b_signs * factor).reshape(second, second)
    made[:second, column:-1] = np.concatenate([parts[1].real, parts[1].imag, columns.real, -columns.imag], axis=1)
    high = plan.high if number == "III" else second // plan.after
    made[(high - 1 if sine else 0) :: plan.height, -1] = edge
    return made


_EXPONENTS: Final = {
    "II": ((1, 1, 0, 0, 0), (4, 4, 0, 1, 0), (4, 4, 0, 1, 0)),
    "III": ((4, 4, 1, 0, 0), (4, 4, 1, 0, 0), (1, 1, 0, 0, 0)),
    "IV": ((2, 4, 1, 0, 0), (8, 16, 4, 4, 1), (2, 4, 0, 1, 0)),
}
"""
Exponents of roots of unity, by the type: for each of three pairs of indices, roots of how many times the length, and what their product,
the first one, the second one and 1 are multiplied by.
"""


def _in_rows(length: int, each: int, *, turned: bool, backwards: bool = False) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Give the rows that each partition has, (each, partitions), and tell which are of odd numbers, whose order may be the opposite one."""
    places, half = np.arange(length // each), each // 2
    if not turned:
        return each * places + np.arange(each)[:, np.newaxis], np.zeros((each, length // each), bool)
    even = half * places + np.arange(half)[:, np.newaxis]
    odd = length - 1 - even[:: -1 if backwards else 1]
    return np.concatenate([even, odd]), np.repeat([False, True], half)[:, np.newaxis] & np.ones(length // each, bool)
