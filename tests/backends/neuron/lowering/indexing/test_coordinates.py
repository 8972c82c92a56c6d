"""Positions and coordinates in shapes of more elements than int32 counts, against NumPy's int64."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
SHAPE = (123456, 45678)  # 5.6e9 elements


@pytest.fixture(autouse=True, params=["numpy", "native"])
def _settings(request):
    with xp.config(default_device=DEVICE, fallback="error", defaults=request.param):
        yield


def fetched(result):
    return [np.asarray(part.to_device("cpu")) for part in (result if isinstance(result, tuple) else (result,))]


@pytest.mark.parametrize("order", ["C", "F"])
def test_positions_become_coordinates(order):
    places = np.array([4294967293, 77, 2**31, 5639223167])
    for given in (xp.asarray(places, dtype="int64"), xp.asarray(places, dtype="uint64"), places.tolist()):
        for found, wanted in zip(fetched(xp.unravel_index(given, SHAPE, order)), np.unravel_index(places, SHAPE, order), strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_coordinates_that_need_64_bits():
    first, second = fetched(xp.unravel_index(xp.asarray([2**43 + 7], dtype="int64"), (2**34, 2**10)))
    assert (first.dtype, first.tolist(), second.tolist()) == (np.int64, [2**33], [7])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
def test_coordinates_become_positions(order, mode):
    parts = np.array([94027, 3]), np.array([1987, 45677])
    (found,) = fetched(xp.ravel_multi_index(tuple(map(xp.asarray, parts)), SHAPE, mode, order))
    wanted = np.ravel_multi_index(parts, SHAPE, mode, order)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("place", [5639223168, -1])
def test_positions_out_of_bounds(place):
    found = xp.unravel_index(xp.asarray([3, place], dtype="int64"), SHAPE)[1]
    with pytest.raises(ValueError, match="out of bounds"):
        found.to_device("cpu")


def test_shapes_without_elements_or_axes():
    with pytest.raises(ValueError, match="is empty"):
        xp.ravel_multi_index((xp.asarray([1]), xp.asarray([0])), (2, 0))
    with pytest.raises(ValueError, match="0d arrays"):
        xp.unravel_index(xp.asarray([0]), ())
