"""
Digital filters of scipy.signal: their states, and what they do to frequencies.

A response is a product of a matrix of waves, one row for each frequency and one column for each coefficient, with the coefficients: each
sum has one rounding for each term, where Horner's scheme has the powers', too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .operands import arrays, floats, is_one, leave_unless, points_like, xp

__all__ = ["COMPOSITIONS"]

_MOST: Final = 1 << 22
"""Elements of a matrix of waves."""


def _coefficients(*items: Any) -> list[Any]:
    """Take the coefficients of filters, which are rows; filters of numbers alone are constants, which SciPy computes."""
    leave_unless(any(type(item) is xp.Array for item in items))
    made = [xp.reshape(each, (1,)) if each.ndim == 0 else each for each in arrays(*items)]
    leave_unless(all(each.ndim == 1 and each.size for each in made))
    if any(each.dtype.kind == "c" for each in made):
        dtype = made[0].dtype
        for each in made[1:]:
            dtype = xp.result_type(dtype, each.dtype)
        return [xp.astype(each, dtype) for each in made]
    return floats(*made)


def _lengthened(x: Any, count: int) -> Any:
    """Append zeros."""
    return x if x.shape[0] >= count else xp.concatenate([x, xp.zeros((count - x.shape[0],), dtype=x.dtype, device=x.device)])


def _lfilter_zi(b: Any, a: Any) -> Any:
    """Add up what each delay still has to give after a long input of ones."""
    numerator, denominator = _coefficients(b, a)
    count = max(numerator.shape[0], denominator.shape[0])
    numerator, denominator = _lengthened(numerator, count), _lengthened(denominator, count)
    leave_unless(bool((denominator[0] != 0) & (xp.sum(denominator) != 0)))  # SciPy's errors
    return _states(numerator, denominator)


def _states(b: Any, a: Any) -> Any:
    gain = xp.sum(b, axis=-1, keepdims=True) / xp.sum(a, axis=-1, keepdims=True)
    rest = xp.flip((b - gain * a) / a[..., :1], axis=-1)
    return xp.flip(xp.cumulative_sum(rest, axis=-1), axis=-1)[..., 1:]


def _sections(sos: Any) -> Any:
    leave_unless(type(sos) is xp.Array and sos.ndim == 2 and sos.shape[1] == 6 and sos.shape[0] > 0)
    leave_unless(sos.dtype.kind in "fiu")
    (sections,) = floats(sos)
    leave_unless(bool(xp.all(sections[:, 3] == 1)))
    return sections


def _sosfilt_zi(sos: Any) -> Any:
    """Scale the state of each section by what those before it do to ones."""
    sections = _sections(sos)
    b, a = sections[:, :3], sections[:, 3:]
    totals = xp.sum(a, axis=1)
    leave_unless(bool(xp.all(totals != 0)))
    gains = xp.cumulative_prod(xp.concatenate([xp.ones_like(totals[:1]), (xp.sum(b, axis=1) / totals)[:-1]]))
    return gains[:, None] * _states(b, a)


def _lfiltic(b: Any, a: Any, y: Any, x: Any = None) -> Any:
    """Sum products of coefficients with samples before: each state is a correlation at one lag."""
    numerator, denominator, after, *before = _coefficients(b, a, y, *([] if x is None else [x]))
    leave_unless(bool(denominator[0] != 0))
    order = max(numerator.shape[0], denominator.shape[0]) - 1
    leave_unless(0 < order <= 256)
    total: Any = 0.0
    for taps, samples, sign in ((numerator, before[0] if before else None, 1.0), (denominator, after, -1.0)):
        if samples is None or taps.shape[0] < 2:
            continue
        lags = np.arange(order)[:, None] + 1 + np.arange(order)
        index = xp.asarray(np.where(lags <= order, lags, order + 1).astype(np.int32), device=taps.device)
        table = xp.take(_lengthened(taps, order + 2), xp.reshape(index, (-1,))).reshape((order, order))
        total = total + sign * (table @ _lengthened(samples, order)[:order])
    return total / denominator[0] if type(total) is xp.Array else xp.zeros((order,), dtype=denominator.dtype, device=denominator.device)


def _angles(worN: Any, whole: Any, fs: Any, include_nyquist: Any, like: Any) -> tuple[Any, Any]:
    """Give angular frequencies: an ndarray where they are made of numbers, else an Array."""
    leave_unless(is_one(whole, True, False) and is_one(include_nyquist, True, False) and type(fs) in {int, float} and fs > 0)
    worN = 512 if worN is None else worN
    if type(worN) is int:
        leave_unless(worN > 0)
        angles = np.linspace(0.0, 2.0 * math.pi if whole else math.pi, worN, endpoint=include_nyquist and not whole)
        return angles, xp.asarray(angles * (fs / (2.0 * math.pi)), dtype=_real(like), device=like.device)
    if type(worN) in {list, tuple}:
        leave_unless(bool(worN) and all(type(each) in {int, float} for each in worN))
        shown = xp.asarray([float(each) for each in worN], dtype=_real(like), device=like.device)
        return np.asarray(worN, float) * (2.0 * math.pi / fs), shown
    leave_unless(type(worN) is xp.Array and worN.ndim == 1 and worN.size > 0 and worN.dtype.kind in "fiu")
    shown = points_like(worN, xp.real(like))
    return shown * (2.0 * math.pi / fs), shown


def _real(like: Any) -> Any:
    return xp.finfo(like.dtype).dtype


def _waves(angles: Any, count: int, like: Any) -> tuple[Any, Any]:
    """Give cosines and sines of multiples of angles."""
    leave_unless(angles.shape[0] * count <= _MOST)
    if type(angles) is np.ndarray:
        phases = angles[:, None] * np.arange(count)
        return tuple(xp.asarray(wave(phases), dtype=_real(like), device=like.device) for wave in (np.cos, np.sin))
    phases = angles[:, None] * xp.arange(count, dtype=angles.dtype, device=angles.device)
    return xp.cos(phases), xp.sin(phases)


def _response(waves: tuple[Any, Any], taps: Any) -> Any:
    cosines, sines = (each[:, : taps.shape[0]] for each in waves)
    if taps.dtype.kind == "c":
        return (cosines - 1j * sines) @ taps
    return cosines @ taps - 1j * (sines @ taps)


def _freqz(
    b: Any, a: Any = 1, worN: Any = 512, whole: Any = False, plot: Any = None, fs: Any = 2 * math.pi, include_nyquist: Any = False
) -> Any:  # fmt: skip
    leave_unless(plot is None)
    numerator, denominator = _coefficients(b, a)
    angles, shown = _angles(worN, whole, fs, include_nyquist, numerator)
    waves = _waves(angles, max(numerator.shape[0], denominator.shape[0]), numerator)
    return shown, _response(waves, numerator) / _response(waves, denominator)


def _freqz_sos(sos: Any, worN: Any = 512, whole: Any = False, fs: Any = 2 * math.pi) -> Any:
    sections = _sections(sos)
    angles, shown = _angles(worN, whole, fs, False, sections)
    waves = _waves(angles, 3, sections)
    total: Any = None
    for k in range(sections.shape[0]):
        each = _response(waves, sections[k, :3]) / _response(waves, sections[k, 3:])
        total = each if total is None else total * each
    return shown, total


def _group_delay(system: Any, w: Any = 512, whole: Any = False, fs: Any = 2 * math.pi) -> Any:
    """Differentiate the phase; 0 where it is singular."""
    leave_unless(type(system) in {tuple, list} and len(system) == 2)
    b, a = _coefficients(*system)
    leave_unless(b.dtype.kind == "f")
    taps = xp.convolve(b, xp.flip(a))
    angles, shown = _angles(w, whole, fs, False, taps)
    waves = _waves(angles, taps.shape[0], taps)
    ramp = taps * xp.arange(taps.shape[0], dtype=taps.dtype, device=taps.device)
    top, bottom = [(waves[0] @ each, waves[1] @ each) for each in (ramp, taps)]
    delay = (top[0] * bottom[0] + top[1] * bottom[1]) / (bottom[0] * bottom[0] + bottom[1] * bottom[1]) - (a.shape[0] - 1.0)
    return shown, xp.where(xp.isfinite(delay), delay, 0.0)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "freqz": _freqz,
    "freqz_sos": _freqz_sos,
    "group_delay": _group_delay,
    "lfilter_zi": _lfilter_zi,
    "lfiltic": _lfiltic,
    "sosfilt_zi": _sosfilt_zi,
    "sosfreqz": _freqz_sos,
}
"""Functions of scipy.signal."""
