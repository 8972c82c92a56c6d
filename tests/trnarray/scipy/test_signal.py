"""Signals under SciPy's names: signatures, values and dtypes are SciPy's, the types and devices are ours."""

import inspect

import numpy as np
import pytest
import scipy

import trnarray as xp
from trnarray.conformance.scipy_calls.signal import CALLS, A, B, X
from trnarray.scipy import signal as ours

theirs = pytest.importorskip("scipy.signal")
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))
of_recent_scipy = pytest.mark.skipif(SCIPY < (1, 17), reason="parameters and names of windows are those of SciPy from 1.17 on")
FUNCTIONS = sorted(set(ours.__all__) - {"ShortTimeFFT"})

CASES = [pytest.param(name, *call, id=f"{name}-{i}") for name, calls in CALLS.items() for i, call in enumerate(calls)]


def converted(value, convert):
    if isinstance(value, np.ndarray):
        return convert(value)
    if isinstance(value, dict):
        return {name: converted(item, convert) for name, item in value.items()}
    return tuple(converted(item, convert) for item in value) if isinstance(value, tuple) else value


def agree(got, expected, device="cpu"):
    if isinstance(expected, dict):
        assert list(got) == list(expected)
        agree(tuple(got.values()), tuple(expected.values()), device)
    elif isinstance(expected, tuple):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            agree(one, other, device)
    elif isinstance(expected, (np.ndarray, np.generic)):
        assert type(got) is xp.Array
        assert (got.device, got.dtype, got.shape) == (device, expected.dtype, expected.shape)
        np.testing.assert_array_equal(np.asarray(got.to_device("cpu")), expected)
    else:
        assert (type(got), got) == (type(expected), expected)


def test_every_function_has_a_case():
    assert sorted(CALLS) == FUNCTIONS
    assert xp.scipy.signal is ours


@of_recent_scipy
@pytest.mark.parametrize("name", ours.__all__)
def test_signatures_are_scipys(name):
    got, expected = (
        [(p.name, p.kind, p.default) for p in inspect.signature(getattr(module, name)).parameters.values()] for module in (ours, theirs)
    )
    assert got == expected


@pytest.mark.filterwarnings("ignore:Casting complex", "ignore:Input data is complex")  # what SciPy does with them
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64", "int64"])
@pytest.mark.parametrize(("name", "args", "options"), CASES)
def test_results_are_scipys(name, args, options, dtype):
    def cast(x):
        return np.rint(3 * x.real).astype(dtype) if dtype == "int64" else x.astype(dtype) if dtype.startswith("c") else x.real.astype(dtype)

    args = converted(args, cast)
    try:
        expected = getattr(theirs, name)(*args, **options)
    except (TypeError, ValueError, NotImplementedError) as error:
        assert dtype not in ("float64", "float32")
        with pytest.raises(type(error)):
            getattr(ours, name)(*converted(args, xp.asarray), **converted(options, xp.asarray))
        return
    agree(getattr(ours, name)(*converted(args, xp.asarray), **converted(options, xp.asarray)), expected)


PARAMETERS = (
    *("T", "fs", "hop", "fft_mode", "mfft", "scaling", "phase_shift", "invertible", "fac_magnitude", "fac_psd", "m_num", "m_num_mid"),
    *("k_min", "p_min", "lower_border_end", "delta_t", "delta_f", "f_pts", "onesided_fft"),
)
TRANSFORMS = {
    "plain": lambda module, window: module.ShortTimeFFT(window, 4, 2.0),
    "dual": lambda module, window: module.ShortTimeFFT.from_dual(window, 3, 1.0, fft_mode="centered", scale_to="psd"),
    "window": lambda module, window: module.ShortTimeFFT.from_window(("tukey", 0.5), 1.0, 8, 4, phase_shift=None),
}


@pytest.mark.parametrize("make", TRANSFORMS.values(), ids=TRANSFORMS.keys())
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_short_time_fft_is_scipys(make, dtype):
    window = np.hamming(8)
    got, expected = make(ours, xp.asarray(window)), make(theirs, window)
    x = X.astype(dtype) if expected.fft_mode == "centered" else X
    z = expected.stft(x)
    for name in PARAMETERS:
        assert getattr(got, name) == getattr(expected, name)
    for name in ("win", "dual_win", "f"):
        agree(getattr(got, name), getattr(expected, name))
    for name, args in (("k_max", (40,)), ("p_max", (40,)), ("p_num", (40,)), ("upper_border_begin", (40,)), ("nearest_k_p", (17, False))):
        assert getattr(got, name)(*args) == getattr(expected, name)(*args)
    assert got.p_range(40, 1, 5) == expected.p_range(40, 1, 5)
    assert got.extent(40, "ft") == expected.extent(40, "ft")
    agree(got.t(40), expected.t(40))
    agree(got.stft(xp.asarray(x)), z)
    agree(got.stft_detrend(xp.asarray(x), "constant", padding="even"), expected.stft_detrend(x, "constant", padding="even"))
    agree(got.spectrogram(xp.asarray(x)), expected.spectrogram(x))
    agree(got.spectrogram(xp.asarray(x), xp.asarray(x[::-1]), "linear"), expected.spectrogram(x, x[::-1], "linear"))
    agree(got.istft(xp.asarray(z), k1=40), expected.istft(z, k1=40))


