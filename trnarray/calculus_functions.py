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
    """
    Interpolate linearly between points.

    Parameters
    ----------
    x : array_like
        Where to interpolate.
    xp : array_like
        The points, in ascending order unless there is a period.
    fp : array_like
        The values at the points.
    left, right : complex, optional
        The values before the first and after the last point; those at these points by default.
    period : float, optional
        The period of `x`.

    Returns
    -------
    Array
        The interpolated values, float64 or complex128.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.interp([0.5, 9], [0, 1, 2], [0, 10, 30])
    Array([ 5., 30.], dtype=float64, device='cpu')
    """
    return apply(ops.interp, x, xp, fp, left=left, right=right, period=period)


def unwrap(p: ArrayLike, discont: float | None = None, axis: int = -1, *, period: float = 2 * pi) -> Array:
    """
    Undo the jumps of an angle: add multiples of the period, so that differences along the axis are at most half of one.

    Parameters
    ----------
    p : array_like
        The angles.
    discont : float, optional
        The least jump to undo; half a period by default.
    axis : int, optional
        The axis.
    period : float, optional
        The period.

    Returns
    -------
    Array
        The angles without jumps.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.unwrap([0, 3, 2, 1], period=4)
    Array([ 0, -1, -2, -3], dtype=int64, device='cpu')
    """
    return apply(ops.unwrap, p, discont=discont, axis=axis, period=period)


def convolve(a: ArrayLike, v: ArrayLike, mode: Literal["full", "same", "valid"] = "full") -> Array:
    """
    Convolve two sequences.

    Parameters
    ----------
    a, v : array_like
        The sequences, of one dimension.
    mode : {'full', 'same', 'valid'}, optional
        Which part to give: all, the middle of the longer one's length, or where the two overlap wholly.

    Returns
    -------
    Array
        The convolution.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.convolve([1, 2, 3], [0, 1])
    Array([0, 1, 2, 3], dtype=int64, device='cpu')
    """
    return apply(ops.convolve, a, v, mode)


def correlate(a: ArrayLike, v: ArrayLike, mode: Literal["full", "same", "valid"] = "valid") -> Array:
    """
    Correlate two sequences.

    Parameters
    ----------
    a, v : array_like
        The sequences, of one dimension; `v` is conjugated.
    mode : {'valid', 'same', 'full'}, optional
        Which part to give: where the two overlap wholly, the middle of the longer one's length, or all.

    Returns
    -------
    Array
        The correlation.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.correlate([1, 2, 3], [0, 1, 2])
    Array([8], dtype=int64, device='cpu')
    """
    return apply(ops.correlate, a, v, mode)


def gradient(f: ArrayLike, *varargs: ArrayLike, axis: Axes = None, edge_order: Literal[1, 2] = 1) -> Any:
    """
    Compute derivatives by central differences.

    Parameters
    ----------
    f : array_like
        The values of a function on a grid.
    *varargs : array_like
        The spacing: one number for all axes, or for each axis a number or the coordinates; 1 by default.
    axis : int or tuple of int, optional
        The axes; all by default.
    edge_order : {1, 2}, optional
        The order of the differences at the edges.

    Returns
    -------
    Array or tuple of Array
        The derivative along the axis, or along each.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.gradient([1.0, 2.0, 4.0, 8.0])
    Array([1. , 1.5, 3. , 4. ], dtype=float64, device='cpu')
    """
    return Array._apply(ops.gradient, f, *varargs, axis=axis, edge_order=edge_order)


def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """
    Integrate along an axis by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        The values to integrate.
    x : array_like, optional
        Where they are taken; evenly spaced by default.
    dx : array_like, optional
        The spacing where there is no `x`.
    axis : int, optional
        The axis.

    Returns
    -------
    Array
        The integral.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.trapezoid([1.0, 2.0, 3.0]))
    4.0
    """
    return apply(ops.trapezoid, y, x, dx=dx, axis=axis)
