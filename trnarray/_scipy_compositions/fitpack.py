"""
Splines of scipy.interpolate under FITPACK's names, where they pass through their values.

Without smoothing (`s=0`) FITPACK's knots are those of `make_interp_spline`. What smooths chooses its knots by the data, on the host.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objects import Composed
from .operands import doubles, is_one, leave_unless, points_like, xp
from .splines import derived, fitted_spline, interpolating_spline, spline, tensor_spline

__all__ = ["COMPOSITIONS"]

_OUTSIDE: Final[Mapping[Any, int]] = {0: 0, "extrapolate": 0, 1: 1, "zeros": 1, 2: 2, "raise": 2, 3: 3, "const": 3}
"""What points outside give."""
_MOST: Final = 1 << 24
"""Points of a spline."""


def _points(x: Any, y: Any, w: Any, k: Any) -> tuple[Any, Any]:
    """Take the points of a spline without weights, which ascend."""
    leave_unless(w is None and is_one(k, *range(1, 6)))
    points, values = doubles(x, y)
    leave_unless(points.ndim == values.ndim == 1 and points.shape == values.shape and k < points.shape[0] <= _MOST)
    grows = xp.all(points[1:] > points[:-1]) & xp.all(xp.isfinite(points)) & xp.all(xp.isfinite(values))
    leave_unless(bool(grows))
    return points, values


def _evaluated(t: Any, c: Any, k: int, x: Any, nu: int, outside: int) -> Any:
    """Evaluate a spline, or a derivative."""
    n = t.shape[0] - k - 1
    if outside == 3:
        x = xp.clip(x, t[k], t[n])
    found = spline(t, c, k, x, True, nu)
    return xp.where((x < t[k]) | (x > t[n]), 0.0, found) if outside == 1 else found


class _Univariate(Composed):
    """A spline of one variable."""

    _most = 5  # FITPACK's degrees

    def _pass_derivative(self, n: int) -> Any:
        return self._pass().derivative(n) if n >= 0 else self._pass().antiderivative(-n)

    def __init__(
        self, original: Callable[[], Any], x: Any, y: Any, w: Any = None, bbox: Any = (None, None), k: Any = 3, s: Any = 0,
        ext: Any = 0, check_finite: bool = False, *, t: Any = None,  # noqa: ARG002
    ) -> None:  # fmt: skip
        super().__init__(original)
        leave_unless(type(bbox) in {tuple, list} and list(bbox) == [None, None] and is_one(s, 0, 0.0) and is_one(ext, *_OUTSIDE))
        points, values = _points(x, y, w, k)
        self._outside, self._k = _OUTSIDE[ext], k
        if t is None:
            self._t, self._c = interpolating_spline(points, values, k)
            return
        (inner,) = doubles(t, beside=(points,))
        leave_unless(inner.ndim == 1 and inner.dtype == points.dtype)
        self._t = xp.concatenate([*[points[:1]] * (k + 1), inner, *[points[-1:]] * (k + 1)])
        leave_unless(bool(xp.all(self._t[k + 1 : -k] > self._t[k : -k - 1])))
        self._c = fitted_spline(self._t, k, points, values)

    def __call__(self, x: Any, nu: int = 0, ext: Any = None) -> Any:
        """Evaluate it, or a derivative."""
        outside = self._outside if ext is None else _OUTSIDE[ext] if is_one(ext, *_OUTSIDE) else None
        points = points_like(x, self._t)
        if outside in {None, 2} or type(nu) is not int or not 0 <= nu <= self._k or not points.size or (outside == 3 and nu):
            return self._pass()(x, nu, ext)
        return _evaluated(self._t, self._c, self._k, points, nu, outside)

    def derivative(self, n: int = 1) -> Any:
        """Make the spline of a derivative."""
        if type(n) is not int or not -self._most <= n < self._k:
            return self._pass().derivative(n)
        return _Derivative(self, n)

    def antiderivative(self, n: int = 1) -> Any:
        """Make the spline of an antiderivative."""
        return self.derivative(-n) if type(n) is int else self._pass().antiderivative(n)

    def integral(self, a: Any, b: Any) -> Any:
        """Integrate between two points; outside of its own the spline counts as 0."""
        return _integral(self._t, self._c, self._k, a, b)

    def derivatives(self, x: Any) -> Any:
        """Evaluate the spline and all of its derivatives at a point."""
        return _all_derivatives(self._t, self._c, self._k, x) if type(x) in {int, float} else self._pass().derivatives(x)

    def get_knots(self) -> Any:
        """Give the knots, the ends once."""
        return self._t[self._k : -self._k]

    def get_coeffs(self) -> Any:
        """Give the coefficients."""
        return self._c


class _Derivative(_Univariate):
    """The spline of a derivative, or of an antiderivative."""

    def __init__(self, parent: _Univariate, n: int) -> None:
        Composed.__init__(self, functools.partial(parent._pass_derivative, n))
        self._parent, self._order, self._outside = parent, n, parent._outside
        self._t, self._c, self._k = derived(parent._t, parent._c, parent._k, n)

    def _maker(self) -> Any:
        return self._parent._maker()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _Derivative, (self._parent, self._order)


def _integral(t: Any, c: Any, k: int, a: Any, b: Any) -> Any:
    ends = [xp.clip(points_like(end, t), t[k], t[-k - 1]) for end in (a, b)]
    whole = derived(t, c, k, -1)
    values = [spline(*whole, end, True) for end in ends]
    return values[1] - values[0]


def _all_derivatives(t: Any, c: Any, k: int, x: Any) -> Any:
    return xp.stack([spline(t, c, k, points_like(x, t), True, nu) for nu in range(k + 1)])


def _univariate(
    original: Callable[[], Any], x: Any, y: Any, w: Any = None, bbox: Any = (None, None), k: Any = 3, s: Any = None,
    ext: Any = 0, check_finite: bool = False,
) -> Any:  # fmt: skip
    return _Univariate(original, x, y, w, bbox, k, s, ext, check_finite)


def _interpolated(
    original: Callable[[], Any], x: Any, y: Any, w: Any = None, bbox: Any = (None, None), k: Any = 3, ext: Any = 0,
    check_finite: bool = False,
) -> Any:  # fmt: skip
    return _Univariate(original, x, y, w, bbox, k, 0, ext, check_finite)


def _by_least_squares(
    original: Callable[[], Any], x: Any, y: Any, t: Any, w: Any = None, bbox: Any = (None, None), k: Any = 3, ext: Any = 0,
    check_finite: bool = False,
) -> Any:  # fmt: skip
    return _Univariate(original, x, y, w, bbox, k, 0, ext, check_finite, t=t)


def _splrep(x: Any, y: Any, w: Any = None, xb: Any = None, xe: Any = None, k: Any = 3, task: Any = 0, s: Any = None, t: Any = None,
            full_output: Any = 0, per: Any = 0, quiet: Any = 1) -> Any:  # noqa: ARG001  # fmt: skip
    leave_unless(xb is xe is t is None and is_one(task, 0) and is_one(s, None, 0, 0.0) and not full_output and not per)
    t, c = interpolating_spline(*_points(x, y, w, k), k)
    return t, xp.concatenate([c, xp.zeros_like(t[: k + 1])]), k


def _splev(x: Any, tck: Any, der: Any = 0, ext: Any = 0) -> Any:
    t, c, k = _coefficients(tck)
    leave_unless(is_one(ext, 0, 1, 3) and type(der) is int and 0 <= der <= k and not (ext == 3 and der))
    points = points_like(x, t)
    leave_unless(points.size)
    return _evaluated(t, c, k, points, der, ext)


def _coefficients(tck: Any) -> tuple[Any, Any, int]:
    """Take knots, coefficients and degree of a spline of one variable."""
    leave_unless(type(tck) is tuple and len(tck) == 3 and type(tck[2]) is int)
    t, c = doubles(*tck[:2])
    leave_unless(t.ndim == c.ndim == 1 and 0 < t.shape[0] - tck[2] - 1 <= c.shape[0])
    return t, c[: t.shape[0] - tck[2] - 1], tck[2]


def _splint(a: Any, b: Any, tck: Any, full_output: Any = 0) -> Any:
    leave_unless(not full_output and all(type(end) in {int, float} for end in (a, b)))
    return _integral(*_coefficients(tck), a, b)


def _splder(tck: Any, n: Any = 1) -> Any:
    t, c, k = _coefficients(tck)
    leave_unless(type(n) is int and n <= k)
    t, c, k = derived(t, c, k, n)
    return t, xp.concatenate([c, xp.zeros_like(t[: k + 1])]), k


def _splantider(tck: Any, n: Any = 1) -> Any:
    leave_unless(type(n) is int)
    return _splder(tck, -n)


def _spalde(x: Any, tck: Any) -> Any:
    leave_unless(type(x) in {int, float})
    t, c, k = _coefficients(tck)
    leave_unless(bool((t[k] <= x) & (t[-k - 1] >= x)))
    return _all_derivatives(t, c, k, x)


class _Rectangle(Composed):
    """A spline of two variables through the values on a grid."""

    def __init__(
        self, original: Callable[[], Any], x: Any, y: Any, z: Any, bbox: Any = (None,) * 4, kx: Any = 3, ky: Any = 3, s: Any = 0,
        maxit: Any = 20,  # noqa: ARG002
    ) -> None:  # fmt: skip
        super().__init__(original)
        leave_unless(type(bbox) in {tuple, list} and list(bbox) == [None] * 4 and is_one(s, 0, 0.0))
        leave_unless(all(is_one(k, *range(1, 6)) for k in (kx, ky)))
        points, others, values = doubles(x, y, z)
        leave_unless(points.ndim == others.ndim == 1 and values.shape == (points.shape[0], others.shape[0]))
        leave_unless(kx < points.shape[0] and ky < others.shape[0])
        grows = xp.all(points[1:] > points[:-1]) & xp.all(others[1:] > others[:-1]) & xp.all(xp.isfinite(values))
        leave_unless(bool(grows))
        self.degrees = kx, ky
        tx, rows = interpolating_spline(points, values, kx)
        ty, columns = interpolating_spline(others, rows.T, ky)
        self._t, self._c = (tx, ty), columns.T

    def __call__(self, x: Any, y: Any, dx: int = 0, dy: int = 0, grid: bool = True) -> Any:
        """Evaluate it, or a derivative, at the points of a grid or at pairs of coordinates."""
        known = all(type(nu) is int and 0 <= nu < k for nu, k in zip((dx, dy), self.degrees, strict=True)) and type(grid) is bool
        points, others = [points_like(each, self._t[0]) for each in (x, y)]
        if not known or not points.size or not others.size or (grid and not points.ndim == others.ndim == 1):
            return self._pass()(x, y, dx, dy, grid)
        if grid and bool(xp.any(points[1:] < points[:-1])) | bool(xp.any(others[1:] < others[:-1])):
            return self._pass()(x, y, dx, dy, grid)  # raises SciPy's error
        (tx, ty), (kx, ky) = self._t, self.degrees
        points, others = xp.clip(points, tx[0], tx[-1]), xp.clip(others, ty[0], ty[-1])
        if grid:
            return spline(ty, spline(tx, self._c, kx, points, True, dx).T, ky, others, True, dy).T
        pairs = xp.broadcast_arrays(points, others)
        return tensor_spline(self._t, self._c, self.degrees, [each.reshape((-1,)) for each in pairs], (dx, dy)).reshape(pairs[0].shape)

    def ev(self, xi: Any, yi: Any, dx: int = 0, dy: int = 0) -> Any:
        """Evaluate it at pairs of coordinates."""
        return self(xi, yi, dx, dy, False)

    def get_knots(self) -> Any:
        """Give the knots of both axes."""
        return self._t

    def get_coeffs(self) -> Any:
        """Give the coefficients, in one axis."""
        return self._c.reshape((-1,))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "InterpolatedUnivariateSpline": _interpolated,
    "LSQUnivariateSpline": _by_least_squares,
    "RectBivariateSpline": _Rectangle,
    "UnivariateSpline": _univariate,
    "spalde": _spalde,
    "splantider": _splantider,
    "splder": _splder,
    "splev": _splev,
    "splint": _splint,
    "splrep": _splrep,
}
"""Functions and classes of scipy.interpolate."""
