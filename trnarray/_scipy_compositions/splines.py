"""
B-splines of scipy.interpolate.

The B-splines that are not zero at a point are found by a search, and their values by the recurrence of Cox and de Boor; splines are
evaluated by de Boor's scheme. Cubic splines through values are those of slopes, which tridiagonal equations give; of other degrees, and by
least squares, the coefficients solve for the values of B-splines at the points, by a dense matrix.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .objects import Composed
from .operands import doubles, floats, is_one, leave_unless, points_like, xp
from .piecewise_polynomials import Cubic, columns, ends_of, rows_of, with_ends

__all__ = ["COMPOSITIONS", "METHODS", "derived", "fitted_spline", "interpolating_spline", "spline", "tensor_spline"]

_MOST: Final = 512
"""Points of a spline that is solved for by a dense matrix."""
_MOST_FITTED: Final = 1 << 20
"""Values of B-splines at points, by which a spline is fitted."""


def _basis(t: Any, k: int, points: Any, count: int) -> tuple[Any, list[Any]]:
    """Find the first B-spline that is not zero at each point, and the values of those that are not (Cox and de Boor)."""
    index = xp.clip(xp.searchsorted(t, points, side="right") - 1, k, count - 1)
    near = {shift: xp.take(t, index + shift) for shift in range(1 - k, k + 1)}
    found: list[Any] = [xp.ones_like(points)]
    for degree in range(1, k + 1):
        made: list[Any] = [0.0] * (degree + 1)
        for r, each in enumerate(found):
            left, right = near[r + 1 - degree], near[r + 1]
            share = each / (right - left)
            made[r] = made[r] + share * (right - points)
            made[r + 1] = share * (points - left)
        found = made
    return index - k, found


def _knots(x: Any, k: int) -> Any:
    """Give the knots of a spline through values, without knots at points near the ends."""
    n, half = x.shape[0], (k + 1) // 2
    inner = x[half : n - half] if k % 2 else ((x[1:] + x[:-1]) * 0.5)[k // 2 : n - 1 - k // 2]
    return xp.concatenate([*[x[:1]] * (k + 1), inner, *[x[-1:]] * (k + 1)])


def interpolating_spline(x: Any, values: Any, k: int) -> tuple[Any, Any]:
    """Give the knots and the coefficients of the spline through values."""
    n = x.shape[0]
    leave_unless(k < n)
    t = _knots(x, k)
    if k == 1:
        return t, values
    if k == 3:
        return t, with_ends(_Spline(lambda: None, x, values, 0, None, 4), None).c
    leave_unless(n <= _MOST)
    return t, xp.linalg.solve(_matrix(t, k, x, n), values.reshape((n, -1))).reshape(values.shape)


def fitted_spline(t: Any, k: int, x: Any, values: Any, weights: Any = None) -> Any:
    """Give the coefficients of the spline of least squares, by a QR decomposition."""
    n = t.shape[0] - k - 1
    leave_unless(0 < n <= x.shape[0] and x.shape[0] * n <= _MOST_FITTED)
    matrix, rows = _matrix(t, k, x, n), values.reshape((x.shape[0], -1))
    if weights is not None:
        matrix, rows = matrix * weights[:, None], rows * weights[:, None]
    q, r = xp.linalg.qr(matrix)
    sizes = xp.abs(xp.linalg.diagonal(r))
    leave_unless(bool(xp.min(sizes) > n * xp.finfo(r.dtype).eps * xp.max(sizes)))  # a B-spline without points has no coefficient
    return xp.scipy.linalg.solve_triangular(r, q.T @ rows).reshape((n, *values.shape[1:]))


def _matrix(t: Any, k: int, x: Any, n: int) -> Any:
    """Make the matrix of the values of B-splines at points."""
    first, weights = _basis(t, k, x, n)
    column = xp.arange(n, dtype=first.dtype, device=x.device)[None, :] - first[:, None]
    return functools.reduce(lambda a, b: a + b, [xp.where(column == r, each[:, None], 0.0) for r, each in enumerate(weights)])


def _derived(t: Any, c: Any, k: int, nu: int) -> tuple[Any, Any, int]:
    """Give knots, coefficients and degree of a derivative, which is of no higher order than the degree."""
    for _ in range(nu):
        n = t.shape[0] - k - 1
        gap = t[k + 1 : n + k] - t[1:n]
        flat = gap == 0  # B-splines that are zero
        c = xp.where(columns(flat, c), 0.0, (c[1:n] - c[: n - 1]) / columns(xp.where(flat, 1.0, gap), c)) * float(k)
        t, k = t[1:-1], k - 1
    return t, c, k


def derived(t: Any, c: Any, k: int, nu: int) -> tuple[Any, Any, int]:
    """Give knots, coefficients and degree of a derivative, or of the antiderivative that is 0 at the first knot, of a negative order."""
    if nu >= 0:
        return _derived(t, c, k, nu)
    for _ in range(-nu):
        n = t.shape[0] - k - 1
        steps = c[:n] * columns((t[k + 1 : k + 1 + n] - t[:n]) / float(k + 1), c)
        c = xp.concatenate([xp.zeros_like(c[:1]), xp.cumulative_sum(steps, axis=0)])
        t, k = xp.concatenate([t[:1], t, t[-1:]]), k + 1
    return t, c, k


def spline(t: Any, c: Any, k: int, points: Any, extends: bool, nu: int = 0) -> Any:
    """Evaluate a spline, or a derivative of it, by de Boor's scheme."""
    t, c, k = _derived(t, c if nu <= k else c * 0.0, k, min(nu, k))
    n = t.shape[0] - k - 1
    flat = xp.reshape(points, (-1,))
    index = xp.clip(xp.searchsorted(t[k : n + 1], flat, side="right") - 1, 0, n - k - 1) + k
    near = [xp.take(t, index + shift) for shift in range(1 - k, k + 1)]  # of the knots around the interval
    rows = [rows_of(c, index + shift) for shift in range(-k, 1)]
    for level in range(1, k + 1):
        for j in range(k, level - 1, -1):
            left, right = near[j - 1], near[j + k - level]
            share = columns((flat - left) / (right - left), rows[j])
            rows[j] = rows[j - 1] + share * (rows[j] - rows[j - 1])
    lost = xp.isnan(flat) if extends else ~((flat >= t[k]) & (flat <= t[n]))
    return xp.where(columns(lost, rows[k]), math.nan, rows[k]).reshape((*points.shape, *c.shape[1:]))


