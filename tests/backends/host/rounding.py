"""Rounding to the low-precision dtypes, worked out from their bit patterns: the reference of the tests around it."""

from bisect import bisect_left
from fractions import Fraction

import numpy as np

from trnarray.backends.dtypes import FLOAT8_E8M0FNU, LOW_PRECISION

LOW = sorted(LOW_PRECISION, key=str)
SIGNED = [dtype for dtype in LOW if dtype != FLOAT8_E8M0FNU]


class Format:
    """The non-negative finite values of a low-precision dtype in order, and how it rounds."""

    def __init__(self, dtype):
        unsigned = np.dtype(f"u{dtype.itemsize}")
        patterns = np.arange(2 ** (8 * dtype.itemsize - (dtype != FLOAT8_E8M0FNU)), dtype=unsigned)
        with np.errstate(invalid="ignore"):  # signalling NaN
            values = patterns.view(dtype).astype(np.float64)  # decoding is exact
        finite = values[np.isfinite(values)]
        assert np.all(np.diff(finite) > 0)
        step = finite[-1] * 2 if dtype == FLOAT8_E8M0FNU else 2 * finite[-1] - finite[-2]  # as if there were one more
        middles = (finite + np.append(finite[1:], step)) / 2  # exact, having one bit more
        self.dtype = dtype
        self.values = finite
        self.overflow = float(values[len(finite)])  # inf, or NaN where the dtype has no inf
        self.middles = middles
        self.midpoints = [Fraction(float(m)) for m in middles]
        self._results = np.append(finite, self.overflow)

    def nearest(self, number):
        """The value that a rational rounds to, as a float; ties to even. Of float8_e8m0fnu as ml_dtypes: halfway up."""
        if self.dtype == FLOAT8_E8M0FNU and number <= 0:
            return np.nan
        size = abs(number)
        place = bisect_left(self.midpoints, size)
        if place < len(self.midpoints) and size == self.midpoints[place]:
            place += 1 if self.dtype == FLOAT8_E8M0FNU else place % 2  # of patterns `place` and `place + 1`
        result = float(self._results[place])
        return -result if number < 0 else result

    def round(self, numbers):
        """What an array of float64 rounds to, as float64."""
        size = np.abs(numbers)
        place = np.searchsorted(self.middles, size)  # NaN comes last
        tie = (place < len(self.middles)) & (size == self.middles[np.minimum(place, len(self.middles) - 1)])
        place = place + (tie if self.dtype == FLOAT8_E8M0FNU else tie & (place % 2 == 1))
        result = np.copysign(self._results[place], numbers)
        if self.dtype == FLOAT8_E8M0FNU:
            result = np.where(numbers > 0, result, np.nan)
        return np.where(np.isnan(numbers), np.nan, result)


FORMATS = {dtype: Format(dtype) for dtype in LOW}


def same(found, wanted):
    """Equal with the signs of zeros, NaN equal to itself."""
    found, wanted = np.asarray(found, np.float64), np.asarray(wanted, np.float64)
    equal = np.array_equal(found, wanted, equal_nan=True)
    return equal and np.array_equal(np.signbit(found[found == 0]), np.signbit(wanted[wanted == 0]))


def every_value(dtype, finite=True):
    """All values of a dtype."""
    values = np.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}").view(dtype)
    with np.errstate(invalid="ignore"):  # signalling NaN
        wide = values.astype(np.float64)
    return values[np.isfinite(wide)] if finite else values[~np.isnan(wide)]
