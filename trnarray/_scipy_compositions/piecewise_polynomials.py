"""
Piecewise polynomials and splines of scipy.interpolate.

The piece of a point is found by a search; its coefficients are gathered, and Horner's scheme runs on all points at once. Slopes of Akima's
and of monotone splines are expressions of differences; those of cubic splines solve tridiagonal equations by cyclic reduction, whose
log2(n) steps are expressions, too. Splines of other degrees solve for the values of B-splines at the points.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .objects import Composed
from .operands import doubles, floats, is_one, leave_unless, points_like, xp

__all__ = ["COMPOSITIONS", "METHODS", "columns", "cubic_spline", "interpolating_spline", "piece", "placed", "rows_of", "spline"]

_MOST: Final = 512
"""Points of a spline that is solved for by a dense matrix."""


def piece(breaks: Any, points: Any, side: str = "right", pieces: int = 0) -> Any:
    """Find the pieces that points are in, from 0 on."""
    found = xp.searchsorted(breaks, points, side=side) - 1
    return xp.clip(found, 0, (pieces or breaks.shape[0] - 1) - 1)


def rows_of(table: Any, index: Any) -> Any:
    """Gather rows of a table, for an index of any shape."""
    return xp.take(table, xp.reshape(index, (-1,)), axis=0)


def columns(x: Any, like: Any) -> Any:
    """Append axes to numbers for rows."""
    return xp.reshape(x, (-1, *(1,) * (like.ndim - 1)))


def _polynomial(breaks: Any, coefficients: list[Any], points: Any, nu: int, extrapolate: bool) -> Any:
    """Evaluate a derivative of a piecewise polynomial, whose coefficients of the pieces come with the highest power first."""
    flat = xp.reshape(points, (-1,))
    index = piece(breaks, flat)
    order = len(coefficients) - 1
    above = columns(flat - xp.take(breaks, index), coefficients[0])
    total = None
    for power, each in zip(range(order, nu - 1, -1), coefficients, strict=False):
        term = rows_of(each, index) * float(math.perm(power, nu))
        total = term if total is None else total * above + term
    if total is None:
        total = xp.zeros_like(rows_of(coefficients[0], index))
    lost = xp.isnan(flat) if extrapolate else ~((flat >= breaks[0]) & (flat <= breaks[-1]))
    return xp.where(columns(lost, total), math.nan, total).reshape((*points.shape, *coefficients[0].shape[1:]))


class _Pieces(Composed):
    """Polynomials of intervals, whose coefficients come with the highest power first."""

    x: Any
    axis: int
    extrapolate: bool
    _coefficients: list[Any]

    @property
    def c(self) -> Any:
        """The coefficients, the highest power first."""
        return xp.stack(self._coefficients)

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        """Evaluate the interpolant, or a derivative of it."""
        if type(nu) is not int or nu < 0 or not is_one(extrapolate, None, True, False):
            return self._pass()(x, nu, extrapolate)
        points = points_like(x, self.x)
        found = _polynomial(self.x, self._coefficients, points, nu, self.extrapolate if extrapolate is None else extrapolate)
        return placed(found, points.ndim, self.axis)

    def derivative(self, nu: int = 1) -> Any:
        """Make the derivative, or the antiderivative of a negative order."""
        if type(nu) is not int:
            return self._pass().derivative(nu)
        if nu < 0:
            return self.antiderivative(-nu)
        order = len(self._coefficients) - 1
        powers = range(order, nu - 1, -1)
        made = [each * float(math.perm(power, nu)) for each, power in zip(self._coefficients, powers, strict=False)]
        return _Powers(made or [xp.zeros_like(self._coefficients[0])], self.x, self.axis, self.extrapolate)

    def antiderivative(self, nu: int = 1) -> Any:
        """Make the antiderivative that is 0 at the first break, or the derivative of a negative order."""
        if type(nu) is not int:
            return self._pass().antiderivative(nu)
        if nu < 1:
            return self.derivative(-nu)
        order = len(self._coefficients)
        made = [each * (1.0 / (order - k)) for k, each in enumerate(self._coefficients)]
        step = columns(self.x[1:] - self.x[:-1], made[0])
        total = made[0]
        for each in made[1:]:
            total = total * step + each
        sums = xp.cumulative_sum((total * step)[:-1], axis=0)
        found = _Powers([*made, xp.concatenate([xp.zeros_like(total[:1]), sums])], self.x, self.axis, self.extrapolate)
        return found if nu == 1 else found.antiderivative(nu - 1)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        """Integrate between two points."""
        if not is_one(extrapolate, None, True, False):
            return self._pass().integrate(a, b, extrapolate)
        whole = self.antiderivative()
        whole.axis = 0
        return whole(b, 0, extrapolate) - whole(a, 0, extrapolate)


class _Powers(_Pieces):
    """What is made of another one's coefficients."""

    def __init__(self, coefficients: list[Any], x: Any, axis: int, extrapolate: bool) -> None:
        self._coefficients, self.x, self.axis, self.extrapolate = coefficients, x, axis, extrapolate
        super().__init__(lambda: None)

    def _pass(self) -> Any:
        if self._passed is None:
            made = self.c
            for _ in range(2 if self.axis else 0):  # as PPoly takes them
                made = xp.moveaxis(made, 0, self.axis + 1)
            self._passed = self._maker()._made(made, self.x, self.extrapolate, self.axis)
        return self._passed

    def _maker(self) -> Any:
        return xp.scipy.interpolate.PPoly

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _Powers, (self._coefficients, self.x, self.axis, self.extrapolate)