def tensor_spline(knots: Sequence[Any], c: Any, degrees: Sequence[int], coordinates: Sequence[Any], orders: Sequence[int]) -> Any:
    """Evaluate a spline of several variables, or a derivative: sum the products of the B-splines that are not zero at each point."""
    count, points = len(knots), coordinates[0].shape[0]
    index: Any = xp.zeros((points, 1), dtype=xp.int32, device=c.device)
    weights: Any = None
    for axis, (t, k, x, nu) in enumerate(zip(knots, degrees, coordinates, orders, strict=True)):
        moved = xp.moveaxis(c, axis, 0)
        t, moved, k = _derived(t, moved if nu <= k else moved * 0.0, k, min(nu, k))
        c = xp.moveaxis(moved, 0, axis)
        first, near = _basis(t, k, x, c.shape[axis])
        steps = first[:, None] + xp.arange(k + 1, dtype=first.dtype, device=first.device)
        index = (index[:, :, None] * c.shape[axis] + steps[:, None, :]).reshape((points, -1))
        here = xp.stack(near, axis=1)
        weights = here if weights is None else (weights[:, :, None] * here[:, None, :]).reshape((points, -1))
    rows = c.reshape((math.prod(c.shape[:count]), *c.shape[count:]))
    gathered = rows_of(rows, index).reshape((*index.shape, *rows.shape[1:]))
    return xp.sum(gathered * weights.reshape((*weights.shape, *(1,) * (rows.ndim - 1))), axis=1)


