"""Convolutions of scipy.signal on the device, against SciPy in float64, with no fallback allowed."""

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron.lowering import signal_convolution
from trnarray.backends.op import get_op

from .beside_host import DEVICE, U, assert_refused_alike, fetch

signal = xp.scipy.signal
MODES = st.sampled_from(["full", "same", "valid"])


def wide(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def on_device(x):
    return xp.asarray(x, device=DEVICE)


def samples(shape, seed, dtype=np.float32):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return np.asarray(x + 1j * rng.standard_normal(shape) if dtype == np.complex64 else x, dtype)


def assert_near(found, wanted, a, b):
    """
    Transforms of n terms are off by n + 4 roundings of the sum of magnitudes, their product by twice as much, and back by as much again.

    Sums of products are nearer. Complex ones are two sums of both parts.
    """
    (found,) = fetch(found)
    assert found.shape == wanted.shape
    assert found.dtype == (np.complex64 if wanted.dtype.kind == "c" else np.float32)
    bound = 6 * (sum(wanted.shape) + sum(a.shape) + 8) * U * np.abs(a).sum() * np.abs(b).sum()
    assert np.abs(found - wanted).max(initial=0) <= bound


@settings(max_examples=8, deadline=None)
@given(data=st.data(), mode=MODES, dtypes=st.tuples(*[st.sampled_from([np.float32, np.complex64])] * 2))
def test_methods_and_modes(data, mode, dtypes):
    ndim = data.draw(st.integers(0, 3))
    most = {0: 1, 1: 40, 2: 9, 3: 5}[ndim]
    long = data.draw(st.lists(st.integers(1, most), min_size=ndim, max_size=ndim))
    short = [data.draw(st.integers(1, length)) for length in long]
    shapes = [long, short] if mode == "valid" or data.draw(st.booleans()) else [long, short[::-1]]
    a, b = (samples(shape, seed, dtype) for seed, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True)))
    if data.draw(st.booleans()):
        a, b = b, a
    calls = [(name, method) for name in ("convolve", "correlate") for method in ("auto", "direct", "fft")]
    x, y = on_device(a), on_device(b)
    with xp.config(fallback="error"):
        found = [getattr(signal, name)(x, y, mode, method) for name, method in calls]
        found += [signal.fftconvolve(x, y, mode), signal.oaconvolve(x, y, mode)]
    wanted = [getattr(scipy.signal, name)(wide(a), wide(b), mode, method) for name, method in calls]
    wanted += [scipy.signal.fftconvolve(wide(a), wide(b), mode)] * 2
    for one, other in zip(found, wanted, strict=True):
        assert_near(one, other, a, b)


@settings(max_examples=6, deadline=None)
@given(data=st.data(), mode=MODES)
def test_some_axes_and_others_broadcast(data, mode):
    shape = data.draw(st.lists(st.integers(2, 7), min_size=2, max_size=3))
    axes = data.draw(st.lists(st.integers(-len(shape), -1), min_size=1, max_size=len(shape), unique=True))
    along = {axis + len(shape) for axis in axes}
    other = [data.draw(st.integers(1, n)) if axis in along else data.draw(st.sampled_from([1, n])) for axis, n in enumerate(shape)]
    a, b = samples(shape, 1), samples(other, 2)
    with xp.config(fallback="error"):
        found = [signal.fftconvolve(on_device(a), on_device(b), mode, axes), signal.oaconvolve(on_device(b), on_device(a), mode, axes)]
    wanted = [scipy.signal.fftconvolve(wide(a), wide(b), mode, axes), scipy.signal.fftconvolve(wide(b), wide(a), mode, axes)]
    for one, expected in zip(found, wanted, strict=True):
        assert_near(one, expected, a, b)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_signals_longer_than_transforms(mode, monkeypatch):
    """Along one axis by Toeplitz matrices of either width of blocks; along several by frames of one of them, and of both."""
    for name, value in {"_BLOCK": 8, "_LONG_BLOCK": 16, "DENSE": 32, "_FRAME": 16}.items():
        monkeypatch.setattr(signal_convolution, name, value)
    shapes = [((100,), (9,)), ((70,), (30,)), ((60, 5), (6, 3)), ((50, 70), (3, 6)), ((2, 50, 40), (2, 3, 6))]
    operands = [[samples(shape, number) for shape in pair] for number, pair in enumerate(shapes)]
    with xp.config(fallback="error"):
        found = [signal.fftconvolve(on_device(a), on_device(b), mode) for a, b in operands]
    for one, (a, b) in zip(found, operands, strict=True):
        assert_near(one, scipy.signal.fftconvolve(wide(a), wide(b), mode), a, b)


