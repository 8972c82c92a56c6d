"""Counts, covariances, slopes, polynomials, bits and conversions, beside the host's."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.dtypes import canonical_dtype

from ..variants import preferred_variants
from .beside_host import DEVICE, U, assert_near, assert_same, fetch, run, samples

FLOAT, COMPLEX = np.dtype(np.float32), np.dtype(np.complex64)
INTEGER = np.dtype(np.int32)


def numbers(shape, dtype, seed=0):
    return samples(shape, dtype, seed, special=False)


@pytest.mark.parametrize("dtype", [canonical_dtype(name) for name in ("bool", "uint8", "uint32")], ids=str)
def test_bincount(dtype):
    x, weights = np.abs(numbers((300,), dtype)).astype(dtype), numbers((300,), FLOAT, 1)  # whose sums are exact
    assert_same(lambda x: (xp.bincount(x), xp.bincount(x, minlength=40), xp.bincount(x[:0])), x)
    assert_near(xp.bincount, 0, x, weights)


@pytest.mark.parametrize("small", [0, 2**24], ids=["by segments", "by comparing"])
def test_weights_of_64_bits(monkeypatch, small):
    """Quarters of small numbers are summed exactly either way."""
    monkeypatch.setattr("trnarray.backends.neuron.lowering.counting._SMALL", small)
    x, weights = np.abs(numbers((40,), np.dtype(np.int32))), numbers((40,), np.dtype(np.float64), 1) / 4
    with xp.config(fallback="error"):
        assert_same(xp.bincount, x, weights)
        got = xp.histogram(xp.asarray(weights, device=DEVICE), 5, weights=xp.asarray(weights * 1j, device=DEVICE))[0]
    assert got.tolist() == np.histogram(weights, 5, weights=weights * 1j)[0].tolist()
    with pytest.raises(TypeError, match="imaginary"):
        xp.bincount(xp.asarray(x, device=DEVICE), xp.asarray(weights * 1j, device=DEVICE))


def test_bincount_by_position(monkeypatch):
    monkeypatch.setattr("trnarray.backends.neuron.lowering.counting._SMALL", 0)
    x = np.abs(numbers((300,), np.dtype(np.int32)))
    for way in ("by position", "by comparing all"):
        with preferred_variants(DEVICE, count=way):
            assert_same(xp.bincount, x)
    assert_near(xp.bincount, 0, x, numbers((300,), FLOAT, 1))
    with pytest.raises(ValueError, match="not negative"):
        xp.bincount(xp.asarray([1, -1], device=DEVICE))


@pytest.mark.parametrize("dtype", [canonical_dtype(name) for name in ("float32", "int32")], ids=str)
def test_histograms(dtype):
    x = numbers((200,), dtype)
    for bins in (7, [0, 1, 2.5, 8]):
        assert_same(lambda x, bins=bins: xp.histogram(x, bins)[0], x)
        assert_near(lambda x, bins=bins: xp.histogram(x, bins)[1], 9 * U, x)  # rounded to float32 once
    assert_same(lambda x: (xp.histogram(x, 4, range=(1, 6))[0], xp.histogram(x[:0])[0]), x)
    assert_near(lambda x: xp.histogram2d(x, x[::-1], [3, 4])[0], 0, x)
    assert_near(lambda x: xp.histogramdd(x.reshape(50, 4), 2, density=True)[0], 1e-5, x)


@pytest.mark.parametrize("dtype", [FLOAT, COMPLEX], ids=str)
def test_covariances(dtype):
    x = numbers((4, 9), dtype)
    bound = 100 * U * 9 * 81  # of sums of nine products of numbers up to nine, and more for means
    for call in (xp.cov, lambda x: xp.cov(x, x[:2], bias=True), lambda x: xp.cov(x, rowvar=False, ddof=0), lambda x: xp.cov(x[0])):
        assert_near(call, bound, x)
    assert_near(lambda x, w: xp.cov(x, fweights=w, aweights=xp.abs(w) / 2), bound, x, np.array([1, 2, 1, 3, 1, 1, 2, 1, 4], np.int32))
    assert_near(xp.corrcoef, bound / 40, x)


def test_correlations_of_complex128():
    """Of parts of two words each: NumPy's own rounds about 30 times, too."""
    x = numbers((2, 4), np.dtype(np.complex128))
    got = xp.corrcoef(xp.asarray(x, device=DEVICE))
    assert got.dtype == np.complex128
    assert np.abs(np.asarray(got.to_device("cpu")) - np.corrcoef(x)).max() <= 64 * 2.0**-53