class _MadeSpline(Composed):
    """What a function of SciPy's makes."""

    def _maker(self) -> Any:
        return xp.scipy.interpolate.BSpline

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        made: Any = self._original
        return getattr(xp.scipy.interpolate, made.func.__name__), made.args


class _Spline(_MadeSpline, Cubic):
    """The cubic spline of the values, in B-splines."""

    with_ends = False

    @property
    def k(self) -> int:
        """The degree."""
        return 3

    @property
    def t(self) -> Any:
        """The knots, the ends four times: all points, but the second and the last but one where nothing is said of the ends."""
        return xp.concatenate([*[self.x[:1]] * 3, self.x, *[self.x[-1:]] * 3]) if self.with_ends else _knots(self.x, 3)

    @property
    def c(self) -> Any:
        """The coefficients: blossoms of a piece at the three knots within each B-spline."""
        t, last = self.t, self.x.shape[0] - 2
        n = t.shape[0] - 4
        piece = np.clip(np.arange(n) - (2 if self.with_ends else 1), 0, last)  # where the B-spline is not zero
        start = xp.take(self.x, xp.asarray(piece, dtype=xp.int32, device=self.x.device))
        a, b, c = [columns(t[1 + shift : 1 + shift + n] - start, self._values) for shift in range(3)]
        cubic, square, slope, value = [xp.take(each, xp.asarray(piece, dtype=xp.int32, device=self.x.device), axis=0)
                                       for each in self._coefficients]  # fmt: skip
        return value + slope * (a + b + c) / 3.0 + square * (a * b + a * c + b * c) / 3.0 + cubic * a * b * c


def _make_interp_spline(
    x: Any, y: Any, k: Any = 3, t: Any = None, bc_type: Any = None, axis: Any = 0, check_finite: bool = True
) -> Any:  # fmt: skip
    leave_unless(is_one(k, *range(1, 8)) and t is None and axis == 0 and (bc_type is None or k == 3))
    ends = bc_type
    if type(bc_type) in {tuple, list}:  # each end has a list of derivatives
        ends = [end[0] if type(end) in {list, tuple} and len(end) == 1 else end for end in bc_type]
    leave_unless(all(x is xp.Array for x in map(type, (x, y))))
    leave_unless(not check_finite or bool(xp.all(xp.isfinite(x)) & xp.all(xp.isfinite(y))))
    original = functools.partial(xp.scipy.interpolate.make_interp_spline.passed, x, y, k, None, bc_type)
    if k != 3:
        points, values = doubles(x, y)
        leave_unless(points.ndim == 1 and values.ndim > 0 and values.shape[0] == points.shape[0] and bool(xp.all(points[1:] > points[:-1])))
        return _SolvedSpline(original, *interpolating_spline(points, values, k), k)
    made = _Spline(original, x, y, axis, None, 4)
    given = None if ends is None else ends_of(ends)
    made.with_ends = given is not None
    return with_ends(made, given)


