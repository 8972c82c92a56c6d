"""
Rows for sine and cosine transforms, whose matrices are symmetric: even columns read the same from both ends, odd ones with changed signs.

Even columns then multiply the sums of a row and the row turned around, odd ones the differences: half of the products. The even columns of
cosine transforms, and the odd ones of sine transforms, are such a matrix for half as many numbers again. Transforms of type 3 have the
transposed matrix: products of the even numbers of a row and of the odd ones are added up and subtracted after it. The other columns of type
2 are a transform of type 4. Of m numbers it rotates number j and number m - 1 - j by an angle of their own, and is the sums and differences
of a cosine transform of type 2 of the ones and a sine transform of the others. See Rao and Yip, Discrete Cosine Transform (1990).
"""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np
import numpy.typing as npt

from .folding import Folding, Part, Sum, grouped, placed

__all__ = ["MIRRORED", "mirrored", "mirrored_matrix"]

MIRRORED: Final = tuple(f"{family}-{number}" for family in ("DCT", "DST") for number in ("I", "II", "III", "IV"))
"""Transforms of symmetric matrices."""

_ROWS: Final = 128  # of the Tensor Engine


def _fourth(first: int, step: int, m: int, folded: bool, start: int) -> Part:
    """Give the products of a transform of type 4, whose results are a step apart."""
    count = m // 2
    return Part(first, 2 * step, count + 1, 0, 0, (folded, start, count), (folded, start + m - 1, count), m, False, 1, m)


@functools.lru_cache(maxsize=512)
def _parts(kind: str, n: int) -> tuple[tuple[Part, ...], tuple[Sum, ...], int]:
    """Give products, the sums before them, and how many results these have."""
    half = -(-n // 2)
    if kind.endswith("-III"):
        return (Part(0, 1, half, 0, 0, (False, 0, half), (False, 1, n // 2), n, False, 2),), (), 0
    if kind.endswith("-IV") and n % 2 == 0:
        return (_fourth(0, 1, n, False, 0),), (), 0
    parts, sums = list[Part](), list[Sum]()
    folded, start, length, results, first, step, symmetric = False, 0, n, 0, 0, 1, not kind.endswith("-IV")
    while length > _ROWS and symmetric:
        symmetric, half = length % 2 == 0 and kind.endswith("-II"), -(-length // 2)
        added, below, pairs = results, results + half, length // 2
        results += 2 * half
        sums.append(Sum(added, 1, folded, start, start + length - 1, -1, pairs))
        if half > pairs:
            sums.append(Sum(added + pairs, 0, folded, start + pairs, 0, 1, 1))
        sums.append(Sum(below, -1, folded, start, start + length - 1, -1, half))  # what is in the middle: 0, or NaN
        of_sums, of_differences = (first, half, added), (first + step, pairs, below)
        (at, count, begin), (first, length, start) = (
            (of_differences, of_sums) if kind.startswith("DCT") else (of_sums, of_differences)
        )
        if symmetric and half % 2 == 0 and half > _ROWS:
            parts.append(_fourth(at, 2 * step, half, True, begin))
        else:
            parts.append(Part(at, 2 * step, count, count, 0, (True, begin, half), (False, 0, 0), half, False))
        folded, step = True, 2 * step
    height = half if folded else length
    parts.append(Part(first, step, length, length, 0, (folded, start, height), (False, 0, 0), length, False))
    return tuple(parts), tuple(sums), results


@functools.lru_cache(maxsize=512)
def mirrored(kind: str, n: int) -> Folding:
    """Fold rows of a length for a transform."""
    parts, sums, results = _parts(kind, n)
    runs, columns = placed(parts)
    return Folding(n, n, sums, (), results, grouped(runs), columns, _ROWS)


def mirrored_matrix(kind: str, matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Take what products need of the matrix of a transform, and the factors of rotations: (128, columns)."""
    n = len(matrix)
    plan, (parts, _, _) = mirrored(kind, n), _parts(kind, n)
    made, column, last = np.zeros((_ROWS, plan.columns + 2 * len(plan.rotated))), 0, plan.columns
    signs = (1.0, -1.0) if kind.startswith("DCT") else (-1.0, 1.0)
    for part in parts:
        for which, count, sign in zip((part.cosines, part.sines), (part.frequencies, part.pairs), signs, strict=True):
            at = 0
            for one in part.blocks(which) if count else ():
                if part.span:
                    odd = 2 * np.arange(at, at + one.length) + 1
                    turn, angles = np.pi / (4 * part.span) * odd, np.multiply.outer(odd, np.arange(count)) % (2 * part.span)
                    block = (np.cos if sign > 0 else np.sin)(np.pi / part.span * angles)
                    block *= math.sqrt(2 / n) * np.linalg.norm(matrix[:, part.first])  # all numbers of such a column have one factor
                    made[: one.length, last : last + 2] = np.stack([np.cos(turn), sign * np.sin(turn)], axis=1)
                    last += 2
                else:
                    first = one.start - (which[1] if part.stride == 1 else 0)  # sums count from that of the ends of a row
                    block = matrix[first :: part.stride, part.first :: part.step]
                made[: one.length, column : column + count] = block[: one.length, :count]
                column, at = column + count, at + one.length
    return made
