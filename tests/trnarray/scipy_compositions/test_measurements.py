"""Measurements of images on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy import ndimage as theirs

import trnarray as xp
from trnarray.scipy import ndimage as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(12)
IMAGE, LABELS = rng.standard_normal((6, 7)) + 3.0, rng.integers(0, 4, (6, 7)).astype(np.int32)


def on(x, device="sim:trn2"):
    return xp.asarray(x, device=device)


def host(x):
    return np.asarray(x.to_device("cpu")) if isinstance(x, xp.Array) else np.asarray([host(each) for each in x])


NAMES = ("sum", "sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum", "center_of_mass")


@pytest.mark.parametrize(("name", "dtype"), [*((name, np.float32) for name in NAMES), ("variance", np.float64)])
def test_measurements(name, dtype):
    """Sums of 42 pixels, each of a few roundings: 64 u of the largest result."""
    image = IMAGE.astype(dtype)
    with xp.config(fallback="error"):
        for labels, index in ((None, None), (LABELS, None), (LABELS, 2), (LABELS, [3, 1, 9 if "imum" in name else 2])):
            found = getattr(ours, name)(on(image), None if labels is None else on(labels), index)
            expected = np.asarray(getattr(theirs, name)(image.astype(float), labels, index))
            found = host(found)
            assert (found.dtype, found.shape) == (dtype, expected.shape)
            np.testing.assert_allclose(found, expected, rtol=0, atol=64 * U[dtype] * max(1.0, np.abs(expected).max()))


FILTERS = {"fourier_gaussian": (1.5, 0.75), "fourier_shift": (1.5, -0.75), "fourier_uniform": 3, "fourier_ellipsoid": 2.5}


@pytest.mark.parametrize(("name", "parameter"), FILTERS.items())
def test_filters_of_transforms(name, parameter):
    spectrum = np.fft.fft2(IMAGE).astype(np.complex64)
    half = np.fft.rfft2(IMAGE).astype(np.complex64)
    with xp.config(fallback="error"):
        for x, options in ((spectrum, {}), (half, {"n": 7, "axis": 1})):
            found = getattr(ours, name)(on(x), parameter, **options)
            assert found.dtype == np.complex64
            expected = getattr(theirs, name)(x.astype(complex), parameter, **options)
            np.testing.assert_allclose(host(found), expected, rtol=0, atol=16 * U[np.float32] * np.abs(x).max())


TIES = np.round(IMAGE)


@pytest.mark.parametrize("name", ["median", "extrema", "minimum_position", "maximum_position"])
def test_ranks(name):
    with xp.config(fallback="error"):
        for image, labels, index in ((IMAGE, None, None), (TIES, LABELS, None), (TIES, LABELS, 2), (IMAGE, LABELS, [3, 1, 2])):
            found = getattr(ours, name)(on(image.astype(np.float32)), None if labels is None else on(labels), index)
            expected = getattr(theirs, name)(image.astype(np.float32).astype(float), labels, index)
            parts, others = (found, expected) if name == "extrema" else ([found], [expected])
            for one, other in zip(parts, others, strict=True):
                np.testing.assert_allclose(host(one), np.asarray(other), rtol=U[np.float32])


def test_medians_with_nan():
    image = IMAGE.astype(np.float32)
    image[2, 3] = np.nan
    with xp.config(fallback="error"):
        found = host(ours.median(on(image), on(LABELS), [1, 2, 3])), host(ours.median(on(image)))
    np.testing.assert_array_equal(found[0], theirs.median(image, LABELS, [1, 2, 3]))
    assert np.isnan(found[1])


def test_histograms_count_pixels_on_the_side_of_an_edge_that_they_lie_on():
    image = np.float32([[0.1, 0.3, 0.7, 0.9], [0.2, 0.6, np.nan, 1.0]])
    labels = np.int32([[1, 1, 2, 2], [1, 2, 2, 2]])
    with xp.config(fallback="error"):
        np.testing.assert_array_equal(host(ours.histogram(on(image), 0.1, 0.9, 8)), theirs.histogram(image, 0.1, 0.9, 8))
        found = ours.histogram(on(image), 0.0, 1.0, 10, on(labels), [2, 1])
    for one, other in zip(found, theirs.histogram(image, 0.0, 1.0, 10, labels, [2, 1]), strict=True):
        np.testing.assert_array_equal(host(one), other)


def test_what_is_left_to_scipy():
    with xp.config(fallback="error"):
        image = on(IMAGE)
        for call in (lambda: ours.sum(on(LABELS)), lambda: ours.mean(image, on(LABELS), 1.5), lambda: ours.fourier_gaussian(image, 1.0)):
            with pytest.raises(xp.FallbackError):
                call()
