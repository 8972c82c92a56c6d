"""
Images at other places, of scipy.ndimage.

An image at other places is a sum over the taps of a spline along each axis: their indices and weights come from coordinates in float64
where these are made of numbers; the coefficients of splines are the product with the matrix that SciPy's filter is, axis by axis.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .operands import arrays, doubles, is_one, leave_unless, per_axis, xp

__all__ = ["COMPOSITIONS"]

_PAD: Final = 12
"""Pixels by which SciPy extends images of some modes before it filters splines."""
_MOST: Final = 1024
"""The longest axis that splines of the second and third order are filtered along."""


_MAPPED: Final = ("mirror", "reflect", "grid-mirror", "wrap", "grid-wrap", "nearest", "constant", "grid-constant")


def _inside(at: Any, n: int, mode: str, m: Any) -> Any:
    """Bring coordinates into an axis by a border mode; `m` is numpy or trnarray."""
    if mode == "nearest":
        return m.clip(at, 0, n - 1)
    if mode in {"mirror", "reflect", "grid-mirror"}:  # halves go where SciPy's go
        twice = 0.0 if mode == "mirror" else 1.0
        period = max(2.0 * n - 2.0 + 2.0 * twice, 1.0)
        right = m.where(at < 0, -at - twice, at)
        folded = right - period * m.floor(right / period)
        return m.where(folded >= n, period - twice - folded, folded)
    if mode == "wrap":
        period = max(n - 1.0, 1.0)
        return m.where((at < 0) | (at > n - 1), at - period * m.floor(at / period), at)
    return at - float(n) * m.floor(at / n) if mode == "grid-wrap" else at


def _weights(share: Any, order: int) -> list[Any]:
    """Give the weights of the taps of a B-spline, for what lies beyond the first of the middle ones."""
    if order == 0:
        return [None]
    if order == 1:
        return [1.0 - share, share]
    if order == 2:
        return [0.5 * (0.5 - share) * (0.5 - share), 0.75 - share * share, 0.5 * (0.5 + share) * (0.5 + share)]
    rest = 1.0 - share
    near = [(4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0 for t in (share, rest)]
    return [rest * rest * rest / 6.0, *near, share * share * share / 6.0]


def _tap(index: Any, n: int, mode: str, m: Any) -> Any:
    """Bring the index of a tap into an axis: as the spline's coefficients go on beyond its ends."""
    if mode in {"reflect", "grid-mirror"}:
        folded = index % (2 * n)
        return m.where(folded >= n, 2 * n - 1 - folded, folded)
    if mode == "grid-wrap":
        return index % n
    if mode in {"nearest", "grid-constant"}:
        return m.clip(index, 0, n - 1)
    period = max(2 * n - 2, 1)
    folded = m.abs(index) % period
    return m.where(folded >= n, period - folded, folded)


def _padded(x: Any, order: int, mode: str, prefilter: bool) -> tuple[Any, int]:
    """Extend an image before its splines are filtered, where SciPy does, and tell by how much."""
    if order < 2 or not prefilter or mode not in {"nearest", "grid-constant"}:
        return x, 0
    return xp.pad(x, _PAD, mode="edge" if mode == "nearest" else "constant"), _PAD


def _prepared(x: Any, order: int, mode: str, axes: Sequence[int]) -> Any:
    """Make the coefficients of splines, by products with the matrix that SciPy's filter is."""
    if order < 2:
        return x
    import scipy.ndimage

    kind = {"grid-wrap": "grid-wrap", "reflect": "reflect", "grid-mirror": "reflect"}.get(mode, "mirror")
    for axis in axes:
        n = x.shape[axis]
        leave_unless(n <= _MOST)
        if n > 1:
            matrix = scipy.ndimage.spline_filter1d(np.eye(n), order, axis=1, mode=kind)
            x = xp.moveaxis(xp.moveaxis(x, axis, -1) @ xp.asarray(matrix, dtype=x.dtype, device=x.device), -1, axis)
    return x


class _Places:
    """Indices, weights and borders of places along one axis, on the host or on the device."""

    def __init__(self, at: Any, n: int, order: int, mode: str, m: Any, pad: int = 0) -> None:
        n += 2 * pad
        inner = _inside(at + pad if pad else at, n, mode, m)
        start = m.floor(inner + 0.5) if order % 2 == 0 else m.floor(inner)
        share = inner - start
        first = start.astype(np.int32) - order // 2 if m is np else xp.astype(start, xp.int32) - order // 2
        self.lost = ~((at >= 0) & (at <= n - 1)) if mode == "constant" else None
        self.indices = [first + k for k in range(order + 1)]
        self.outside: list[Any] = [(i < 0) | (i >= n) for i in self.indices] if mode == "grid-constant" else [None] * (order + 1)
        self.indices = [_tap(i, n, mode, m) for i in self.indices]
        self.weights = _weights(share, order)
        self.unknown = m.isnan(at)


