"""Filters and resampling of signals: sums over frames, and products with what the host makes of the identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...op import get_op
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .fourier.steps import DENSE
from .recursive_filters import with_feedback
from .short_time import extended

__all__: list[str] = []


def _hilbert(ops: Ops, x: Expression, *, N: int, axis: int) -> Expression:
    real = ops.lengthened(ops.floats(x, wide=True).moveaxis(axis, -1), N)
    if N > DENSE:
        return ops.complex(real, _hilbert_transform(ops, real)).moveaxis(-1, axis)
    matrix = ops.beside(real, ("hilbert", N), lambda: get_op("scipy.signal.hilbert").host(np.eye(N)).imag)
    return ops.complex(real, ops.transformed(real, matrix)).moveaxis(-1, axis)


def _hilbert_transform(ops: Ops, x: Expression) -> Expression:
    """Turn each frequency of long signals by a quarter."""
    n = x.shape[-1]
    turns = np.full(n // 2 + 1, -1j)
    turns[0] = 0.0
    if n % 2 == 0:
        turns[-1] = 0.0
    return ops("fft.irfft", ops("fft.rfft", x) * ops.beside(x, ("quarter turns", n, "hilbert"), lambda: turns, is_complex=True), n)


def _long_resample(ops: Ops, x: Expression, count: int, window: Any) -> Expression:
    """
    Resample long signals along the last axis by their spectra.

    What a frequency is multiplied by is that of an impulse, which the host resamples.
    """
    if x.is_complex:
        return ops.complex(_long_resample(ops, x.real, count, window), _long_resample(ops, x.imag, count, window))
    length = x.shape[-1]
    impulse = np.zeros(length)
    impulse[0] = 1.0
    half = min(length, count) // 2 + 1
    gains = np.fft.rfft(get_op("scipy.signal.resample").host(impulse, count, window=window))[:half].real
    spectrum = ops("fft.rfft", x)[..., :half] * ops.beside(x, ("gains", gains.tobytes()), lambda: gains)
    return ops("fft.irfft", ops.lengthened(spectrum, count // 2 + 1), count)


def _resample(ops: Ops, x: Expression, count: int, *, t: Expression | None, axis: int, window: Any, domain: str) -> Any:
    moved = ops.floats(x, wide=True).moveaxis(axis, -1)
    length = moved.shape[-1]
    if max(length, count) > DENSE and domain == "time" and min(length, count) > 0:
        samples = _long_resample(ops, moved, count, window).moveaxis(-1, axis)
    elif max(length, count) > DENSE:
        raise NotNativeError(f"spectra of more than {DENSE} frequencies are resampled on the host")
    else:
        resample = get_op("scipy.signal.resample").host
        matrix = resample(np.eye(length, dtype="D" if moved.is_complex else "d"), count, axis=-1, window=window, domain=domain)
        kept = ops.beside(moved, ("resample", matrix.shape, matrix.tobytes()), lambda: matrix, is_complex=matrix.dtype.kind == "c")
        samples = ops.transformed(moved, kept).moveaxis(-1, axis)
    if t is None:
        return samples
    times = ops.floats(t, wide=True)
    return samples, times[0] + (times[1] - times[0]) * ops.constant(np.arange(count) * (length / count), times.dtype)


_BACKGROUNDS: Final = {"mean": "mean", "median": "median", "minimum": "min", "maximum": "max"}


def _resample_poly(ops: Ops, x: Expression, up: int, down: int, *, axis: int, window: Any, padtype: str) -> Expression:
    """Multiply frames by the filter's phases: `down` samples further, the same phases give the next `up` results."""
    signals = ops.floats(x, wide=True)
    moved = signals.moveaxis(axis, -1)
    if up == down == 1:
        return signals
    if isinstance(window, list):
        taps = np.asarray(window, np.float64)
    else:
        import scipy.signal

        taps = scipy.signal.firwin(20 * max(up, down) + 1, 1.0 / max(up, down), window=window)
    half = (len(taps) - 1) // 2
    first, last = -((len(taps) - 1 - half) // up), ((up - 1) * down + half) // up
    index = np.arange(up) * down - np.arange(first, last + 1)[:, None] * up + half
    phases = np.where((index >= 0) & (index < len(taps)), up * taps[np.clip(index, 0, len(taps) - 1)], 0.0)
    background = ops(_BACKGROUNDS[padtype], moved, axis=-1, keepdims=True) if padtype in _BACKGROUNDS else None
    samples = moved if background is None else moved - background
    length = moved.shape[-1]
    count = -(-length * up // down)
    blocks = -(-count // up)
    end = (blocks - 1) * down + last + 1
    framed = extended(ops, samples[..., : min(end, length)], -first, max(0, end - length), "zeros").frames(last + 1 - first, down)
    product = ops.transformed(framed, ops.beside(framed, ("phases", up, down, taps.tobytes()), lambda: phases))
    result = product.reshape(*product.shape[:-2], -1)[..., :count]
    return (result if background is None else result + background).moveaxis(-1, axis)


def _lfilter(ops: Ops, b: Any, a: Any, x: Expression, *, axis: int, zi: Expression | None) -> Any:
    if (a.size if isinstance(a, Expression) else np.size(a)) > 1:
        return with_feedback(ops, b, a, x, axis, zi)
    moved = ops.floats(x, wide=True).moveaxis(axis, -1)
    taps = (ops.floats(b, wide=True).reshape(-1) / ops.floats(a, wide=True).reshape(1)).viewed(np.flip)
    order = taps.size - 1
    kept = moved.shape[-1] + (0 if zi is None else order)
    frames = extended(ops, moved, order, kept - moved.shape[-1], "zeros").frames(order + 1)
    filtered = frames @ taps
    if zi is None:
        return filtered.moveaxis(-1, axis)
    first = ops.floats(zi, wide=True).moveaxis(axis, -1).broadcast_to((*moved.shape[:-1], order)) + filtered[..., :order]
    filtered = ops.concatenate([first, filtered[..., order:]]) if order else filtered
    count = moved.shape[-1]
    return filtered[..., :count].moveaxis(-1, axis), filtered[..., count:].moveaxis(-1, axis)


def _designed(name: str) -> Callable[..., Expression]:
    """Make the constants of a design on the host, in float64."""

    def lower(ops: Ops, *args: Any, **kwargs: Any) -> Expression:
        return ops.constant(get_op(name).host(*args, **kwargs))

    return lower


LOWERINGS: Final[Lowerings] = compositions(
    {
        **{name: _designed(name) for name in ("scipy.signal.firwin", "scipy.signal.get_window")},
        "scipy.signal.hilbert": _hilbert,
        "scipy.signal.resample": _resample,
        "scipy.signal.resample_poly": _resample_poly,
        "scipy.signal.lfilter": _lfilter,
    }
)
