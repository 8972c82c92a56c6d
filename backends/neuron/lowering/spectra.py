"""Spectra of signals by Welch's method, and SciPy's older short-time transform and its inverse."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import FLOAT64, is_double
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions, warn
from .short_time import Segments, conjugate_product, detrended, extended, overlap_added

__all__: list[str] = []

_SHORT: Final = "nperseg = {0} is greater than input length  = {1}, using nperseg = {1}"
_SHORTER: Final = "nperseg={0} is greater than signal length max(len(x), len(y)) = {1}, using nperseg = {1}"
_SHORTEST: Final = 1e-10
"""The least sum of squared windows that SciPy divides by."""


def _window(ops: Ops, window: Any, nperseg: int, length: int | None, message: str = "") -> npt.NDArray[np.float64] | Expression:
    """Make a window by its name, or take it; signals that are shorter shorten the first, with a warning."""
    if isinstance(window, (str, tuple)):
        import scipy.signal

        from ...ops.scipy_signal import known_window

        if length is not None and nperseg > length:
            warn(message.format(nperseg, length))
        made: npt.NDArray[np.float64] = scipy.signal.get_window(known_window(window), nperseg if length is None else min(nperseg, length))
        return made
    taken = ops.floats(window, wide=True)
    if taken.is_complex:
        raise NotNativeError("complex windows are looked after on the host")
    return taken


def _segments(ops: Ops, window: Any, fs: float, scaling: str, noverlap: int, nfft: int, onesided: bool, detrend: Any) -> Segments:
    """Scale a window so that squared magnitudes are a density, or a spectrum."""
    if scaling == "density":
        square = (window * window).sum(0) * fs
        scaled = window / (ops("sqrt", square) if isinstance(square, Expression) else np.sqrt(square))
    else:
        scaled = window / abs(window.sum(0))
    return Segments(scaled, window.shape[0] - noverlap, nfft, onesided, detrend or None)


def _axis(ops: Ops, beside: Expression, values: npt.NDArray[np.floating[Any]]) -> Expression:
    """Bring frequencies or times: in float64 beside results of it, else in the device's default floats."""
    return ops.constant(values, FLOAT64 if is_double(beside.dtype) else None)


def _frequencies(ops: Ops, segments: Segments, fs: float, beside: Expression) -> Expression:
    return _axis(ops, beside, (np.fft.rfftfreq if segments.onesided else np.fft.fftfreq)(segments.nfft, 1 / fs))


def _times(ops: Ops, segments: Segments, moved: Expression, fs: float, before: float = 0.0) -> Expression:
    middle = segments.length / 2
    times = np.arange(middle, moved.shape[-1] - middle + 1, segments.step) / fs
    return _axis(ops, moved, times - before / fs)


def _powers(ops: Ops, segments: Segments, x: Expression, y: Expression | None = None) -> Expression:
    """Multiply transforms with conjugate ones: (..., segments, frequencies)."""
    doubled = replace(segments, doubled=True)
    ours = doubled.transform(ops, x)
    return conjugate_product(ops, ours, ours if y is None else doubled.transform(ops, y))