def _checked(input: Any, output: Any, order: Any, mode: Any, cval: Any, prefilter: Any) -> Any:
    leave_unless(output is None and type(order) is int and 0 <= order <= 3 and prefilter in {True, False})
    leave_unless(type(mode) is str and mode in _MAPPED)
    leave_unless(type(cval) in {int, float} and math.isfinite(cval))
    (x,) = arrays(input)
    leave_unless(x.dtype.kind == "f" and x.ndim > 0 and x.size)
    return x


def _separable(x: Any, places: Sequence[Any], order: int, mode: str, cval: float, prefilter: bool) -> Any:
    """Sample an image at the products of coordinates along its axes, which are in float64 on the host."""
    x = x - cval if cval else x
    moved = [axis for axis, at in enumerate(places) if at is not None]
    lengths = x.shape
    x, pad = _padded(x, order, mode, prefilter)
    x = _prepared(x, order, mode, range(x.ndim)) if prefilter else x
    lost: list[Any] = []
    for axis in range(x.ndim):
        at = places[axis] if axis in moved else np.arange(float(lengths[axis]))
        if axis not in moved and order < 2:
            continue
        taps = _Places(at, lengths[axis], order, mode, np, pad)
        shape = [1] * x.ndim
        shape[axis] = -1
        total = None
        for index, outside, weight in zip(taps.indices, taps.outside, taps.weights, strict=True):
            term = xp.take(x, xp.asarray(index.astype(np.int32), device=x.device), axis=axis)
            if weight is not None:
                weight = np.where(outside, 0.0, weight) if outside is not None else weight
                term = term * xp.asarray(weight, dtype=x.dtype, device=x.device).reshape(shape)
            elif outside is not None:
                term = xp.where(xp.asarray(outside, device=x.device).reshape(shape), 0.0, term)
            total = term if total is None else total + term
        x = total
        if taps.lost is not None and taps.lost.any():
            lost.append(xp.asarray(taps.lost, device=x.device).reshape(shape))
    for each in lost:
        x = xp.where(each, 0.0, x)
    return x + cval if cval else x


def _scattered(x: Any, places: Sequence[Any], order: int, mode: str, cval: float, prefilter: bool) -> Any:
    """Sample an image at points, whose coordinates are Arrays of one shape, or ndarrays in float64."""
    leave_unless(x.size < 1 << 31)
    x = x - cval if cval else x
    lengths = x.shape
    x, pad = _padded(x, order, mode, prefilter)
    x = _prepared(x, order, mode, range(x.ndim)) if prefilter else x
    shape = places[0].shape
    strides = [math.prod(x.shape[axis + 1 :]) for axis in range(x.ndim)]
    flat = xp.reshape(x, (-1,))

    def on(item: Any, dtype: Any) -> Any:
        return xp.asarray(item.astype(dtype), device=x.device) if type(item) is np.ndarray else item

    taps = [_Places(at, n, order, mode, np if type(at) is np.ndarray else xp, pad) for at, n in zip(places, lengths, strict=True)]
    axes = []
    for each, stride in zip(taps, strides, strict=True):
        indices = [on(i * stride, np.int32) for i in each.indices]
        outside = [None if o is None else on(o, bool) for o in each.outside]
        weights = [None if w is None else on(w, x.dtype) for w in each.weights]
        axes.append(list(zip(indices, outside, weights, strict=True)))
    total: Any = None
    for corner in itertools.product(*axes):
        index = functools.reduce(lambda a, b: a + b, [each[0] for each in corner])
        term = xp.take(flat, xp.reshape(index, (-1,))).reshape(shape)
        for _, beyond, share in corner:
            term = term if share is None else term * share
            term = term if beyond is None else xp.where(beyond, 0.0, term)
        total = term if total is None else total + term
    for place in taps:
        if place.lost is not None:
            total = xp.where(on(place.lost, bool), 0.0, total)
    total = total + cval if cval else total
    if type(places[0]) is not np.ndarray:
        for place in taps:
            total = xp.where(place.unknown, cval if mode == "constant" else math.nan, total)
    return total


def _shift(
    input: Any, shift: Any, output: Any = None, order: Any = 3, mode: str = "constant", cval: Any = 0.0, prefilter: bool = True
) -> Any:  # fmt: skip
    x = _checked(input, output, order, mode, cval, prefilter)
    places = [np.arange(n) - float(by) for n, by in zip(x.shape, per_axis(shift, x.ndim), strict=True)]
    return _separable(x, places, order, mode, float(cval), prefilter)


def _zoom(
    input: Any, zoom: Any, output: Any = None, order: Any = 3, mode: str = "constant", cval: Any = 0.0, prefilter: bool = True, *,
    grid_mode: bool = False,
) -> Any:  # fmt: skip
    x = _checked(input, output, order, mode, cval, prefilter)
    leave_unless(grid_mode is False)
    lengths = [round(n * by) for n, by in zip(x.shape, per_axis(zoom, x.ndim), strict=True)]
    leave_unless(min(lengths) > 0)
    places = [np.arange(count) * ((n - 1) / (count - 1)) if count > 1 else np.zeros(1) for n, count in zip(x.shape, lengths, strict=True)]
    return _separable(x, places, order, mode, float(cval), prefilter)