def test_a_long_signal_is_one_program():
    a, b = samples(5000, 1), samples(300, 2)
    found = signal.oaconvolve(on_device(a), on_device(b))
    assert len(xp.explain(found).steps) == 1
    assert_near(found, scipy.signal.oaconvolve(wide(a), wide(b)), a, b)


@pytest.mark.parametrize("shapes", [((20,), (5,)), ((3, 9), (2, 3))], ids=str)
@pytest.mark.parametrize("dtype", [np.int32, np.uint8])
def test_integers_are_exact(shapes, dtype):
    a, b = (np.random.default_rng(5).integers(0, 9, shape).astype(dtype) for shape in shapes)
    for method in ("auto", "direct"):
        with xp.config(fallback="error"):
            (found,) = fetch(signal.convolve(on_device(a), on_device(b), "same", method))
        wanted = scipy.signal.convolve(a, b, "same", method)
        assert found.dtype == wanted.dtype
        assert (found == wanted).all()


def test_nan():
    """Transforms spread it over all samples; sums of products keep it to those that have it."""
    a, b = samples((300,), 1), samples((20,), 2)
    a[40] = np.nan
    x, y = on_device(a), on_device(b)
    with xp.config(fallback="error"):
        found = [signal.fftconvolve(x, y), signal.convolve(x, y, method="fft"), signal.convolve(x, y, method="direct")]
    wanted = [scipy.signal.fftconvolve(a, b)] * 2 + [scipy.signal.convolve(a, b, method="direct")]
    for one, other in zip(found, wanted, strict=True):
        assert (np.isnan(fetch(one)[0]) == np.isnan(other)).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda s, x, y: s.convolve(x, y, "all"),
        lambda s, x, y: s.convolve(x, y, "full", "fast"),
        lambda s, x, y: s.correlate(x, y, "all"),
        lambda s, x, y: s.correlate(x, y[:, None]),
        lambda s, x, y: s.fftconvolve(x, y[:, None]),
        lambda s, x, y: s.fftconvolve(x, y, "all"),
        lambda s, x, y: s.fftconvolve(x, y, axes=[]),
        lambda s, x, y: s.oaconvolve(x, y, axes=3),
        lambda s, x, y: s.fftconvolve(x[None], y[None], axes=(1, 1)),
        lambda s, x, y: s.fftconvolve(x.reshape(2, 5), y.reshape(3, 1), axes=1),
        lambda s, x, y: s.fftconvolve(x.reshape(5, 2), x.reshape(2, 5), "valid"),
    ],
)
def test_errors_are_scipys(call):
    a, b = np.ones(10, np.float32), np.ones(3, np.float32)
    assert_refused_alike(lambda: call(scipy.signal, a, b), lambda: call(signal, on_device(a), on_device(b)), ValueError)


def test_what_has_no_elements():
    a, b = np.ones(0, np.float32), np.ones(3, np.float32)
    with xp.config(fallback="error"):
        (found,) = fetch(signal.fftconvolve(on_device(a), on_device(b)))
    assert found.shape == scipy.signal.fftconvolve(a, b).shape
    assert found.dtype == np.float32


def test_the_method_is_chosen_by_shapes():
    with xp.config(fallback="error"):
        for lengths in ((8, 4), (20000, 3000)):
            a, b = (np.ones(length, np.float32) for length in lengths)
            assert signal.choose_conv_method(on_device(a), on_device(b)) == scipy.signal.choose_conv_method(a, b)


@pytest.mark.parametrize(("mode", "lengths"), [("full", (1400, 700)), ("same", (700, 1400)), ("valid", (5000, 600))])
def test_long_operands_by_transforms(mode, lengths):
    """Three transforms and a product: some ten roundings each, relative to the norm."""
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal((2, length)).astype(np.float32) for length in lengths)
    with xp.config(fallback="error"):
        found = [function(on_device(a), on_device(b), mode, axes=1) for function in (signal.fftconvolve, signal.oaconvolve)]
    wanted = scipy.signal.fftconvolve(a.astype(np.float64), b.astype(np.float64), mode, axes=1)
    for one in found:
        assert np.linalg.norm(fetch(one)[0] - wanted) <= 30 * 2.0**-24 * np.linalg.norm(wanted)


def test_neither_errors_nor_results_without_elements_ask_the_host(monkeypatch):
    monkeypatch.setattr(get_op("scipy.signal.fftconvolve"), "host", None)
    a, none = on_device(np.ones(3, np.float32)), on_device(np.ones(0, np.float32))
    with xp.config(fallback="error"):
        found = signal.fftconvolve(none, a)
        assert (found.shape, found.dtype) == ((0,), xp.float32)  # SciPy gives np.array([]), of the default dtype
        with pytest.raises(ValueError, match="mode is 'all'; it is one of 'full', 'same' and 'valid'"):
            signal.fftconvolve(a, a, "all")
