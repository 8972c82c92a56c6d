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


def test_two_outputs():
    def call(x, one, other, exponent):
        np.frexp(x, out=(one, exponent), where=x > 0)
        np.divmod(x, 2, out=(other, x))
        return x, one, other, exponent

    x = samples((6, 5), np.dtype(np.float32))
    assert_same(call, x, np.ones_like(x), np.ones_like(x), np.ones(x.shape, np.int32))


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
