"""Signals under scipy.signal's names and signatures, on Arrays: convolutions, filters, spectra, resampling, peaks and windows.

Results are what SciPy computes, as Arrays; signals of float16, bfloat16 and float8 are computed in float32 and the results
rounded once.
"""

from typing import TYPE_CHECKING

from ..._scipy_signal.convolution import choose_conv_method, convolve, correlate, fftconvolve, oaconvolve
from ..._scipy_signal.filtering import filtfilt, firwin, lfilter, sosfilt, sosfiltfilt
from ..._scipy_signal.short_time_fft import ShortTimeFFT
from ..._scipy_signal.signals import detrend, find_peaks, get_window, hilbert, resample, resample_poly
from ..._scipy_signal.spectra import coherence, csd, istft, periodogram, spectrogram, stft, welch

__all__ = [
    "ShortTimeFFT",
    "choose_conv_method",
    "coherence",
    "convolve",
    "correlate",
    "csd",
    "detrend",
    "fftconvolve",
    "filtfilt",
    "find_peaks",
    "firwin",
    "get_window",
    "hilbert",
    "istft",
    "lfilter",
    "oaconvolve",
    "periodogram",
    "resample",
    "resample_poly",
    "sosfilt",
    "sosfiltfilt",
    "spectrogram",
    "stft",
    "welch",
]

if TYPE_CHECKING:
    from ..._passthrough.stubs.signal import *
else:
    from ..._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
