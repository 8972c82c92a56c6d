"""Waveforms of scipy.signal: functions of times, whose phases are rounded in the dtype of the times, as SciPy's are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.polynomial import polynomial

from .operands import arrays, floats, is_one, leave_unless, xp

__all__ = ["COMPOSITIONS"]

_TURN: Final = 2.0 * math.pi
_PARTS: Final = (6.28125, 0.0019350051879882812, 3.019916050561733e-07)
"""Of a turn: products of the first with numbers to 2^16 are exact, and so are the differences."""


def _number(item: Any) -> float:
    leave_unless(isinstance(item, (int, float, np.integer, np.floating)) and type(item) is not bool)
    return float(item)


def _times(t: Any) -> Any:
    leave_unless(arrays(t)[0].dtype.kind in "fiub")
    return floats(t)[0]


def _phase_of(t: Any) -> Any:
    """Give what is left of angles above whole turns, at least 0 and less than a turn."""
    turns = xp.floor(t / _TURN)
    above = t
    for part in _PARTS if t.dtype == np.float32 else (_TURN,):
        above = above - turns * part
    above = above if t.dtype == np.float32 else xp.remainder(t, _TURN)
    above = xp.where(above < 0.0, above + _TURN, above)
    return xp.where(above >= _TURN, above - _TURN, above)


def _parted(t: Any, share: Any) -> tuple[Any, Any, Any, Any]:
    """Give phases, the share of a turn that comes first, which phases are in it, and which shares are none."""
    leave_unless(arrays(share)[0].dtype.kind in "fiub")
    times, w = floats(t, share)
    phase = _phase_of(times)
    return phase, w, phase < w * _TURN, (w > 1.0) | (w < 0.0)


def _sawtooth(t: Any, width: Any = 1.0) -> Any:
    phase, w, rises, lost = _parted(t, width)
    up = phase / (math.pi * xp.where(w > 0.0, w, 1.0)) - 1.0
    down = (math.pi * (w + 1.0) - phase) / (math.pi * xp.where(w < 1.0, 1.0 - w, 1.0))
    return xp.where(lost, math.nan, xp.where(rises, up, down))


def _square(t: Any, duty: Any = 0.5) -> Any:
    phase, _, first, lost = _parted(t, duty)
    return xp.where(lost, math.nan, xp.where(first, xp.ones_like(phase), -1.0))


def _chirp(
    t: Any, f0: Any, t1: Any, f1: Any, method: str = "linear", phi: Any = 0, vertex_zero: Any = True, *, complex: Any = False
) -> Any:  # fmt: skip
    times, start, span, end, angle = _times(t), _number(f0), _number(t1), _number(f1), math.radians(_number(phi))
    leave_unless(is_one(complex, True, False) and is_one(vertex_zero, True, False) and span != 0)
    if is_one(method, "linear", "lin", "li"):
        turns = start * times + 0.5 * ((end - start) / span) * times * times
    elif is_one(method, "quadratic", "quad", "q"):
        slope = (end - start) / (span * span)
        if vertex_zero:
            turns = start * times + (slope / 3.0) * times * times * times
        else:
            rest = span - times
            turns = end * times + (slope / 3.0) * (rest * rest * rest - span**3)
    else:
        leave_unless(is_one(method, "logarithmic", "log", "lo", "hyperbolic", "hyp") and start * end > 0)
        if start == end:
            turns = start * times
        elif method.startswith("lo"):
            rate = span / math.log(end / start)
            turns = (rate * start) * xp.expm1(times / rate)
        else:
            pole = -end * span / (start - end)
            turns = (-pole * start) * xp.log(xp.abs(1.0 - times / pole))
    phase = _TURN * turns + angle
    return xp.cos(phase) + 1j * xp.sin(phase) if complex else xp.cos(phase)


def _gausspulse(
    t: Any, fc: Any = 1000, bw: Any = 0.5, bwr: Any = -6, tpr: Any = -60, retquad: Any = False, retenv: Any = False
) -> Any:  # fmt: skip
    leave_unless(not isinstance(t, str) and is_one(retquad, True, False) and is_one(retenv, True, False))
    frequency, width, level = _number(fc), _number(bw), _number(bwr)
    leave_unless(frequency >= 0 and width > 0 and level < 0 and tpr is not None)
    times = _times(t)
    decay = (math.pi * frequency * width) ** 2 / (4.0 * math.log(10.0 ** (level / 20.0)))
    envelope, phase = xp.exp(decay * times * times), (_TURN * frequency) * times
    found = [envelope * xp.cos(phase)] + [envelope * xp.sin(phase)] * retquad + [envelope] * retenv
    return found[0] if len(found) == 1 else tuple(found)


def _sweep_poly(t: Any, poly: Any, phi: Any = 0) -> Any:
    """Integrate the frequency, a polynomial with the highest power first."""
    leave_unless(isinstance(poly, (list, tuple, np.ndarray, np.poly1d)))
    powers = [_number(each) for each in (poly.coeffs if isinstance(poly, np.poly1d) else poly)]
    times, angle = _times(t), math.radians(_number(phi))
    leave_unless(bool(powers))
    turns = xp.zeros_like(times)
    for each in polynomial.polyint(powers[::-1]).tolist()[:0:-1]:
        turns = (turns + each) * times
    return xp.cos(_TURN * turns + angle)


def _gauss_spline(x: Any, n: Any) -> Any:
    """Approximate a B-spline by a Gaussian of its variance."""
    variance = (_number(n) + 1.0) / 12.0
    times = _times(x)
    return xp.exp(times * times * (-0.5 / variance)) * (1.0 / math.sqrt(_TURN * variance))


def _vectorstrength(events: Any, period: Any) -> Any:
    """Average the directions of events on a circle; turns are counted from the nearest whole one."""
    leave_unless(all(each.dtype.kind in "fiu" for each in arrays(events, period)))
    times, periods = floats(events, period)
    leave_unless(times.ndim <= 1 and periods.ndim <= 1 and times.size > 0 and periods.size > 0 and bool(xp.all(periods > 0)))
    turns = xp.reshape(times, (1, -1)) / xp.reshape(periods, (-1, 1))
    phases = _TURN * (turns - xp.round(turns))
    east, north = xp.mean(xp.cos(phases), axis=1), xp.mean(xp.sin(phases), axis=1)
    found = xp.hypot(east, north), xp.atan2(north, east)
    return found if periods.ndim else tuple(each[0] for each in found)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "chirp": _chirp,
    "gauss_spline": _gauss_spline,
    "gausspulse": _gausspulse,
    "sawtooth": _sawtooth,
    "square": _square,
    "sweep_poly": _sweep_poly,
    "vectorstrength": _vectorstrength,
}
"""Functions of scipy.signal."""
