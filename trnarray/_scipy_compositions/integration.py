"""Integrals of samples: rules of scipy.integrate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .operands import floats, leave_unless, xp

__all__ = ["COMPOSITIONS"]


def _samples(y: Any, x: Any, dx: Any, axis: Any, least: int) -> tuple[Any, Any]:
    """Move the axis of samples to the end, and give the steps between these: an Array or a number."""
    leave_unless(type(axis) is int and (x is not None or type(dx) in {int, float}))
    made = floats(y, *([] if x is None else [x]))
    samples = made[0]
    leave_unless(0 < samples.ndim and -samples.ndim <= axis < samples.ndim and samples.size and samples.shape[axis] >= least)
    samples = xp.moveaxis(samples, axis, -1)
    if x is None:
        return samples, float(dx)
    points = made[1] if made[1].ndim == 1 else xp.moveaxis(made[1], axis, -1)
    leave_unless(points.shape == samples.shape or points.shape == samples.shape[-1:])
    return samples, points[..., 1:] - points[..., :-1]


def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    samples, steps = _samples(y, x, dx, axis, 2)
    return xp.sum((samples[..., 1:] + samples[..., :-1]) * steps, axis=-1) / 2.0


def _quotient(a: Any, b: Any) -> Any:
    """Divide; zero by steps of length zero, as SciPy does."""
    return xp.where(b == 0, 0.0, a / xp.where(b == 0, 1.0, b))


def _pairs(y: Any, steps: Any, count: int) -> Any:
    """Integrate parabolas over so many pairs of steps."""
    ends = 2 * count + 1
    first, middle, last = y[..., 0 : ends - 1 : 2], y[..., 1:ends:2], y[..., 2:ends:2]
    if type(steps) is float:
        return xp.sum(first + 4.0 * middle + last, axis=-1) * (steps / 3.0)
    a, b = steps[..., 0 : 2 * count : 2], steps[..., 1 : 2 * count : 2]
    both = a + b
    ratio = _quotient(a, b)
    terms = first * (2.0 - _quotient(xp.ones_like(ratio), ratio)) + middle * (both * _quotient(both, a * b)) + last * (2.0 - ratio)
    return xp.sum(both / 6.0 * terms, axis=-1)


def _simpson(y: Any, x: Any = None, *, dx: Any = 1.0, axis: Any = -1) -> Any:
    samples, steps = _samples(y, x, dx, axis, 3)
    n = samples.shape[-1]
    if n % 2:
        return _pairs(samples, steps, n // 2)
    a, b = (steps, steps) if type(steps) is float else (steps[..., -2], steps[..., -1])
    alpha = (2.0 * b * b + 3.0 * a * b) / (6.0 * (a + b))
    beta = (b * b + 3.0 * a * b) / (6.0 * a)
    eta = b * b * b / (6.0 * a * (a + b))
    return _pairs(samples, steps, n // 2 - 1) + alpha * samples[..., -1] + beta * samples[..., -2] - eta * samples[..., -3]


def _accumulated(parts: Any, initial: Any, axis: int) -> Any:
    total = xp.cumsum(parts, axis=-1)
    if initial is not None:
        total = total + float(initial) if initial else total
        total = xp.concatenate([xp.full_like(total[..., :1], float(initial)), total], axis=-1)
    return xp.moveaxis(total, -1, axis)


def _cumulative_trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1, initial: Any = None) -> Any:
    leave_unless(initial is None or (type(initial) in {int, float} and initial == 0))
    samples, steps = _samples(y, x, dx, axis, 2)
    return _accumulated((samples[..., 1:] + samples[..., :-1]) * steps / 2.0, initial, axis)


def _first_of_pairs(y: Any, steps: Any) -> Any:
    """Integrate the parabola of three samples over the first of its two steps."""
    if type(steps) is float:
        return (steps / 3.0) * (1.25 * y[..., :-2] + 2.0 * y[..., 1:-1] - 0.25 * y[..., 2:])
    a, b = steps[..., :-1], steps[..., 1:]
    part = a / (a + b)
    curve = part * (a / b)
    return a / 6.0 * ((3.0 - part) * y[..., :-2] + (3.0 + curve + part) * y[..., 1:-1] - curve * y[..., 2:])


def _cumulative_simpson(y: Any, *, x: Any = None, dx: Any = 1.0, axis: Any = -1, initial: Any = None) -> Any:
    leave_unless(initial is None or (type(initial) in {int, float} and math.isfinite(initial)))
    samples, steps = _samples(y, x, dx, axis, 3)
    if type(steps) is not float:
        leave_unless(bool(xp.all(steps > 0)))
    n = samples.shape[-1] - 1
    first = _first_of_pairs(samples, steps)
    second = xp.flip(_first_of_pairs(xp.flip(samples, axis=-1), steps if type(steps) is float else xp.flip(steps, axis=-1)), axis=-1)
    pairs = xp.stack([first[..., ::2], second[..., ::2]], axis=-1).reshape((*samples.shape[:-1], -1))[..., :n]
    return _accumulated(pairs if n % 2 == 0 else xp.concatenate([pairs[..., : n - 1], second[..., -1:]], axis=-1), initial, axis)


def _romb(y: Any, dx: Any = 1.0, axis: Any = -1, show: bool = False) -> Any:
    """Extrapolate rules of halved steps (Romberg)."""
    leave_unless(show is False)
    samples, step = _samples(y, None, dx, axis, 2)
    intervals = samples.shape[-1] - 1
    leave_unless(intervals & (intervals - 1) == 0)
    levels = intervals.bit_length() - 1
    row = [(samples[..., 0] + samples[..., -1]) * (step * intervals / 2.0)]
    for level in range(1, levels + 1):
        width = intervals >> level
        inner = xp.sum(samples[..., width::2 * width], axis=-1) * (step * width)
        following = [row[0] / 2.0 + inner]
        for order in range(1, level + 1):
            following.append(following[-1] + (following[-1] - row[order - 1]) / (4.0**order - 1.0))
        row = following
    return row[-1]


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "cumulative_simpson": _cumulative_simpson,
    "cumulative_trapezoid": _cumulative_trapezoid,
    "romb": _romb,
    "simpson": _simpson,
    "trapezoid": _trapezoid,
}
"""Functions of scipy.integrate."""