class _Cubic(_Pieces):
    """A cubic of each interval, by values and slopes at its ends."""

    def __init__(self, original: Callable[[], Any], x: Any, y: Any, axis: Any, extrapolate: Any, least: int) -> None:
        super().__init__(original)
        leave_unless(type(axis) is int and is_one(extrapolate, None, True, False))
        self.extrapolate = True if extrapolate is None else bool(extrapolate)
        self.x, values = doubles(x, y)
        leave_unless(self.x.ndim == 1 and -values.ndim <= axis < values.ndim and values.size)
        leave_unless(self.x.shape[0] >= least and values.shape[axis] == self.x.shape[0])
        grows = xp.all(self.x[1:] > self.x[:-1]) & xp.all(xp.isfinite(self.x))
        leave_unless(bool(grows & xp.all(xp.isfinite(values))))  # others SciPy refuses
        self.axis = axis % values.ndim
        self._values = xp.moveaxis(values, axis, 0)
        self._steps = columns(self.x[1:] - self.x[:-1], self._values)
        self._secants = (self._values[1:] - self._values[:-1]) / self._steps

    def _set(self, slopes: Any) -> None:
        """Make the coefficients of the pieces."""
        h, secants = self._steps, self._secants
        curve = (slopes[:-1] + slopes[1:] - 2.0 * secants) / h
        self._coefficients = [curve / h, (secants - slopes[:-1]) / h - curve, slopes[:-1], self._values[:-1]]


def placed(found: Any, count: int, axis: int) -> Any:
    """Put the axes of the points, which come first, where the axis of the values was."""
    order = [*range(count, count + axis), *range(count), *range(count + axis, found.ndim)]
    return xp.permute_dims(found, tuple(order))


def _pchip(original: Callable[[], Any], x: Any, y: Any, axis: Any = 0, extrapolate: Any = None) -> Any:
    """Keep monotone what is: harmonic means of secants (Fritsch and Butland 1984), and none at extremes."""
    made = _Cubic(original, x, y, axis, extrapolate, 3)
    h, m = made._steps, made._secants
    before, after = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    flat = (xp.sign(m[1:]) != xp.sign(m[:-1])) | (m[1:] == 0) | (m[:-1] == 0)
    safe = [xp.where(flat, 1.0, each) for each in (m[:-1], m[1:])]
    middle = xp.where(flat, 0.0, (before + after) / (before / safe[0] + after / safe[1]))

    def end(h0: Any, h1: Any, m0: Any, m1: Any) -> Any:
        slope = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
        turns, steep = xp.sign(m0) != xp.sign(m1), xp.abs(slope) > 3.0 * xp.abs(m0)
        return xp.where(xp.sign(slope) != xp.sign(m0), 0.0, xp.where(turns & steep, 3.0 * m0, slope))

    made._set(xp.concatenate([end(h[:1], h[1:2], m[:1], m[1:2]), middle, end(h[-1:], h[-2:-1], m[-1:], m[-2:-1])]))
    return made


