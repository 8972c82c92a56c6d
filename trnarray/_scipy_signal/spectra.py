"""Spectra of signals, by segments."""

from __future__ import annotations

from typing import Any, Final

from .._apply import apply_for_tuple, direct
from .._array import Array
from .._array.parameters import document
from .._operand import as_operands
from .._typing import ArrayLike
from ..backends.ops.scipy_signal import OPS
from .parameters import SPECTRUM

__all__ = ["coherence", "csd", "istft", "periodogram", "spectrogram", "stft", "welch"]

_HANN: Final = "hann_periodic"


def _signals(*items: Any) -> tuple[Any, ...]:
    """Make Arrays of lists, which SciPy does not take here."""
    return as_operands(*items) if any(isinstance(item, (list, tuple, range)) for item in items) else items


@direct(OPS)
@document(SPECTRUM)
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

    Returns
    -------
    f : Array
        The frequencies.
    Pxx : Array
        The densities, or the spectra.

    Examples
    --------
    >>> import trnarray as xp
    >>> f, p = xp.scipy.signal.welch(xp.sin(xp.arange(64.0)), nperseg=16)
    >>> f.shape, p.argmax()
    ((9,), Array(3, dtype=int64, device='cpu'))
    """
    if isinstance(window, (str, tuple)):
        (x,) = _signals(x)
    else:
        x, window = _signals(x, window)
    return apply_for_tuple(OPS["welch"], x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


@direct(OPS)
@document(SPECTRUM)
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
    """
    Estimate cross power spectral densities by Welch's method.

    Returns
    -------
    f : Array
        The frequencies.
    Pxy : Array
        The densities, or the spectra.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.sin(xp.arange(64.0))
    >>> f, p = xp.scipy.signal.csd(x, 2 * x, nperseg=16)
    >>> p.dtype
    dtype('complex128')
    """
    x, y = _signals(x, y)
    return apply_for_tuple(OPS["csd"], x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


@direct(OPS)
@document(SPECTRUM)
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

    Returns
    -------
    f : Array
        The frequencies.
    Cxy : Array
        The coherence, from 0 to 1.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.sin(xp.arange(64.0))
    >>> f, c = xp.scipy.signal.coherence(x, 2 * x, nperseg=16)
    >>> xp.allclose(c, 1)
    True
    """
    x, y = _signals(x, y)
    return apply_for_tuple(OPS["coherence"], x, y, fs, window, nperseg, noverlap, nfft, detrend, axis)


@direct(OPS)
@document(SPECTRUM)
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
    """
    Estimate power spectral densities by one transform of each signal.

    Returns
    -------
    f : Array
        The frequencies.
    Pxx : Array
        The densities, or the spectra.

    Examples
    --------
    >>> import trnarray as xp
    >>> f, p = xp.scipy.signal.periodogram(xp.asarray([1.0, 0.0, -1.0, 0.0]))
    >>> p
    Array([0., 2., 0.], dtype=float64, device='cpu')
    """
    return apply_for_tuple(OPS["periodogram"], x, fs, window, nfft, detrend, return_onesided, scaling, axis)


@direct(OPS)
@document(SPECTRUM)
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
    """
    Compute the spectra of consecutive segments.

    Returns
    -------
    f : Array
        The frequencies.
    t : Array
        The times of the segments.
    Sxx : Array
        The spectra, frequencies along the axis of time and segments along a last one.

    Examples
    --------
    >>> import trnarray as xp
    >>> f, t, s = xp.scipy.signal.spectrogram(xp.sin(xp.arange(64.0)), nperseg=16)
    >>> s.shape
    (9, 4)
    """
    return apply_for_tuple(OPS["spectrogram"], x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, mode)


@direct(OPS)
@document(SPECTRUM)
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

    Returns
    -------
    f : Array
        The frequencies.
    t : Array
        The times of the segments.
    Zxx : Array
        The transform, frequencies along the axis of time and segments along a last one.

    Examples
    --------
    >>> import trnarray as xp
    >>> f, t, z = xp.scipy.signal.stft(xp.sin(xp.arange(64.0)), nperseg=16)
    >>> z.shape
    (9, 9)
    """
    return apply_for_tuple(OPS["stft"], x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, boundary, padded, axis, scaling)


@direct(OPS)
@document(SPECTRUM)
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
    """
    Compute the inverse of `stft`.

    Returns
    -------
    t : Array
        The times of the samples.
    x : Array
        The signals.

    Examples
    --------
    >>> import trnarray as xp
    >>> f, t, z = xp.scipy.signal.stft(xp.ones(32), nperseg=16)
    >>> xp.allclose(xp.scipy.signal.istft(z, nperseg=16)[1], 1)
    True
    """
    return apply_for_tuple(OPS["istft"], Zxx, fs, window, nperseg, noverlap, nfft, input_onesided, boundary, time_axis, freq_axis, scaling)
