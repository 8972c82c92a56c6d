"""Rules of scipy.signal against SciPy."""

import numpy as np
import pytest
import scipy.signal

from trnarray.backends.ops.scipy_signal import OPS
from trnarray.backends.rules import Dynamic
from trnarray.conformance.scipy_calls.signal import CALLS, SOS, A, B, X

from . import agreement
from .agreement import disagreements, waits

V, K = X[0], X[:, :7]
MODES = ("full", "same", "valid")
WINDOW = np.hanning(16) + 1
OBJECTS = [scipy.signal.ShortTimeFFT(np.hanning(8) + 1, 4, 1.0, fft_mode=mode) for mode in ("onesided", "twosided")]

MORE = {
    "convolve": [((V, V[:5]), {"mode": mode, "method": how}) for mode in (*MODES, "no mode") for how in ("direct", "auto")],
    "fftconvolve": [((K, X), {"mode": mode, "axes": axes}) for mode in ("same", "valid") for axes in (None, 1, (0, 1), (1, 1), 5)],
    "lfilter": [((B, np.ones(1), X), {}), ((B, A, X), {"zi": np.ones((3, 3))}), ((B, A, X), {"axis": 4}), ((B[:0], A, X), {})],
    "sosfilt": [((SOS, X), {"zi": np.ones((2, 2))}), ((SOS[:, :5], X), {}), ((SOS, X), {"axis": 0, "zi": np.ones((2, 2, 40))})],
    "filtfilt": [((B, A, X), {"padlen": 60}), ((B, A, X), {"padtype": None}), ((B, A, X), {"padtype": "no type"})],
    "sosfiltfilt": [((SOS, X), {"axis": 0}), ((SOS, X), {"padlen": 4})],
    "firwin": [((8, 0.3), {"pass_zero": False}), ((7, 0.3), {"window": "no window"}), ((7, 0.3), {"window": ("kaiser", 3.0)})],
    "get_window": [(("no window", 4), {}), (("hann", 0), {}), (("gaussian", 4), {})],
    "hilbert": [((X,), {"N": 0})],
    "resample": [((V, 7), {"domain": "freq"}), ((X, 7), {"axis": -1})],
    "resample_poly": [((X, 2, 2), {"axis": 1}), ((X, 4, 6), {"padtype": "mean"}), ((X, 3, 0), {}), ((X, 3, 2), {"padtype": "no"})],
    "detrend": [((X,), {"bp": 90}), ((X,), {"type": "no type"})],
    "welch": [
        ((X,), {"nperseg": 16, **options})
        for options in (
            {"noverlap": 15}, {"noverlap": 16}, {"nfft": 31}, {"nfft": 8}, {"axis": 0}, {"return_onesided": False}, {"average": "no"},
            {"window": WINDOW, "nperseg": None}, {"window": WINDOW, "nperseg": 7}, {"detrend": "linear"}, {"scaling": "no scaling"},
        )
    ],
    "periodogram": [((X,), {"nfft": 64}), ((X,), {"nfft": 16})],
    "stft": [
        ((X,), {"nperseg": 15, **options})
        for options in ({"noverlap": 0}, {"padded": False}, {"boundary": "even", "axis": 0, "nperseg": 3}, {"boundary": "no"}, {"nfft": 40})
    ],
    "istft": [((np.ones((9, 5)),), options) for options in ({}, {"boundary": False}, {"noverlap": 15}, {"input_onesided": False})],
    "spectrogram": [((X,), {"nperseg": 15, "mode": mode}) for mode in ("angle", "phase", "magnitude", "no mode")],
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_rules_agree_with_scipy(name):
    op, calls = OPS[name], [*CALLS[name], *MORE.get(name, ())]
    assert [line for args, kwargs in calls for line in disagreements(op, args, kwargs)] == []
    assert isinstance(op.rule, Dynamic) or any(waits(op, args, kwargs) for args, kwargs in calls)


def test_dtypes():
    for name in ("fftconvolve", "lfilter", "welch", "stft", "resample_poly", "detrend", "hilbert"):
        args, kwargs = CALLS[name][0]
        assert disagreements(OPS[name], args, kwargs, dtypes=agreement.DTYPES) == []


@pytest.mark.parametrize("transform", OBJECTS, ids=lambda transform: transform.fft_mode)
def test_short_time_transforms(transform):
    for name, rest in [("stft", ()), ("stft", (0, 4)), ("spectrogram", ()), ("spectrogram", (X,)), ("stft_detrend", ("linear",))]:
        op = OPS[f"ShortTimeFFT.{name}"]
        assert [line for axis in (-1, 0) for x in (X, V, X.T) for line in disagreements(op, (x, transform, *rest), {"axis": axis})] == []
        assert waits(op, (X, transform, *rest))
    for x in (X, V):
        for rest in ((), (0, 40), (4, 30), (30, 4)):
            assert disagreements(OPS["ShortTimeFFT.istft"], (transform.stft(x), transform, *rest)) == []
    assert waits(OPS["ShortTimeFFT.istft"], (transform.stft(X), transform), dtype="F")
