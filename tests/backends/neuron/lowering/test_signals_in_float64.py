"""Functions of scipy.signal in float64 on the device, against SciPy's, with no fallback allowed."""

import numpy as np
import pytest
import scipy.signal

import trnarray as xp

from .beside_host import DEVICE, fetch

ours = xp.scipy.signal
rng = np.random.default_rng(7)
X, Y = rng.standard_normal((2, 2, 70))
SOS = scipy.signal.butter(4, 0.2, output="sos")
SHORT_TIME = {"win": np.hanning(16), "hop": 4, "fs": 2.0}

# Calls of functions of a module, signals and what makes Arrays of ndarrays.
CALLS = {
    "welch": lambda s, x, y, _: s.welch(x, nperseg=24, detrend="linear"),
    "csd": lambda s, x, y, _: s.csd(x, y, nperseg=16, nfft=20, average="median"),
    "stft": lambda s, x, y, _: s.stft(x, nperseg=12, boundary="odd"),
    "istft": lambda s, x, y, _: s.istft(x[:, :63].reshape(2, 7, 9), nperseg=12, noverlap=9),
    "fftconvolve": lambda s, x, y, _: s.fftconvolve(x, y[:, :9], "same", axes=1),
    "fftconvolve, 2-D": lambda s, x, y, _: s.fftconvolve(x, y[:, :9]),
    "hilbert": lambda s, x, y, _: s.hilbert(x, axis=1),
    "resample": lambda s, x, y, _: s.resample(x, 45, axis=1),
    "resample_poly": lambda s, x, y, _: s.resample_poly(x, 2, 3, axis=1),
    "lfilter": lambda s, x, y, _: s.lfilter([1.0, 0.5], [1.0, -0.9, 0.5], x),
    "sosfiltfilt": lambda s, x, y, make: s.sosfiltfilt(make(SOS), x[:1]),
    "ShortTimeFFT": lambda s, x, y, _: s.ShortTimeFFT(**SHORT_TIME).stft(x[0]),
    "ShortTimeFFT, back": lambda s, x, y, _: s.ShortTimeFFT(**SHORT_TIME).istft(x[:, :63].reshape(9, 14)),
    "savgol_filter": lambda s, x, y, _: s.savgol_filter(x, 7, 2),
}


@pytest.mark.parametrize("name", CALLS)
def test_results(name):
    """
    Products of matrices round each element once, sums over segments as often as there are, and SciPy's own sums more often.

    Filters with feedback multiply what they round by the sum of their impulse response, of up to 10.
    """
    call = CALLS[name]
    with xp.config(fallback="error", defaults="numpy"):
        found = call(ours, xp.asarray(X, device=DEVICE), xp.asarray(Y, device=DEVICE), lambda item: xp.asarray(item, device=DEVICE))
    wanted = call(scipy.signal, X, Y, np.asarray)
    for one, other in zip(found if isinstance(found, tuple) else (found,), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        (got,) = fetch(one)
        assert (got.dtype, got.shape) == (other.dtype, other.shape)
        assert np.linalg.norm(got - other) <= 64 * 2.0**-53 * np.linalg.norm(other)