def _hermite(original: Callable[[], Any], x: Any, y: Any, dydx: Any, axis: Any = 0, extrapolate: Any = None) -> Any:
    made = _Cubic(original, x, y, axis, extrapolate, 2)
    (slopes,) = doubles(dydx, beside=(made.x,))
    leave_unless(slopes.ndim == made._values.ndim and slopes.dtype == made.x.dtype and bool(xp.all(xp.isfinite(slopes))))
    slopes = xp.moveaxis(slopes, made.axis, 0)
    leave_unless(slopes.shape == made._values.shape)
    made._set(slopes)
    return made


def _pchip_interpolate(xi: Any, yi: Any, x: Any, der: Any = 0, axis: Any = 0) -> Any:
    leave_unless(type(der) is int and der >= 0)
    return _pchip(lambda: None, xi, yi, axis)(x, der)


def _akima(original: Callable[[], Any], x: Any, y: Any, axis: Any = 0, *, method: str = "akima", extrapolate: Any = None) -> Any:
    """Weight the secants at both sides by how the further ones change (Akima 1970)."""
    leave_unless(is_one(method, "akima", "makima"))
    made = _Cubic(original, x, y, axis, False if extrapolate is None else extrapolate, 3)
    m = made._secants
    first, last = [2.0 * m[:1] - m[1:2], None], [2.0 * m[-1:] - m[-2:-1], None]
    first[1], last[1] = 2.0 * first[0] - m[:1], 2.0 * last[0] - m[-1:]
    m = xp.concatenate([first[1], first[0], m, last[0], last[1]])
    change = xp.abs(m[1:] - m[:-1])
    if method == "makima":
        change = change + 0.5 * xp.abs(m[1:] + m[:-1])
    before, after = change[2:], change[:-2]
    both = before + after
    few = both > (1e-9 * xp.max(both) if made.x.dtype == np.float64 else 0.0)
    weighted = m[1:-2] + after / xp.where(few, both, 1.0) * (m[2:-1] - m[1:-2])  # products of slopes would overflow
    made._set(xp.where(few, weighted, 0.5 * (m[3:] + m[:-3]) if method == "akima" else 0.0))
    return made


