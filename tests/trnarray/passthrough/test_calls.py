"""SciPy's functions that are passed through: Arrays in, Arrays out, in full view."""

import re

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal
import scipy.sparse.csgraph
import scipy.stats

import trnarray as xp
from trnarray.backends.coverage import coverage
from trnarray.scipy import cluster, interpolate, ndimage, optimize, signal, sparse, spatial, special, stats

DEVICES = ["cpu", "sim:trn2"]
H = np.random.default_rng(5).standard_normal((6, 7))
FULL = np.ones((12, 12), bool)  # a footprint of more pixels than compositions take: it is passed through


def array(values, dtype=np.float32, device="sim:trn2"):
    return xp.asarray(np.asarray(values, dtype), device=device)


def host(x):
    return np.asarray(x.to_device("cpu"))


@pytest.fixture(autouse=True)
def _allow():
    with xp.config(fallback="allow"):
        yield


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_arrays_in_and_out(device, dtype):
    given = (H * 10).astype(dtype)
    found = ndimage.grey_erosion(array(given, dtype, device), footprint=FULL)
    assert (type(found), str(found.device), found.dtype) == (xp.Array, device, dtype)
    np.testing.assert_array_equal(host(found), scipy.ndimage.grey_erosion(given, footprint=FULL))


def test_float64_of_scipys_making_becomes_the_devices_dtype():
    x = array(H)
    assert stats.gaussian_kde(x[0])(x[1]).dtype == np.float32
    assert stats.gaussian_kde(x[0].astype(xp.float64))(x[1]).dtype == np.float64
    with xp.config(defaults="numpy"):
        assert spatial.distance.cdist(x, x, "cosine").dtype == np.float64
    assert optimize.linear_sum_assignment(x)[0].dtype == np.int64  # integers and bools are kept


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float8_e4m3fn"])
def test_low_precision_is_computed_in_float32_and_rounded_once(dtype):
    x = xp.asarray(H, dtype=getattr(xp, dtype), device="cpu")
    found = ndimage.grey_erosion(x, footprint=FULL)
    assert found.dtype == x.dtype
    wide = np.asarray(x.astype(xp.float32))
    np.testing.assert_array_equal(np.asarray(found.astype(xp.float32)), scipy.ndimage.grey_erosion(wide, footprint=FULL))


def test_scalars_of_low_precision():
    x = xp.asarray(H[0], dtype=xp.float16, device="cpu")
    assert type(stats.kendalltau(x, x).statistic) is np.float16


def test_scalars_stay_scalars():
    found = stats.ansari(array(H[0]), array(H[1]))
    assert (type(found.statistic), type(found.pvalue)) == (float, float)
    np.testing.assert_allclose(found.pvalue, scipy.stats.ansari(*H[:2].astype(np.float32)).pvalue, rtol=1e-12)
    assert type(stats.ansari(array(H[0], device="cpu"), H[1]).statistic) is np.float64


def test_named_tuples_and_bundles():
    found = stats.ttest_ind(array(H), array(H[::-1]), axis=1)
    wanted = scipy.stats.ttest_ind(H.astype(np.float32), H[::-1].astype(np.float32), axis=1)
    assert isinstance(found, type(wanted))
    np.testing.assert_allclose(host(found.statistic), wanted.statistic, rtol=1e-6)
    low, high = found.confidence_interval()
    assert np.all(host(low) < host(high))
    centers, labels = cluster.vq.kmeans2(array(H), 2, seed=1)
    assert (str(centers.device), labels.dtype) == ("sim:trn2", np.int32)


@pytest.mark.parametrize("device", DEVICES)
def test_results_that_compute_keep_what_they_compute_with(device):
    """Data classes of SciPy's with methods: those read private fields."""
    given = H.ravel().astype(np.float32)
    found = stats.quantile_test(array(given, device=device), q=0.1, p=0.5)
    expected = scipy.stats.quantile_test(given, q=0.1, p=0.5)
    assert isinstance(found, type(expected))
    np.testing.assert_allclose(float(found.pvalue), expected.pvalue, rtol=1e-6)  # rounded to float32
    np.testing.assert_allclose([float(end) for end in found.confidence_interval()], expected.confidence_interval(), rtol=1e-6)
    steps, wanted = stats.ecdf(array(given, device=device)).cdf, scipy.stats.ecdf(given).cdf
    np.testing.assert_allclose(host(steps.evaluate(array([0.1, 0.7], device=device))), wanted.evaluate([0.1, 0.7]), rtol=1e-6)
    np.testing.assert_allclose(host(steps.quantiles), wanted.quantiles, rtol=1e-6)



