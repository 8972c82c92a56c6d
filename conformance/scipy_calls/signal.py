"""A call or two of every function of scipy.signal that is ours, too: operands and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import scipy.signal

__all__ = ["CALLS", "A", "B", "X"]

_generator: Final = np.random.default_rng(11)
_Operand = np.ndarray[Any, np.dtype[np.float64]]

X: Final[_Operand] = _generator.standard_normal((3, 40))
"""Signals."""
K: Final[_Operand] = _generator.standard_normal((3, 7))
B: Final[_Operand] = np.asarray([0.2, 0.3, 0.1])
"""The numerator of a filter."""
A: Final[_Operand] = np.asarray([1.0, -0.4, 0.2])
"""Its denominator."""
SOS: Final[_Operand] = np.asarray([[0.2, 0.3, 0.1, 1.0, -0.4, 0.2], [1.0, 0.5, 0.0, 1.0, 0.1, 0.3]])
Z: Final = scipy.signal.stft(X, nperseg=16)[2]

CALLS: Final[Mapping[str, Sequence[tuple[tuple[Any, ...], Mapping[str, Any]]]]] = {
    "choose_conv_method": [((X, K), {})],
    "convolve": [((X, K), {"mode": mode}) for mode in ("full", "same", "valid")] + [((X, K), {"method": "direct"})],
    "correlate": [((X, K), {"mode": mode}) for mode in ("full", "same", "valid")] + [((X, K), {"method": "fft"})],
    "coherence": [((X, X[::-1]), {"nperseg": 16})],
    "csd": [((X, X[::-1]), {"nperseg": 16, "fs": 10.0}), ((X, X[::-1]), {"nperseg": 16, "average": "median", "window": "hamming"})],
    "detrend": [((X,), {}), ((X,), {"type": "constant", "axis": 0}), ((X,), {"bp": [10, 20]})],
    "fftconvolve": [((X, K), {"mode": "same"}), ((X, K), {"axes": 1})],
    "filtfilt": [((B, A, X), {}), ((B, A, X), {"method": "gust"}), ((B, A, X), {"axis": 1, "padtype": "even", "padlen": 5})],
    "find_peaks": [((X[0],), {}), ((X[0],), {"height": 0.1, "prominence": (0.2, None), "width": 1, "distance": 3, "plateau_size": 1})],
    "firwin": [((7, 0.3), {}), ((7, np.asarray([0.2, 0.5])), {"pass_zero": False, "window": ("kaiser", 4.0)})],
    "get_window": [(("hann", 9), {}), ((("general_cosine", B), 4), {}), ((("kaiser", 4.0), 8), {"fftbins": False})],
    "hilbert": [((X,), {}), ((X,), {"N": 16, "axis": 0})],
    "istft": [((Z,), {"nperseg": 16}), ((Z,), {"nperseg": 16, "window": "hann"})],
    "lfilter": [((B, A, X), {}), ((B, A, X), {"zi": np.ones((3, 2))}), ((B, A, X), {"axis": 0, "zi": np.ones((2, 40))})],
    "oaconvolve": [((X, K), {"mode": "valid"}), ((X, K), {"axes": -1})],
    "periodogram": [((X,), {"fs": 2.0}), ((X,), {"window": "hann", "scaling": "spectrum", "axis": 0})],
    "resample": [((X,), {"num": 20, "axis": 1}), ((X[0], 30, np.arange(40.0)), {}), ((X,), {"num": 20, "axis": 1, "window": "hann"})],
    "resample_poly": [((X, 3, 2), {"axis": 1}), ((X, 1, 2), {"axis": 1, "padtype": "line"})],
    "sosfilt": [((SOS, X), {}), ((SOS, X), {"zi": np.ones((2, 3, 2))})],
    "sosfiltfilt": [((SOS, X), {}), ((SOS, X), {"padtype": None})],
    "spectrogram": [((X,), {"nperseg": 16}), ((X,), {"nperseg": 16, "mode": "complex"})],
    "stft": [((X,), {"nperseg": 16}), ((X,), {"nperseg": 16, "boundary": None, "detrend": "linear", "scaling": "psd"})],
    "welch": [((X,), {"nperseg": 16}), ((X,), {"nperseg": 16, "window": np.hanning(16), "detrend": np.sign})],
}
"""By name."""
