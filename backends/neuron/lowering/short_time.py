"""Short-time transforms: frames of signals, which one access pattern reads, multiplied by the matrix of window and transform."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .fourier import roots
from .fourier.steps import DENSE

if TYPE_CHECKING:
    import scipy.signal

__all__ = ["Segments", "conjugate_product", "detrended", "extended", "half_factors", "overlap_added"]


@dataclass(frozen=True)
class Segments:
    """
    How signals are cut into segments, and what becomes of them.

    Parameters
    ----------
    window : ndarray or Expression
        What segments are multiplied by; real.
    step : int
        From one segment to the next.
    nfft : int
        The length of the transform; not less than that of the window.
    onesided : bool
        Whether negative frequencies are left out.
    detrend : str or None
        What is taken off each segment.
    doubled : bool
        Whether squared magnitudes are of negative frequencies, too, where these are left out.
    """

    window: npt.NDArray[np.float64] | Expression
    step: int
    nfft: int
    onesided: bool
    detrend: str | None = None
    doubled: bool = False

    @property
    def length(self) -> int:
        """Of a segment."""
        return self.window.shape[0]

    def transform(self, ops: Ops, x: Expression) -> Expression:
        """Transform all segments of the last axis: (..., segments, frequencies)."""
        frames = detrended(ops, x.frames(self.length, self.step), self.detrend)
        window, nfft = self.window, self.nfft
        factors = half_factors(nfft, math.sqrt(2.0)) if self.onesided and self.doubled else None
        key = ("short-time", nfft, self.onesided, self.doubled)
        if not isinstance(window, Expression) and nfft > DENSE:
            window = _kept_window(ops, frames, window)
        if isinstance(window, Expression):
            spectra = ops("fft.rfft" if self.onesided else "fft.fft", frames * window, nfft)
            return spectra if factors is None else spectra * ops.beside(spectra, key, lambda: factors)
        transform = np.fft.rfft if self.onesided else np.fft.fft

        def matrix() -> npt.NDArray[np.complex128]:
            rows = transform(np.diag(window), nfft)
            return rows if factors is None else rows * factors

        return ops.transformed(frames, ops.beside(frames, (*key, window.tobytes()), matrix, is_complex=True))


def _kept_window(ops: Ops, x: Expression, window: npt.NDArray[Any]) -> Expression:
    key = ("window", window.dtype.char, window.tobytes())
    return ops.beside(x, key, lambda: window, is_complex=window.dtype.kind == "c")


def half_factors(n: int, factor: float) -> npt.NDArray[np.float64]:
    """Give a factor to the frequencies of half a spectrum that stand for their negatives, too."""
    factors = np.full(n // 2 + 1, factor)
    factors[0] = 1.0
    if n % 2 == 0:
        factors[-1] = 1.0
    return factors


def conjugate_product(ops: Ops, x: Expression, y: Expression) -> Expression:
    """Multiply complex numbers with conjugate ones."""
    real = x.real * y.real + x.imag * y.imag
    return real if y is x else ops.complex(real, x.real * y.imag - x.imag * y.real)


def detrended(ops: Ops, x: Expression, kind: str | None) -> Expression:
    """Take the trend off the last axis."""
    if kind is None:
        return x
    x = x - x.mean(-1, keepdims=True)
    count = x.shape[-1]
    if kind == "constant" or count == 1:
        return x
    line = np.arange(count) - (count - 1) / 2  # of the mean 0
    slope = ops.beside(x, ("slope", count), lambda: line / np.sqrt(line @ line))
    return x - (x * slope).sum(-1, keepdims=True) * slope


def extended(ops: Ops, x: Expression, before: int, after: int, how: str) -> Expression:
    """Continue signals beyond both ends of the last axis."""
    length = x.shape[-1]
    if how in ("even", "odd") and max(before, after) >= length:
        raise NotNativeError("reflections of reflections are made on the host")

    def end(count: int, edge: Expression, inside: Expression) -> Expression:
        if how == "zeros":
            return ops.zeros((*x.shape[:-1], count), x.dtype)
        if how == "constant":
            return edge.broadcast_to((*x.shape[:-1], count))
        return inside if how == "even" else 2.0 * edge - inside

    parts = [x]
    if before:
        parts.insert(0, end(before, x[..., :1], x[..., before:0:-1]))
    if after:
        last = length - 2 - after
        parts.append(end(after, x[..., length - 1 :], x[..., length - 2 : last if last >= 0 else None : -1]))
    return ops.concatenate(parts)


def overlap_added(ops: Ops, frames: Expression, step: int) -> Expression:
    """
    Add frames where they overlap, a step apart from each other.

    The elements that cover a sample lie at one distance from each other: they are a view, and the sum is along an axis of it.
    """
    *outer, count, length = frames.shape
    covers = -(-length // step)
    total = length + (count - 1) * step
    rest = ops.zeros((*outer, count, covers * step - length), frames.dtype)
    rows = ops.concatenate([frames, rest]) if covers * step > length else frames
    if covers > 1:
        none = ops.zeros((*outer, covers - 1, covers * step), frames.dtype)
        rows = ops.concatenate([none, rows, none], -2)

    def covering(shadow: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """View element (b, k, j) of block b: that of frame b - (covers - 1 - k), at (covers - 1 - k) steps and j."""
        item = shadow.itemsize
        start = shadow.reshape(*outer, -1)[..., (covers - 1) * step :]
        shape = (*outer, count + covers - 1, covers, step)
        strides = (*shadow.strides[:-2], covers * step * item, (covers - 1) * step * item, item)
        return np.lib.stride_tricks.as_strided(start, shape, strides)

    blocks = rows.viewed(covering).sum(-2) if covers > 1 else rows
    return blocks.reshape(*outer, -1)[..., :total]


def _phase(transform: scipy.signal.ShortTimeFFT) -> int:
    """By how many samples segments are rotated."""
    return int(transform.phase_shift + transform.m_num_mid) % int(transform.m_num)


def _factors(transform: scipy.signal.ShortTimeFFT) -> npt.NDArray[np.float64]:
    """Give the factors of half a spectrum."""
    doubles = transform.fft_mode == "onesided2X"
    return half_factors(transform.mfft, (math.sqrt(2.0) if transform.scaling == "psd" else 2.0) if doubles else 1.0)


def _analysis(transform: scipy.signal.ShortTimeFFT) -> npt.NDArray[np.complex128]:
    """Make the matrix of window and transform: (samples, frequencies)."""
    function = np.fft.rfft if transform.onesided_fft else np.fft.fft
    matrix = function(np.diag(transform.win.conj()), transform.mfft) * _turns(transform)
    return np.fft.fftshift(matrix, -1) if transform.fft_mode == "centered" else matrix


def _synthesis(transform: scipy.signal.ShortTimeFFT, spectra: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Make segments of spectra, in rows."""
    spectra = np.fft.ifftshift(spectra, -1) if transform.fft_mode == "centered" else spectra
    rows = (np.fft.irfft if transform.onesided_fft else np.fft.ifft)(spectra / _turns(transform), transform.mfft)
    segments: npt.NDArray[Any] = rows[:, : transform.m_num] * transform.dual_win
    return segments