def test_short_time_fft_can_be_changed():
    transform = ours.ShortTimeFFT(xp.ones(8), 4, 2.0)
    transform.fs, transform.mfft, transform.fft_mode = 4.0, 16, "twosided"
    assert (transform.T, transform.f_pts) == (0.25, 16)
    transform.scale_to("magnitude")
    agree(transform.win, np.ones(8) / 8)
    with pytest.raises(AttributeError):
        transform.hop = 3
    with pytest.raises(ValueError, match="finite"):
        ours.ShortTimeFFT(xp.asarray([1.0, np.nan]), 1, 1.0)
    assert ours.ShortTimeFFT[np.float64].__origin__ is ours.ShortTimeFFT  # for annotations


@pytest.mark.skipif(SCIPY < (1, 16), reason="new in SciPy 1.16")
def test_windows_that_equal_their_duals():
    got, expected = (module.ShortTimeFFT.from_win_equals_dual(np.hamming(8), 2, 1.0, scale_to="unitary") for module in (ours, theirs))
    agree(got.win, expected.win)
    agree(got.stft(xp.asarray(X)), expected.stft(X))


def test_windows_for_other_namespaces_and_devices():
    assert type(ours.get_window("hann", 4, xp=np)) is np.ndarray
    with xp.config(fallback="allow"):
        assert ours.get_window("hann", 4, device="sim:trn1").device == "sim:trn1"


def test_low_precision_is_rounded_once():
    x = xp.asarray(X, dtype=xp.bfloat16)
    expected = theirs.lfilter(B.astype(np.float32), A.astype(np.float32), np.asarray(x).astype(np.float32))
    got = ours.lfilter(xp.asarray(B, dtype=xp.float32), xp.asarray(A, dtype=xp.float32), x)
    assert got.dtype == xp.float32
    agree(got, expected)
    peaks, properties = ours.find_peaks(x[0], height=0.1)
    agree(peaks, theirs.find_peaks(np.asarray(x[0]).astype(np.float32), height=0.1)[0])
    assert properties["peak_heights"].dtype == xp.float64  # as for any signal


def test_arrays_stay_on_their_device():
    x = xp.asarray(X, dtype=xp.float32, device="sim:trn2")
    with xp.config(fallback="allow"):
        b, a = B.astype(np.float32), A.astype(np.float32)
        got = ours.lfilter(xp.asarray(b, device="sim:trn2"), xp.asarray(a, device="sim:trn2"), x)
        expected = theirs.lfilter(b.astype(float), a.astype(float), X)
        assert (got.device, got.dtype) == ("sim:trn2", xp.float32)
        # Sums of products over the 40 samples, each rounded once.
        np.testing.assert_allclose(np.asarray(got.to_device("cpu")), expected, rtol=0, atol=42 * np.finfo("f").eps * np.abs(expected).max())
        peaks, properties = ours.find_peaks(x[0], height=0.1)
        expected = theirs.find_peaks(X[0].astype(np.float32), height=0.1)
        assert (peaks.device, peaks.tolist()) == ("sim:trn2", expected[0].tolist())
        assert properties["peak_heights"].tolist() == expected[1]["peak_heights"].tolist()
        transform = ours.ShortTimeFFT(xp.ones(8, device="sim:trn2"), 4, 1.0)
        got, expected = transform.stft(x), theirs.ShortTimeFFT(np.ones(8, "f"), 4, 1.0).stft(X.astype(np.float32))
    assert (got.device, got.dtype, transform.win.device) == ("sim:trn2", xp.complex64, "sim:trn2")
    # Sums of eight terms in the transform's single precision, whatever that of the window's is.
    np.testing.assert_allclose(np.asarray(got.to_device("cpu")), expected, rtol=0, atol=8 * np.finfo("f").eps * np.abs(expected).max())
