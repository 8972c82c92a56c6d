"""Filters without feedback, resampling and analytic signals on the device, against SciPy in float64; and Hermitian transforms."""

import numpy as np
import pytest
import scipy.fft
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

from .beside_host import DEVICE, U, assert_refused_alike, fetch

signal = xp.scipy.signal


def draw(data, is_complex=None):
    shape = data.draw(st.lists(st.integers(1, 3), max_size=2))
    axis = data.draw(st.integers(0, len(shape)))
    shape.insert(axis, data.draw(st.integers(2, 20)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    x = rng.standard_normal(shape)
    if data.draw(st.booleans()) if is_complex is None else is_complex:
        return (x + 1j * rng.standard_normal(shape)).astype(np.complex64), axis - data.draw(st.sampled_from([0, len(shape)]))
    return x.astype(np.float32), axis - data.draw(st.sampled_from([0, len(shape)]))


def wide(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def on_device(x):
    return xp.asarray(x, device=DEVICE)


def assert_near(found, wanted, terms, level):
    """Sums of so many products of numbers rounded once, the largest of them of that level."""
    (found,) = fetch(found)
    assert found.shape == wanted.shape
    assert found.dtype == (np.complex64 if wanted.dtype.kind == "c" else np.float32)
    assert np.abs(found - wanted).max(initial=0) <= 2 * terms * (terms + 4) * U * level


@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_filters_without_feedback(data):
    """Quotients of coefficients are rounded once more; the state is added to the first samples."""
    x, axis = draw(data)
    b = np.random.default_rng(1).standard_normal(data.draw(st.integers(1, 6))).astype(np.float32)
    a = data.draw(st.sampled_from([[1.0], [-2.5], 4.0]))
    state_shape = [*x.shape]
    state_shape[axis] = len(b) - 1
    state = np.ones(state_shape, np.float32)
    with xp.config(fallback="error"):
        plain = signal.lfilter(on_device(b), a, on_device(x), axis)
        continued = signal.lfilter(on_device(b), a, on_device(x), axis, on_device(state))
    level = 4 * np.abs(x).max() * np.abs(b).max() + 1
    assert_near(plain, scipy.signal.lfilter(wide(b), a, wide(x), axis), len(b) + 1, level)
    wanted = scipy.signal.lfilter(wide(b), a, wide(x), axis, wide(state))
    for one, other in zip(continued, wanted, strict=True):
        assert_near(one, other, len(b) + 2, level)


def test_nan_stays_with_the_samples_that_it_reaches():
    x = np.ones(20, np.float32)
    x[9] = np.nan
    with xp.config(fallback="error"):
        (found,) = fetch(signal.lfilter([1.0, 2.0, 3.0], [1.0], on_device(x)))
    assert list(np.flatnonzero(np.isnan(found))) == [9, 10, 11]


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_resampling_and_analytic_signals(data):
    x, axis = draw(data)
    number = data.draw(st.integers(1, 30))
    window = data.draw(st.sampled_from([None, "hann"]))
    domain = data.draw(st.sampled_from(["time", "freq"]))
    times = np.linspace(0, 2, x.shape[axis], dtype=np.float32)
    level = 2 * np.abs(x).max()
    with xp.config(fallback="error"):
        samples, when = signal.resample(on_device(x), number, on_device(times), axis, window, domain)
        analytic = None if x.dtype.kind == "c" else signal.hilbert(on_device(x), number, axis)
    wanted = scipy.signal.resample(wide(x), number, wide(times), axis, window, domain)
    assert_near(samples, wanted[0], max(x.shape[axis], number), level)
    assert_near(when, wanted[1], 4, np.abs(wanted[1]).max())
    if analytic is not None:
        assert_near(analytic, scipy.signal.hilbert(wide(x), number, axis), number, level)


@settings(max_examples=6, deadline=None)
@given(data=st.data(), up=st.integers(1, 7), down=st.integers(1, 7))
def test_resampling_by_a_filter(data, up, down):
    """Sums over the taps of one phase, and a background that is taken off and added."""
    x, axis = draw(data)
    window = data.draw(st.sampled_from([("kaiser", 5.0), [1.0, 2.0, 3.0, 4.0]]))
    padding = data.draw(st.sampled_from(["constant"] if x.dtype.kind == "c" else ["constant", "mean", "median", "minimum"]))
    with xp.config(fallback="error"):
        found = signal.resample_poly(on_device(x), up, down, axis, window, padding)
    wanted = scipy.signal.resample_poly(wide(x), up, down, axis, window, padding)
    assert_near(found, wanted, 24, 4 * up * np.abs(x).max())


def test_what_is_resampled_by_one_has_memory_of_its_own():
    x = on_device(np.arange(6, dtype=np.float32))
    found = signal.resample_poly(x, 3, 3)
    found[...] = 7
    assert x.tolist() == [0, 1, 2, 3, 4, 5]
    assert not xp.shares_memory(x, found)


@settings(max_examples=6, deadline=None)
@given(data=st.data(), norm=st.sampled_from([None, "ortho", "forward", "backward"]))
def test_hermitian_transforms(data, norm):
    x = np.random.default_rng(data.draw(st.integers(0, 99))).standard_normal((3, 4, 5)).astype(np.float32)
    axes = data.draw(st.lists(st.integers(-3, -1), min_size=1, max_size=3, unique=True))
    lengths = data.draw(st.none() | st.lists(st.integers(2, 7), min_size=len(axes), max_size=len(axes)))
    spectrum = (x + 1j * x[::-1]).astype(np.complex64)
    with xp.config(fallback="error"):
        real = scipy.fft.hfftn(on_device(spectrum), lengths, axes, norm)
        half = scipy.fft.ihfftn(on_device(x), lengths, axes, norm)
    assert_near(real, scipy.fft.hfftn(wide(spectrum), lengths, axes, norm), 2 * 10 * 7 * 7, 4 * np.abs(x).max())
    assert_near(half, scipy.fft.ihfftn(wide(x), lengths, axes, norm), 7 * 7 * 7, np.abs(x).max())


@pytest.mark.parametrize(
    "call",
    [
        lambda s, x: s.hilbert(x, 0),
        lambda s, x: s.hilbert(x + 1j),
        lambda s, x: s.resample(x, 4, domain="space"),
        lambda s, x: s.resample_poly(x, 2.5, 1),
        lambda s, x: s.resample_poly(x, 2, 0),
        lambda s, x: s.resample_poly(x, 2, 3, padtype="zeros"),
        lambda s, x: s.lfilter(x[:6].reshape(2, 3), [1.0], x),
        lambda s, x: s.lfilter([1.0, 2.0], [1.0], x, zi=x[:2]),
        lambda s, x: s.lfilter([1.0, 2.0], [1.0], x, zi=x[:1].reshape(1, 1)),
    ],
)
def test_errors_are_scipys(call):
    host = np.ones(8, np.float32)
    assert_refused_alike(lambda: call(scipy.signal, host), lambda: call(signal, on_device(host)), (ValueError, ZeroDivisionError))


def test_an_operand_without_elements_beside_others():
    """The host's answer for ones is taken only where it does not depend on them."""
    x = np.asarray([3.0, 5.0], np.float32)
    with xp.config(fallback="error"):
        filtered, state = signal.lfilter([2.0], [1.0], on_device(x), zi=on_device(x[:0]))
    assert (fetch(filtered)[0] == 2 * x).all()
    assert state.shape == (0,)


@pytest.mark.parametrize("number", [1500, 2501])
def test_long_signals_by_transforms(number):
    """Two transforms with a product between: errors relative to the norm, ten roundings each."""
    x = np.random.default_rng(number).standard_normal((2, 2000)).astype(np.float32)
    analytic = (x[0] + 1j * x[1]).astype(np.complex64)
    with xp.config(fallback="error"):
        found = [
            signal.hilbert(on_device(x), number),
            signal.resample(on_device(x), number, axis=1, window="hann"),
            signal.resample(on_device(analytic), number),
        ]
    wanted = [
        scipy.signal.hilbert(wide(x), number),
        scipy.signal.resample(wide(x), number, axis=1, window="hann"),
        scipy.signal.resample(wide(analytic), number),
    ]
    for ours, theirs in zip(fetch(found), wanted, strict=True):
        assert np.linalg.norm(ours - theirs) <= 20 * U * np.linalg.norm(theirs)


def test_what_the_device_leaves_to_the_host():
    x = on_device(np.ones(2000, np.float32))
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="on the host"):
        signal.resample(x, 10, domain="freq")
