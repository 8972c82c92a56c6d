"""Filters with feedback on the device, against SciPy in float64, with no fallback allowed."""

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

from .beside_host import DEVICE, U, assert_refused_alike, fetch

signal = xp.scipy.signal
FILTERS = st.tuples(st.integers(1, 6), st.sampled_from([0.03, 0.1, 0.4]), st.sampled_from(["low", "high"]))


def draw(data, least=1):
    shape = data.draw(st.lists(st.integers(1, 3), max_size=2))
    axis = data.draw(st.integers(0, len(shape)))
    shape.insert(axis, data.draw(st.integers(least, 300)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    x = rng.standard_normal(shape)
    x = (x + 1j * rng.standard_normal(shape)).astype(np.complex64) if data.draw(st.booleans()) else x.astype(np.float32)
    return x, axis - data.draw(st.sampled_from([0, len(shape)]))


def wide(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def on_device(x):
    return xp.asarray(x, device=DEVICE)


def assert_near(found, wanted, level):
    """
    Sums over a block of 128 samples and a state of up to 12 numbers, at three levels of blocks, each number rounded once.

    The level is the sum of magnitudes of the impulse response times the largest sample, and what the state adds.
    """
    (found,) = fetch(found)
    assert found.shape == wanted.shape
    assert found.dtype == (np.complex64 if wanted.dtype.kind == "c" else np.float32)
    assert np.abs(found - wanted).max(initial=0) <= 3 * (128 + 12) * U * level


def gain(b, a):
    """Sum the magnitudes of an impulse response."""
    return np.abs(scipy.signal.lfilter(b, a, np.eye(1, 2000)[0])).sum()


@settings(max_examples=6, deadline=None)
@given(data=st.data(), design=FILTERS)
def test_transfer_functions(data, design):
    b, a = (part.tolist() for part in scipy.signal.butter(*design))
    x, axis = draw(data)
    shape = [*x.shape]
    shape[axis] = len(a) - 1
    state = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    with xp.config(fallback="error"):
        plain = signal.lfilter(b, a, on_device(x), axis)
        continued = signal.lfilter(b, a, on_device(x), axis, on_device(state))
    level = 2 * gain(b, a) * np.abs(x).max()
    assert_near(plain, scipy.signal.lfilter(b, a, wide(x), axis), level)
    wanted = scipy.signal.lfilter(b, a, wide(x), axis, wide(state))
    level += max(np.abs(part).max(initial=0) for part in scipy.signal.lfilter(b, a, np.zeros_like(wide(x)), axis, wide(state)))
    assert_near(continued[0], wanted[0], level)
    assert_near(continued[1], wanted[1], 8 * level * np.abs(a).sum())  # the delays hold products with the coefficients


@settings(max_examples=6, deadline=None)
@given(data=st.data(), design=FILTERS, padding=st.sampled_from(["odd", "even", "constant", None]))
def test_sections_and_both_ways(data, design, padding):
    sos = scipy.signal.butter(*design, output="sos")
    b, a = (part.tolist() for part in scipy.signal.butter(*design))
    x, axis = draw(data, least=40)
    coefficients = sos.tolist()
    with xp.config(fallback="error"):
        found = [
            signal.sosfilt(coefficients, on_device(x), axis),
            signal.sosfiltfilt(coefficients, on_device(x), axis, padding),
            signal.filtfilt(b, a, on_device(x), axis, padding),
        ]
    wanted = [
        scipy.signal.sosfilt(sos, wide(x), axis),
        scipy.signal.sosfiltfilt(sos, wide(x), axis, padding),
        scipy.signal.filtfilt(b, a, wide(x), axis, padding),
    ]
    level = 6 * np.abs(x).max() * max(gain(b, a), 1)
    for one, other, passes in zip(found, wanted, (1, 2, 2), strict=True):
        assert_near(one, other, passes * level * max(gain(b, a), 1) ** (passes - 1))


def test_a_long_signal_in_blocks_of_blocks():
    b, a = (part.tolist() for part in scipy.signal.butter(3, 0.05))
    x = np.random.default_rng(1).standard_normal(40_000).astype(np.float32)
    with xp.config(fallback="error"):
        found = signal.lfilter(b, a, on_device(x))
    assert len(xp.explain(found).steps) == 1
    assert_near(found, scipy.signal.lfilter(b, a, wide(x)), 2 * gain(b, a) * np.abs(x).max())


def test_coefficients_may_be_arrays():
    b, a = (part.astype(np.float32) for part in scipy.signal.butter(2, 0.3))
    x = np.random.default_rng(1).standard_normal(50).astype(np.float32)
    with xp.config(fallback="error"):
        found = signal.lfilter(on_device(b), on_device(a), on_device(x))
        assert_near(found, scipy.signal.lfilter(wide(b), wide(a), wide(x)), 2 * gain(b, a) * np.abs(x).max())
        doubled = signal.lfilter(on_device(wide(b)), on_device(a), on_device(x))
    (found,), wanted = fetch(doubled), scipy.signal.lfilter(wide(b), wide(a), wide(x))
    assert found.dtype == np.float64
    assert np.abs(found - wanted).max() <= 64 * 2.0**-53 * gain(b, a) * np.abs(x).max()  # sums of products are rounded once


@pytest.mark.parametrize("samples", [100, 300])
def test_states_that_hardly_decay(samples):
    """What samples of a block add to outputs behind the last one belongs to the state, too."""
    x = np.random.default_rng(5).standard_normal(samples).astype(np.float32)
    with xp.config(fallback="error"):
        found = signal.lfilter([1.0], [1.0, -0.999], on_device(x))
    assert_near(found, scipy.signal.lfilter([1.0], [1.0, -0.999], wide(x)), gain([1.0], [1.0, -0.999]) * np.abs(x).max())


def test_nan_lasts():
    x = np.ones(300, np.float32)
    x[200] = np.nan
    with xp.config(fallback="error"):
        (found,) = fetch(signal.lfilter([0.5], [1.0, -0.5], on_device(x)))
        (without,) = fetch(signal.filtfilt([0.5, 0.5], [1.0], on_device(x), padlen=0))
    assert (np.isnan(found) == (np.arange(300) >= 200)).all()
    assert (np.isnan(without) == np.isnan(scipy.signal.filtfilt([0.5, 0.5], [1.0], x, padlen=0))).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda s, x: s.lfilter([1.0], [0.0, 1.0], x),
        lambda s, x: s.lfilter([1.0], [1.0, 0.5], x, axis=4),
        lambda s, x: s.lfilter([1.0], [1.0, 0.5], x, zi=x[:2]),
        lambda s, x: s.sosfilt([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], x),
        lambda s, x: s.sosfilt([[1.0, 2.0]], x),
        lambda s, x: s.filtfilt([1.0], [1.0, 0.5], x[:3]),
        lambda s, x: s.filtfilt([1.0], [1.0, 0.5], x, padtype="wrap"),
        lambda s, x: s.filtfilt([1.0], [1.0, 0.5], x, method="best"),
        lambda s, x: s.sosfiltfilt([[1.0, 0.0, 0.0, 1.0, 0.5, 0.0]], x, padlen=50),
    ],
)
def test_errors_are_scipys(call):
    host = np.ones(40, np.float32)
    assert_refused_alike(lambda: call(scipy.signal, host), lambda: call(signal, on_device(host)), (ValueError, IndexError))


def test_what_the_device_leaves_to_the_host():
    x = on_device(np.ones(2000, np.float32))
    with xp.config(fallback="error"):
        with pytest.raises(xp.FallbackError, match="without bounds"):
            signal.lfilter([1.0], [1.0, -1.5], x)
        with pytest.raises(xp.FallbackError, match="Gustafsson"):
            signal.filtfilt([1.0], [1.0, -0.5], x, method="gust")
