"""Integrals of samples and of functions: rules of scipy.integrate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .._array import Array
from ..backends.dtypes import FLOAT32
from .operands import device_of, floats, leave_unless, xp

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


def _fixed_quad(func: Any, a: Any, b: Any, args: Any = (), n: Any = 5) -> Any:
    """Integrate by Gauss's points, which the function gets as one Array."""
    leave_unless(all(type(each) in {int, float} and math.isfinite(each) for each in (a, b)) and type(n) is int and n > 0)
    points, weights = np.polynomial.legendre.leggauss(n)
    device = device_of(args)
    where = xp.zeros((), device=device)
    y = xp.asarray((b - a) * (points + 1) / 2 + a, dtype=where.dtype, device=device)
    values = func(y, *args)
    return (b - a) / 2.0 * xp.sum(xp.asarray(weights, dtype=values.dtype, device=device) * values, axis=-1), None


def _quad_vec(
    f: Any, a: Any, b: Any, epsabs: Any = 1e-200, epsrel: Any = 1e-8, norm: Any = "2", cache_size: Any = 100e6, limit: Any = 10000,
    workers: Any = 1, points: Any = None, quadrature: Any = None, full_output: Any = False, *, args: Any = (),
) -> Any:  # fmt: skip
    """Have SciPy's own adaptive rule add up Arrays; the norms of its errors are fetched. In float32 it ends at 64 units of roundoff."""
    import scipy.integrate

    leave_unless(callable(f) and all(type(each) in {int, float} for each in (a, b)) and workers == 1 and not full_output)
    leave_unless(not math.isnan(a + b) or math.isinf(a))
    args = args if isinstance(args, tuple) else (args,)
    device = device_of(args)
    seen: list[Any] = []

    def called(x: float) -> Any:
        found = f(x, *args)
        found = found if type(found) in {Array, float, complex} else xp.asarray(found, device=device)
        seen.append(getattr(found, "dtype", None))
        return found

    middle = 0.5 * (a + b) if math.isfinite(a) and math.isfinite(b) else a if math.isfinite(a) else b if math.isfinite(b) else 0.0
    called(middle)
    unit = float(xp.finfo(seen[0]).eps) if seen[0] in {FLOAT32, np.dtype(np.complex64)} else 0.0
    total, error = scipy.integrate.quad_vec(
        called, a, b, epsabs, max(epsrel, 64 * unit), norm, cache_size, limit, points=points, quadrature=quadrature
    )
    if unit:  # SciPy's bound on roundings is that of float64
        error = max(error, 8 * unit * float(xp.max(xp.abs(total))))
    return total, float(error)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "cumulative_simpson": _cumulative_simpson,
    "cumulative_trapezoid": _cumulative_trapezoid,
    "fixed_quad": _fixed_quad,
    "quad_vec": _quad_vec,
    "romb": _romb,
    "simpson": _simpson,
    "trapezoid": _trapezoid,
}
"""Functions of scipy.integrate."""
