"""Spectra and short-time transforms on the device, against SciPy in float64, with no fallback allowed."""

import warnings

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

from .beside_host import DEVICE, U, assert_refused_alike, fetch

signal = xp.scipy.signal
SEGMENTS = {
    "fs": st.sampled_from([1.0, 250.0]),
    "window": st.sampled_from(["hann", "boxcar", ("tukey", 0.25)]),
    "detrend": st.sampled_from(["constant", "linear", False]),
    "return_onesided": st.booleans(),
    "scaling": st.sampled_from(["density", "spectrum"]),
}


def draw_signals(data, count=1, least=20):
    """Draw signals of one shape, their axis of time, and of which that is long enough for several segments."""
    outer = data.draw(st.lists(st.integers(1, 3), max_size=2))
    axis = data.draw(st.integers(-len(outer) - 1, len(outer)))
    shape = [*outer]
    shape.insert(axis if axis >= 0 else len(outer) + 1 + axis, data.draw(st.integers(least, 60)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    signals = [rng.standard_normal(shape).astype(np.float32) for _ in range(count)]
    if data.draw(st.booleans()):
        signals = [(x + 1j * rng.standard_normal(shape)).astype(np.complex64) for x in signals]
    return signals, axis


def wide(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def on_device(x):
    return xp.asarray(x, device=DEVICE)


def largest(*signals):
    """What segments hold at most, twice that where a trend was taken off."""
    return 2 * max(np.abs(x).max() for x in signals)


def assert_near(found, wanted, bound):
    (found,) = fetch(found)
    assert found.shape == wanted.shape
    assert found.dtype == (np.complex64 if wanted.dtype.kind == "c" else np.float32)
    assert np.abs(found - wanted).max(initial=0) <= bound


def draw_segments(data):
    nperseg = data.draw(st.integers(1, 16))
    noverlap = data.draw(st.none() | st.integers(0, nperseg - 1))
    return {"nperseg": nperseg, "noverlap": noverlap, "nfft": data.draw(st.none() | st.integers(nperseg, 24))}


@pytest.mark.filterwarnings("ignore:Input data is complex")
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_welch_and_its_kin(data):
    """
    Each transform is a sum of n products with numbers rounded once: n + 4 roundings of the sum of magnitudes, A times that of the window.

    Powers are twice as far off, twice as much again where they stand for negative frequencies. A density has that sum squared over the
    sum of squares, which is at most n, and over the sampling frequency; a spectrum has it over itself.
    """
    (x, y), axis = draw_signals(data, 2)
    options = {name: data.draw(values) for name, values in SEGMENTS.items()} | {"axis": axis}
    segments = draw_segments(data)
    average = {"average": data.draw(st.sampled_from(["mean", "median"]))}
    mode = {"mode": data.draw(st.sampled_from(["psd", "complex", "magnitude"]))}
    n = segments["nperseg"]
    a, b = on_device(x), on_device(y)
    if n == 1 and options["window"] != "boxcar":
        options["window"] = "boxcar"  # others have no sum
    with xp.config(fallback="error"):
        found = [
            signal.welch(a, **options, **segments, **average),
            signal.csd(a, b, **options, **segments, **average),
            signal.periodogram(a, **options),
            signal.spectrogram(a, **options, **segments, **mode),
        ]
    wanted = [
        scipy.signal.welch(wide(x), **options, **segments, **average),
        scipy.signal.csd(wide(x), wide(y), **options, **segments, **average),
        scipy.signal.periodogram(wide(x), **options),
        scipy.signal.spectrogram(wide(x), **options, **segments, **mode),
    ]
    lengths = (n, n, x.shape[axis], n)
    for ours, theirs, length in zip(found, wanted, lengths, strict=True):
        for axes, expected in zip(ours[:-1], theirs[:-1], strict=True):
            assert_near(axes, expected, U * np.abs(expected).max(initial=0))
        of_noise = length / options["fs"] if options["scaling"] == "density" else 1.0
        level = largest(x, y) ** 2 * of_noise
        if ours is found[3] and mode["mode"] != "psd":
            level = np.sqrt(level)
        assert_near(ours[-1], theirs[-1], 4 * (length + 16) * U * level)


@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_coherence(data):
    """A quotient of sums over segments of powers that are off as welch's, and at least a thousandth of their mean as drawn."""
    (x, y), axis = draw_signals(data, 2, least=40)
    if x.dtype.kind == "c":
        x, y = x.real.copy(), y.real.copy()
    with xp.config(fallback="error"):
        found = signal.coherence(on_device(x), on_device(y), nperseg=8, axis=axis)
    wanted = scipy.signal.coherence(wide(x), wide(y), nperseg=8, axis=axis)
    _, least = scipy.signal.welch(wide(x), nperseg=8, axis=axis)
    _, less = scipy.signal.welch(wide(y), nperseg=8, axis=axis)
    level = largest(x, y) ** 2 * 8 / min(least.min(), less.min())
    assert_near(found[1], wanted[1], 16 * 24 * U * level)


@pytest.mark.filterwarnings("ignore:Input data is complex", "ignore:NOLA")
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_stft_and_back(data):
    """Back, frames of n sums are added where they overlap and divided by the sum of squared windows, which magnifies what is off."""
    (x,), axis = draw_signals(data)
    nperseg = data.draw(st.integers(2, 16))
    noverlap = data.draw(st.integers(0, nperseg - 1))
    boundary = data.draw(st.sampled_from(["zeros", "even", "odd", "constant", None]))
    scaling = {"scaling": data.draw(st.sampled_from(["spectrum", "psd"])), "nperseg": nperseg, "noverlap": noverlap}
    options = scaling | {"boundary": boundary, "padded": data.draw(st.booleans()), "axis": axis}
    with xp.config(fallback="error"):
        found = signal.stft(on_device(x), **options)
    wanted = scipy.signal.stft(wide(x), **options)
    for axes, expected in zip(found[:2], wanted[:2], strict=True):
        assert_near(axes, expected, U * np.abs(expected).max(initial=0))
    level = np.sqrt(nperseg) if scaling["scaling"] == "psd" else 1.0
    assert_near(found[2], wanted[2], 4 * (nperseg + 8) * U * 3 * largest(x) * level)

    spectra = wanted[2].astype(np.complex64)
    back = scaling | {"input_onesided": x.dtype.kind != "c", "boundary": boundary is not None, "freq_axis": axis if axis >= 0 else axis - 1}
    if nperseg % 2 and back["input_onesided"]:
        back["nfft"] = nperseg
    with xp.config(fallback="error"):
        times, samples = signal.istft(on_device(spectra), **back)
    expected = scipy.signal.istft(spectra.astype(np.complex128), **back)
    window = scipy.signal.get_window("hann", nperseg)
    step = nperseg - noverlap
    norm = sum(np.pad(window**2, (k * step, (spectra.shape[-1] - 1 - k) * step)) for k in range(spectra.shape[-1]))
    norm = norm[nperseg // 2 : -(nperseg // 2)] if back["boundary"] else norm
    factor = np.sqrt((window**2).sum()) if scaling["scaling"] == "psd" else window.sum()
    magnified = -(-nperseg // step) / norm[norm > 1e-10].min(initial=1.0)
    assert_near(times, expected[0], U * expected[0].max(initial=0))
    assert_near(samples, expected[1], 4 * (2 * nperseg + 16) * U * np.abs(spectra).max() * factor * magnified)


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_short_time_fft(data):
    """As of stft: sums of as many products as the window has samples; back, of as many as frequencies, added where they overlap."""
    (x, y), _ = draw_signals(data, 2, least=40)
    axis = data.draw(st.integers(0, x.ndim - 1)) if x.shape[0] > 20 else int(np.argmax(x.shape))
    axis = axis if x.shape[axis] >= 20 else int(np.argmax(x.shape))
    length = data.draw(st.integers(4, 12))
    hop = data.draw(st.integers(1, length // 2))
    modes = ["twosided", "centered"] if x.dtype.kind == "c" else ["twosided", "centered", "onesided", "onesided2X"]
    parameters = {
        "fft_mode": data.draw(st.sampled_from(modes)),
        "scale_to": data.draw(st.sampled_from(["magnitude", "psd"])),
        "phase_shift": data.draw(st.sampled_from([None, 0, 3])),
    }
    ours = signal.ShortTimeFFT(np.hamming(length), hop, 1.0, **parameters)
    theirs = scipy.signal.ShortTimeFFT(np.hamming(length), hop, 1.0, **parameters)
    padding = data.draw(st.sampled_from(["zeros", "edge", "even", "odd"]))
    options = {"axis": axis, "padding": padding, "k_offset": data.draw(st.integers(0, 2))}
    trend = data.draw(st.sampled_from([None, "constant", "linear"]))
    a, b = on_device(x), on_device(y)
    with xp.config(fallback="error"):
        found = [ours.stft(a, **options), ours.spectrogram(a, **options), ours.spectrogram(a, b, trend, **options)]
    u, v = wide(x), wide(y)
    wanted = [theirs.stft(u, **options), theirs.spectrogram(u, **options), theirs.spectrogram(u, v, trend, **options)]
    level = 3 * largest(x, y) * np.abs(theirs.win).sum() * 2
    for one, other, power in zip(found, wanted, (1, 2, 2), strict=True):
        assert_near(one, other, 2 * power * (length + 16) * U * level**power)
    spectra, first = wanted[0].astype(np.complex64), hop * data.draw(st.integers(0, 2))  # others fail in SciPy
    with xp.config(fallback="error"):
        back = ours.istft(on_device(spectra), first, x.shape[axis], f_axis=axis)
    expected = theirs.istft(spectra.astype(np.complex128), first, x.shape[axis], f_axis=axis)
    level = 2 * np.abs(spectra).max() * np.abs(theirs.dual_win).max() * -(-length // hop)
    assert_near(back, expected, 4 * (2 * length + 16) * U * level)


@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_detrend(data):
    """A mean is a sum of n terms, and so is a slope; both are taken off with the roundings of numbers as large as the signals."""
    (x,), axis = draw_signals(data)
    breaks = data.draw(st.just(0) | st.lists(st.integers(1, x.shape[axis] - 1), min_size=1, max_size=3, unique=True))
    found = []
    with xp.config(fallback="error"):
        found += [signal.detrend(on_device(x), axis, type="linear", bp=breaks), signal.detrend(on_device(x), axis, type="constant")]
    wanted = [scipy.signal.detrend(wide(x), axis, type="linear", bp=breaks), scipy.signal.detrend(wide(x), axis, type="constant")]
    for one, other in zip(found, wanted, strict=True):
        assert_near(one, other, 6 * (x.shape[axis] + 4) * U * largest(x))


def test_low_precision_and_integers():
    x = np.arange(32) % 7
    expected = scipy.signal.welch(x.astype(float), nperseg=8)[1]
    with xp.config(fallback="error"):
        assert_near(signal.welch(on_device(x.astype(np.int32)), nperseg=8)[1], expected, 4 * 24 * U * 8 * 14**2)
        assert signal.welch(on_device(x.astype(np.float16)), nperseg=8)[1].dtype == xp.float16


@pytest.mark.parametrize(
    "call",
    [
        lambda s, x: s.welch(x, nperseg=16, noverlap=16),
        lambda s, x: s.welch(x, nperseg=16, nfft=4),
        lambda s, x: s.welch(x, nperseg=0),
        lambda s, x: s.welch(x, nperseg=16, average="mode"),
        lambda s, x: s.welch(x, nperseg=16, scaling="power"),
        lambda s, x: s.welch(x, nperseg=16, detrend="square"),
        lambda s, x: s.welch(x, nperseg=16, axis=4),
        lambda s, x: s.spectrogram(x, nperseg=16, mode="power"),
        lambda s, x: s.stft(x, nperseg=16, boundary="wrap"),
        lambda s, x: s.istft(x),
        lambda s, x: s.detrend(x, type="square"),
        lambda s, x: s.detrend(x, bp=99),
        lambda s, x: s.ShortTimeFFT(np.ones(8), 4, 1.0).stft(x[:2]),
        lambda s, x: s.ShortTimeFFT(np.ones(8), 4, 1.0).istft(x),
    ],
)
def test_errors_are_scipys(call):
    host = np.ones(40, np.float32)
    assert_refused_alike(lambda: call(scipy.signal, host), lambda: call(signal, on_device(host)), (ValueError, IndexError))


def test_warnings_are_scipys_and_name_the_caller():
    x = np.ones(40, np.float32)
    with pytest.warns(UserWarning, match="nperseg") as wanted:
        scipy.signal.stft(x, nperseg=64)
    with pytest.warns(UserWarning, match="nperseg") as found:
        signal.stft(on_device(x), nperseg=64)
    assert [str(item.message) for item in found] == [str(item.message) for item in wanted]
    assert found[0].filename == __file__
    with pytest.warns(UserWarning, match="NOLA"):
        signal.istft(on_device(np.ones((5, 9), np.complex64)), noverlap=0)


def test_one_program_and_nothing_computed_before():
    x = on_device(np.zeros(4096, np.float32))
    with xp.config(fallback="error"), warnings.catch_warnings():
        warnings.simplefilter("error")
        _, density = signal.welch(x, nperseg=512)
    (program,) = xp.explain(density).steps
    assert [stage.computes for stage in program.stages if "matmul" in stage.computes] == ["matmul, then multiply ×2, add"]


def test_what_the_device_leaves_to_the_host():
    x = on_device(np.zeros(4096, np.float32))
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="functions of ndarrays"):
        signal.welch(x, detrend=np.negative)


def near_by_norm(found, wanted, roundings):
    """Transforms err by some ten roundings, relative to the norm, and products of two by twice as much."""
    (found,) = fetch(found)
    assert found.shape == wanted.shape
    return np.linalg.norm(found - wanted) <= roundings * U * np.linalg.norm(wanted)


def test_long_segments():
    x, y = np.random.default_rng(0).standard_normal((2, 4000)).astype(np.float32)
    spectra = scipy.signal.stft(wide(x), nperseg=1200)[2]
    with xp.config(fallback="error"):
        density = signal.welch(on_device(x), nperseg=1200)[1]
        cross = signal.csd(on_device(x), on_device(y), nperseg=1500, nfft=2000)[1]
        found = signal.stft(on_device(x), nperseg=1200)[2]
        back = signal.istft(on_device(spectra.astype(np.complex64)), nperseg=1200)[1]
    assert near_by_norm(density, scipy.signal.welch(wide(x), nperseg=1200)[1], 20)
    assert near_by_norm(cross, scipy.signal.csd(wide(x), wide(y), nperseg=1500, nfft=2000)[1], 20)
    assert near_by_norm(found, spectra, 10)
    assert near_by_norm(back, scipy.signal.istft(spectra, nperseg=1200)[1], 10)


@pytest.mark.parametrize("phase", [0, None, 5])
@pytest.mark.parametrize("mode", ["onesided", "twosided", "centered", "onesided2X"])
def test_long_short_time_transforms(mode, phase):
    """Transforms beyond one product, rotated and scaled as SciPy's; there and back gives the signal."""
    x = np.random.default_rng(0).standard_normal(3000).astype(np.float32)
    parameters = {"mfft": 1200, "fft_mode": mode, "phase_shift": phase, "scale_to": "psd" if mode == "onesided2X" else None}
    theirs, ours = (module.ShortTimeFFT(np.hanning(1101), 300, 1.0, **parameters) for module in (scipy.signal, signal))
    with xp.config(fallback="error"):
        found = ours.stft(on_device(x))
        back = ours.istft(found, k1=3000)
    assert near_by_norm(found, theirs.stft(wide(x)), 10)
    assert near_by_norm(back, wide(x), 20)