@pytest.mark.parametrize("device", DEVICES)
def test_sparse_arrays(device):
    matrix = sparse.csr_array(array(np.triu(np.abs(H[:5, :5]), 1), device=device))
    tree = sparse.csgraph.minimum_spanning_tree(matrix)
    assert (type(tree), str(tree.device)) == (sparse.csr_array, device)
    wanted = scipy.sparse.csgraph.minimum_spanning_tree(matrix.to_device("cpu").to_scipy())
    np.testing.assert_allclose(host(tree.toarray()), wanted.toarray(), rtol=1e-6)


@pytest.mark.parametrize("device", DEVICES)
def test_results_are_written_to_the_array_that_is_given(device):
    x, out = array(H, device=device), xp.zeros((6, 7), dtype=xp.float32, device=device)
    view = out[:]
    assert ndimage.grey_erosion(x, footprint=FULL, output=out) is out
    np.testing.assert_array_equal(host(view), scipy.ndimage.grey_erosion(H.astype(np.float32), footprint=FULL))


def test_a_host_array_is_no_target_of_a_device():
    with pytest.raises(TypeError, match=r"scipy.ndimage.grey_erosion on 'sim:trn2' cannot write to a numpy.ndarray"):
        ndimage.grey_erosion(array(H), footprint=FULL, output=np.zeros((6, 7), np.float32))


def test_a_call_is_one_fallback_at_the_callers_line():
    xp.reset_coverage()
    with xp.config(host_transfer="error"):  # which is about implicit conversions, and this is none
        ndimage.grey_erosion(array(H), footprint=FULL)
    text = str(coverage())
    assert "scipy.ndimage.grey_erosion" in text
    assert "test_calls.py" in text


def test_refused_before_anything_is_fetched():
    x = array(H) + 1
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match=r"ndimage.grey_erosion on float32, bool would run on the host"):
        ndimage.grey_erosion(x, footprint=FULL)
    assert "waiting on sim:trn2: 1 program" in str(xp.explain(x))


@pytest.mark.parametrize(
    ("call", "some"),
    [
        (lambda x: ndimage.grey_erosion(x, footprint=FULL), True),
        (lambda x: interpolate.CubicSpline(np.arange(6.0), x, extrapolate="odd"), True),
        (lambda x: stats.norm.expect(lambda y: y, x[0, 0], lb=x[1, 0]), False),
        (lambda x: stats.norm(x, 1.0).pdf(x[0, 0], "more"), True),
        (spatial.ConvexHull, False),
    ],
)
def test_the_reason_tells_functions_without_kernels_from_calls(call, some):
    """Functions that have a kernel, though none for these operands or options, are not said to have none."""
    reason = "no kernel for these operands or options; SciPy computes it" if some else "no kernel; SciPy computes it"
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match=reason):
        call(array(H))


def test_constants_of_parameters_are_no_fallback():
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        b, a = signal.butter(3, 0.2)
        window = signal.windows.tukey(8)
        optimize.Bounds([0, 0], [1, 1])
        with pytest.raises(xp.FallbackError, match=r"scipy.stats.norm_gen.rvs would run on the host"):
            stats.norm.rvs(size=3, random_state=np.random.default_rng(1))
    assert {str(x.device) for x in (a, b, window)} == {"sim:trn2"}
    np.testing.assert_allclose(host(b), scipy.signal.butter(3, 0.2)[0], rtol=1e-7)


@pytest.mark.parametrize(
    ("design", "dtype"),
    [
        (lambda m: m.butter(4, 0.3), np.float32),
        (lambda m: m.butter(4, [0.1, 0.12], "band"), np.float64),  # unstable in float32
        (lambda m: m.butter(6, 0.02), np.float64),
        (lambda m: m.butter(3, 1000.0, analog=True), np.float32),
        (lambda m: m.butter(6, 1e7, "low", True), np.float64),  # too large
        (lambda m: m.zpk2tf([], [0.999, 0.998, 0.997], 1e-9), np.float64),
    ],
)
def test_designs_keep_their_poles(design, dtype):
    """A design that float32 loses is in float64; second-order sections lose none."""
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        found, sections = design(signal), signal.butter(6, 0.02, output="sos")
        assert {x.dtype for x in found} == {np.dtype(dtype)}
        assert sections.dtype == np.float32
    for one, other in zip(found, design(scipy.signal), strict=True):
        np.testing.assert_allclose(host(one), other, rtol=np.finfo(dtype).eps)
    with xp.config(fallback="error", defaults="numpy"), xp.default_device("sim:trn2"):
        assert design(signal)[1].dtype == np.float64


