"""Morphology of images, and filters of the user's functions, on devices against SciPy's in float64."""

import inspect

import numpy as np
import pytest
from scipy import ndimage as theirs

import trnarray as xp
from trnarray.scipy import ndimage as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(9)
IMAGE, MASK = rng.standard_normal((7, 9)), rng.random((7, 9)) > 0.3
HEIGHTS = [[0.0, 0.5, 1.0], [0.25, 0.0, 0.0]]
RING = np.zeros((20, 21), bool)  # of more than eight dilations from its middle to its border, with a hole in what it holds
RING[1:19, 1:20], RING[3:17, 3:18], RING[9, 9:12], RING[9, 10] = True, False, True, False


def on(x, dtype=np.float32, device="sim:trn2"):
    return xp.asarray(x.astype(dtype), device=device)


def fetched(x):
    return np.asarray(x.to_device("cpu"))


GREY = ("grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "white_tophat", "black_tophat", "morphological_gradient",
        "morphological_laplace")  # fmt: skip


@pytest.mark.parametrize("name", GREY)
def test_grey(name):
    x = (IMAGE * 8).round().astype(np.float32)
    with xp.config(fallback="error"):
        for size, options in ((3, {}), ((2, 5), {"mode": "constant", "cval": 2.0})):
            found = getattr(ours, name)(on(x), size, **options)
            np.testing.assert_array_equal(fetched(found), getattr(theirs, name)(x.astype(float), size, **options))


@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation", "binary_opening", "binary_closing"])
def test_binary(name):
    x = IMAGE > -0.8
    structure = np.array([[1, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]])
    with xp.config(fallback="error"):
        for options in ({}, {"iterations": 2}, {"structure": structure}, {"structure": np.ones((3, 3)), "border_value": 1},
                        {"structure": structure, "origin": (1, -1), "iterations": 2}):  # fmt: skip
            if "border_value" in options and "border_value" not in inspect.signature(getattr(theirs, name)).parameters:
                continue
            found = getattr(ours, name)(xp.asarray(x, device="sim:trn2"), **options)
            assert found.dtype == bool
            np.testing.assert_array_equal(fetched(found), getattr(theirs, name)(x, **options))
        np.testing.assert_array_equal(fetched(getattr(ours, name)(on(IMAGE.clip(0)))), getattr(theirs, name)(IMAGE.clip(0)))


@pytest.mark.parametrize(("name", "dtype"), [*((name, np.float32) for name in GREY), ("morphological_gradient", np.float64)])
def test_grey_structures(name, dtype):
    x = IMAGE.astype(dtype)
    calls = [{"structure": HEIGHTS}, {"structure": HEIGHTS, "footprint": [[1, 0, 1], [0, 1, 1]], "mode": "constant", "cval": 0.25}]
    calls += [{"footprint": [[1, 1], [0, 1]], "mode": "mirror"}]
    with xp.config(fallback="error"):
        for options in calls:
            found, expected = getattr(ours, name)(on(x, dtype), **options), getattr(theirs, name)(x.astype(float), **options)
            assert found.dtype == dtype
            # A rounding for each of a dilation and an erosion, and two for their difference.
            np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=4 * U[dtype] * max(1.0, np.abs(expected).max()))


def test_nan_under_a_structure_is_seen_where_scipy_sees_it():
    x = IMAGE.astype(np.float32)
    x[3, 4] = np.nan
    with xp.config(fallback="error"):
        found = ours.grey_erosion(on(x), structure=HEIGHTS)
    np.testing.assert_array_equal(np.isnan(fetched(found)), np.isnan(theirs.grey_erosion(x.astype(float), structure=HEIGHTS)))


BINARY = {
    "fill_holes": lambda m, x, mask: m.binary_fill_holes(x),
    "propagation": lambda m, x, mask: m.binary_propagation(x, mask=mask),
    "hit_or_miss": lambda m, x, mask: m.binary_hit_or_miss(x),
    "hit_or_miss, structures": lambda m, x, mask: m.binary_hit_or_miss(x, [[1, 0, 0], [0, 1, 1]], [[0, 1, 0], [0, 0, 0]], origin1=(0, 1)),
    "dilation to the end": lambda m, x, mask: m.binary_dilation(x, iterations=0),
    "dilation in a mask": lambda m, x, mask: m.binary_dilation(x, mask=mask, iterations=2),
    "erosion in a mask to the end": lambda m, x, mask: m.binary_erosion(x, mask=mask, iterations=-1, border_value=1),
}


@pytest.mark.parametrize("name", BINARY)
def test_binary_until_nothing_changes(name):
    for x, mask in ((IMAGE > 0, MASK), (RING, np.roll(RING, 3, axis=0))):
        with xp.config(fallback="error"):
            found = BINARY[name](ours, xp.asarray(x, device="sim:trn2"), xp.asarray(mask, device="sim:trn2"))
        np.testing.assert_array_equal(fetched(found), BINARY[name](theirs, x, mask))


def test_filters_of_functions():
    x = IMAGE.astype(np.float32)
    with xp.config(fallback="error"):
        found = [ours.generic_gradient_magnitude(on(x), ours.sobel), ours.generic_laplace(on(x), lambda *args: ours.correlate1d(
            args[0], [1.0, -2.0, 1.0], args[1], args[2], args[3], args[4]))]  # fmt: skip
        found += [ours.vectorized_filter(on(x), xp.max, size=(3, 2), mode="mirror")] if hasattr(theirs, "vectorized_filter") else []
    wide = x.astype(float)
    windows = theirs.maximum_filter(wide, (3, 2), mode="mirror")
    expected = [theirs.generic_gradient_magnitude(wide, theirs.sobel), theirs.laplace(wide), windows]
    for one, other in zip(found, expected, strict=False):
        np.testing.assert_allclose(fetched(one), other, rtol=0, atol=32 * U[np.float32] * np.abs(other).max())
