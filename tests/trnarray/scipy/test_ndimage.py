"""Filters of images on devices against SciPy's in float64."""

import inspect
import itertools
import math

import numpy as np
import pytest
import scipy.ndimage as theirs
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron.lowering import convolution, image_filters
from trnarray.scipy import ndimage as ours

U = 2.0**-24
MODES = ["reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"]
DEVICES = ["sim:trn1", "sim:trn2", "sim:trn3"]
WEIGHTS = {1: [0.5, -1.0, 2.0, 0.25], 2: [[0.5, 0.0, -1.0], [2.0, 1.0, 0.25]]}

# Calls, and how many roundings of the sum of absolute products their errors are bounded by: one for each tap, and one for each weight.
SUMS = {
    "correlate1d": (lambda m, x, **o: m.correlate1d(x, WEIGHTS[1], **o), 8),
    "convolve1d": (lambda m, x, **o: m.convolve1d(x, WEIGHTS[1], axis=0, origin=1, **o), 8),
    "correlate": (lambda m, x, **o: m.correlate(x, WEIGHTS[2], **o), 12),
    "convolve": (lambda m, x, **o: m.convolve(x, WEIGHTS[2], origin=(0, -1), **o), 12),
    "gaussian_filter": (lambda m, x, **o: m.gaussian_filter(x, (1.0, 0.6), **o), 24),
    "gaussian_filter, derivatives": (lambda m, x, **o: m.gaussian_filter(x, 0.8, order=(1, 2), truncate=3.0, **o), 24),
    "gaussian_filter, radius": (lambda m, x, **o: m.gaussian_filter(x, 0.8, radius=2, axes=1, **o), 24),
    "gaussian_filter1d": (lambda m, x, **o: m.gaussian_filter1d(x, 1.1, axis=-2, order=3, **o), 24),
    "gaussian_laplace": (lambda m, x, **o: m.gaussian_laplace(x, 0.9, **o), 40),
    "gaussian_gradient_magnitude": (lambda m, x, **o: m.gaussian_gradient_magnitude(x, 0.9, **o), 40),
    "laplace": (lambda m, x, **o: m.laplace(x, **o), 10),
    "prewitt": (lambda m, x, **o: m.prewitt(x, **o), 12),
    "sobel": (lambda m, x, **o: m.sobel(x, axis=0, **o), 12),
    "uniform_filter": (lambda m, x, **o: m.uniform_filter(x, (3, 4), origin=(1, -1), **o), 10),
    "uniform_filter1d": (lambda m, x, **o: m.uniform_filter1d(x, 5, **o), 8),
}
ORDERS = {
    "minimum_filter": lambda m, x, **o: m.minimum_filter(x, (3, 2), **o),
    "maximum_filter": lambda m, x, **o: m.maximum_filter(x, 5, axes=0, **o),
    "minimum_filter1d": lambda m, x, **o: m.minimum_filter1d(x, 4, origin=1, **o),
    "maximum_filter1d": lambda m, x, **o: m.maximum_filter1d(x, 7, axis=0, **o),
    "median_filter": lambda m, x, **o: m.median_filter(x, 3, **o),
    "rank_filter": lambda m, x, **o: m.rank_filter(x, -2, size=(2, 3), **o),
    "percentile_filter": lambda m, x, **o: m.percentile_filter(x, 20, size=(1, 4), **o),
}
SIZES = {"gaussian": 12.0, "gaussian_filter1d": 40.0}


def image(shape=(7, 9), seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def on(device, values):
    return xp.asarray(values, device=device)


def fetched(x):
    return np.asarray(x.to_device("cpu"))


def magnitude(name, call, values, mode):
    """Bound the sum of absolute products: weights of these filters add up to less than 16 in absolute value, per image of ones."""
    return 16.0 * float(np.max(np.abs(values)) + 2.0)


@pytest.mark.parametrize(("number", "name"), [*enumerate(SUMS)])
@pytest.mark.parametrize("which", range(2))
def test_sums(number, name, which):
    mode = MODES[(2 * number + which) % len(MODES)]  # each filter at two kinds of borders, each kind with four filters
    call, roundings = SUMS[name]
    values = image()
    with xp.config(fallback="error"):
        found = call(ours, on("sim:trn2", values), mode=mode, cval=2.0)
    assert (found.dtype, str(found.device)) == (np.float32, "sim:trn2")
    expected = call(theirs, values.astype(np.float64), mode=mode, cval=2.0)
    np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=roundings * U * magnitude(name, call, values, mode))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8])
