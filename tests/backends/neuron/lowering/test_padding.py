"""Padding by statistics, ramps and reflections, against NumPy on the same numbers."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
WIDTHS = [2, ((0, 9), (7, 0)), 0]
WAYS = [
    ("constant", {"constant_values": 3}), ("linear_ramp", {}), ("linear_ramp", {"end_values": (5, -4)}), ("maximum", {}),
    ("minimum", {"stat_length": 2}), ("mean", {}), ("mean", {"stat_length": ((2, 1),)}), ("median", {"stat_length": 3}),
    ("reflect", {"reflect_type": "odd"}), ("symmetric", {"reflect_type": "odd"}), ("symmetric", {"reflect_type": "even"}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _settings():
    with xp.config(default_device=DEVICE, fallback="error", defaults="numpy"):
        yield


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1", "i8", "c8", "f2"])
@pytest.mark.parametrize(("mode", "parameters"), WAYS, ids=str)
def test_against_numpy(mode, parameters, dtype):
    unit = 2.0 ** {"f2": -11, "f8": -53}.get(dtype, -24)
    for shape in ((3, 4), (1, 3)):
        array = (np.random.default_rng(0).standard_normal(shape) * 20).astype(dtype)
        for widths in WIDTHS:
            found = np.asarray(xp.pad(xp.asarray(array), widths, mode, **parameters).to_device("cpu"))
            wanted = np.pad(array, widths, mode, **parameters)
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
            # Means of four numbers and ramps, in the dtype, of numbers up to 64 that reflections repeat up to eight times.
            np.testing.assert_allclose(found, wanted, rtol=0, atol=0 if array.dtype.kind in "iu" else 8 * 64 * 8 * unit)


def test_what_is_left_empty_may_be_fetched():
    padded = xp.pad(xp.arange(6).reshape(2, 3), ((2, 3), (3, 1)), mode="empty")
    np.testing.assert_array_equal(np.asarray(padded.to_device("cpu"))[2:4, 3:6], np.arange(6).reshape(2, 3))


@pytest.mark.parametrize(
    ("mode", "parameters", "error", "match"),
    [
        ("edge", {"constant_values": 1}, ValueError, "unsupported keyword arguments"),
        ("maximum", {"stat_length": 0}, ValueError, "stat_length of 0"),
        ("mean", {"stat_length": -1}, ValueError, "negative"),
        ("linear_ramp", {"end_values": None}, TypeError, "end_values is None"),
        ("diagonal", {}, ValueError, "'diagonal' is not supported"),
    ],
)
def test_refusals(mode, parameters, error, match):
    with pytest.raises(error, match=match):
        xp.pad(xp.ones(3), 1, mode, **parameters)