def test_weights_of_covariances():
    x = xp.zeros((2, 3), device=DEVICE)
    with pytest.raises(ValueError, match="cannot be negative"):
        xp.cov(x, aweights=xp.asarray([1.0, -1.0, 1.0], device=DEVICE)).to_device("cpu")
    with pytest.raises(RuntimeError, match="3 observations"):
        xp.cov(x, aweights=xp.ones(2, device=DEVICE))
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        xp.cov(x[:, :1])


@pytest.mark.parametrize(("dtype", "order"), [(FLOAT, 1), (INTEGER, 2)], ids=str)
def test_gradient(dtype, order):
    x, at = numbers((4, 6), dtype), np.array([0, 1, 3, 4, 7, 9], np.float32)
    for place in range(2):
        assert_near(lambda x, place=place: xp.gradient(x, edge_order=order)[place], 200 * U * 9, x)
    assert_near(lambda x: xp.gradient(x, 2.5, axis=0, edge_order=order), 200 * U * 9, x)
    assert_near(lambda x, t: xp.gradient(x, t, axis=1, edge_order=order), 200 * U * 9, x, at)


@pytest.mark.parametrize(("places", "dtype"), [([3, 2, 0], np.uint8), ([-128, 127, 100], np.int8)], ids=["unsigned", "far apart"])
def test_gradient_of_places_whose_differences_wrap(places, dtype):
    at, values = np.array(places, dtype), np.array([0, 2, 5], np.float32)
    with xp.config(fallback="error"):
        slopes = np.asarray(xp.gradient(xp.asarray(values, device=DEVICE), xp.asarray(at, device=DEVICE)).to_device("cpu"))
    np.testing.assert_allclose(slopes, np.gradient(values.astype(np.float64), at), rtol=8 * U)  # of five operations


@pytest.mark.parametrize(
    ("values", "dtype", "bins"),
    [
        ([2**60 + 1, -(2**30), 5], np.int64, 4),  # the last edge is a float below the largest integer, which NumPy calls equal
        ([2**60 + 1, 2**63 + 9, 5], np.uint64, 4),
        ([2**60 + 1, 2**60], np.int64, np.array([2**60 - 1, 2**60 + 1, 2**60 + 2])),  # integers, which no float64 holds
    ],
    ids=["int64", "uint64", "edges of integers"],
)
def test_histograms_of_integers_beyond_floats(values, dtype, bins):
    values = np.array(values, dtype)
    edges = xp.asarray(bins, device=DEVICE) if isinstance(bins, np.ndarray) else bins
    with xp.config(fallback="error", defaults="numpy"):
        found = xp.histogram(xp.asarray(values, device=DEVICE), bins=edges)[0]
    np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), np.histogram(values, bins=bins)[0])


def test_covariances_weighted_in_float64():
    x, weights = np.random.default_rng(1).standard_normal((3, 7)), np.arange(7.0)
    with xp.config(fallback="error", defaults="numpy"):
        found = xp.cov(xp.asarray(x, device=DEVICE), aweights=xp.asarray(weights, device=DEVICE))
        negative = xp.cov(xp.asarray(x, device=DEVICE), aweights=xp.asarray(-weights, device=DEVICE))
    tolerance = 32 * 2.0**-53  # of sums of seven products
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), np.cov(x, aweights=weights), rtol=0, atol=tolerance)
    with pytest.raises(ValueError, match="cannot be negative"):
        negative.to_device("cpu")


def test_unwrap():
    assert_near(xp.unwrap, 50 * U * 30, numbers((3, 8), FLOAT))
    for period in (7, 4):
        assert_same(lambda x, period=period: xp.unwrap(x, period=period), numbers((3, 8), np.dtype(np.int32)))
    assert_near(xp.unwrap, 50 * U * 300, np.int8([120, -8, 3, -125, 127]))  # of two differences int8 has no magnitude
    with pytest.raises(xp.exceptions.AxisError):
        xp.unwrap(xp.ones((3, 8), dtype=xp.complex64, device=DEVICE), axis=2)