@pytest.mark.parametrize("name", ORDERS)
def test_orders_are_exact(name, dtype, device):
    values = (image(seed=3) * 40).astype(dtype)
    for mode in MODES[:5] if device == "sim:trn2" else MODES[:1]:
        with xp.config(fallback="error"):
            found = ORDERS[name](ours, on(device, values), mode=mode, cval=3)
        np.testing.assert_array_equal(fetched(found), ORDERS[name](theirs, values, mode=mode, cval=3))


@pytest.mark.parametrize(("name", "device"), [*zip(SUMS, itertools.cycle(["sim:trn1", "sim:trn3"]), strict=False)])
def test_sums_elsewhere(name, device):
    call, roundings = SUMS[name]
    values = image((5, 6), seed=1)
    found = fetched(call(ours, on(device, values)))
    np.testing.assert_allclose(
        found, call(theirs, values.astype(np.float64)), rtol=0, atol=roundings * U * magnitude(name, call, values, "reflect")
    )


@given(st.data())
def test_drawn_windows(data):
    ndim = data.draw(st.integers(1, 3))
    values = image(tuple(data.draw(st.lists(st.integers(1, 6), min_size=ndim, max_size=ndim))), seed=data.draw(st.integers(0, 9)))
    size = data.draw(st.integers(1, 9))
    origin = data.draw(st.integers(-(size // 2), (size - 1) // 2))
    options = {"mode": data.draw(st.sampled_from(MODES)), "cval": data.draw(st.sampled_from([0.0, -3.5])), "origin": origin}
    axis = data.draw(st.integers(-ndim, ndim - 1))
    weights = np.random.default_rng(size).standard_normal(size).tolist()
    x, wide = on("sim:trn2", values), values.astype(np.float64)
    np.testing.assert_array_equal(
        fetched(ours.maximum_filter1d(x, size, axis, **options)), theirs.maximum_filter1d(values, size, axis, **options)
    )
    bound = (size + 1) * U * sum(map(abs, weights)) * (np.abs(values).max() + 3.5)
    found = fetched(ours.convolve1d(x, weights, axis, **options))
    np.testing.assert_allclose(found, theirs.convolve1d(wide, weights, axis, **options), rtol=0, atol=bound)


@pytest.mark.parametrize(("axis", "mode", "device"), [*zip(range(3), ["reflect", "wrap", "constant"], DEVICES, strict=True)])
def test_many_weights_slide_along_lines(axis, mode, device, monkeypatch):
    """Sums of 17 products are those of a product with zeros; see the sliding product for its bound."""
    for module in (image_filters, convolution):
        monkeypatch.setattr(module, "_MANY", 1)
    values = image((13, 10, 20))
    values[2, 3, 4], values[8, 1, 9] = np.nan, np.inf
    found = ours.gaussian_filter1d(on(device, values), 2.0, axis, mode=mode)
    assert "sliding product" in str(xp.explain(found))
    expected = theirs.gaussian_filter1d(values.astype(np.float64), 2.0, axis, mode=mode)
    np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=136 * U * 4.0)


def test_nan_and_infinity_reach_the_pixels_that_scipys_reach():
    values = image((12, 12))
    values[2, 3], values[8, 8], values[9, 2] = np.nan, np.inf, -np.inf
    for name in ("correlate", "gaussian_filter", "sobel", "laplace"):
        call, _ = SUMS[name]
        found, expected = fetched(call(ours, on("sim:trn2", values))), call(theirs, values)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected), err_msg=name)
        np.testing.assert_array_equal(np.where(np.isinf(found), found, 0), np.where(np.isinf(expected), expected, 0), err_msg=name)


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_parameters_may_be_arrays(device):
    modes, sizes = np.array(["wrap", "nearest"]), np.array([2, 3])
    found = fetched(ours.uniform_filter(on(device, image()), sizes, mode=modes))
    np.testing.assert_allclose(found, theirs.uniform_filter(image(), sizes, mode=modes), atol=1e-5)