def _tridiagonal(below: Any, diagonal: Any, above: Any, right: Any) -> Any:
    """Solve tridiagonal equations by cyclic reduction: those of odd rows are put into their neighbours', half of which are left."""
    n = diagonal.shape[0]
    if n == 1:
        return right / columns(diagonal, right)

    def at(x: Any, first: int) -> Any:
        return x[first::2]

    def padded(x: Any, before: bool, count: int) -> Any:
        """Shift by a row, from the odd rows before, or after, each of the even ones."""
        zero = xp.zeros_like(x[:1])
        return (xp.concatenate([zero, x]) if before else xp.concatenate([x, zero]))[:count]

    even = (n + 1) // 2
    odd_diagonal = at(diagonal, 1)
    low, high = at(below, 1) / odd_diagonal, at(above, 1) / odd_diagonal
    value = at(right, 1) / columns(odd_diagonal, right)
    lower, upper = at(below, 0), at(above, 0)
    before = [padded(each, True, even) for each in (low, high, value)]
    after = [padded(each, False, even) for each in (low, high, value)]
    solved = _tridiagonal(
        -lower * before[0],
        at(diagonal, 0) - lower * before[1] - upper * after[0],
        -upper * after[1],
        at(right, 0) - columns(lower, right) * before[2] - columns(upper, right) * after[2],
    )
    following = xp.concatenate([solved[1:], xp.zeros_like(solved[:1])])[: n // 2]
    odd = value - columns(low, right) * solved[: n // 2] - columns(high, right) * following
    if n % 2:
        return xp.concatenate([xp.stack([solved[:-1], odd], axis=1).reshape((n - 1, *right.shape[1:])), solved[-1:]])
    return xp.stack([solved, odd], axis=1).reshape(right.shape)


def cubic_spline(
    original: Callable[[], Any], x: Any, y: Any, axis: Any = 0, bc_type: Any = "not-a-knot", extrapolate: Any = None
) -> Any:  # fmt: skip
    """Make second derivatives continuous."""
    leave_unless(is_one(bc_type, "not-a-knot", "natural", "clamped"))
    return _with_ends(_Cubic(original, x, y, axis, extrapolate, 4), bc_type)


def _with_ends(made: _Cubic, bc_type: str) -> _Cubic:
    """Solve for the slopes."""
    h, m = made._steps, made._secants
    step = made.x[1:] - made.x[:-1]
    inner = [step[1:], 2.0 * (step[:-1] + step[1:]), step[:-1]]  # below, on and above the diagonal
    right = 3.0 * (h[1:] * m[:-1] + h[:-1] * m[1:])
    one, zero = xp.ones_like(step[:1]), xp.zeros_like(step[:1])
    if bc_type == "not-a-knot":
        wide = [step[:1] + step[1:2], step[-1:] + step[-2:-1]]
        ends = [(step[1:2], wide[0]), (step[-2:-1], wide[1])]
        sides = [((h0 + 2.0 * (h0 + h1)) * h1 * m0 + h0 * h0 * m1) / (h0 + h1)
                 for h0, h1, m0, m1 in ((h[:1], h[1:2], m[:1], m[1:2]), (h[-1:], h[-2:-1], m[-1:], m[-2:-1]))]  # fmt: skip
    elif bc_type == "natural":
        ends, sides = [(2.0 * step[:1], step[:1]), (2.0 * step[-1:], step[-1:])], [3.0 * h[:1] * m[:1], 3.0 * h[-1:] * m[-1:]]
    else:
        ends, sides = [(one, zero)] * 2, [xp.zeros_like(m[:1])] * 2
    made._set(
        _tridiagonal(
            xp.concatenate([zero, inner[0], ends[1][1]]),
            xp.concatenate([ends[0][0], inner[1], ends[1][0]]),
            xp.concatenate([ends[0][1], inner[2], zero]),
            xp.concatenate([sides[0], right, sides[1]]),
        )
    )
    return made


class _MadeSpline(Composed):
    """What `make_interp_spline` makes."""

    def _maker(self) -> Any:
        return xp.scipy.interpolate.BSpline

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        made: Any = self._original
        return xp.scipy.interpolate.make_interp_spline, made.args


class _Spline(_MadeSpline, _Cubic):
    """The cubic spline of the values, in B-splines."""

    @property
    def k(self) -> int:
        """The degree."""
        return 3

    @property
    def t(self) -> Any:
        """The knots: all points but the second and the last but one, the ends four times."""
        return xp.concatenate([self.x[:1]] * 3 + [self.x[:1], self.x[2:-2], self.x[-1:]] + [self.x[-1:]] * 3)

    @property
    def c(self) -> Any:
        """The coefficients: blossoms of a piece at the three knots within each B-spline."""
        t, n = self.t, self.x.shape[0]
        piece = np.clip(np.arange(n) - 1, 0, n - 2)  # where the B-spline is not zero
        start = xp.take(self.x, xp.asarray(piece, dtype=xp.int32, device=self.x.device))
        a, b, c = [columns(t[1 + shift : 1 + shift + n] - start, self._values) for shift in range(3)]
        cubic, square, slope, value = [xp.take(each, xp.asarray(piece, dtype=xp.int32, device=self.x.device), axis=0)
                                       for each in self._coefficients]  # fmt: skip
        return value + slope * (a + b + c) / 3.0 + square * (a * b + a * c + b * c) / 3.0 + cubic * a * b * c


def _make_interp_spline(
    x: Any, y: Any, k: Any = 3, t: Any = None, bc_type: Any = None, axis: Any = 0, check_finite: bool = True
) -> Any:  # fmt: skip
    leave_unless(is_one(k, *range(1, 8)) and t is None and bc_type is None and axis == 0)
    leave_unless(all(x is xp.Array for x in map(type, (x, y))))
    leave_unless(not check_finite or bool(xp.all(xp.isfinite(x)) & xp.all(xp.isfinite(y))))
    original = functools.partial(xp.scipy.interpolate.make_interp_spline.passed, x, y, k)
    if k != 3:
        points, values = doubles(x, y)
        leave_unless(points.ndim == 1 and values.ndim > 0 and values.shape[0] == points.shape[0] and bool(xp.all(points[1:] > points[:-1])))
        return _SolvedSpline(original, *interpolating_spline(points, values, k), k)
    return _with_ends(_Spline(original, x, y, axis, None, 4), "not-a-knot")


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
        """Evaluate it."""
        points = points_like(x, self.t)
        extends = self.extrapolate if extrapolate is None else extrapolate
        if nu != 0 or type(extends) is not bool or not points.size:
            return self._pass()(x, nu, extrapolate)
        return spline(self.t, self.c, self.k, points, extends)


class _SolvedSpline(_MadeSpline, _GivenSpline):
    """A spline through values, of any degree but 3."""


class _GivenPolynomial(_Pieces):
    """A piecewise polynomial of coefficients."""

    def __init__(self, original: Callable[[], Any], c: Any, x: Any, extrapolate: Any = None, axis: Any = 0) -> None:
        super().__init__(original)
        self.x, coefficients = doubles(x, c)
        leave_unless(type(axis) is int and axis == 0 and is_one(extrapolate, None, True, False))
        leave_unless(self.x.ndim == 1 and coefficients.size > 0 and coefficients.ndim > 1)
        leave_unless(coefficients.shape[1] == self.x.shape[0] - 1 > 0 and bool(xp.all(self.x[1:] > self.x[:-1])))
        self._coefficients, self.axis, self.extrapolate = list(coefficients), axis, True if extrapolate is None else extrapolate


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


def interpolating_spline(x: Any, values: Any, k: int) -> tuple[Any, Any]:
    """Give the knots and the coefficients of the spline through values, without knots at points near the ends."""
    n = x.shape[0]
    leave_unless(k < n)
    half = (k + 1) // 2
    inner = x[half : n - half] if k % 2 else ((x[1:] + x[:-1]) * 0.5)[k // 2 : n - 1 - k // 2]
    t = xp.concatenate([*[x[:1]] * (k + 1), inner, *[x[-1:]] * (k + 1)])
    if k == 1:
        return t, values
    leave_unless(n <= _MOST)
    first, weights = _basis(t, k, x, n)
    column = xp.arange(n, dtype=first.dtype, device=x.device)[None, :] - first[:, None]
    matrix = functools.reduce(lambda a, b: a + b, [xp.where(column == r, each[:, None], 0.0) for r, each in enumerate(weights)])
    return t, xp.linalg.solve(matrix, values.reshape((n, -1))).reshape(values.shape)


def _piecewise(kind: str) -> Callable[..., Any]:
    """Compose the call of an object of SciPy's that has coefficients of pieces, or of splines."""

    def evaluate(item: Any, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        leave_unless(type(nu) is int and nu >= 0 and is_one(extrapolate, None, True, False))
        extends = item.extrapolate if extrapolate is None else extrapolate
        leave_unless(type(extends) is bool and item.c.dtype == np.float64 and item.axis == 0)
        (points,) = floats(x)
        leave_unless(points.size)
        if kind == "BSpline":
            leave_unless(nu == 0)
            t, c = [xp.asarray(np.asarray(one), dtype=points.dtype, device=points.device) for one in (item.t, item.c)]
            return spline(t, c, item.k, points, extends)
        leave_unless(item.x[1] > item.x[0])
        breaks, *each = [xp.asarray(np.asarray(one), dtype=points.dtype, device=points.device) for one in (item.x, *item.c)]
        return _polynomial(breaks, each, points, nu, extends)

    return evaluate


def spline(t: Any, c: Any, k: int, points: Any, extends: bool) -> Any:
    """Evaluate a spline by de Boor's scheme."""
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


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "Akima1DInterpolator": _akima,
    "BSpline": _GivenSpline,
    "CubicHermiteSpline": _hermite,
    "CubicSpline": cubic_spline,
    "PPoly": _GivenPolynomial,
    "PchipInterpolator": _pchip,
    "make_interp_spline": _make_interp_spline,
    "pchip_interpolate": _pchip_interpolate,
}
"""Functions and classes of scipy.interpolate."""
METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    f"scipy.interpolate.{kind}.__call__": _piecewise(kind)
    for kind in ("Akima1DInterpolator", "BSpline", "CubicHermiteSpline", "CubicSpline", "PPoly", "PchipInterpolator")
}
"""Calls of objects of scipy.interpolate that SciPy made."""