@pytest.mark.parametrize("dtype", [FLOAT, INTEGER, COMPLEX], ids=str)
def test_polynomials(dtype):
    p, q, x = (numbers(shape, dtype, seed) for seed, shape in enumerate(((5,), (3,), (2, 3))))
    p[0] = 3
    assert_same(lambda p, q: (xp.polyadd(p, q), xp.polymul(p, q), xp.polyder(p), xp.polyder(p, 2)), p, q)
    assert_near(xp.polyval, 100 * U * 13**5, p, x)
    assert_near(lambda p: xp.polyint(p, 2, [3, 4]), 20 * U * 10, p)
    assert_near(lambda p: xp.polydiv(p, [2, 1, 3])[0], 100 * U * 13, p)
    assert_same(lambda q: (xp.vander(q), xp.vander(q, 2, increasing=True)), q)


def test_bits():
    x = numbers((3, 11), np.dtype(np.uint8))
    for axis in (None, 0, -1):
        for order in ("big", "little"):
            assert_same(lambda x, axis=axis, order=order: xp.packbits(x, axis=axis, bitorder=order), x % 2)
            assert_same(lambda x, axis=axis, order=order: xp.unpackbits(x, axis=axis, bitorder=order, count=7), x)


def test_conversions():
    x = numbers((4, 5), COMPLEX)
    x[0], x[:, -1] = 0, 0
    assert_same(lambda x: (xp.trim_zeros(x), xp.trim_zeros(x, "f", axis=0), xp.real_if_close(x), xp.real_if_close(x * 0)), x)
    assert_same(lambda x: (xp.require(x.T, requirements=["C", "W"]), xp.imag(x.real)), x)
    assert_same(lambda x: (xp.reshape(x.T, (10, 2), order="F"), xp.ravel(x, "F")), x)
    assert_same(lambda x: (xp.fft.fftshift(x), xp.fft.ifftshift(x, axes=1)), x)
    assert_same(lambda x: (xp.round(x, -1), xp.round(x, -2)), np.arange(-128, 128, dtype=np.int16))


def test_arrays_of_numbers_alone():
    windows = (xp.hanning, xp.hamming, xp.blackman, xp.bartlett, lambda n: xp.kaiser(n, 3.5), lambda n: xp.logspace(0, 2, n))
    for make in (*windows, lambda n: xp.geomspace(1, 1000, n), xp.fft.fftfreq):
        assert_near(lambda make=make: make(9), 0)  # float64's, rounded once
    assert_same(lambda: (*xp.tril_indices(4), *xp.triu_indices(3, 1), *xp.diag_indices_from(xp.ones((3, 3)))))


def test_ranges_between_arrays():
    a, b = np.array([1, 2, 5], np.float32), np.array([[7, 3, 11], [4, 9, 1]], np.float32)
    for end in (True, False):
        assert_near(lambda a, b, end=end: xp.linspace(a, b, 5, endpoint=end, axis=1), 8 * U * 11, a, b)
        assert_near(lambda a, b, end=end: xp.geomspace(a, b, 4, endpoint=end), 200 * U * 11, a, b)
        assert_near(lambda a, b, end=end: xp.logspace(a / 4, b / 11, 4, endpoint=end), 200 * U * 20, a, b)
    zero = xp.asarray([1.0, 0.0], device=DEVICE)
    with pytest.raises(ValueError, match="cannot include zero"):
        xp.geomspace(zero, 2, 3).to_device("cpu")


def test_weights_of_64_bits_stay_so():
    with xp.config(fallback="allow"):
        found = xp.bincount(xp.asarray([1, 1], device=DEVICE), xp.asarray(np.asarray([0.1, 0.2]), device=DEVICE))
    assert found.to_device("cpu").tolist() == [0.0, 0.1 + 0.2]


def test_what_meets_in_64_bits_stays_so():
    one, other = xp.ones(2, dtype=xp.uint32, device=DEVICE), xp.ones(2, dtype=xp.int16, device=DEVICE)
    with xp.config(fallback="allow"):
        assert xp.tensordot(one, other, axes=0).dtype == xp.int64


@pytest.mark.parametrize("rule", ["auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"])
def test_numbers_of_bins_by_rule(rule):
    x = np.random.default_rng(3).normal(0, 20, 60)
    for dtype, limits in ((np.float32, None), (np.int32, (-5, 20.5)), (np.int8, None), (np.float32, (100, 200))):
        data = x.astype(dtype)
        got, want = run(lambda x, limits=limits: xp.histogram(x, rule, limits), data)
        np.testing.assert_array_equal(got[0], want[0])
        np.testing.assert_allclose(got[1], want[1], rtol=0, atol=64 * U * 100)
    for data in (np.zeros(3, np.float32), np.zeros(0, np.float32)):
        assert_same(lambda x: xp.histogram_bin_edges(x, rule), data)
    with pytest.raises(TypeError, match="weights"):
        xp.histogram(xp.asarray([1.0, 2], device=DEVICE), rule, weights=[1.0, 2])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32"])