def test_results_go_where_they_are_asked():
    values = image()
    x, out = on("sim:trn2", values), xp.zeros((7, 9), dtype=xp.float32, device="sim:trn2")
    assert ours.sobel(x, output=out) is out
    np.testing.assert_allclose(fetched(out), theirs.sobel(values), atol=1e-5)
    assert ours.sobel(x, output=xp.float16).dtype == np.float16
    with pytest.raises(RuntimeError, match=r"the shape of output is \(2,\), but the result's is \(7, 9\)"):
        ours.sobel(x, output=xp.zeros(2, dtype=xp.float32, device="sim:trn2"))
    with pytest.raises(TypeError, match=r"cannot write to a numpy.ndarray"):
        ours.sobel(x, output=np.zeros((7, 9)))
    with pytest.raises(RuntimeError, match=r"the dtype of output is float32, but the result is complex; give an Array of a complex dtype"):
        ours.correlate(x, np.ones((2, 2), np.complex64), output=out)
    for device in ("cpu", "sim:trn2"):
        with pytest.warns(UserWarning, match="promoting specified output dtype to complex"):
            found = ours.correlate(on(device, values), np.ones((2, 2), np.complex64), output=xp.float32)
        assert found.dtype == np.complex64
    host = np.zeros((7, 9))
    ours.sobel(values, output=host)
    np.testing.assert_array_equal(host, theirs.sobel(values, output=np.float64))


def test_weights_may_be_arrays_on_the_device():
    values = image()
    with xp.config(fallback="error"):
        found = ours.convolve(on("sim:trn2", values), on("sim:trn2", np.float32(WEIGHTS[2])))
        other = ours.convolve(on("sim:trn2", values), np.asarray(WEIGHTS[2]))
    np.testing.assert_allclose(fetched(found), theirs.convolve(values, WEIGHTS[2]), atol=1e-5)
    np.testing.assert_array_equal(fetched(found), fetched(other))


def test_what_has_no_kernel_waits_as_a_step_on_the_host():
    x = on("sim:trn2", (image() * 9).astype(np.int32))
    with xp.config(fallback="allow"):
        found = ours.gaussian_filter(x, 1.0)
        assert "scipy.ndimage.gaussian_filter" in str(xp.explain(found))
    np.testing.assert_array_equal(fetched(found), theirs.gaussian_filter(fetched(x), 1.0))
    with xp.config(fallback="allow"):
        footprint = ours.median_filter(x, footprint=[[1, 0], [1, 1]])
    np.testing.assert_array_equal(fetched(footprint), theirs.median_filter(fetched(x), footprint=[[1, 0], [1, 1]]))


ERRORS = {
    "mode": lambda m, x: m.sobel(x, mode="nonsense"),
    "modes": lambda m, x: m.correlate(x, [[1.0]], mode=["wrap", "wrap"]),
    "modes of a footprint": lambda m, x: m.maximum_filter(x, footprint=[[0, 1]], mode=["wrap", "wrap"]),
    "modes of ranks": lambda m, x: m.median_filter(x, 3, mode=["wrap", "wrap"]),
    "too few": lambda m, x: m.laplace(x, mode=["wrap"]),
    "axis": lambda m, x: m.sobel(x, axis=5),
    "an axis twice": lambda m, x: m.laplace(x, axes=(0, 0)),
    "origin": lambda m, x: m.uniform_filter1d(x, 3, origin=4),
    "origin of a convolution": lambda m, x: m.convolve(x, [[1.0, 2.0]], origin=(0, 1)),
    "a fraction": lambda m, x: m.correlate1d(x, [1.0, 2.0, 3.0], origin=1.0),
    "weights": lambda m, x: m.correlate(x, [1.0, 2.0]),
    "no weights": lambda m, x: m.correlate1d(x, []),
    "order": lambda m, x: m.gaussian_filter1d(x, 1.0, order=-1),
    "radius": lambda m, x: m.gaussian_filter(x, 1.0, radius=1.5),
    "sigma": lambda m, x: m.gaussian_filter1d(x, -1.0),
    "rank": lambda m, x: m.rank_filter(x, 9, size=3),
    "percentile": lambda m, x: m.percentile_filter(x, 101, size=3),
    "size": lambda m, x: m.uniform_filter1d(x, 0),
    "no size": lambda m, x: m.median_filter(x),
    "no pixels": lambda m, x: m.median_filter(x, size=(0, 3)),
    "no true pixel": lambda m, x: m.minimum_filter(x, footprint=[[0]]),
    "another parameter": lambda m, x: m.gaussian_laplace(x, 1.0, truncat=3.0),
}


