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

from ...signatures.attributes import index_axis
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions, warn
from .short_time import Segments, conjugate_product, detrended, extended, overlap_added

__all__: list[str] = []

_PERIODIC_HANN: Final = "hann_periodic"
_SHORT: Final = "nperseg = {0} is greater than input length  = {1}, using nperseg = {1}"
_SHORTER: Final = "nperseg={0} is greater than signal length max(len(x), len(y)) = {1}, using nperseg = {1}"
_SHORTEST: Final = 1e-10
"""The least sum of squared windows that SciPy divides by."""


def _window(ops: Ops, window: Any, nperseg: Any, length: int | None, message: str = "") -> npt.NDArray[np.float64] | Expression:
    """Make a window by its name, or take it; signals that are shorter shorten the first, with a warning."""
    if isinstance(window, (str, tuple)):
        import scipy.signal

        from ...ops.scipy_signal import known_window

        count = 256 if nperseg is None else int(nperseg)
        if count < 1:
            raise ValueError(f"segments of {count} samples: there is one at least")
        if length is not None and count > length:
            warn(message.format(count, length))
            count = length
        made: npt.NDArray[np.float64] = scipy.signal.get_window(known_window(window), count)
        return made
    taken = ops.floats(window)
    if taken.ndim != 1 or (nperseg is not None and int(nperseg) != taken.shape[0]) or (length is not None and length < taken.shape[0]):
        raise ValueError(f"a window of shape {taken.shape} does not fit")
    if taken.is_complex:
        raise NotNativeError("complex windows are looked after on the host")
    return taken


def _segments(ops: Ops, window: Any, fs: Any, scaling: str, noverlap: Any, nfft: Any, onesided: bool, detrend: Any) -> Segments:
    """Read how segments are cut; the window is scaled so that squared magnitudes are a density, or a spectrum."""
    if callable(detrend):
        raise NotNativeError("functions of ndarrays are called on the host")
    length = window.shape[0]
    overlap = length // 2 if noverlap is None else int(noverlap)
    if overlap >= length or (nfft is not None and nfft < length):
        raise ValueError(f"segments of {length} samples overlap by fewer, and transforms are not shorter")
    if not float(fs) > 0:
        raise NotNativeError("sampling frequencies that are not positive are looked after on the host")
    if scaling == "density":
        square = (window * window).sum(0) * float(fs)
        scaled = window / (ops("sqrt", square) if isinstance(square, Expression) else np.sqrt(square))
    elif scaling == "spectrum":
        scaled = window / abs(window.sum(0))
    else:
        raise ValueError(f"scaling is {scaling!r}; it is one of 'density' and 'spectrum'")
    return Segments(scaled, length - overlap, length if nfft is None else int(nfft), onesided, detrend or None)


def _frequencies(ops: Ops, segments: Segments, fs: Any) -> Expression:
    return ops.constant((np.fft.rfftfreq if segments.onesided else np.fft.fftfreq)(segments.nfft, 1 / fs))


def _times(ops: Ops, segments: Segments, samples: int, fs: Any, before: float = 0.0) -> Expression:
    middle = segments.length / 2
    times = np.arange(middle, samples - middle + 1, segments.step) / float(fs)
    return ops.constant(times - before / fs)


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
    if average != "median":
        raise ValueError(f"average is {average!r}; it is one of 'mean' and 'median'")
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
    ops: Ops, signals: Sequence[Any], fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any, return_onesided: bool,
    scaling: str, axis: int,
) -> tuple[list[Expression], Segments]:  # fmt: skip
    """Read one or two signals, of one length along a last axis, and how they are cut."""
    taken = [ops.floats(item) for item in signals]
    if len({item.ndim for item in taken}) > 1 and axis >= 0:
        raise NotNativeError("signals of different numbers of axes are looked after on the host")
    moved = [item.moveaxis(axis, -1) for item in taken]
    length = max(item.shape[-1] for item in moved)
    if len({item.ndim for item in moved}) == 2 == len({item.shape[-1] for item in moved}):
        raise ValueError("signals of different lengths are filled up where they have as many axes")
    moved = [extended(ops, item, 0, length - item.shape[-1], "zeros") for item in moved]
    made = _window(ops, window, nperseg, length, _SHORTER)
    two_sided = _two_sided(moved[0], moved[-1], return_onesided, not _by_short_time_fft())
    return moved, _segments(ops, made, fs, scaling, noverlap, nfft, not two_sided, detrend)