def _matrix(item: Any) -> Any:
    """Take a matrix of parameters, which is no data that would have to be moved."""
    leave_unless(type(item) in {np.ndarray, list, tuple})
    made = np.asarray(item)
    leave_unless(made.dtype.kind in "iuf")
    return made.astype(float)


def _affine_transform(
    input: Any, matrix: Any, offset: Any = 0.0, output_shape: Any = None, output: Any = None, order: Any = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    x = _checked(input, output, order, mode, cval, prefilter)
    shape = x.shape if output_shape is None else tuple(output_shape)
    leave_unless(len(shape) == x.ndim and all(type(n) is int and n > 0 for n in shape))
    linear = _matrix(matrix)
    leave_unless(linear.shape in {(x.ndim, x.ndim), (x.ndim,), (x.ndim, x.ndim + 1)} or linear.shape == (x.ndim + 1,) * 2)
    if linear.ndim == 2 and linear.shape[1] == x.ndim + 1:
        linear, offset = linear[: x.ndim, : x.ndim], linear[: x.ndim, x.ndim].tolist()
    elif type(offset) is np.ndarray:
        offset = offset.tolist()
    offsets = per_axis(offset, x.ndim)
    if linear.ndim == 1:
        places = [np.arange(n) * by + o for n, by, o in zip(shape, linear, offsets, strict=True)]
        return _separable(x, places, order, mode, float(cval), prefilter)
    grid = np.indices(shape, dtype=float)
    places = [functools.reduce(lambda total, term: total + term, [c * g for c, g in zip(row, grid, strict=True)], o)
              for row, o in zip(linear, offsets, strict=True)]  # fmt: skip
    return _scattered(x, places, order, mode, float(cval), prefilter)


def _rotate(
    input: Any, angle: Any, axes: Any = (1, 0), reshape: bool = True, output: Any = None, order: Any = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    x = _checked(input, output, order, mode, cval, prefilter)
    leave_unless(x.ndim == 2 and type(angle) in {int, float} and sorted(axis % 2 for axis in axes) == [0, 1])
    import scipy.special

    c, s = scipy.special.cosdg(angle), scipy.special.sindg(angle)
    turn = np.array([[c, s], [-s, c]])
    lengths = np.asarray(x.shape)
    if reshape:
        corners = turn @ [[0, 0, lengths[0], lengths[0]], [0, lengths[1], 0, lengths[1]]]
        shape = tuple((np.ptp(corners, axis=1) + 0.5).astype(int).tolist())
    else:
        shape = x.shape
    offset = (lengths - 1) / 2 - turn @ ((np.asarray(shape) - 1) / 2)
    return _affine_transform(x, turn, offset, shape, None, order, mode, cval, prefilter)


def _map_coordinates(
    input: Any, coordinates: Any, output: Any = None, order: Any = 3, mode: str = "constant", cval: Any = 0.0, prefilter: bool = True
) -> Any:  # fmt: skip
    x = _checked(input, output, order, mode, cval, prefilter)
    (at,) = doubles(coordinates, beside=(x,))
    leave_unless(at.ndim > 0 and at.shape[0] == x.ndim and at.size and at.dtype == x.dtype)
    return _scattered(x, [at[axis] for axis in range(x.ndim)], order, mode, float(cval), prefilter)


def _spline_filter(input: Any, order: Any = 3, output: Any = np.float64, mode: Any = "mirror", *, axes: Any = None) -> Any:
    """Make coefficients of splines, in the dtype of the image where SciPy's are float64."""
    (x,) = arrays(input)
    leave_unless(is_one(mode, *_MAPPED) and type(order) is int and 0 <= order <= 3 and output is np.float64)
    leave_unless(x.dtype.kind == "f" and x.ndim > 0 and x.size > 0)
    return _prepared(x, order, mode, range(x.ndim) if axes is None else axes) * 1.0


def _spline_filter1d(input: Any, order: Any = 3, axis: Any = -1, output: Any = np.float64, mode: Any = "mirror") -> Any:
    leave_unless(type(axis) is int and -arrays(input)[0].ndim <= axis < arrays(input)[0].ndim)
    return _spline_filter(input, order, output, mode, axes=(axis,))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "affine_transform": _affine_transform,
    "map_coordinates": _map_coordinates,
    "rotate": _rotate,
    "shift": _shift,
    "spline_filter": lambda input, order=3, output=np.float64, mode="mirror": _spline_filter(input, order, output, mode),
    "spline_filter1d": _spline_filter1d,
    "zoom": _zoom,
}
"""Functions of scipy.ndimage."""
