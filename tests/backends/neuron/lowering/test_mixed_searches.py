"""Searches of integers among floats and of floats among integers, against NumPy's, which makes float64 of both."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
INTEGERS = ("int8", "uint16", "int32", "uint32", "int64")
FLOATS = ("float32", "float16")


def on(array):
    return xp.asarray(array, device=DEVICE)


def integers(dtype):
    """Powers of two and their neighbours that float64 holds, ends of the range, and what float32 does not tell from others."""
    info = np.iinfo(dtype)
    found = {info.min, info.min + 1, info.max, info.max - 1} if info.bits < 64 else set()
    for power in (0, 3, 11, 24, 25, 31, 32, 40):
        found |= {sign * 2**power + step for sign in (1, -1) for step in (-1, 0, 1)}
    return np.array(sorted(n for n in found if info.min <= n <= info.max), dtype)


def floats(dtype):
    powers = [np.float32(sign * 2.0**power) for power in (-3, 0, 3, 11, 24, 31, 32, 40) for sign in (1, -1)]
    near = [np.nextafter(x, np.float32(towards)) for x in powers for towards in (0, np.inf)]
    with np.errstate(all="ignore"):
        return np.sort(np.array([*powers, *near, 0.5, -0.5, 0, np.inf, -np.inf, np.nan, np.nan], np.float32).astype(dtype))


@pytest.mark.parametrize("other", FLOATS)
@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_and_floats_are_told_apart(kind, other):
    n, f = integers(kind), floats(other)
    shuffled = np.random.default_rng(1).permutation(f)
    finite = f[~np.isnan(f)]
    with xp.config(fallback="allow"):
        for side in ("left", "right"):
            assert xp.searchsorted(on(n), on(shuffled), side=side).tolist() == np.searchsorted(n, shuffled, side=side).tolist()
            assert xp.searchsorted(on(f), on(n), side=side).tolist() == np.searchsorted(f, n, side=side).tolist()
            for bins in (finite, finite[::-1]):
                assert xp.digitize(on(n), on(bins), right=side == "left").tolist() == np.digitize(n, bins, side == "left").tolist()
        for invert in (False, True):
            assert xp.isin(on(n), on(f), invert=invert).tolist() == np.isin(n, f, invert=invert).tolist()
            assert xp.isin(on(f), on(n), invert=invert).tolist() == np.isin(f, n, invert=invert).tolist()
        if kind == "int32":  # both are sorted together
            many = np.arange(3000, dtype=np.float32) + (2**24 - 1000)
            assert xp.isin(on(np.tile(n, 40)), on(many)).tolist() == np.isin(np.tile(n, 40), many).tolist()
        assert xp.setdiff1d(on(n), on(f)).tolist() == np.setdiff1d(n, f).tolist()
        assert xp.intersect1d(on(n), on(f)).tolist() == np.intersect1d(n, f).tolist()


NUMBERS = [16777216, 16777217, 2**31, -(2**31), -(2**31) - 1, 0.5, -0.25, 1e300, float("inf"), float("-inf"), float("nan"), 2.0**31]


@pytest.mark.parametrize("side", ["left", "right"])
def test_numbers_of_python(side):
    """A float takes the dtype of floats, as in comparisons, so that only those that it holds have NumPy's places among them."""
    whole, parts = np.array([-(2**31), 16777216, 16777217, 2**31 - 1], np.int32), np.array([0.5, 16777216, 2**31], np.float32)
    with xp.config(fallback="allow"):
        for table, numbers in ((whole, [*NUMBERS, 16777216.5, 2.0**31 - 0.5]), (parts, NUMBERS)):
            found = [int(xp.searchsorted(on(table), number, side)) for number in numbers]
            assert found == [np.searchsorted(table, number, side) for number in numbers]
        for table in (whole, whole.astype(np.int64), np.array([False, True])):
            assert int(xp.searchsorted(on(table), 2**70, side)) == len(table)