def _key(transform: scipy.signal.ShortTimeFFT, window: npt.NDArray[Any]) -> tuple[Any, ...]:
    parameters = (transform.mfft, transform.hop, transform.fft_mode, transform.phase_shift, transform.scaling)
    return ("ShortTimeFFT", *parameters, window.dtype.char, window.tobytes())


def _segment_spectra(
    ops: Ops, x: Expression, transform: scipy.signal.ShortTimeFFT, *, p0: int, p1: int, k_offset: int, padding: str, axis: int,
    detr: str | None = None,
) -> Expression:  # fmt: skip
    moved = ops.floats(x, wide=True).moveaxis(axis, -1)
    n = moved.shape[-1]
    start = p0 * transform.hop - transform.m_num_mid + k_offset
    stop = start + (p1 - p0 - 1) * transform.hop + transform.m_num
    inside = moved[..., max(start, 0) : max(min(stop, n), 0)]
    if not inside.size and padding != "zeros":
        raise NotNativeError("segments beside the signals are made on the host")
    long = extended(ops, inside, max(-start, 0), max(stop - n, 0), "constant" if padding == "edge" else padding)
    frames = detrended(ops, long.frames(transform.m_num, transform.hop)[..., : p1 - p0, :], detr)
    if transform.mfft > DENSE:
        spectra = _long_spectra(ops, frames, transform)
    else:
        matrix = ops.beside(frames, _key(transform, transform.win), functools.partial(_analysis, transform), is_complex=True)
        spectra = ops.transformed(frames, matrix)
    return spectra.moveaxis(-1, -2).moveaxis(-2, axis)