def _averaged(ops: Ops, powers: Expression, average: str) -> Expression:
    """Average over segments; a median is divided by what that of noise is off, and is that of each part of complex numbers."""
    count = powers.shape[-2]
    if count == 1:
        return powers[..., 0, :]
    if average == "mean":
        return powers.sum(-2) * (1.0 / count)
    odd = 2.0 * np.arange(1, (count - 1) // 2 + 1)
    unbiased = 1.0 / float(1.0 + np.sum(1.0 / (odd + 1.0) - 1.0 / odd))
    if powers.is_complex:
        return ops.complex(*(ops("median", part, axis=-2) * unbiased for part in (powers.real, powers.imag)))
    return ops("median", powers, axis=-2) * unbiased


@functools.cache
def _by_short_time_fft() -> bool:
    """Whether this SciPy's csd is made of ShortTimeFFT: it then says nothing of complex signals, and refuses such as come second."""
    import scipy.signal

    return "ShortTimeFFT" in inspect.unwrap(scipy.signal.csd).__code__.co_names


def _two_sided(x: Expression, y: Expression, onesided: bool, warns: bool) -> bool:
    """Whether complex signals ask for negative frequencies, too."""
    if not onesided or not (x.is_complex or y.is_complex):
        return not onesided
    if warns:
        warn("Input data is complex, switching to return_onesided=False")
    elif not x.is_complex:
        raise ValueError("the second signals are complex, and the first are real")
    return True


def _read(
    ops: Ops, signals: Sequence[Expression], *, fs: float, window: Any, nperseg: int, noverlap: int, nfft: int, detrend: Any,
    return_onesided: bool, scaling: str, axis: int, older: bool = False,
) -> tuple[list[Expression], Segments]:  # fmt: skip
    """Bring one or two signals to one length along a last axis, and say how they are cut; `older` functions warn in other words."""
    moved = [ops.floats(item, wide=True).moveaxis(axis, -1) for item in signals]
    length = max(item.shape[-1] for item in moved)
    if len({item.ndim for item in moved}) == 2 == len({item.shape[-1] for item in moved}):
        raise ValueError("signals of different lengths are filled up where they have as many axes")
    moved = [extended(ops, item, 0, length - item.shape[-1], "zeros") for item in moved]
    made = _window(ops, window, nperseg, length, _SHORT if older else _SHORTER)
    two_sided = _two_sided(moved[0], moved[-1], return_onesided, older or not _by_short_time_fft())
    return moved, _segments(ops, made, fs, scaling, noverlap, nfft, not two_sided, detrend)


def _cross_spectra(
    ops: Ops, signals: Sequence[Expression], *, fs: float, axis: int, average: str, **parameters: Any
) -> tuple[Expression, Expression]:
    """Average the spectra of segments of two signals, or of one with itself."""
    moved, segments = _read(ops, signals, fs=fs, axis=axis, **parameters)
    spectra = _averaged(ops, _powers(ops, segments, *moved), average)
    return _frequencies(ops, segments, fs, spectra), spectra.moveaxis(-1, axis)


def _csd(ops: Ops, x: Expression, y: Expression, **parameters: Any) -> Any:
    return _cross_spectra(ops, (x,) if x.value is y.value else (x, y), **parameters)


def _welch(ops: Ops, x: Expression, **parameters: Any) -> Any:
    return _cross_spectra(ops, (x,), **parameters)


def _coherence(ops: Ops, x: Expression, y: Expression, *, fs: float, axis: int, **parameters: Any) -> Any:
    (first, second), segments = _read(ops, (x, y), fs=fs, axis=axis, return_onesided=True, scaling="density", **parameters)
    spectra = [segments.transform(ops, item) for item in (first, second)]
    cross = conjugate_product(ops, *spectra).sum(-2)
    powers = [conjugate_product(ops, item, item).sum(-2) for item in spectra]
    squared = conjugate_product(ops, cross, cross)
    return _frequencies(ops, segments, fs, squared), (squared / powers[0] / powers[1]).moveaxis(-1, axis)


def _periodogram(ops: Ops, x: Expression, *, nfft: int, axis: int, **parameters: Any) -> Any:
    length = x.shape[axis]
    if nfft < length:
        x, length = x.moveaxis(axis, -1)[..., :nfft].moveaxis(-1, axis), nfft
    return _cross_spectra(ops, (x,), nperseg=length, noverlap=0, nfft=nfft, axis=axis, average="mean", **parameters)


def _spectrogram(ops: Ops, x: Expression, *, fs: float, axis: int, mode: str, **parameters: Any) -> Any:
    (moved,), segments = _read(ops, (x,), fs=fs, axis=axis, older=True, **parameters)
    spectra = _powers(ops, segments, moved) if mode == "psd" else segments.transform(ops, moved)
    spectra = spectra.moveaxis(-1, axis)
    if mode == "magnitude":
        spectra = abs(spectra)
    elif mode in ("angle", "phase"):
        spectra = ops("angle", spectra)
        if mode == "phase":
            spectra = ops("unwrap", spectra, axis=axis)
    return _frequencies(ops, segments, fs, moved), _times(ops, segments, moved, fs), spectra


def _stft(
    ops: Ops, x: Expression, *, fs: float, boundary: str | None, padded: bool, axis: int, scaling: str, **parameters: Any
) -> Any:
    scaling = "density" if scaling == "psd" else scaling
    (moved,), segments = _read(ops, (x,), fs=fs, axis=axis, scaling=scaling, older=True, **parameters)
    before = segments.length // 2
    if boundary in ("even", "odd") and before >= moved.shape[-1]:
        raise ValueError("the signals are shorter than what continues them")
    if boundary is not None:
        moved = extended(ops, moved, before, before, boundary)
    if padded:
        moved = extended(ops, moved, 0, (segments.length - moved.shape[-1]) % segments.step % segments.length, "zeros")
    spectra = segments.transform(ops, moved)
    times = _times(ops, segments, moved, fs, 0.0 if boundary is None else segments.length / 2)
    return _frequencies(ops, segments, fs, moved), times, spectra.moveaxis(-1, axis)


def _istft(
    ops: Ops, Zxx: Expression, *, fs: float, window: Any, nperseg: int, noverlap: int, nfft: int, input_onesided: bool, boundary: bool,
    time_axis: int, freq_axis: int, scaling: str,
) -> Any:  # fmt: skip
    spectra, times, frequencies = ops.floats(Zxx, wide=True), time_axis, freq_axis
    made = _window(ops, window, nperseg, None)
    if isinstance(made, Expression):
        raise NotNativeError("whether the windows of an Array cover all samples is found out on the host")
    segments = _segments(ops, made, fs, "density" if scaling == "psd" else scaling, noverlap, nfft, input_onesided, None)
    moved = spectra.viewed(lambda shadow: np.moveaxis(shadow, (times, frequencies), (-2, -1)))
    frames = ops("fft.irfft" if input_onesided else "fft.ifft", moved, nfft)[..., :nperseg]
    factor = made.sum() if scaling == "spectrum" else np.sqrt(fs * (made**2).sum())
    scaled = made * factor
    frames = frames * ops.beside(frames, ("window", scaled.tobytes()), lambda: scaled)
    samples = overlap_added(ops, frames, segments.step)
    squares = ops.beside(frames, ("window", (made**2).tobytes()), lambda: made**2).broadcast_to((moved.shape[-2], nperseg))
    weights = overlap_added(ops, squares, segments.step)
    _check_cover(made, segments.step, moved.shape[-2], boundary)
    if boundary:
        cut = nperseg // 2
        samples, weights = (item[..., cut : item.shape[-1] - cut] if cut else item[..., :0] for item in (samples, weights))
    samples = samples / ops("where", weights > _SHORTEST, weights, 1.0)
    if samples.ndim > 1 and times != spectra.ndim - 1:
        samples = samples.moveaxis(-1, times - (frequencies < times))
    return _axis(ops, samples, np.arange(samples.shape[0]) / fs), samples


def _check_cover(window: npt.NDArray[np.float64], step: int, count: int, boundary: bool) -> None:
    """Warn as SciPy where windows do not cover all samples; sums of more windows than overlap, twice, are no others."""
    length = len(window)
    count = min(count, 2 * -(-length // step))
    norm = np.zeros(length + (count - 1) * step)
    for place in range(count):
        norm[place * step : place * step + length] += window**2
    if boundary:
        norm = norm[length // 2 : -(length // 2)]
    if not (norm > _SHORTEST).all():
        warn("NOLA condition failed, STFT may not be invertible." + ("" if boundary else " Possibly due to missing boundary"))


def _detrend(ops: Ops, data: Expression, *, axis: int, type: str, bp: list[int]) -> Expression:
    moved = ops.floats(data, wide=True).moveaxis(axis, -1)
    ends = sorted({0, *bp, moved.shape[-1]})
    parts = [detrended(ops, moved[..., low:high], type) for low, high in itertools.pairwise(ends)]
    return ops.concatenate(parts).moveaxis(-1, axis)


LOWERINGS: Final[Lowerings] = compositions(
    {
        "scipy.signal.csd": _csd,
        "scipy.signal.welch": _welch,
        "scipy.signal.coherence": _coherence,
        "scipy.signal.periodogram": _periodogram,
        "scipy.signal.spectrogram": _spectrogram,
        "scipy.signal.stft": _stft,
        "scipy.signal.istft": _istft,
        "scipy.signal.detrend": _detrend,
    }
)