def test_structures_of_numbers_are_no_fallback():
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        x = xp.zeros((5, 5), dtype=xp.bool)
        x[2, 2] = True
        window = ndimage.generate_binary_structure(2, 2)
        assert int(xp.count_nonzero(ndimage.binary_dilation(x, window))) == 9
        y = xp.astype(x, xp.float32)
        assert float(xp.sum(ndimage.grey_dilation(y, footprint=window))) == float(xp.sum(ndimage.maximum_filter(y, footprint=window))) == 9
        with pytest.raises(xp.FallbackError):  # has data
            signal.tf2zpk(xp.asarray([1.0, 2.0]), [1.0, 0.5])


def test_numbers_of_numbers_are_no_fallback():
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        assert (stats.norm.ppf(0.975), stats.t(3).mean()) == (scipy.stats.norm.ppf(0.975), 0.0)
        assert type(special.comb(5, 2)) is float
        assert stats.norm(np.float64(1.0)).mean() == 1.0
        with pytest.raises(xp.FallbackError):  # makes an array
            stats.argus(3).rvs(size=2)
    with xp.config(fallback="allow"):
        tree = spatial.KDTree(array(H))
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError):  # has data
        tree.count_neighbors(tree, 1.0)


def test_two_devices():
    for devices in (("sim:trn2", "cpu"), ("cpu", "sim:trn2")):
        words = f"operands are on the devices {devices[0]!r} and {devices[1]!r}; move one of them first, as in x.to_device('sim:trn2')"
        with pytest.raises(ValueError, match=re.escape(words)):
            spatial.distance.cdist(*(array(H, device=device) for device in devices), "cosine")


def test_without_arrays_the_default_device():
    with xp.default_device("sim:trn2"):
        assert str(ndimage.grey_erosion(H, footprint=FULL).device) == "sim:trn2"
    assert str(ndimage.grey_erosion(H, footprint=FULL).device) == "cpu"


def test_generators_of_ours_draw_scipys_numbers():
    found = stats.norm.rvs(size=4, random_state=xp.random.default_rng(3))
    np.testing.assert_array_equal(np.asarray(found), scipy.stats.norm.rvs(size=4, random_state=np.random.default_rng(3)))


@pytest.mark.parametrize("device", DEVICES)
def test_warnings_of_scipy_name_the_line_of_the_user(device):
    x = array([1, 2, 3], device=device)
    calls = [lambda: signal.medfilt(x, 5), lambda: optimize.curve_fit(lambda t, a: 0 * a * t, x, x)]
    for call in calls:
        with pytest.warns(UserWarning if call is calls[0] else optimize.OptimizeWarning) as caught:
            call()
        assert [(each.filename, each.lineno) for each in caught] == [(__file__, call.__code__.co_firstlineno)]


def test_errors_pass_through():
    with pytest.raises(RuntimeError, match="mode not supported"):
        ndimage.grey_erosion(array(H), footprint=FULL, mode="nonsense")


def test_ufuncs_of_scipy_that_ours_lack():
    z = special.lambertw(array(np.abs(H)))
    assert (z.dtype, str(z.device)) == (np.complex64, "sim:trn2")


def test_signature_and_docstring_are_scipys():
    import inspect

    assert inspect.signature(ndimage.grey_erosion) == inspect.signature(scipy.ndimage.grey_erosion)
    assert ndimage.grey_erosion.__doc__ == scipy.ndimage.grey_erosion.__doc__
    assert ndimage.grey_erosion.__module__ == "trnarray.scipy.ndimage"


@pytest.mark.parametrize("device", DEVICES)
def test_times_of_float32_are_evenly_spaced(device):
    """SciPy compares steps, of which rounded times differ."""
    times = np.linspace(0, 10, 1001)
    found = signal.lsim(([1.0], [1.0, 1.0]), array(np.cos(times), device=device), array(times, device=device))
    expected = scipy.signal.lsim(([1.0], [1.0, 1.0]), np.cos(times), times)
    np.testing.assert_allclose(host(found[1]), expected[1], rtol=0, atol=4e-7)  # of the rounding of times up to 10
    with pytest.raises(ValueError, match="equally spaced"):
        signal.lsim(([1.0], [1.0, 1.0]), array(np.cos(times), device=device), array(times**2, device=device))
