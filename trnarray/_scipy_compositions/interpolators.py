"""
Interpolators of scipy.interpolate: piecewise polynomials, and values on grids.

The piece of a point is found by a search; its coefficients are gathered, and Horner's scheme runs on all points at once. Slopes of Akima's
and of monotone splines are expressions of differences; those of cubic splines solve tridiagonal equations by cyclic reduction, whose
log2(n) steps are expressions, too.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .objects import Composed
from .operands import arrays, doubles, floats, is_one, leave_unless, points_like, xp

__all__ = ["COMPOSITIONS", "METHODS"]


def _piece(breaks: Any, points: Any, side: str = "right", pieces: int = 0) -> Any:
    """Find the pieces that points are in, from 0 on."""
    found = xp.searchsorted(breaks, points, side=side) - 1
    return xp.clip(found, 0, (pieces or breaks.shape[0] - 1) - 1)


def _rows(table: Any, index: Any) -> Any:
    """Gather rows of a table, for an index of any shape."""
    return xp.take(table, xp.reshape(index, (-1,)), axis=0)


def _columns(x: Any, like: Any) -> Any:
    """Append axes to numbers for rows."""
    return xp.reshape(x, (-1, *(1,) * (like.ndim - 1)))


def _polynomial(breaks: Any, coefficients: list[Any], points: Any, nu: int, extrapolate: bool) -> Any:
    """Evaluate a derivative of a piecewise polynomial, whose coefficients of the pieces come with the highest power first."""
    flat = xp.reshape(points, (-1,))
    index = _piece(breaks, flat)
    order = len(coefficients) - 1
    above = _columns(flat - xp.take(breaks, index), coefficients[0])
    total = None
    for power, each in zip(range(order, nu - 1, -1), coefficients, strict=False):
        term = _rows(each, index) * float(math.perm(power, nu))
        total = term if total is None else total * above + term
    if total is None:
        total = xp.zeros_like(_rows(coefficients[0], index))
    lost = xp.isnan(flat) if extrapolate else ~((flat >= breaks[0]) & (flat <= breaks[-1]))
    return xp.where(_columns(lost, total), math.nan, total).reshape((*points.shape, *coefficients[0].shape[1:]))


class _Cubic(Composed):
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
        self._steps = _columns(self.x[1:] - self.x[:-1], self._values)
        self._secants = (self._values[1:] - self._values[:-1]) / self._steps

    def _set(self, slopes: Any) -> None:
        """Make the coefficients of the pieces."""
        h, secants = self._steps, self._secants
        curve = (slopes[:-1] + slopes[1:] - 2.0 * secants) / h
        self._coefficients = [curve / h, (secants - slopes[:-1]) / h - curve, slopes[:-1], self._values[:-1]]

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
        return _placed(found, points.ndim, self.axis)


def _placed(found: Any, count: int, axis: int) -> Any:
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
        return right / _columns(diagonal, right)

    def at(x: Any, first: int) -> Any:
        return x[first::2]

    def padded(x: Any, before: bool, count: int) -> Any:
        """Shift by a row, from the odd rows before, or after, each of the even ones."""
        zero = xp.zeros_like(x[:1])
        return (xp.concatenate([zero, x]) if before else xp.concatenate([x, zero]))[:count]

    even = (n + 1) // 2
    odd_diagonal = at(diagonal, 1)
    low, high = at(below, 1) / odd_diagonal, at(above, 1) / odd_diagonal
    value = at(right, 1) / _columns(odd_diagonal, right)
    lower, upper = at(below, 0), at(above, 0)
    before = [padded(each, True, even) for each in (low, high, value)]
    after = [padded(each, False, even) for each in (low, high, value)]
    solved = _tridiagonal(
        -lower * before[0],
        at(diagonal, 0) - lower * before[1] - upper * after[0],
        -upper * after[1],
        at(right, 0) - _columns(lower, right) * before[2] - _columns(upper, right) * after[2],
    )
    following = xp.concatenate([solved[1:], xp.zeros_like(solved[:1])])[: n // 2]
    odd = value - _columns(low, right) * solved[: n // 2] - _columns(high, right) * following
    if n % 2:
        return xp.concatenate([xp.stack([solved[:-1], odd], axis=1).reshape((n - 1, *right.shape[1:])), solved[-1:]])
    return xp.stack([solved, odd], axis=1).reshape(right.shape)


def _cubic_spline(
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


class _Spline(_Cubic):
    """The cubic spline of the values, in B-splines."""

    def _maker(self) -> Any:
        return xp.scipy.interpolate.BSpline

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        made: Any = self._original
        return xp.scipy.interpolate.make_interp_spline, made.args

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
        a, b, c = [_columns(t[1 + shift : 1 + shift + n] - start, self._values) for shift in range(3)]
        cubic, square, slope, value = [xp.take(each, xp.asarray(piece, dtype=xp.int32, device=self.x.device), axis=0)
                                       for each in self._coefficients]  # fmt: skip
        return value + slope * (a + b + c) / 3.0 + square * (a * b + a * c + b * c) / 3.0 + cubic * a * b * c


def _make_interp_spline(
    x: Any, y: Any, k: Any = 3, t: Any = None, bc_type: Any = None, axis: Any = 0, check_finite: bool = True
) -> Any:  # fmt: skip
    leave_unless(k == 3 and t is None and bc_type is None and axis == 0)
    leave_unless(all(x is xp.Array for x in map(type, (x, y))))
    leave_unless(not check_finite or bool(xp.all(xp.isfinite(x)) & xp.all(xp.isfinite(y))))
    original = functools.partial(xp.scipy.interpolate.make_interp_spline.passed, x, y)
    return _with_ends(_Spline(original, x, y, axis, None, 4), "not-a-knot")


class _Interp1d(Composed):
    """Lines between points, or the nearest point's value."""

    def __init__(
        self, original: Callable[[], Any], x: Any, y: Any, kind: Any = "linear", axis: Any = -1, copy: bool = True,  # noqa: ARG002
        bounds_error: Any = None, fill_value: Any = math.nan, assume_sorted: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(original)
        leave_unless(is_one(kind, "linear", "nearest", "previous", "next"))
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

    def __call__(self, x: Any) -> Any:
        """Evaluate the interpolant."""
        points = points_like(x, self.x)
        flat = xp.reshape(points, (-1,))
        outside = (flat < self.x[0]) | (flat > self.x[-1])
        if self.bounds_error and bool(xp.any(outside)):
            return self._pass()(x)  # raises SciPy's error
        if self._kind == "linear":
            right = xp.clip(xp.searchsorted(self.x, flat), 1, self.x.shape[0] - 1)
            x0, x1 = xp.take(self.x, right - 1), xp.take(self.x, right)
            y0, y1 = _rows(self._values, right - 1), _rows(self._values, right)
            found = y0 + (y1 - y0) / _columns(x1 - x0, y0) * _columns(flat - x0, y0)
        elif self._kind == "nearest":
            middles = self.x[:-1] + (self.x[1:] - self.x[:-1]) / 2.0
            found = _rows(self._values, xp.searchsorted(middles, flat, side="left"))
        else:
            ahead = self._kind == "next"
            index = xp.searchsorted(self.x, flat, side="left" if ahead else "right") - (0 if ahead else 1)
            found = _rows(self._values, xp.clip(index, 0, self.x.shape[0] - 1))
            if self._extrapolates:  # nothing precedes the first, nor follows the last
                lost = flat > self.x[-1] if ahead else flat < self.x[0]
                found = xp.where(_columns(lost, found), math.nan, found)
        if not self._extrapolates:
            found = xp.where(_columns(outside, found), float(self._fill), found)
        found = xp.where(_columns(xp.isnan(flat), found), math.nan, found)
        return _placed(found.reshape((*points.shape, *self._values.shape[1:])), points.ndim, self.axis)


class _Grid(Composed):
    """Values on the points of a grid, between which products of lines lie, or the nearest of which is taken."""

    def __init__(
        self, original: Callable[[], Any], points: Any, values: Any, method: str = "linear", bounds_error: bool = True,
        fill_value: Any = math.nan, *, solver: Any = None, solver_args: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(original)
        leave_unless(is_one(method, "linear", "nearest") and solver is solver_args is None and is_one(bounds_error, True, False))
        leave_unless(fill_value is None or type(fill_value) in {int, float})
        leave_unless(type(points) in {tuple, list})
        made = doubles(values, *points)
        self.values, self.grid = made[0], tuple(made[1:])
        self.method, self.bounds_error, self.fill_value = method, bounds_error, fill_value
        lengths = tuple(each.shape[0] if each.ndim == 1 else 0 for each in self.grid)
        leave_unless(min(lengths, default=0) > 1 and self.values.shape[: len(lengths)] == lengths and self.values.size < 1 << 31)
        leave_unless(bool(xp.all(xp.stack([xp.all(each[1:] > each[:-1]) for each in self.grid]))))

    def __call__(self, xi: Any, method: str | None = None, *, nu: Any = None) -> Any:
        """Interpolate at points, whose coordinates lie along the last axis."""
        method = self.method if method is None else method
        count = len(self.grid)
        if not is_one(method, "linear", "nearest") or nu is not None:
            return self._pass()(xi, method, nu=nu)
        like = self.grid[0]
        if type(xi) in {tuple, list} and any(type(each) is xp.Array for each in xi):
            parts = xp.broadcast_arrays(*[xp.asarray(each, dtype=like.dtype, device=like.device) for each in xi])
            xi = xp.stack(list(parts), axis=-1)
        at = points_like(xi, like)
        at = at[:, None] if at.ndim == 1 and count == 1 else at[None] if at.ndim == 1 else at
        if at.shape[-1] != count:
            return self._pass()(xi, method)  # raises SciPy's error
        shape, flat = at.shape[:-1], xp.reshape(at, (-1, count))
        columns = [flat[:, axis] for axis in range(count)]
        outside = xp.any(xp.stack([(x < grid[0]) | (x > grid[-1]) for x, grid in zip(columns, self.grid, strict=True)]), axis=0)
        if self.bounds_error and bool(xp.any(outside)):
            return self._pass()(xi, method)  # raises SciPy's error
        pieces = [_piece(grid, x) for x, grid in zip(columns, self.grid, strict=True)]
        shares = [(x - xp.take(grid, i)) / (xp.take(grid, i + 1) - xp.take(grid, i))
                  for x, grid, i in zip(columns, self.grid, pieces, strict=True)]  # fmt: skip
        lengths = self.values.shape[:count]
        strides = [math.prod(lengths[axis + 1 :]) for axis in range(count)]
        rows = self.values.reshape((math.prod(lengths), *self.values.shape[count:]))
        if method == "nearest":
            nearest = [i + xp.astype(share > 0.5, i.dtype) for i, share in zip(pieces, shares, strict=True)]
            found = _rows(rows, sum((i * stride for i, stride in zip(nearest, strides, strict=True)), start=0))
        else:
            found = 0.0
            for corner in itertools.product((0, 1), repeat=count):
                index = sum(((i + bit) * stride for i, bit, stride in zip(pieces, corner, strides, strict=True)), start=0)
                weight: Any = math.prod(share if bit else 1.0 - share for share, bit in zip(shares, corner, strict=True))
                term = _rows(rows, index)
                found = found + term * _columns(weight, term)
        if not self.bounds_error and self.fill_value is not None:
            found = xp.where(_columns(outside, found), float(self.fill_value), found)
        lost = xp.any(xp.isnan(flat), axis=1)
        return xp.where(_columns(lost, found), math.nan, found).reshape((*shape, *self.values.shape[count:]))


def _interpn(
    points: Any, values: Any, xi: Any, method: str = "linear", bounds_error: bool = True, fill_value: Any = math.nan
) -> Any:  # fmt: skip
    leave_unless(type(xi) is xp.Array and is_one(method, "linear", "nearest"))
    grid = _Grid(lambda: None, points, values, method, False, fill_value)
    if bounds_error:
        flat = xp.reshape(arrays(xi)[0], (-1, len(grid.grid)))
        leave_unless(not any(bool(xp.any((flat[:, k] < g[0]) | (flat[:, k] > g[-1]))) for k, g in enumerate(grid.grid)))
    return grid(xi)


class _Given(Composed):
    """A spline, or a piecewise polynomial, of coefficients."""

    def __init__(self, original: Callable[[], Any], first: Any, second: Any, k: Any, extrapolate: Any, axis: Any) -> None:
        super().__init__(original)
        breaks, coefficients = doubles(first, second)
        leave_unless(type(axis) is int and axis == 0 and type(extrapolate) is bool and breaks.ndim == 1 and coefficients.size)
        pieces = breaks.shape[0] - 1
        if k is None:  # of powers
            leave_unless(coefficients.ndim > 1 and coefficients.shape[1] == pieces > 0 and bool(xp.all(breaks[1:] > breaks[:-1])))
        else:
            leave_unless(type(k) is int and k >= 0 and pieces >= 2 * k + 1 and coefficients.shape[0] >= pieces - k)
            grows = xp.all(breaks[1:] >= breaks[:-1]) & (breaks[k] < breaks[pieces - k]) & xp.all(xp.isfinite(breaks))
            leave_unless(bool(grows))
        self._breaks, self.c, self.extrapolate, self.axis, self._degree = breaks, coefficients, extrapolate, axis, k

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        """Evaluate it, or a derivative of it."""
        points = points_like(x, self._breaks)
        extends = self.extrapolate if extrapolate is None else extrapolate
        if type(nu) is not int or nu < 0 or type(extends) is not bool or (nu and self._degree is not None) or not points.size:
            return self._pass()(x, nu, extrapolate)
        if self._degree is None:
            return _polynomial(self._breaks, list(self.c), points, nu, extends)
        return _spline(self._breaks, self.c, self._degree, points, extends)


class _GivenSpline(_Given):
    def __init__(self, original: Callable[[], Any], t: Any, c: Any, k: Any, extrapolate: Any = True, axis: Any = 0) -> None:
        super().__init__(original, t, c, k, extrapolate, axis)
        self.t, self.k = self._breaks, k


class _GivenPolynomial(_Given):
    def __init__(self, original: Callable[[], Any], c: Any, x: Any, extrapolate: Any = None, axis: Any = 0) -> None:
        super().__init__(original, x, c, None, True if extrapolate is None else extrapolate, axis)
        self.x = self._breaks


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
            return _spline(t, c, item.k, points, extends)
        leave_unless(item.x[1] > item.x[0])
        breaks, *each = [xp.asarray(np.asarray(one), dtype=points.dtype, device=points.device) for one in (item.x, *item.c)]
        return _polynomial(breaks, each, points, nu, extends)

    return evaluate


def _spline(t: Any, c: Any, k: int, points: Any, extends: bool) -> Any:
    """Evaluate a spline by de Boor's scheme."""
    n = t.shape[0] - k - 1
    flat = xp.reshape(points, (-1,))
    index = xp.clip(xp.searchsorted(t[k : n + 1], flat, side="right") - 1, 0, n - k - 1) + k
    near = [xp.take(t, index + shift) for shift in range(1 - k, k + 1)]  # of the knots around the interval
    rows = [_rows(c, index + shift) for shift in range(-k, 1)]
    for level in range(1, k + 1):
        for j in range(k, level - 1, -1):
            left, right = near[j - 1], near[j + k - level]
            share = _columns((flat - left) / (right - left), rows[j])
            rows[j] = rows[j - 1] + share * (rows[j] - rows[j - 1])
    lost = xp.isnan(flat) if extends else ~((flat >= t[k]) & (flat <= t[n]))
    return xp.where(_columns(lost, rows[k]), math.nan, rows[k]).reshape((*points.shape, *c.shape[1:]))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "Akima1DInterpolator": _akima,
    "BSpline": _GivenSpline,
    "CubicSpline": _cubic_spline,
    "PPoly": _GivenPolynomial,
    "PchipInterpolator": _pchip,
    "RegularGridInterpolator": _Grid,
    "interp1d": _Interp1d,
    "interpn": _interpn,
    "make_interp_spline": _make_interp_spline,
}
"""Functions and classes of scipy.interpolate."""
METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    f"scipy.interpolate.{kind}.__call__": _piecewise(kind)
    for kind in ("Akima1DInterpolator", "BSpline", "CubicHermiteSpline", "CubicSpline", "PPoly", "PchipInterpolator")
}
"""Calls of objects of scipy.interpolate that SciPy made."""
