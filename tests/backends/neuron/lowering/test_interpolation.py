"""Interpolation on the device, against the host's in float64, with no fallback."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import DEVICE, U, assert_near, assert_same, place

RNG = np.random.default_rng(8)
POINTS = np.sort(RNG.random(9)).astype(np.float32)
HEIGHTS = RNG.uniform(-1, 1, 9).astype(np.float32)
X = np.concatenate([RNG.uniform(-0.2, 1.2, 20), POINTS, [np.nan]]).astype(np.float32).reshape(5, 6)


@pytest.mark.parametrize(
    ("heights", "parameters"),
    [
        (HEIGHTS, {}),
        (HEIGHTS, {"left": -7.0, "right": 9.0}),
        (HEIGHTS, {"period": 0.7}),
        (HEIGHTS + 1j * HEIGHTS[::-1], {"left": 1 + 2j}),
        (np.arange(9, dtype=np.int32), {}),
    ],
)
def test_lines(heights, parameters):
    """Slopes and distances of float32: the shorter the line, the larger the relative error of its slope, but not that of the product."""
    bound = 16 * U * np.abs(heights).max()
    assert_near(lambda x, p, h: xp.interp(x, p, h, **parameters), bound, X, POINTS, heights)


def test_ends():
    height = np.asarray([1, np.inf, 2, -np.inf], np.float32)
    x = np.asarray([0, 1, 2, 3, -1, 4, np.nan], np.float32)
    assert_same(xp.interp, x, np.arange(4, dtype=np.float32), height)
    assert_same(xp.interp, x, np.ones(1, np.float32), height[:1])
    assert_same(xp.interp, x[:0], np.ones(1, np.float32), height[:1])


@pytest.mark.parametrize(
    ("points", "heights", "message"),
    [(POINTS[:0], HEIGHTS[:0], "empty"), (POINTS, HEIGHTS[1:], "same length"), (X, HEIGHTS, "1-D sequences")],
)
def test_errors(points, heights, message):
    with xp.config(fallback="error"), pytest.raises(ValueError, match=message):
        xp.interp(*(place(array, DEVICE) for array in (X, points, heights)))