def _turns(transform: scipy.signal.ShortTimeFFT) -> npt.NDArray[Any]:
    """Give the factors of frequencies, in the order of the transform: those that rotate segments, and those of half a spectrum."""
    factors = _factors(transform) if transform.onesided_fft else np.ones(transform.mfft)
    if transform.phase_shift is None:
        return factors
    exponents = np.arange(len(factors)) * (-_phase(transform) % transform.mfft) % transform.mfft
    return factors * roots.powers(transform.mfft, exponents)


def _long_spectra(ops: Ops, frames: Expression, transform: scipy.signal.ShortTimeFFT) -> Expression:
    """Transform segments, each by a Fourier transform."""
    windowed = frames * _kept_window(ops, frames, transform.win.conj())
    spectra = ops("fft.rfft" if transform.onesided_fft else "fft.fft", windowed, transform.mfft)
    turns = _turns(transform)
    if (turns != 1.0).any():
        spectra = spectra * ops.beside(spectra, ("turns", *_key(transform, transform.win)), lambda: turns, is_complex=True)
    return ops("fft.fftshift", spectra, -1) if transform.fft_mode == "centered" else spectra


def _long_segments(ops: Ops, spectra: Expression, transform: scipy.signal.ShortTimeFFT) -> Expression:
    """Make segments of spectra, in rows, each by a Fourier transform."""
    if transform.fft_mode == "centered":
        spectra = ops("fft.ifftshift", spectra, -1)
    turns = 1.0 / _turns(transform)
    if (turns != 1.0).any():
        spectra = spectra * ops.beside(spectra, ("inverse turns", *_key(transform, transform.win)), lambda: turns, is_complex=True)
    rows = ops("fft.irfft" if transform.onesided_fft else "fft.ifft", spectra, transform.mfft)
    return rows[..., : transform.m_num] * _kept_window(ops, rows, transform.dual_win)


def _stft(ops: Ops, x: Expression, transform: Any, **attributes: Any) -> Expression:
    return _segment_spectra(ops, x, transform, **attributes)


def _spectrogram(ops: Ops, x: Expression, transform: Any, *, y: Expression | None, **attributes: Any) -> Expression:
    ours = _segment_spectra(ops, x, transform, **attributes)
    return conjugate_product(ops, ours if y is None or y.value is x.value else _segment_spectra(ops, y, transform, **attributes), ours)


def _istft(ops: Ops, S: Expression, transform: scipy.signal.ShortTimeFFT, *, k0: int, k1: int, f_axis: int, t_axis: int) -> Expression:
    spectra = ops.floats(S, wide=True)
    last = spectra.shape[t_axis] + transform.p_min  # slice, and one more
    q0 = k0 // transform.hop + (transform.p_min if k0 >= 0 else 0)
    q1 = min(transform.p_max(k1), last)
    moved = spectra.viewed(lambda shadow: np.moveaxis(shadow, (t_axis, f_axis), (-2, -1)))
    moved = moved[..., q0 - transform.p_min : q1 - transform.p_min, :]

    def segments(part: Expression, unit: complex) -> Expression:
        identity = unit * np.eye(transform.f_pts)
        key = ("inverse", unit, *_key(transform, transform.dual_win))
        is_complex = part.is_complex or not transform.onesided_fft
        return ops.transformed(part, ops.beside(part, key, lambda: _synthesis(transform, identity), is_complex=is_complex))

    if transform.mfft > DENSE:
        frames = _long_segments(ops, moved, transform)
    elif transform.onesided_fft and moved.is_complex:
        frames = segments(moved.real, 1.0) + segments(moved.imag, 1j)
    else:
        frames = segments(moved, 1.0)
    samples = overlap_added(ops, frames, transform.hop)
    skipped = k0 - (q0 * transform.hop - transform.m_num_mid)
    samples = samples[..., skipped : skipped + k1 - k0]
    samples = extended(ops, samples, 0, k1 - k0 - samples.shape[-1], "zeros")
    return samples.moveaxis(-1, f_axis if f_axis < samples.ndim else t_axis) if samples.ndim > 1 else samples


LOWERINGS: Final[Lowerings] = compositions(
    {
        "scipy.signal.ShortTimeFFT.stft": _stft,
        "scipy.signal.ShortTimeFFT.stft_detrend": _segment_spectra,
        "scipy.signal.ShortTimeFFT.spectrogram": _spectrogram,
        "scipy.signal.ShortTimeFFT.istft": _istft,
    }
)