def test_errors_come_at_the_call_and_are_scipys_kinds():
    for name, call in ERRORS.items():
        with pytest.raises(Exception, match=".") as expected:
            call(theirs, image())
        try:
            with xp.config(fallback="error"):
                call(ours, on("sim:trn2", image()))
        except expected.type:
            continue
        pytest.fail(f"no error of {name}")


# What SciPy does with parameters of axes, of which one or another is easily taken for granted.
PARTS = {
    "borders of a gradient": lambda m, x: m.gaussian_gradient_magnitude(x, 1.0, mode=["wrap", "constant"]),
    "a gradient along one axis": lambda m, x: m.gaussian_gradient_magnitude(x, 1.0, axes=(0,), radius=(1, 2)),
    "borders of second derivatives": lambda m, x: m.gaussian_laplace(x, (1.0, 0.5), mode=["wrap", "constant"]),
    "second derivatives along no axis": lambda m, x: m.laplace(x, axes=()),
    "conjugate weights": lambda m, x: m.correlate(x, [[1j, 2.0], [0.5, -1j]]),
    "conjugate weights in a row": lambda m, x: m.correlate1d(x, [1j, 2.0]),
    "weights of a convolution": lambda m, x: m.convolve(x, [[1j, 2.0], [0.5, -1j]]),
    "a window of no pixels": lambda m, x: m.uniform_filter(x, (0, 2.5)),
    "an extreme of no pixels": lambda m, x: m.maximum_filter(x, (0, 3)),
    "borders of extremes": lambda m, x: m.rank_filter(x, -1, size=3, mode=["wrap", "nearest"]),
}


if "axes" not in inspect.signature(theirs.laplace).parameters:  # older SciPy
    del ERRORS["an axis twice"], PARTS["second derivatives along no axis"], PARTS["a gradient along one axis"]


@pytest.mark.parametrize("name", PARTS)
def test_parameters_of_axes_mean_what_they_mean_to_scipy(name):
    values = image((5, 6))
    with xp.config(fallback="error"):
        found = PARTS[name](ours, on("sim:trn2", values))
    expected = PARTS[name](theirs, values.astype(np.float64))
    np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=40 * U * 16.0 * np.abs(values).max())


BOX = np.arange(6.0).reshape(2, 3).tolist()
DESCENDING = {
    "correlate": lambda m, x, **o: m.correlate(x, BOX, **o),
    "convolve": lambda m, x, **o: m.convolve(x, BOX, **o),
    "minimum_filter": lambda m, x, **o: m.minimum_filter(x, (2, 3), **o),
    "maximum_filter": lambda m, x, **o: m.maximum_filter(x, footprint=[[1, 1, 0], [1, 1, 1]], **o),
    "median_filter": lambda m, x, **o: m.median_filter(x, (2, 3), **o),
    "rank_filter": lambda m, x, **o: m.rank_filter(x, 0, size=(2, 3), mode=["wrap", "nearest"], **o),
}


@pytest.mark.skipif("axes" not in inspect.signature(theirs.correlate).parameters, reason="new in SciPy 1.16")
@pytest.mark.parametrize("name", DESCENDING)
def test_axes_that_do_not_ascend(name):
    """SciPy takes the axes of a window in ascending order, and origins in theirs, unless all axes are given."""
    call, values = DESCENDING[name], image((4, 5, 6))
    for x, axes in ((values, (2, 0)), (values[0], (1, 0))):
        with xp.config(fallback="error"):
            found = call(ours, on("sim:trn2", x), axes=axes, origin=(-1, 0))
            again = call(ours, on("sim:trn2", x), axes=on("sim:trn2", np.array(axes)), origin=on("sim:trn2", np.array([-1, 0])))
        np.testing.assert_array_equal(fetched(again), fetched(found))
        expected = call(theirs, x.astype(np.float64), axes=axes, origin=(-1, 0))
        np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=40 * U * 16.0 * np.abs(values).max())


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (0,)])
def test_images_without_pixels(shape):
    assert ours.uniform_filter(on("sim:trn2", np.zeros(shape, np.float32)), 3).shape == shape


def test_on_the_cpu_it_is_scipys():
    values = np.random.default_rng(1).standard_normal((20, 20))
    np.testing.assert_array_equal(np.asarray(ours.gaussian_filter(xp.asarray(values), 2.0)), theirs.gaussian_filter(values, 2.0))
    assert math.isclose(float(ours.median_filter(xp.asarray(values), 3)[3, 3]), theirs.median_filter(values, 3)[3, 3])