class _GivenSpline(Composed):
    """A spline of coefficients."""

    def __init__(self, original: Callable[[], Any], t: Any, c: Any, k: Any, extrapolate: Any = True, axis: Any = 0) -> None:
        super().__init__(original)
        breaks, coefficients = doubles(t, c)
        leave_unless(type(axis) is int and axis == 0 and type(extrapolate) is bool and breaks.ndim == 1 and coefficients.size)
        pieces = breaks.shape[0] - 1
        leave_unless(type(k) is int and k >= 0 and pieces >= 2 * k + 1 and coefficients.shape[0] >= pieces - k)
        grows = xp.all(breaks[1:] >= breaks[:-1]) & (breaks[k] < breaks[pieces - k]) & xp.all(xp.isfinite(breaks))
        leave_unless(bool(grows))
        self.t, self.c, self.extrapolate, self.axis, self.k = breaks, coefficients, extrapolate, axis, k

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        """Evaluate it, or a derivative."""
        points = points_like(x, self.t)
        extends = self.extrapolate if extrapolate is None else extrapolate
        if type(nu) is not int or nu < 0 or type(extends) is not bool or not points.size:
            return self._pass()(x, nu, extrapolate)
        return spline(self.t, self.c, self.k, points, extends, nu)

    def derivative(self, nu: int = 1) -> Any:
        """Make the derivative, or the antiderivative of a negative order."""
        if type(nu) is not int or nu > self.k:
            return self._pass().derivative(nu)
        return xp.scipy.interpolate.BSpline(*derived(self.t, self.c[: self.t.shape[0] - self.k - 1], self.k, nu), self.extrapolate)

    def antiderivative(self, nu: int = 1) -> Any:
        """Make the antiderivative, or the derivative of a negative order."""
        return self.derivative(-nu) if type(nu) is int else self._pass().antiderivative(nu)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        """Integrate between two points."""
        extends = self.extrapolate if extrapolate is None else extrapolate
        if extends is not True:
            return self._pass().integrate(a, b, extrapolate)
        whole = self.antiderivative()
        return whole(b) - whole(a)


class _SolvedSpline(_MadeSpline, _GivenSpline):
    """A spline of points, of any degree but 3, or by least squares."""


def _make_lsq_spline(
    x: Any, y: Any, t: Any, k: Any = 3, w: Any = None, axis: Any = 0, check_finite: bool = True, *, method: str = "qr",  # noqa: ARG001
) -> Any:  # fmt: skip
    leave_unless(is_one(k, *range(1, 8)) and axis == 0 and is_one(method, "qr", "norm-eq"))
    points, values, breaks, *weights = doubles(x, y, t, *([] if w is None else [w]))
    leave_unless(points.ndim == breaks.ndim == 1 and values.ndim > 0 and values.shape[0] == points.shape[0] > 0 and values.size)
    leave_unless(breaks.shape[0] > 2 * k + 1 and all(each.shape == points.shape for each in weights))
    known = xp.all(xp.isfinite(points)) & xp.all(xp.isfinite(breaks)) & xp.all(points[1:] >= points[:-1])
    leave_unless(bool(known & xp.all(xp.stack([xp.all(xp.isfinite(each)) for each in (values, *weights)]))))
    within = xp.all(breaks[1:] >= breaks[:-1]) & (points[0] >= breaks[k]) & (points[-1] <= breaks[-k - 1])
    leave_unless(bool(within))
    original = functools.partial(xp.scipy.interpolate.make_lsq_spline.passed, x, y, t, k, w)
    return _SolvedSpline(original, breaks, fitted_spline(breaks, k, points, values, *weights), k)


def _given(item: Any, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
    """Compose the call of a spline that SciPy made."""
    extends = item.extrapolate if extrapolate is None else extrapolate
    leave_unless(type(nu) is int and nu >= 0 and type(extends) is bool and item.c.dtype == np.float64 and item.axis == 0)
    (points,) = floats(x)
    leave_unless(points.size)
    t, c = [xp.asarray(np.asarray(one), dtype=points.dtype, device=points.device) for one in (item.t, item.c)]
    return spline(t, c, item.k, points, extends, nu)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "BSpline": _GivenSpline,
    "make_interp_spline": _make_interp_spline,
    "make_lsq_spline": _make_lsq_spline,
}
"""Functions and classes of scipy.interpolate."""
METHODS: Final[Mapping[str, Callable[..., Any]]] = {"scipy.interpolate.BSpline.__call__": _given}
"""Calls of objects of scipy.interpolate that SciPy made."""
