"""Comparisons of integers with floats, against exact rational arithmetic."""

import operator
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

DEVICE = "sim:trn2"
OPERATIONS = {
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le, "greater": operator.gt,
    "greater_equal": operator.ge,
}  # fmt: skip
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")


MIRRORED = {"less": "greater", "greater": "less", "less_equal": "greater_equal", "greater_equal": "less_equal"}


def sign(n, f):
    """Give the sign of n - f, or NaN."""
    if not np.isfinite(f):
        return -np.sign(np.float64(f))
    number = Fraction(float(f))
    return float((n > number) - (n < number))


def exact(name, n, f):
    with np.errstate(invalid="ignore"):
        return OPERATIONS[name](np.array([[sign(int(a), b) for b in f] for a in n]), 0)


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name, name))


def integers(dtype):
    """Ends of the range, powers of two and their neighbours, in which floats are close."""
    info = np.iinfo(dtype)
    found = {info.min, info.min + 1, info.max, info.max - 1, 0}
    for power in range(64):
        for step in (-1, 0, 1):
            found |= {sign * 2**power + step for sign in (1, -1)}
    return np.array(sorted(n for n in found if info.min <= n <= info.max), dtype)


def floats(dtype):
    powers = [np.float32(sign * 2.0**power) for power in range(-3, 65) for sign in (1, -1)]
    near = [np.nextafter(x, np.float32(towards)) for x in powers for towards in (0, np.inf, -np.inf)]
    with np.errstate(all="ignore"):
        return np.array([*powers, *near, 0.5, -0.5, 0.0, -0.0, np.inf, -np.inf, np.nan], np.float32).astype(dtype_of(dtype))


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("real", FLOATS)
def test_arrays_are_compared_as_numbers(kind, real):
    n, f = integers(kind), floats(real)
    some = np.random.default_rng(1).permutation(f.size)[:20]
    f = np.concatenate([f[some], f[-7:]])
    with xp.config(fallback="error"):
        x, y = (xp.asarray(array, device=DEVICE) for array in (n, f))
        results = {name: (getattr(xp, name)(x[:, None], y), getattr(xp, name)(y, x[:, None])) for name in OPERATIONS}
    for name, (found, turned) in results.items():
        np.testing.assert_array_equal(found.tolist(), exact(name, n, f))
        np.testing.assert_array_equal(turned.tolist(), exact(MIRRORED.get(name, name), n, f))


@settings(max_examples=25, deadline=None)
@given(
    kind=st.sampled_from(INTEGERS), name=st.sampled_from(list(OPERATIONS)), turned=st.booleans(),
    other=st.floats(width=64) | st.integers(-(2**64), 2**64).map(float) | st.floats(width=32).map(np.float32),
)  # fmt: skip
def test_numbers_of_the_host_are_compared_as_numbers(kind, name, turned, other):
    n = integers(kind)
    with xp.config(fallback="error"):
        x = xp.asarray(n, device=DEVICE)
        found = OPERATIONS[name](float(other), x) if turned else OPERATIONS[name](x, other)
    np.testing.assert_array_equal(found.tolist(), exact(MIRRORED.get(name, name) if turned else name, n, [other])[:, 0])


@pytest.mark.parametrize("kind", ["uint8", "int32", "int64"])
def test_floats_of_lists_are_compared_as_numbers(kind):
    """Those that float32 holds on the device, others on the host; searches alike."""
    n = np.array([16777217, 3, 100], np.int64).astype(kind)
    x = xp.asarray(n, device=DEVICE)
    for row in ([16777216.0, 3.5, 100.0], [16777217.0, 3.0, 0.1]):
        f = np.sort(row)
        with xp.config(fallback="allow"):
            for name in OPERATIONS:
                assert getattr(xp, name)(x, row).tolist() == exact(name, n, row).diagonal().tolist()
                assert getattr(xp, MIRRORED.get(name, name))(row, x).tolist() == exact(name, n, row).diagonal().tolist()
            assert np.searchsorted(list(f), x).tolist() == np.searchsorted(f, n).tolist()
            assert np.isin(x, row).tolist() == np.isin(n, row).tolist()


def test_results_go_where_they_are_sent():
    x, y = xp.asarray(np.array([16777217, 5], np.int32), device=DEVICE), xp.asarray(np.array([16777216, 5], np.float32), device=DEVICE)
    out = xp.zeros(2, dtype=bool, device=DEVICE)
    assert xp.greater(x, y, out=out) is out
    assert out.tolist() == [True, False]
    xp.equal(x, 5.0, out=out, where=xp.asarray(np.array([False, True]), device=DEVICE))
    assert out.tolist() == [True, True]
    assert np.greater(x, y).tolist() == [True, False]
    assert (x == y[:0].reshape(0, 1)).shape == (0, 2)
