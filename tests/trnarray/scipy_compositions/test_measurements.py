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


FILTERS = {"fourier_gaussian": (1.5, 0.75), "fourier_shift": (1.5, -0.75), "fourier_uniform": 3}


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


def test_what_is_left_to_scipy():
    with xp.config(fallback="error"):
        image = on(IMAGE)
        for call in (lambda: ours.sum(on(LABELS)), lambda: ours.mean(image, on(LABELS), 1.5), lambda: ours.fourier_gaussian(image, 1.0)):
            with pytest.raises(xp.FallbackError):
                call()
