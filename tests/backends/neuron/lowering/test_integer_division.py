"""Quotients and remainders of 8- and 16-bit integers on the device: all pairs of bytes, and pairs of all sizes, against the host engine."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same

FUNCTIONS = {
    "floor_divide": xp.floor_divide,
    "numpy.floor_divide": np.floor_divide,
    "remainder": xp.remainder,
    "fmod": xp.fmod,
    "divmod": xp.divmod,
}


def operands(dtype):
    limits = np.iinfo(dtype)
    if limits.bits == 8:
        numbers = np.arange(limits.min, limits.max + 1).astype(dtype)
        return np.repeat(numbers, 256), np.tile(numbers, 256)
    rng = np.random.default_rng(0)
    first = rng.integers(limits.min, limits.max + 1, 20_000)
    second = np.where(rng.random(20_000) < 0.5, rng.integers(max(limits.min, -9), 10, 20_000), rng.permutation(first))
    first[:4], second[:4] = limits.min, (0, 1, limits.max, max(limits.min, -1))
    return first.astype(dtype), second.astype(dtype)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_quotients_and_remainders(name, dtype):
    with np.errstate(all="ignore"):
        assert_same(FUNCTIONS[name], *operands(np.dtype(dtype)))


def test_numbers_broadcasts_and_outputs():
    x = np.arange(-12, 12).reshape(4, 6).astype(np.int16)

    def call(a, out):
        return a // 5, 7 % a[:1], xp.remainder(a, 5, out=out), out

    with np.errstate(all="ignore"):
        assert_same(call, x, np.zeros_like(x), views=("transposed", "strided"))
