"""Methods of ufuncs on the device, called as NumPy's and as ours, against the host engine."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same, run, samples

DTYPES = [np.dtype(name) for name in ("float32", "int32", "uint8")]
UFUNCS = ("add", "multiply", "maximum", "minimum")
OTHERS = ("fmax", "logical_or", "logical_xor", "bitwise_and")


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", UFUNCS)
@pytest.mark.parametrize("namespace", [np, xp], ids=["numpy", "trnarray"])
def test_reduces(namespace, name, dtype):
    ufunc, x = getattr(namespace, name), samples((3, 4), dtype, special=False)
    assert_same(lambda x: (ufunc.reduce(x), ufunc.reduce(x, axis=1), ufunc.reduce(x, axis=None)), x, wide=namespace is np)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", [*UFUNCS, *OTHERS])
def test_accumulates(name, dtype):
    if name.startswith("bitwise") and dtype.kind == "f":
        return
    ufunc, special = getattr(np, name), name not in ("add", "multiply")
    x = samples((3, 7), dtype, special=special)
    assert_same(lambda x: (ufunc.accumulate(x), ufunc.accumulate(x, axis=1)), x, views=("reversed",), wide=True)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "uint32"])
def test_reduces_bits(dtype):
    """With masks, what is first, and nothing at all."""
    x = np.arange(-9, 9).astype(dtype).reshape(3, 6)

    def call(x):
        results = []
        for ufunc in (np.bitwise_or, np.bitwise_and, np.bitwise_xor, np.logical_xor):
            results += [ufunc.reduce(x, axis=1), ufunc.reduce(x, axis=None), ufunc.reduce(x[:, :0], axis=1)]
            results += [ufunc.reduce(x, axis=0, where=x != 3, keepdims=True), ufunc.reduce(x, axis=1, initial=True)]
        return results

    assert_same(call, x)


@pytest.mark.parametrize("name", ["fmax", "fmin", "logical_xor"])
def test_reduces_floats(name):
    """NumPy leaves open which zero is the extreme of zeros of both signs: its vector units differ."""
    reduce = getattr(np, name).reduce
    got, wanted = run(lambda x: (reduce(x), reduce(x, axis=1), reduce(x, axis=None)), samples((4, 5), np.dtype(np.float32)))
    for mine, theirs in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_reduces_slices(dtype):
    x = samples((5, 6), np.dtype(dtype), special=False)

    def call(x):
        functions = (np.add, np.maximum, np.logical_and)
        return [f.reduceat(x, at, axis=axis) for f in functions for at, axis in (([0, 2, 5], 1), ([3, 1, 1], 0), (xp.asarray([0, 4]), 0))]

    assert_same(call, x, wide=True)
    with xp.config(fallback="error"), pytest.raises(IndexError, match="index 6 out-of-bounds"):
        np.add.reduceat(xp.asarray(x, device="sim:trn2"), [0, 6], axis=1)


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_reduces_many_slices(dtype):
    """Their elements are gathered: slices of very different lengths, slices that overlap, and single elements."""
    x = np.random.default_rng(0).integers(-3, 4, (2, 200)).astype(dtype)  # sums and products of few are exact
    cuts = [*range(0, 60, 2), *range(60, 99), 180], [place for first in range(50) for place in (first, first + 4)], [*range(199, 99, -1)]

    def call(x):
        of_integers = np.multiply, np.minimum, np.bitwise_xor, np.bitwise_and
        functions = (np.add, np.maximum, np.logical_xor) if dtype == "float32" else of_integers
        return [f.reduceat(x, at, axis=1) for f in functions for at in cuts]

    assert_same(call, x, wide=True)
    with xp.config(fallback="error", default_device="sim:trn2"):
        assert xp.add.reduceat(x[0].astype("f4"), [*range(0, 200, 2)]).shape == (100,)


@pytest.mark.parametrize("dtype", ["int32", "uint32"])
@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_extremes_of_words_by_position(name, dtype):
    """Numbers that float32 would confuse, several for one place."""
    rng, limits = np.random.default_rng(0), np.iinfo(dtype)
    pool = np.array([limits.min, limits.min + 1, 0, 1, 65535, 65536, 2**24, 2**24 + 1, limits.max - 1, limits.max], dtype)
    x, values, rows, columns = rng.choice(pool, (5, 6)), rng.choice(pool, 40), rng.integers(0, 5, 40), rng.integers(0, 6, 40)

    def call(x, values, rows, columns):
        getattr(np, name).at(x, (rows, columns), values)
        getattr(np, name).at(x[1:], (slice(None), columns[:3]), 7)
        return x

    assert_same(call, x, values, rows.astype(np.int32), columns.astype(np.int32))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", [*UFUNCS, "subtract", "less"])
def test_outer(name, dtype):
    ufunc = getattr(np, name)
    assert_same(lambda x, y: (ufunc.outer(x, y), ufunc.outer(x, 3)), samples((3, 4), dtype), samples((2,), dtype, 1))


@pytest.mark.parametrize("dtype", ["bool", "int16", "int32", "float32", "float64", "complex64"])
def test_outer_has_the_dtype_of_the_call(dtype):
    """The table of float_power has double precision alone, which a device's default floats need not be."""
    base, exponent = np.array([1, 0, 3]).astype(dtype), np.array([1, 2]).astype(dtype)
    x, y = (xp.asarray(item, device="sim:trn2") for item in (base, exponent))
    found = np.float_power.outer(x, y)
    assert found.dtype == np.float_power(x[:, None], y).dtype
    wanted = np.float_power.outer(base, exponent)
    unit = np.finfo(wanted.dtype if dtype == "float64" else np.float32).eps
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), wanted, rtol=4 * unit)  # a power is within 2 units
