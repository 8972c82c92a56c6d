"""Interpolators of scipy.interpolate between points, and by one polynomial."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objects import Composed
from .operands import doubles, is_one, leave_unless, points_like, xp
from .piecewise_polynomials import columns, cubic_spline, placed, rows_of
from .splines import interpolating_spline, spline

__all__ = ["COMPOSITIONS"]

_KINDS: Final = ("linear", "slinear", "nearest", "nearest-up", "previous", "next", "zero", "quadratic", "cubic")
_DEGREE: Final = 64
"""Points that one polynomial passes through."""


class _Interp1d(Composed):
    """Lines between points, or the nearest point's value."""

    def __init__(
        self, original: Callable[[], Any], x: Any, y: Any, kind: Any = "linear", axis: Any = -1, copy: bool = True,  # noqa: ARG002
        bounds_error: Any = None, fill_value: Any = math.nan, assume_sorted: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(original)
        leave_unless(is_one(kind, *_KINDS))
        leave_unless(type(axis) is int and is_one(bounds_error, None, True, False))
        self._extrapolates = isinstance(fill_value, str) and fill_value == "extrapolate"
        leave_unless(self._extrapolates or type(fill_value) in {int, float})
        leave_unless(not (self._extrapolates and bounds_error))
        self._kind, self._fill = kind, fill_value
        default = not self._extrapolates and isinstance(fill_value, float) and math.isnan(fill_value)
        self.bounds_error = default if bounds_error is None else bounds_error
        self.x, values = doubles(x, y)
        leave_unless(self.x.ndim == 1 and self.x.shape[0] > 1 and -values.ndim <= axis < values.ndim)
        leave_unless(values.shape[axis] == self.x.shape[0] and values.size)
        self.axis = axis % values.ndim
        self._values = xp.moveaxis(values, axis, 0)
        if not assume_sorted:
            order = xp.argsort(self.x, stable=True)
            self.x, self._values = xp.take(self.x, order), xp.take(self._values, order, axis=0)
        if kind == "cubic":
            self._spline = cubic_spline(lambda: None, self.x, self._values)
        elif kind == "quadratic":
            leave_unless(bool(xp.all(self.x[1:] > self.x[:-1]) & xp.all(xp.isfinite(self.x)) & xp.all(xp.isfinite(self._values))))
            t, c = interpolating_spline(self.x, self._values, 2)
            self._spline = lambda points: spline(t, c, 2, points, True)

    def __call__(self, x: Any) -> Any:
        """Evaluate the interpolant."""
        points = points_like(x, self.x)
        flat = xp.reshape(points, (-1,))
        outside = (flat < self.x[0]) | (flat > self.x[-1])
        if self.bounds_error and bool(xp.any(outside)):
            return self._pass()(x)  # raises SciPy's error
        if self._kind in {"quadratic", "cubic"}:
            found = self._spline(flat)
        elif self._kind in {"linear", "slinear"}:
            right = xp.clip(xp.searchsorted(self.x, flat), 1, self.x.shape[0] - 1)
            x0, x1 = xp.take(self.x, right - 1), xp.take(self.x, right)
            y0, y1 = rows_of(self._values, right - 1), rows_of(self._values, right)
            found = y0 + (y1 - y0) / columns(x1 - x0, y0) * columns(flat - x0, y0)
        elif self._kind in {"nearest", "nearest-up"}:
            middles = self.x[:-1] + (self.x[1:] - self.x[:-1]) / 2.0
            found = rows_of(self._values, xp.searchsorted(middles, flat, side="left" if self._kind == "nearest" else "right"))
        else:
            ahead = self._kind == "next"
            index = xp.searchsorted(self.x, flat, side="left" if ahead else "right") - (0 if ahead else 1)
            found = rows_of(self._values, xp.clip(index, 0, self.x.shape[0] - 1))
            if self._extrapolates and self._kind != "zero":  # nothing precedes the first, nor follows the last
                lost = flat > self.x[-1] if ahead else flat < self.x[0]
                found = xp.where(columns(lost, found), math.nan, found)
        if not self._extrapolates:
            found = xp.where(columns(outside, found), float(self._fill), found)
        # A NaN is nowhere, so that a search finds the last value for it.
        lost = self._values[-1:] if self._kind in {"nearest", "nearest-up", "previous", "next"} else math.nan
        found = xp.where(columns(xp.isnan(flat), found), lost, found)
        return placed(found.reshape((*points.shape, *self._values.shape[1:])), points.ndim, self.axis)


class _Polynomial(Composed):
    """The polynomial through values, by barycentric weights (Berrut and Trefethen 2004)."""

    def __init__(self, original: Callable[[], Any], xi: Any, yi: Any = None, axis: Any = 0, **others: Any) -> None:
        super().__init__(original)
        leave_unless(yi is not None and type(axis) is int and all(each is None for each in others.values()))
        self.xi, values = doubles(xi, yi)
        n = self.xi.shape[0] if self.xi.ndim == 1 else 0
        leave_unless(0 < n <= _DEGREE and -values.ndim <= axis < values.ndim and values.shape[axis] == n and values.size > 0)
        gaps = self.xi[:, None] - self.xi[None, :]
        own = xp.eye(n, dtype=bool, device=self.xi.device)
        leave_unless(bool(xp.all((gaps != 0) | own) & xp.all(xp.isfinite(self.xi))))
        scale = 4.0 / xp.maximum(xp.max(self.xi) - xp.min(self.xi), xp.finfo(self.xi.dtype).smallest_normal)
        self._weights = 1.0 / xp.prod(xp.where(own, 1.0, gaps * scale), axis=1)
        self._axis, self._values = axis % values.ndim, xp.moveaxis(values, axis, 0)

    def __call__(self, x: Any) -> Any:
        """Evaluate the polynomial."""
        points = points_like(x, self.xi)
        flat = xp.reshape(points, (-1,))
        gaps = flat[:, None] - self.xi[None, :]
        at = gaps == 0
        shares = self._weights / xp.where(at, 1.0, gaps)
        values = xp.reshape(self._values, (self.xi.shape[0], -1))
        found = (shares @ values) / xp.sum(shares, axis=1, keepdims=True)
        known = rows_of(values, xp.argmax(xp.astype(at, xp.int32), axis=1))
        found = xp.where(xp.any(at, axis=1)[:, None], known, found)
        return placed(xp.reshape(found, (*points.shape, *self._values.shape[1:])), points.ndim, self._axis)


def _by_polynomial(xi: Any, yi: Any, x: Any, der: Any = 0, axis: Any = 0, **others: Any) -> Any:
    leave_unless(is_one(der, 0))
    return _Polynomial(lambda: None, xi, yi, axis, **others)(x)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "BarycentricInterpolator": _Polynomial,
    "KroghInterpolator": _Polynomial,
    "barycentric_interpolate": _by_polynomial,
    "interp1d": _Interp1d,
    "krogh_interpolate": _by_polynomial,
}
"""Functions and classes of scipy.interpolate."""
