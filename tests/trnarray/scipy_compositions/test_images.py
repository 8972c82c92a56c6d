"""Images at other places, on devices against SciPy's in float64."""

import numpy as np
import pytest
import scipy
from scipy import ndimage as theirs

import trnarray as xp
from trnarray.scipy import ndimage as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(9)
IMAGE = rng.standard_normal((7, 9))
MODES = ("constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap", "grid-mirror", "grid-constant")
POINTS = np.concatenate([rng.uniform(-3, 12, (2, 30)), [[0, 6, -0.5, 6.5], [0, 8, 3, 8.5]]], axis=1)
PLACES = {
    "shift": lambda m, x, **o: m.shift(x, (0.75, -1.5), **o),
    "zoom": lambda m, x, **o: m.zoom(x, (1.6, 0.7), **o),
    "rotate": lambda m, x, **o: m.rotate(x, 30, **o),
    "rotate, same shape": lambda m, x, **o: m.rotate(x, -75.5, reshape=False, axes=(0, 1), **o),
    "affine_transform": lambda m, x, **o: m.affine_transform(x, [[0.9, 0.2], [-0.1, 1.2]], (0.3, -0.6), (6, 5), **o),
    "affine_transform, diagonal": lambda m, x, **o: m.affine_transform(x, np.array([0.9, 1.2]), 0.25, **o),
    "affine_transform, homogeneous": lambda m, x, **o: m.affine_transform(x, [[0.9, 0.2, 0.5], [-0.1, 1.2, -0.25]], **o),
    "map_coordinates": None,
}


NEW = np.lib.NumpyVersion(scipy.__version__) >= "1.15.0"


def on(x, dtype=np.float32, device="sim:trn2"):
    return xp.asarray(x.astype(dtype), device=device)


def fetched(x):
    return np.asarray(x.to_device("cpu"))


def sampled(name, order, mode, dtype=np.float32, device="sim:trn2"):
    """Coefficients of splines are up to 4 times the pixels; sums of 16 products and their weights: 256 u."""
    image, points = IMAGE.astype(dtype), POINTS.astype(dtype)
    options = {"order": order, "mode": mode, "cval": 0.75}
    if name == "map_coordinates":
        found = ours.map_coordinates(on(image, dtype, device), on(points, dtype, device), **options)
        expected = theirs.map_coordinates(image.astype(float), points.astype(float), **options)
    else:
        found, expected = PLACES[name](ours, on(image, dtype, device), **options), PLACES[name](theirs, image.astype(float), **options)
    assert (found.dtype, found.shape, str(found.device)) == (dtype, expected.shape, device)
    np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=256 * U[dtype] * np.abs(IMAGE).max())


@pytest.mark.filterwarnings("ignore:The behavior of affine_transform with a 1-D array:UserWarning")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PLACES)
def test_places(name, mode):
    order = ([*PLACES].index(name) + MODES.index(mode)) % 4
    with xp.config(fallback="error"):
        halves = name.startswith("zoom") or (name == "affine_transform" and not NEW)  # are rounded by the last bit of a step
        if not (halves and order == 0):
            sampled(name, order, mode)


@pytest.mark.parametrize("mode", ["mirror", "reflect"])
def test_halves_go_where_scipys_go(mode):
    sampled("shift", 0, mode)
    sampled("map_coordinates", 0, mode)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
def test_places_elsewhere(device):
    sampled("shift", 3, "mirror", device=device)
    sampled("map_coordinates", 1, "reflect", device=device)


def test_places_in_float64():
    with xp.config(fallback="error"):
        if NEW:  # older ones' coefficients are to 2e-9
            sampled("shift", 3, "reflect", np.float64)
        sampled("map_coordinates", 1, "constant", np.float64)


@pytest.mark.parametrize(("name", "mode"), [("spline_filter", "reflect"), ("spline_filter1d", "mirror"), ("spline_filter", "wrap")])
def test_coefficients_of_splines(name, mode):
    image = IMAGE.astype(np.float32)
    with xp.config(fallback="error"):
        found = getattr(ours, name)(on(image), 2 if name.endswith("1d") else 3, mode=mode)
    expected = getattr(theirs, name)(image.astype(float), 2 if name.endswith("1d") else 3, mode=mode)
    np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=64 * U[np.float32] * np.abs(expected).max())


def test_what_is_left_to_scipy():
    x = on(IMAGE)
    with xp.config(fallback="error"):
        for call in (
            lambda: ours.zoom(x, 2, order=4), lambda: ours.shift(x.astype(xp.int32), 1), lambda: ours.spline_filter(x, output=np.float32),
        ):  # fmt: skip
            with pytest.raises(xp.FallbackError):
                call()
