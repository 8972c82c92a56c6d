"""Peaks of signals on the device, against SciPy: the same samples, and the same properties."""

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

from .beside_host import DEVICE, U, fetch

LIMITS = st.sampled_from([None, 1.0, 2, (None, 2.0), (0.5, 2.5), (1, None)])


def assert_same(x, **conditions):
    """Values are taken, and differences of two rounded once."""
    peaks, properties = scipy.signal.find_peaks(x.astype(np.float64), **conditions)
    with xp.config(fallback="error"):
        found, ours = xp.scipy.signal.find_peaks(xp.asarray(x, device=DEVICE), **conditions)
    (places,) = fetch(found)
    assert places.dtype == np.int32
    assert (places == peaks).all()
    assert list(ours) == list(properties)
    for name, values in properties.items():
        (one,) = fetch(ours[name])
        assert one.dtype == (np.int32 if values.dtype.kind == "i" else np.float32)
        assert np.allclose(one, values, rtol=U, atol=0)


@settings(max_examples=10, deadline=None)
@given(data=st.data(), height=LIMITS, threshold=LIMITS, plateau=LIMITS)
def test_plateaus_and_limits(data, height, threshold, plateau):
    x = np.asarray(data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan]), min_size=1, max_size=30)), np.float32)
    assert_same(x, height=height, threshold=threshold, plateau_size=plateau)


def test_a_limit_between_numbers_of_single_precision():
    """0.1 is less than its nearest such number, and 0.01 is more."""
    x = np.asarray([0.0, 0.1, 0.0, 0.01, 0.0], np.float32)
    for height in (0.1, 0.01, (None, 0.1), (None, 0.01)):
        assert_same(x, height=height)


def test_limits_for_each_sample():
    x = np.asarray([0, 3, 0, 3, 3, 0], np.float32)
    limits = np.asarray([9, 9, 9, 2, 9, 9], np.float32)
    with xp.config(fallback="error"):
        found, _ = xp.scipy.signal.find_peaks(xp.asarray(x, device=DEVICE), height=xp.asarray(limits, device=DEVICE))
    assert (fetch(found)[0] == scipy.signal.find_peaks(x, height=limits)[0]).all()
    with pytest.raises(ValueError, match="limits are 3 in an array, for a signal of 6 samples"):
        xp.scipy.signal.find_peaks(xp.asarray(x, device=DEVICE), height=xp.asarray(limits[:3], device=DEVICE))


def test_what_the_device_leaves_to_the_host():
    x = xp.asarray([0.0, 1.0, 0.0], device=DEVICE)
    with xp.config(fallback="error"):
        for condition in ({"distance": 2, "prominence": x}, {"width": (x, None)}):
            with pytest.raises(xp.FallbackError, match="one after the other"):
                xp.scipy.signal.find_peaks(x, **condition)
        with pytest.raises(ValueError, match="distance is 0; it must be 1 or more"):
            xp.scipy.signal.find_peaks(x, distance=0)
