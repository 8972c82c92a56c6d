"""NumPy's functions of which the standard has others of the same name: on the device, with NumPy's values."""

import warnings

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
U = 2.0**-24
X = np.random.default_rng(0).integers(-4, 5, (4, 6)).astype(np.float32)
WEIGHTS = (-1) ** np.arange(6) > 0
EXACT = {
    "count_nonzero": lambda x, own: np.count_nonzero(x),
    "count_nonzero along an axis": lambda x, own: np.count_nonzero(x > 0, axis=1, keepdims=True),
    "isin": lambda x, own: np.isin(x, x[:2, 0], invert=True),
    "isin of a list": lambda x, own: np.isin(x, [1, 2.5, 3]),
    "isin of integers": lambda x, own: np.isin(x.astype(np.int32), [1, -2, 3]),
    "isin of a number": lambda x, own: np.isin(x, 2),
    "searchsorted": lambda x, own: np.searchsorted(np.sort(x[0]), x, side="right"),
    "searchsorted of a number": lambda x, own: np.searchsorted(np.sort(x[1]), 1.5),
    "searchsorted of a list": lambda x, own: np.searchsorted(x[1], [0.5, 3], sorter=np.argsort(x[1])),
}
NEAR = {
    "std": lambda x, own: np.std(x),
    "var": lambda x, own: np.var(x, axis=0, ddof=1, keepdims=True),
    "var by name": lambda x, own: np.var(x, 1, "float32", correction=2),
    "std of some": lambda x, own: np.std(x, axis=1, where=own(WEIGHTS)),
    "var about a mean": lambda x, own: np.var(x, axis=0, mean=np.mean(x, axis=0, keepdims=True)),
    "var of too few": lambda x, own: np.var(x[:1], axis=0, ddof=1),
    "std of less than too few": lambda x, own: np.std(x[:2], axis=0, ddof=3),
    "var of complex numbers": lambda x, own: np.var(x + 1j * x[::-1], axis=0),
}


def on_both(call):
    with xp.config(fallback="error"):
        found = np.asarray(call(xp.asarray(X, device=DEVICE), lambda a: xp.asarray(a, device=DEVICE)).to_device("cpu"))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of too few elements
        return found, np.asarray(call(X, np.asarray))


@pytest.mark.parametrize("name", EXACT)
def test_counts_and_searches(name):
    found, expected = on_both(EXACT[name])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", NEAR)
def test_deviations(name):
    """Sums of whole numbers up to 64: 6 of their roundings, and a quotient, a square and a root."""
    found, expected = on_both(NEAR[name])
    np.testing.assert_allclose(found, expected, rtol=16 * U)


@pytest.mark.parametrize("function", [np.searchsorted, np.isin])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint64", "float16", "float32", "float64"])
def test_operands_of_several_dtypes(function, dtype):
    """Numbers that one of the dtypes does not tell apart, and Python's."""
    with np.errstate(all="ignore"):
        table = np.sort(np.array([0, 1, 3, 100, 2**24 + 1, 2**53 + 1, 0.1]).astype(dtype))
        others = [np.array([0.1, 1, 2**24 + 1, 2**53]).astype(other) for other in ("int32", "int64", "float32", "float64")]
    for other in [*others, 0.1, 3, [0.1, 100.5], np.float64(0.1), np.float32(0.1)]:
        if dtype == "uint64" and getattr(other, "dtype", np.dtype("f")).kind == "i":
            continue
        on_device = [xp.asarray(a, device=DEVICE) if isinstance(a, np.ndarray) else a for a in (table, other)]
        with xp.config(fallback="error"):
            found = function(*on_device)
        np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), function(table, other))


def test_what_numpy_compares_in_64_bits_is_no_equal_of_32():
    x = xp.asarray(np.float32([0.1, 0.5]), device=DEVICE)
    with xp.config(fallback="error"):
        assert np.isin(x, [0.1, 0.5]).tolist() == [False, True]
        assert np.searchsorted(x, 0.1).tolist() == np.searchsorted(np.float32([0.1, 0.5]), 0.1)
        assert np.isin(x, np.float64(0.1)).tolist() == [False, False]
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="uint64 as floats depends on their values"):
        np.isin(xp.asarray([1], dtype=xp.int64, device=DEVICE), xp.asarray([1], dtype=xp.uint64, device=DEVICE))
    with pytest.raises(ValueError, match="simultaneously"):
        np.var(x, ddof=1, correction=1)
