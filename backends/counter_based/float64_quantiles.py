"""
Quantile functions in float64 by tables, of probabilities of 64 bits.

Two words are a probability p in [2**-65, 1]. Its leading bits are a row of the table: an octave has 64 pieces, each with a polynomial of
degree 6 of the bits that are left. Only sums and products of float64 take part, each rounded by itself, so that a table gives the same bits
everywhere, as those of float32 do (`quantiles`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .quantiles import QUANTILES, Sides

__all__ = ["DEGREE", "FIRST_ROW", "PIECE_BITS", "WideTable", "wide_table"]

PIECE_BITS: Final = 6
"""Of a mantissa, which say which piece of an octave a number is in."""
DEGREE: Final = 6
_LEAST: Final = -65  # exponent of the least probability
FIRST_ROW: Final = (1023 + _LEAST) << PIECE_BITS
"""The leading bits of the least probability."""
_REST: Final = 52 - PIECE_BITS


class WideTable(NamedTuple):
    """
    A quantile function by pieces.

    Attributes
    ----------
    sides : str
        As of `Quantile`.
    rows : array of float64
        Coefficients of degree 0 to 6, for each piece of each side, of how far a number is from the middle of its piece.
    """

    sides: Sides
    rows: npt.NDArray[np.float64]

    def evaluate(self, first: npt.NDArray[np.uint32], second: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        """
        Take quantiles of numbers of two words, as devices do.

        Examples
        --------
        >>> word = np.array([1 << 31, 3 << 30], np.uint32)
        >>> wide_table("normal").evaluate(word, np.zeros(2, np.uint32)).tolist()
        [-..., -0.6744...]
        """
        tail = first if self.sides == "one" else first & np.uint32(0x7FFFFFFF)
        p = second * 2.0**-64
        p += 2.0**-65
        p += tail * 2.0**-32
        bits = p.view(np.uint64)
        row = (bits >> np.uint64(_REST)).astype(np.intp)
        row -= FIRST_ROW
        if self.sides == "two":
            row += (first >> np.uint32(31)) * np.intp(self.rows.shape[1] // 2)
        bits <<= np.uint64(PIECE_BITS)
        bits &= np.uint64((1 << 52) - 1)
        bits |= np.uint64(1023 << 52)
        p -= 1.5
        found = self.rows[DEGREE].take(row)
        for coefficients in self.rows[DEGREE - 1 :: -1]:
            found *= p
            found += coefficients.take(row)
        if self.sides == "one":
            np.maximum(found, 0.0, out=found)
        elif self.sides == "symmetric":
            signs: npt.NDArray[np.uint64] = found.view(np.uint64)
            signs ^= (first & np.uint32(1 << 31)).astype(np.uint64) << np.uint64(32)
        return np.asarray(found)


@lru_cache(32)
def wide_table(name: str, *parameters: float) -> WideTable:
    """
    Make the table of a distribution.

    Examples
    --------
    >>> wide_table("exponential").rows.shape
    (7, 4161)
    """
    sides, compute, _ = QUANTILES[name]
    count = (65 if sides == "one" else 64) << PIECE_BITS
    octave, piece = np.divmod(np.arange(count), 1 << PIECE_BITS)
    middle = np.ldexp(1 + (piece + 0.5) * 2.0**-PIECE_BITS, octave + _LEAST)
    width = np.ldexp(2.0**-PIECE_BITS, octave + _LEAST)
    nodes = np.cos((2 * np.arange(DEGREE + 1) + 1) * np.pi / (2 * DEGREE + 2)) / 2
    inverse = np.linalg.inv(np.vander(nodes, increasing=True))
    parts = []
    for upper in (False, True) if sides == "two" else (False,):
        with np.errstate(all="ignore"):
            values = np.asarray(compute(middle[:, None] + width[:, None] * nodes, upper, *parameters), np.float64)
            last = float(compute(np.array([1.0 if sides == "one" else 0.5]), upper, *parameters)[0])
        rows = np.zeros((DEGREE + 1, count + 1))
        rows[:, :-1] = inverse @ (values - values[:, 3:4]).T
        rows[0, :-1] += values[:, 3]
        rows[0, -1] = last
        parts.append(rows)
    found = np.concatenate(parts, axis=1)
    found.flags.writeable = False
    return WideTable(sides, found)
