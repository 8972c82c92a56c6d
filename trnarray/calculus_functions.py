"""Sequences as functions: interpolation, convolution, derivative and integral."""

from __future__ import annotations

from math import pi
from typing import Any, Literal

from ._apply import apply
from ._array import Array
from ._typing import ArrayLike, Axes
from .backends.ops import mathematical as ops

__all__ = ["convolve", "correlate", "gradient", "interp", "trapezoid", "unwrap"]


def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: complex | None = None,
    right: complex | None = None,
    period: float | None = None,
) -> Array:
    """Interpolate linearly between points. See `numpy.interp`."""
    return apply(ops.interp, x, xp, fp, left=left, right=right, period=period)


def unwrap(p: ArrayLike, discont: float | None = None, axis: int = -1, *, period: float = 2 * pi) -> Array:
    """
    Undo the jumps of an angle: add multiples of the period, so that differences along the axis are at most half of one.

    See `numpy.unwrap`.
    """
    return apply(ops.unwrap, p, discont=discont, axis=axis, period=period)


def convolve(a: ArrayLike, v: ArrayLike, mode: Literal["full", "same", "valid"] = "full") -> Array:
    """Convolve two sequences. See `numpy.convolve`."""
    return apply(ops.convolve, a, v, mode)


def correlate(a: ArrayLike, v: ArrayLike, mode: Literal["full", "same", "valid"] = "valid") -> Array:
    """Correlate two sequences. See `numpy.correlate`."""
    return apply(ops.correlate, a, v, mode)


def gradient(f: ArrayLike, *varargs: ArrayLike, axis: Axes = None, edge_order: Literal[1, 2] = 1) -> Any:
    """Compute derivatives by central differences. See `numpy.gradient`."""
    return Array._apply(ops.gradient, f, *varargs, axis=axis, edge_order=edge_order)


def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """Integrate along an axis by the trapezoidal rule. See `numpy.trapezoid`."""
    return apply(ops.trapezoid, y, x, dx=dx, axis=axis)
