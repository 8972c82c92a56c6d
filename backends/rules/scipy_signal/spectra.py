"""Spectra, and short-time transforms by functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...dtypes import FLOAT64, DType, complex_of, real_of
from ...promotion import PromotionTable
from ..elementwise import is_true
from ..signature import NeedsValueError, Rule, Signature, refused, scipy_dtype, signature_of
from .operands import along, are_positive, check_window, coefficients, number, with_length

__all__ = ["RULES"]


def _segments(window: Any, nperseg: Any, noverlap: Any, nfft: Any, length: int, promotion: PromotionTable) -> tuple[int, int, int]:
    """Read how a signal is cut: the lengths of a segment, of the step to the next one, and of its transform."""
    if isinstance(window, (str, tuple)):
        check_window(window)
        size = min(256 if nperseg is None else number(nperseg), length)
    else:
        (size,) = coefficients(promotion, window)
        if size > length or nperseg not in (None, size):
            raise refused()
    overlap = size // 2 if noverlap is None else number(noverlap, 0)
    transform = size if nfft is None else number(nfft)
    if overlap >= size or transform < size:
        raise refused()
    return size, size - overlap, transform


def _check_spectrum(fs: Any, detrend: Any, scaling: Any, scalings: tuple[str, ...]) -> None:
    if callable(detrend):
        raise NeedsValueError("it calls a function of the caller's")
    if not are_positive(fs) or scaling not in scalings or detrend not in ("constant", "linear", False):
        raise refused()


def _frequencies(promotion: PromotionTable, points: int, dtype: DType, onesided: Any) -> tuple[int, Signature]:
    """Count the frequencies of a transform, of which real signals have half."""
    number = points // 2 + 1 if is_true(onesided) and dtype.kind != "c" else points
    return number, Signature((number,), _axis_dtype(promotion, dtype))


def _axis_dtype(promotion: PromotionTable, dtype: DType) -> DType:
    """Give the dtype of frequencies and times: float64 beside results of it, else the default floats."""
    return FLOAT64 if real_of(dtype) == FLOAT64 else promotion.default_float


def _csd(
    promotion: PromotionTable,
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
    average: Any = "mean",
) -> tuple[Signature, Signature]:
    shape, place = along(promotion, x, axis)
    if signature_of(promotion, y).shape != shape or average not in ("mean", "median"):
        raise refused()
    _check_spectrum(fs, detrend, scaling, ("density", "spectrum"))
    _, _, points = _segments(window, nperseg, noverlap, nfft, shape[place], promotion)
    dtype = scipy_dtype(promotion, x, y)
    number, frequencies = _frequencies(promotion, points, dtype, return_onesided)
    return frequencies, Signature(with_length(shape, place, number), complex_of(dtype))


def _welch(promotion: PromotionTable, x: Any, *rest: Any, **options: Any) -> tuple[Signature, Signature]:
    frequencies, (shape, _) = _csd(promotion, x, x, *rest, **options)
    return frequencies, Signature(shape, real_of(scipy_dtype(promotion, x)))


def _coherence(
    promotion: PromotionTable,
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    axis: Any = -1,
) -> tuple[Signature, Signature]:
    frequencies, (shape, _) = _csd(promotion, x, y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    return frequencies, Signature(shape, real_of(scipy_dtype(promotion, x, y)))


def _periodogram(
    promotion: PromotionTable,
    x: Any,
    fs: Any = 1.0,
    window: Any = "boxcar",
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
) -> tuple[Signature, Signature]:
    shape, place = along(promotion, x, axis)
    length = shape[place]
    if nfft is not None and number(nfft) < length:
        raise refused()
    return _welch(promotion, x, fs, "boxcar" if window is None else window, length, 0, nfft, detrend, return_onesided, scaling, axis)


def _short_time(
    promotion: PromotionTable, x: Any, axis: Any, segments: tuple[int, int, int], length: int, onesided: Any
) -> tuple[Signature, Signature, Signature]:
    """Infer frequencies, times and the transform of segments: frequencies are where the signal was, times are last."""
    shape, place = along(promotion, x, axis)
    size, step, points = segments
    dtype = scipy_dtype(promotion, x)
    number, frequencies = _frequencies(promotion, points, dtype, onesided)
    times = (length - size) // step + 1
    transform = Signature((*with_length(shape, place, number), times), complex_of(dtype))
    return frequencies, Signature((times,), _axis_dtype(promotion, dtype)), transform


def _spectrogram(
    promotion: PromotionTable,
    x: Any,
    fs: Any = 1.0,
    window: Any = ("tukey_periodic", 0.25),
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
    mode: Any = "psd",
) -> tuple[Signature, ...]:
    shape, place = along(promotion, x, axis)
    _check_spectrum(fs, detrend, scaling, ("density", "spectrum"))
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise refused()
    size, _, _ = _segments(window, nperseg, noverlap, nfft, shape[place], promotion)
    segments = _segments(window, nperseg, size // 8 if noverlap is None else noverlap, nfft, shape[place], promotion)
    frequencies, times, (shape, dtype) = _short_time(promotion, x, axis, segments, shape[place], return_onesided)
    return frequencies, times, Signature(shape, dtype if mode == "complex" else real_of(scipy_dtype(promotion, x)))


def _stft(
    promotion: PromotionTable,
    x: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: Any = 256,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = False,
    return_onesided: Any = True,
    boundary: Any = "zeros",
    padded: Any = True,
    axis: Any = -1,
    scaling: Any = "spectrum",
) -> tuple[Signature, ...]:
    shape, place = along(promotion, x, axis)
    _check_spectrum(fs, detrend, scaling, ("psd", "spectrum"))
    if boundary not in ("even", "odd", "constant", "zeros", None):
        raise refused()
    segments = size, step, _ = _segments(window, nperseg, noverlap, nfft, shape[place], promotion)
    length = shape[place] + (2 * (size // 2) if boundary is not None else 0)
    if is_true(padded):
        length += -(length - size) % step % size
    return _short_time(promotion, x, axis, segments, length, return_onesided)


def _istft(
    promotion: PromotionTable,
    Zxx: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    input_onesided: Any = True,
    boundary: Any = True,
    time_axis: Any = -1,
    freq_axis: Any = -2,
    scaling: Any = "spectrum",
) -> tuple[Signature, Signature]:
    shape, _ = along(promotion, Zxx, freq_axis)
    ndim = len(shape)
    if ndim < 2 or type(time_axis) is not int or (freq_axis % ndim, time_axis % ndim) != (ndim - 2, ndim - 1):
        raise refused()
    points = 2 * (shape[-2] - 1) if is_true(input_onesided) else shape[-2]
    size, step, _ = _segments(window, points if nperseg is None else nperseg, noverlap, nfft, points, promotion)
    _check_spectrum(fs, False, scaling, ("psd", "spectrum"))
    if size not in (points, nperseg) or (nfft is None and size != points):
        raise refused()
    length = size + (shape[-1] - 1) * step
    if is_true(boundary):
        if size < 2:
            raise refused()
        length -= 2 * (size // 2)
    dtype = scipy_dtype(promotion, Zxx)
    floats = real_of(dtype) if is_true(input_onesided) else complex_of(dtype)
    result = Signature((*shape[:-2], length), floats)
    return Signature((result.shape[0],), _axis_dtype(promotion, dtype)), result


RULES: Final[Mapping[str, Rule]] = {
    "coherence": _coherence,
    "csd": _csd,
    "istft": _istft,
    "periodogram": _periodogram,
    "spectrogram": _spectrogram,
    "stft": _stft,
    "welch": _welch,
}