def test_edges_beyond_the_range_of_integers(dtype):
    x = np.arange(8).astype(dtype)
    for bins in ([0, 1, np.inf], [-np.inf, 2.0, 3], [-300, 0, 127, 300], [300.5, 4e9], [-4e9, -300], [0, 4, 4.5], [0, 3, 7]):
        assert_same(lambda x, bins=bins: xp.histogram(x, bins)[0], x)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_edges_of_float64_stay_so(dtype):
    """Under the native defaults, too, whose floats are float32."""
    x = np.random.default_rng(4).standard_normal(60).astype(dtype)
    on_device, bins = xp.asarray(x, device=DEVICE), [-1.0, 0.3, 1.0]
    made = [
        (xp.histogram2d(on_device, on_device, 3), np.histogram2d(x, x, 3)),
        (xp.histogram_bin_edges(on_device, 3, (-1, 2)), np.histogram_bin_edges(x, 3, (-1, 2))),
    ]
    if dtype is np.float64:
        made += [(xp.histogram(on_device, 7, density=True), np.histogram(x, 7, density=True))]
        made += [(xp.histogramdd(on_device.reshape(30, 2), [bins, 2]), np.histogramdd(x.reshape(30, 2), [bins, 2]))]
    for found, wanted in made:
        for ours, numpys in zip(flat(found), flat(wanted), strict=True):
            assert ours.dtype == numpys.dtype
            np.testing.assert_allclose(np.asarray(ours.to_device("cpu")), numpys, rtol=4 * 2**-53)  # density divides twice


def flat(results):
    return [one for item in results for one in flat(item)] if isinstance(results, (list, tuple)) else [results]


def test_histograms_of_complex_numbers():
    x = np.array([1, 2j, 2 + 1j, 1 - 1j, 0.5, 3], np.complex64)
    assert_same(lambda x: xp.histogram(x, [0, 1, 2.5])[0], x)
    assert_same(lambda x: xp.histogramdd(x.reshape(3, 2), 2)[0], x)
    assert_same(lambda x: xp.histogram2d(x[:0], x[:0], 2), x)


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int8"])
def test_polynomial_fit(dtype):
    """Beside float64: columns of powers up to the third on [-4, 4], whose condition number is below 10, and 200 roundings."""
    x, y = np.linspace(-4, 4, 17).astype(dtype), numbers((17, 2), np.dtype(dtype), 3)
    weights = np.linspace(1, 2, 17).astype(np.float32)
    calls = {
        "columns": lambda x, y, w: xp.polyfit(x, y, 1 if dtype == "complex64" else 3),
        "weighted": lambda x, y, w: xp.polyfit(x, y[:, 0], 1, w=w),
        "in full": lambda x, y, w: xp.polyfit(x, y[:, 0], 2, full=True, rcond=1e-6)[:2],
        "covariance": lambda x, y, w: xp.polyfit(x, y, 1, cov=True),
    }
    for name, call in calls.items():
        if name != "columns" and dtype != "float32":
            continue
        with xp.config(fallback="error"):
            got = fetch(call(*(xp.asarray(item, device=DEVICE) for item in (x, y, weights))))
        wide = np.complex128 if dtype == "complex64" else np.float64
        want = fetch(call(*(xp.asarray(item.astype(wide)) for item in (x, y, weights.astype(np.float64)))))
        for mine, exact in zip(got, want, strict=True):
            assert (mine.shape, mine.dtype.itemsize) == (exact.shape, exact.dtype.itemsize // 2)
            assert np.abs(mine - exact).max() <= 2000 * U * np.abs(exact).max()


def test_a_fit_without_enough_points():
    x = np.ones(4, np.float32)
    with xp.config(fallback="error"), pytest.warns(np.exceptions.RankWarning):
        found = xp.polyfit(xp.asarray(x, device=DEVICE), xp.asarray(2 * x, device=DEVICE), 2)
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), 2 / 3, rtol=64 * U)
    with pytest.raises(TypeError, match="same length"):
        xp.polyfit(xp.asarray(x, device=DEVICE), xp.asarray(x[:3], device=DEVICE), 1)


def test_polynomials_of_complex_roots():
    for roots in ([1 + 2j, 1 - 2j, 3], [1 + 2j, 1 + 2j, 3]):
        assert_same(xp.poly, np.array(roots, np.complex64))
