"""
Quantile functions in float64 by tables, of probabilities of 64 bits.

Two words are a probability p in [2**-65, 1]. Its leading bits are a row of the table: an octave has 64 pieces, each with a polynomial of
degree 6 of the bits that are left. Only sums and products of float64 take part, each rounded by itself, so that a table gives the same bits
everywhere, as those of float32 do (`quantiles`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from .quantiles import QUANTILES

__all__ = ["DEGREE", "FIRST_ROW", "PIECE_BITS", "WideTable", "wide_table"]

PIECE_BITS: Final = 6
"""Of a mantissa, which say which piece of an octave a number is in."""
DEGREE: Final = 6
_LEAST: Final = -65  # exponent of the least probability
FIRST_ROW: Final = (1023 + _LEAST) << PIECE_BITS
"""The leading bits of the least probability."""
_REST: Final = 52 - PIECE_BITS
_NODES: Final = np.cos((2 * np.arange(DEGREE + 1) + 1) * np.pi / (2 * DEGREE + 2)) / 2
_INVERSE: Final = np.linalg.inv(np.vander(_NODES, increasing=True))


class WideTable:
    """
    A quantile function by pieces, which are fitted where numbers are in them.

    Parameters
    ----------
    name : str
        Of `quantiles.QUANTILES`.
    *parameters : float
        Of the distribution.
    """

    def __init__(self, name: str, *parameters: float) -> None:
        self.sides, self._compute, _ = QUANTILES[name]
        self._parameters = parameters
        self._width = ((65 if self.sides == "one" else 64) << PIECE_BITS) + 1
        self._rows = np.zeros((DEGREE + 1, self._width * (2 if self.sides == "two" else 1)))
        self._fitted = np.zeros(self._rows.shape[1], bool)
        self._whole = False

    @property
    def rows(self) -> npt.NDArray[np.float64]:
        """Coefficients of degree 0 to 6, for each piece of each side, of how far a number is from the middle of its piece."""
        if not self._whole:
            self._fit(np.flatnonzero(~self._fitted))
            self._whole = True
        return self._rows

    def _fit(self, places: npt.NDArray[np.intp]) -> None:
        """Fit polynomials to some pieces, by sums in one order, so that it does not matter which; the last one of a side is its end."""
        side, place = np.divmod(places, self._width)
        octave, piece = np.divmod(place, 1 << PIECE_BITS)
        for upper in (False, True) if self.sides == "two" else (False,):
            some = np.flatnonzero((side == upper) & (place < self._width - 1))
            middle = np.ldexp(1 + (piece[some] + 0.5) * 2.0**-PIECE_BITS, octave[some] + _LEAST)
            width = np.ldexp(2.0**-PIECE_BITS, octave[some] + _LEAST)
            with np.errstate(all="ignore"):
                values = np.asarray(self._compute(middle + width * _NODES[:, None], upper, *self._parameters), np.float64)
                off = values - values[DEGREE // 2]
                for degree, weights in enumerate(_INVERSE):
                    self._rows[degree, places[some]] = sum(weight * column for weight, column in zip(weights, off, strict=True))
                self._rows[0, places[some]] += values[DEGREE // 2]
                for last in places[(side == upper) & (place == self._width - 1)]:
                    end = np.array([1.0 if self.sides == "one" else 0.5])
                    self._rows[0, last] = self._compute(end, upper, *self._parameters)[0]
        self._fitted[places] = True

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
            row += (first >> np.uint32(31)) * np.intp(self._width)
        bits <<= np.uint64(PIECE_BITS)
        bits &= np.uint64((1 << 52) - 1)
        bits |= np.uint64(1023 << 52)
        p -= 1.5
        rows = self._rows_of(row)
        found = rows[DEGREE].take(row)
        for coefficients in rows[DEGREE - 1 :: -1]:
            found *= p
            found += coefficients.take(row)
        if self.sides == "one":
            np.maximum(found, 0.0, out=found)
        elif self.sides == "symmetric":
            signs: npt.NDArray[np.uint64] = found.view(np.uint64)
            signs ^= (first & np.uint32(1 << 31)).astype(np.uint64) << np.uint64(32)
        return np.asarray(found)

    def _rows_of(self, places: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        """Give rows, of which some are fitted; all of them where there are as many numbers."""
        if self._whole or len(places) >= len(self._fitted):
            return self.rows
        missing = places[~self._fitted.take(places)]
        if missing.size:
            self._fit(np.unique(missing))
        return self._rows


@lru_cache(32)
def wide_table(name: str, *parameters: float) -> WideTable:
    """
    Make the table of a distribution.

    Examples
    --------
    >>> wide_table("exponential").rows.shape
    (7, 4161)
    """
    return WideTable(name, *parameters)
