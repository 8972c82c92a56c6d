"""Floats taken apart, put together and counted on the device, bit for bit as the host engine."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import FLOATS, assert_same, samples
from .test_composite_elementwise import wide

DTYPES = [dtype for dtype in FLOATS if dtype.name in ("float32", "bfloat16", "float16")]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_parts(dtype):
    assert_same(lambda x: (*np.frexp(x), *np.frexp(x[:, ::2])), wide(dtype).reshape(10, -1))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_put_together(dtype):
    exponents = np.random.default_rng(0).integers(-200, 200, 460).astype(np.int32)
    exponents[:4] = 2**31 - 1, -(2**31), 0, 2**24 + 1
    assert_same(lambda x, n: (np.ldexp(x, n), np.ldexp(x, 3), np.ldexp(x[:1], n)), wide(dtype), exponents)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_neighbours(dtype):
    x, y = samples((60,), dtype), samples((60,), dtype, 1)
    y = np.where(y == 0, dtype.type(1), y)  # NumPy before 2.5 takes the first of two zeros in float16
    assert_same(lambda a, b: (xp.nextafter(a, b), xp.nextafter(a[:1], b), xp.nextafter(a, 0.5)), x, y)


def test_spacing():
    assert_same(np.spacing, wide(np.dtype(np.float32)))
