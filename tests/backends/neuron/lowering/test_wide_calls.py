"""Calls on float64, complex128, int64 and uint64 whose float32 has a kernel: on the device, with NumPy's results."""

import numpy as np
import pytest

import trnarray as xp

rng = np.random.default_rng(12)
REAL, SHORT = rng.normal(size=50), rng.normal(size=7)
LONG, FEW = rng.integers(-(10**12), 10**12, 40), rng.integers(0, 9, 40)
COMPLEX = rng.normal(size=30) + 1j * rng.normal(size=30)
COMPLEX[5] = COMPLEX[9]
WITH_NAN = np.where(np.arange(30) == 7, complex(np.nan, 1), COMPLEX)
POINTS = np.sort(SHORT)
FIBONACCI = 7540113804746346429, 12200160415121876738  # which take the most steps
SMALL = rng.integers(-9, 10, 40)
CALLS = {
    "power int64": (np.power, LONG, FEW),
    "power uint64": (np.power, np.abs(SMALL).astype(np.uint64), rng.integers(0, 2**64, 40, dtype=np.uint64)),
    "power int64 broadcast": (lambda a, b: a[:, None] ** b, SMALL, FEW[:5]),
    "power of a number": (lambda a: 3**a, FEW),
    "power to a number": (lambda a: a**70, SMALL),
    "gcd": (np.gcd, LONG * 6, LONG[::-1] * 15),
    "gcd int64": (np.gcd, SMALL, SMALL[::-1].copy()),
    "gcd uint64": (np.gcd, np.array([0, 0, 2**64 - 1, FIBONACCI[1]], np.uint64), np.array([0, 7, 5, FIBONACCI[0]], np.uint64)),
    "lcm": (np.lcm, SMALL, LONG),
    "lcm beyond int64": (np.lcm, np.array([2, -3, 3, -(2**63)]), np.array([2**63 - 1, 2**63 - 1, 2**62, 6])),
    "ldexp int64": (np.ldexp, np.array([1.5, -1.5, 5e-324, 0.7, 1e300]), np.array([2**40, -(2**40), 1074, -1075, -(2**63)])),
    "ldexp uint32": (np.ldexp, np.float32([1.5, 1e-45, 0.0]), np.array([2**32 - 1, 149, 2**31], np.uint32)),
    "lcm uint64": (np.lcm, np.abs(SMALL).astype(np.uint64), FEW.astype(np.uint64)),
    "convolve": (np.convolve, REAL, SHORT),
    "convolve same": (lambda a, b: np.convolve(a, b, "same"), REAL, SHORT),
    "convolve int64": (np.convolve, LONG, FEW[:5]),
    "convolve uint64": (np.convolve, LONG.astype(np.uint64), FEW[:5].astype(np.uint64)),
    "convolve complex128": (np.convolve, COMPLEX, COMPLEX[:4]),
    "correlate": (lambda a, b: np.correlate(a, b, "full"), REAL, SHORT),
    "polymul": (np.polymul, REAL, SHORT),
    "histogram": (np.histogram, REAL),
    "histogram auto": (lambda a: np.histogram(a, bins="auto"), REAL),
    "histogram density": (lambda a: np.histogram(a, bins=5, density=True), REAL),
    "histogram int64": (np.histogram, LONG),
    "histogram density int64": (lambda a: np.histogram(a, bins=5, density=True), LONG),
    "histogram uint64": (np.histogram, np.append(LONG.astype(np.uint64), np.uint64(2**64 - 1))),
    "histogram2d": (lambda a, b: np.histogram2d(a, b, bins=4), REAL, REAL[::-1].copy()),
    "histogram_bin_edges": (np.histogram_bin_edges, REAL),
    "bincount": (np.bincount, FEW),
    "bincount uint64": (np.bincount, FEW),
    "interp": (np.interp, REAL, POINTS, SHORT),
    "interp edges": (lambda a, b, c: np.interp(a, b, c, left=-1.0, right=np.nan), REAL, POINTS, SHORT),
    "interp period": (lambda a, b, c: np.interp(a, b, c, period=1.5), REAL, SHORT, SHORT[::-1].copy()),
    "interp complex128": (np.interp, np.append(REAL, np.nan), POINTS, COMPLEX[:7]),
    "median int64": (np.median, LONG),
    "quantile int64": (lambda a: np.quantile(a, [0.1, 0.5, 0.77]), LONG),
    "percentile uint64": (lambda a: np.percentile(a, 30), np.abs(LONG).astype(np.uint64)),
    "nanquantile int64": (lambda a: np.nanquantile(a, 0.3), LONG),
    "argmax complex128": (np.argmax, COMPLEX),
    "argmin complex128": (lambda a: np.argmin(a.reshape(5, 6), axis=1), COMPLEX),
    "argmax NaN": (np.argmax, WITH_NAN),
    "nanargmin complex128": (np.nanargmin, WITH_NAN),
    "isreal complex128": (np.isreal, np.append(COMPLEX, 1.0)),
    "iscomplex complex128": (np.iscomplex, np.append(COMPLEX, 1.0)),
    "real_if_close complex128": (np.real_if_close, REAL + 1e-20j),
}


@pytest.mark.parametrize("name", CALLS)
def test_as_numpy(name):
    """Results of at most two roundings more than NumPy's."""
    function, *operands = CALLS[name]
    with xp.config(fallback="error", defaults="numpy"):
        found = function(*(xp.asarray(x, device="sim:trn2") for x in operands))
    with np.errstate(over="ignore"):
        wanted = function(*operands)
    pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
    for ours, theirs in pairs:
        result, expected = np.asarray(ours.to_device("cpu")), np.asarray(theirs)
        assert result.dtype == expected.dtype
        if expected.dtype.kind in "iub":
            np.testing.assert_array_equal(result, expected)
        else:
            np.testing.assert_allclose(result, expected, rtol=2.0**-50, atol=2.0**-50)


@pytest.mark.parametrize("name", ["convolve", "histogram", "interp", "matmul", "einsum", "sum", "argmax complex128"])
def test_the_setting_host_leaves_them_to_the_host(name):
    products = {"matmul": lambda a: a[:, None] @ a[None], "einsum": lambda a: np.einsum("i,i", a, a), "sum": np.sum}
    function, *operands = CALLS[name] if name in CALLS else (products[name], REAL)
    arrays = [xp.asarray(x, device="sim:trn2") for x in operands]
    with xp.config(float64="host", fallback="error"), pytest.raises(xp.FallbackError, match='float64="host"'):
        function(*arrays)


def test_negative_exponents_are_refused():
    x = xp.asarray(SMALL, device="sim:trn2")
    with xp.config(fallback="error"), pytest.raises(ValueError, match="an exponent is negative"):
        np.asarray((xp.abs(x) ** x).to_device("cpu"))