def _cross_spectra(
    ops: Ops, signals: Sequence[Any], fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any, return_onesided: bool,
    scaling: str, axis: Any, average: str,
) -> tuple[Expression, Expression]:  # fmt: skip
    """Average the spectra of segments of two signals, or of one with itself."""
    axis = int(axis)
    moved, segments = _read(ops, signals, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis)
    spectra = _averaged(ops, _powers(ops, segments, *moved), average)
    return _frequencies(ops, segments, fs), spectra.moveaxis(-1, axis)


def _csd(
    ops: Ops, x: Any, y: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density", axis: int = -1, average: str = "mean",
) -> Any:  # fmt: skip
    same = isinstance(x, Expression) and isinstance(y, Expression) and x.value is y.value
    signals = (x,) if same else (x, y)
    return _cross_spectra(ops, signals, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def _welch(
    ops: Ops, x: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density", axis: int = -1, average: str = "mean",
) -> Any:  # fmt: skip
    return _cross_spectra(ops, (x,), fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def _coherence(
    ops: Ops, x: Any, y: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    detrend: Any = "constant", axis: int = -1,
) -> Any:  # fmt: skip
    axis = int(axis)
    (first, second), segments = _read(ops, (x, y), fs, window, nperseg, noverlap, nfft, detrend, True, "density", axis)
    spectra = [segments.transform(ops, item) for item in (first, second)]
    cross = conjugate_product(ops, *spectra).sum(-2)
    powers = [conjugate_product(ops, item, item).sum(-2) for item in spectra]
    squared = conjugate_product(ops, cross, cross)
    return _frequencies(ops, segments, fs), (squared / powers[0] / powers[1]).moveaxis(-1, axis)


def _periodogram(
    ops: Ops, x: Any, fs: Any = 1.0, window: Any = "boxcar", nfft: Any = None, detrend: Any = "constant", return_onesided: bool = True,
    scaling: str = "density", axis: int = -1,
) -> Any:  # fmt: skip
    signals = ops.floats(x)
    length = signals.shape[axis]
    if nfft is not None and nfft < length:
        signals = signals.moveaxis(axis, -1)[..., :nfft].moveaxis(-1, axis)
        length, nfft = nfft, None
    window = "boxcar" if window is None else window
    return _cross_spectra(ops, (signals,), fs, window, length, 0, nfft, detrend, return_onesided, scaling, axis, "mean")


def _spectrogram(
    ops: Ops, x: Any, fs: Any = 1.0, window: Any = ("tukey_periodic", 0.25), nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density", axis: int = -1, mode: str = "psd",
) -> Any:  # fmt: skip
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(f"unknown mode {mode!r}")
    signals = ops.floats(x)
    axis = int(axis)
    made = _window(ops, window, nperseg, signals.shape[axis], _SHORT)
    overlap = made.shape[0] // 8 if noverlap is None else noverlap
    moved = signals.moveaxis(axis, -1)
    onesided = not _two_sided(moved, moved, return_onesided, True)
    segments = _segments(ops, made, fs, scaling, overlap, nfft, onesided, detrend)
    spectra = _powers(ops, segments, moved) if mode == "psd" else segments.transform(ops, moved)
    after = axis if axis >= 0 else axis - 1
    spectra = spectra.moveaxis(-1, after)
    if mode == "magnitude":
        spectra = abs(spectra)
    elif mode in ("angle", "phase"):
        spectra = ops("angle", spectra)
        if mode == "phase":
            spectra = ops("unwrap", spectra, axis=after)
    return _frequencies(ops, segments, fs), _times(ops, segments, moved.shape[-1], fs), spectra


def _stft(
    ops: Ops, x: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = 256, noverlap: Any = None, nfft: Any = None,
    detrend: Any = False, return_onesided: bool = True, boundary: Any = "zeros", padded: bool = True, axis: int = -1,
    scaling: str = "spectrum",
) -> Any:  # fmt: skip
    if scaling not in ("spectrum", "psd") or boundary not in ("even", "odd", "constant", "zeros", None):
        raise ValueError(f"scaling {scaling!r} or boundary {boundary!r} is unknown")
    signals = ops.floats(x)
    axis = int(axis)
    moved = signals.moveaxis(axis, -1)
    made = _window(ops, window, nperseg, moved.shape[-1], _SHORT)
    onesided = not _two_sided(moved, moved, return_onesided, True)
    segments = _segments(ops, made, fs, "density" if scaling == "psd" else scaling, noverlap, nfft, onesided, detrend)
    before = segments.length // 2
    if boundary in ("even", "odd") and before >= moved.shape[-1]:
        raise ValueError("the signals are shorter than what continues them")
    if boundary is not None:
        moved = extended(ops, moved, before, before, boundary)
    if padded:
        moved = extended(ops, moved, 0, (segments.length - moved.shape[-1]) % segments.step % segments.length, "zeros")
    spectra = segments.transform(ops, moved)
    times = _times(ops, segments, moved.shape[-1], fs, 0.0 if boundary is None else segments.length / 2)
    return _frequencies(ops, segments, fs), times, spectra.moveaxis(-1, axis if axis >= 0 else axis - 1)


def _istft(
    ops: Ops, Zxx: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    input_onesided: bool = True, boundary: bool = True, time_axis: int = -1, freq_axis: int = -2, scaling: str = "spectrum",
) -> Any:  # fmt: skip
    spectra = ops.floats(Zxx)
    if spectra.ndim < 2 or int(freq_axis) == int(time_axis) or scaling not in ("spectrum", "psd"):
        raise ValueError(f"spectra of shape {spectra.shape} along {freq_axis} and {time_axis}, scaled to {scaling!r}")
    frequencies, times = (index_axis(axis, spectra.ndim) for axis in (freq_axis, time_axis))
    default = 2 * (spectra.shape[frequencies] - 1) if input_onesided else spectra.shape[frequencies]
    length = default if nperseg is None else int(nperseg)
    if nfft is None:
        nfft = length if input_onesided and length == default + 1 else default
    made = _window(ops, window, length, None)
    if isinstance(made, Expression):
        raise NotNativeError("whether the windows of an Array cover all samples is found out on the host")
    segments = _segments(ops, made, fs, "density" if scaling == "psd" else scaling, noverlap, nfft, bool(input_onesided), None)
    moved = spectra.viewed(lambda shadow: np.moveaxis(shadow, (times, frequencies), (-2, -1)))
    frames = ops("fft.irfft" if input_onesided else "fft.ifft", moved, segments.nfft)[..., :length]
    factor = made.sum() if scaling == "spectrum" else np.sqrt(float(fs) * (made**2).sum())
    scaled = made * factor
    frames = frames * ops.kept(("window", scaled.tobytes()), lambda: scaled)
    samples = overlap_added(ops, frames, segments.step)
    squares = ops.kept(("window", (made**2).tobytes()), lambda: made**2).broadcast_to((moved.shape[-2], length))
    weights = overlap_added(ops, squares, segments.step)
    _check_cover(made, segments.step, moved.shape[-2], bool(boundary))
    if boundary:
        cut = length // 2
        samples, weights = (item[..., cut : item.shape[-1] - cut] if cut else item[..., :0] for item in (samples, weights))
    samples = samples / ops("where", weights > _SHORTEST, weights, 1.0)
    if samples.ndim > 1 and times != spectra.ndim - 1:
        samples = samples.moveaxis(-1, times - (frequencies < times))
    return ops.constant(np.arange(samples.shape[0]) / float(fs)), samples


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


def _detrend(ops: Ops, data: Any, axis: int = -1, type: str = "linear", bp: Any = 0, overwrite_data: bool = False) -> Expression:
    del overwrite_data
    signals = ops.floats(data)
    moved = signals.moveaxis(axis, -1)
    ends = [0, moved.shape[-1]]
    if type in ("linear", "l"):
        ends = [int(end) for end in np.unique(np.concatenate([np.atleast_1d(np.asarray(bp, np.intp)), ends]))]
        if ends[0] < 0 or ends[-1] > moved.shape[-1]:
            raise ValueError(f"breakpoints {bp} are not within the {moved.shape[-1]} samples")
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
