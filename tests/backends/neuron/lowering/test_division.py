"""Quotients and remainders on the device against the host engine: all pairs of bytes, and pairs of all sizes, of integers and floats."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import FLOATS, SPECIAL, assert_same

FUNCTIONS = {
    "floor_divide": xp.floor_divide,
    "numpy.floor_divide": np.floor_divide,
    "remainder": xp.remainder,
    "fmod": xp.fmod,
    "divmod": xp.divmod,
}


def integers(dtype):
    limits = np.iinfo(dtype)
    if limits.bits == 8:
        numbers = np.arange(limits.min, limits.max + 1).astype(dtype)
        return np.repeat(numbers, 256), np.tile(numbers, 256)
    rng = np.random.default_rng(0)
    first = rng.integers(limits.min, limits.max, 20_000, endpoint=True)
    second = np.where(rng.random(20_000) < 0.5, rng.integers(max(limits.min, -9), 10, 20_000), rng.permutation(first))
    first[:4], second[:4] = limits.min, (0, 1, limits.max, max(limits.min, -1))
    return first.astype(dtype), second.astype(dtype)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
@pytest.mark.parametrize("name", [*FUNCTIONS, "gcd", "lcm"])
def test_integers(name, dtype):
    with np.errstate(all="ignore"):
        assert_same(FUNCTIONS.get(name) or getattr(np, name), *integers(np.dtype(dtype)))


def floats(dtype):
    """All pairs of special values, then numbers whose quotients have few and many bits, and exact multiples."""
    rng = np.random.default_rng(1)
    special = np.array([*SPECIAL, 1.0, -1.0, 0.5, 1e30, -1e30, 1e-30], np.float32)
    first = rng.standard_normal(4000) * np.exp2(rng.integers(-12, 12, 4000))
    second = rng.standard_normal(4000) * np.exp2(rng.integers(-4, 4, 4000))
    second[:1000] = rng.integers(1, 9, 1000)
    first[:500] = second[:500] * rng.integers(-99, 99, 500)
    left, right = (part.ravel() for part in np.meshgrid(special, special))
    with np.errstate(all="ignore"):
        return tuple(np.concatenate(parts).astype(np.float32).astype(dtype) for parts in ((left, first), (right, second)))


@pytest.mark.parametrize("dtype", [dtype for dtype in FLOATS if dtype.name in ("float32", "bfloat16", "float16")], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_floats(name, dtype):
    with np.errstate(all="ignore"):
        assert_same(FUNCTIONS[name], *floats(dtype))


def test_numbers_broadcasts_and_outputs():
    x = np.arange(-12, 12).reshape(4, 6).astype(np.int16)

    def call(a, out):
        return a // 5, 7 % a[:1], xp.remainder(a, 5, out=out), out

    with np.errstate(all="ignore"):
        assert_same(call, x, np.zeros_like(x), views=("transposed", "strided"))
