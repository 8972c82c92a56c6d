"""Spectra of signals, by segments."""

from __future__ import annotations

from typing import Any, Final

from .._apply import apply_for_tuple
from .._array import Array
from .._operand import as_operands
from .._typing import ArrayLike
from ..backends.ops.scipy_signal import OPS

__all__ = ["coherence", "csd", "istft", "periodogram", "spectrogram", "stft", "welch"]

_HANN: Final = "hann_periodic"


def _signals(*items: Any) -> tuple[Any, ...]:
    """Make Arrays of lists, which SciPy does not take here."""
    return as_operands(*items) if any(isinstance(item, (list, tuple, range)) for item in items) else items


def welch(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = _HANN,
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, ...]:
    """
    Estimate power spectral densities by Welch's method: periodograms of segments, averaged.

    See `scipy.signal.welch`.
    """
    if isinstance(window, (str, tuple)):
        (x,) = _signals(x)
    else:
        x, window = _signals(x, window)
    return apply_for_tuple(OPS["welch"], x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def csd(
    x: ArrayLike,
    y: ArrayLike,
    fs: float = 1.0,
    window: Any = _HANN,
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, ...]:
    """Estimate cross power spectral densities by Welch's method. See `scipy.signal.csd`."""
    x, y = _signals(x, y)
    return apply_for_tuple(OPS["csd"], x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def coherence(
    x: ArrayLike,
    y: ArrayLike,
    fs: float = 1.0,
    window: Any = _HANN,
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    axis: int = -1,
) -> tuple[Array, ...]:
    """
    Estimate how coherent signals are: squared magnitudes of cross spectral densities over the product of both power spectral densities.

    See `scipy.signal.coherence`.
    """
    x, y = _signals(x, y)
    return apply_for_tuple(OPS["coherence"], x, y, fs, window, nperseg, noverlap, nfft, detrend, axis)


def periodogram(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = "boxcar",
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
) -> tuple[Array, ...]:
    """Estimate power spectral densities by one transform of each signal. See `scipy.signal.periodogram`."""
    return apply_for_tuple(OPS["periodogram"], x, fs, window, nfft, detrend, return_onesided, scaling, axis)


def spectrogram(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = ("tukey_periodic", 0.25),
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    mode: str = "psd",
) -> tuple[Array, ...]:
    """Compute the spectra of consecutive segments. See `scipy.signal.spectrogram`."""
    return apply_for_tuple(OPS["spectrogram"], x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, mode)


def stft(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = _HANN,
    nperseg: int | None = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
    scaling: str = "spectrum",
) -> tuple[Array, ...]:
    """
    Compute the short-time Fourier transform in SciPy's older form; `ShortTimeFFT` is the newer one.

    See `scipy.signal.stft`.
    """
    return apply_for_tuple(OPS["stft"], x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, boundary, padded, axis, scaling)


def istft(
    Zxx: ArrayLike,
    fs: float = 1.0,
    window: Any = _HANN,
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
    scaling: str = "spectrum",
) -> tuple[Array, ...]:
    """Compute the inverse of `stft`. See `scipy.signal.istft`."""
    return apply_for_tuple(OPS["istft"], Zxx, fs, window, nperseg, noverlap, nfft, input_onesided, boundary, time_axis, freq_axis, scaling)
