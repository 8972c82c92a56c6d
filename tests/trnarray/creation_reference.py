"""What results of creation functions are held against: NumPy's, and numbers rounded once."""

from fractions import Fraction

import numpy as np

import trnarray as xp
from trnarray.backends.dtypes import DTYPES

PLAIN = [dtype for dtype in DTYPES if dtype.num < 16]


def same(ours, theirs, *, layout=True):
    """Equal to NumPy's result in value, shape, dtype and memory layout."""
    assert type(ours) is xp.Array
    result = np.asarray(ours._value)
    assert (result.dtype, result.shape) == (theirs.dtype, theirs.shape)
    np.testing.assert_array_equal(result, theirs)
    if layout and theirs.size:  # the stride of an axis of length 1 has no meaning
        strides = [[step for step, side in zip(x.strides, x.shape, strict=True) if side > 1] for x in (result, theirs)]
        assert strides[0] == strides[1]


def nearest(value, dtype):
    """The number of a dtype that is nearest to a float64, ties to even: an independent rounding, by exact fractions."""
    grid = np.arange(2 ** (8 * dtype.itemsize - 1), dtype=f"u{dtype.itemsize}").view(dtype)  # the non-negative ones
    with np.errstate(invalid="ignore"):
        grid = grid.astype(np.float64)
    grid = grid[np.isfinite(grid)]
    place = int(np.clip(np.searchsorted(grid, abs(value)), 1, len(grid) - 1))
    best = min((place - 1, place), key=lambda i: (abs(Fraction(float(grid[i])) - abs(Fraction(value))), i % 2))
    return float(np.copysign(grid[best], value))
