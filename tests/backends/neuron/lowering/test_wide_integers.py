"""64-bit integers on the device, in words of 32 bits, against NumPy: all pairs around powers of two, and any numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

from .beside_host import assert_same

DTYPES = ["int64", "uint64"]
CALLS = {
    "sums": lambda x, y: (x + y, x - y, -x),
    "products": lambda x, y: (x * y, np.square(x)),
    "comparisons": lambda x, y: (x == y, x != y, x < y, x <= y, x > y, x >= y),
    "extremes": lambda x, y: (np.maximum(x, y), np.minimum(x, y), np.fmax(x, y), np.fmin(x, y), xp.where(x < y, x, y)),
    "bits": lambda x, y: (x & y, x | y, x ^ y, ~x, np.bitwise_count(x)),
    "signs": lambda x, _: (abs(x), np.sign(x), +x),
    "truths": lambda x, y: (np.logical_and(x, y), np.logical_or(x, y), np.logical_xor(x, y), np.logical_not(x)),
    "numbers": lambda x, _: (x + 1, 3 - x, x * 10**10, x << 7, x >> 40, x & 0xFFFFFFFFFF, x < 2**33),
}


def boundary(dtype):
    limits = np.iinfo(dtype)
    powers = [sign * 2**power + more for sign in (-1, 1) for power in (0, 8, 16, 24, 31, 32, 33, 48, 63) for more in (-1, 0, 1)]
    chosen = sorted({number for number in (limits.min, limits.max, *powers) if limits.min <= number <= limits.max})
    return [grid.ravel() for grid in np.meshgrid(*(np.array(chosen, dtype),) * 2)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", CALLS)
def test_boundaries(call, dtype):
    with np.errstate(all="ignore"):
        assert_same(CALLS[call], *boundary(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_shifts(dtype):
    x, _ = boundary(dtype)
    counts = np.resize(np.array([*range(66), 127, 128, 2**32, 2**32 + 5, np.iinfo(dtype).max, np.iinfo(dtype).min], dtype), x.shape)
    assert_same(lambda x, n: (x << n, x >> n), x, counts)


@settings(max_examples=15)
@given(st.sampled_from(DTYPES), st.data())
def test_any_numbers(dtype, data):
    limits = np.iinfo(dtype)
    numbers = st.lists(st.integers(int(limits.min), int(limits.max)), min_size=4, max_size=4)
    x, y = (np.array(data.draw(numbers), dtype) for _ in range(2))
    with np.errstate(all="ignore"):
        assert_same(lambda x, y: (x + y, x - y, x * y, x < y, x >= y, x << (y & 63), x >> (y & 63)), x, y)


def test_views_broadcasts_and_outputs():
    x = np.arange(-12, 12).reshape(4, 6) * 2**31

    def call(a, out):
        out += a
        return a[1:] * a[:1], a.T - 7, np.add(a, 2**40, out=out), out

    assert_same(call, x, np.zeros_like(x), views=("strided",))
