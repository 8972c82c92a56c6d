"""Sets on the device, against the host engine, with no fallback."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same, samples

DTYPES = ["float32", "complex64", "int8", "uint32", "float16", "bool"]
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
    "with indices": lambda x, y: xp.intersect1d(x, y, return_indices=True),
    "without doubles": lambda x, y: xp.intersect1d(xp.unique(x), xp.unique(y), assume_unique=True),
}


def numbers(shape, dtype, seed):
    """One zero only: which of two stands for both is left open."""
    x = samples(shape, np.dtype(dtype), seed)
    if x.dtype.kind == "c":
        x.real[np.isnan(x)] = x.imag[np.isnan(x)] = np.nan
        x.real[x.real == 0], x.imag[x.imag == 0] = 0, 0
    else:
        x[x == 0] = 0
    return x


@pytest.mark.parametrize(("name", "dtype"), [(name, DTYPES[(place + more) % 6]) for place, name in enumerate(FUNCTIONS) for more in (0, 2)])
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


SLICES = {
    "int8": np.array([[[1, 0, 2], [1, 0, 1]], [[0, 3, 1], [0, 3, 1]], [[1, 0, 2], [1, 0, 1]], [[1, 0, -2], [1, 0, 1]]], np.int8),
    "float32": np.array([[1, np.nan, 2], [1, np.nan, 1], [0, 1, 1], [0, 1, 1], [0, 1, np.inf]], np.float32),
    "complex64": np.array([[1 + 1j, 2], [1, 3j], [1 + 1j, 2], [1, 3j], [1, -3j]], np.complex64),
}


@pytest.mark.parametrize("name", SLICES)
def test_distinct_slices(name):
    for axis in range(SLICES[name].ndim):
        assert_same(
            lambda x, axis=axis: xp.unique(x, axis=axis, return_index=True, return_inverse=True, return_counts=True), SLICES[name]
        )


@pytest.mark.parametrize("equal_nan", [True, False])
@pytest.mark.parametrize("axis", [0, -1])
def test_distinct_elements_along_the_only_axis(axis, equal_nan):
    """All NaN are one, as without an axis and in NumPy since 2.3, or none is another."""
    nan = np.nan
    for x in ([0, nan, 2, nan], [nan, complex(1, nan), complex(nan, 0), 1], [], [nan]):
        x = np.array(x, np.complex64 if complex in map(type, x) else np.float32)
        options = {"return_index": True, "return_inverse": True, "return_counts": True, "equal_nan": equal_nan}
        found = np.unique(xp.asarray(x, device="sim:trn2"), axis=axis, **options)
        for one, other in zip(found, np.unique(x, **options), strict=True):
            np.testing.assert_array_equal(np.asarray(one.to_device("cpu")), other)


def test_distinct_slices_of_nothing():
    for shape in ((0, 3), (3, 0)):
        for axis in (0, 1):
            assert_same(lambda x, axis=axis: xp.unique(x, axis=axis, return_inverse=True), np.zeros(shape, np.float32))
