"""Sets on the device, against the host engine, with no fallback."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same, samples

DTYPES = ["float32", "float16", "int8", "uint32", "bool"]
FUNCTIONS = {
    "unique": lambda x: xp.unique(x, return_index=True, return_inverse=True, return_counts=True),
    "unique_all": lambda x: tuple(xp.unique_all(x)),
    "unique_counts": lambda x: tuple(xp.unique_counts(x)),
    "unique_inverse": lambda x: tuple(xp.unique_inverse(x)),
    "unique_values": xp.unique_values,
}
PAIRS = {
    "union1d": xp.union1d,
    "intersect1d": xp.intersect1d,
    "setdiff1d": xp.setdiff1d,
    "setxor1d": xp.setxor1d,
    "without doubles": lambda x, y: xp.intersect1d(xp.unique(x), xp.unique(y), assume_unique=True),
}


def numbers(shape, dtype, seed):
    """One zero only: which of two stands for both is left open."""
    x = samples(shape, np.dtype(dtype), seed)
    x[x == 0] = 0
    return x


@pytest.mark.parametrize(("name", "dtype"), [(name, DTYPES[(place + more) % 5]) for place, name in enumerate(FUNCTIONS) for more in (0, 2)])
def test_distinct(name, dtype):
    assert_same(FUNCTIONS[name], numbers((5, 6), dtype, 1), views=("transposed",))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_of_nothing_and_of_one(name):
    for dtype in ("float32", "int16"):
        for shape in ((0,), (2, 0), (1,), ()):
            assert_same(FUNCTIONS[name], np.zeros(shape, dtype))


@pytest.mark.parametrize(("name", "number"), [(name, number) for number, name in enumerate(PAIRS)])
def test_pairs(name, number):
    assert_same(PAIRS[name], numbers((9,), DTYPES[number], 2), numbers((3, 4), DTYPES[number], 3))
