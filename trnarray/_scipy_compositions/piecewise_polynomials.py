"""
Piecewise polynomials of scipy.interpolate.

The piece of a point is found by a search; its coefficients are gathered, and Horner's scheme runs on all points at once. Slopes of Akima's
and of monotone splines are expressions of differences; those of cubic splines solve tridiagonal equations by cyclic reduction, whose
log2(n) steps are expressions, too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .objects import Composed
from .operands import doubles, floats, is_one, leave_unless, points_like, xp

__all__ = ["COMPOSITIONS", "METHODS", "Cubic", "columns", "cubic_spline", "ends_of", "monotone", "piece", "placed", "rows_of", "with_ends"]


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


class Cubic(_Pieces):
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


def monotone(original: Callable[[], Any], x: Any, y: Any, axis: Any = 0, extrapolate: Any = None) -> Any:
    """Keep monotone what is: harmonic means of secants (Fritsch and Butland 1984), and none at extremes."""
    made = Cubic(original, x, y, axis, extrapolate, 3)
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
    made = Cubic(original, x, y, axis, extrapolate, 2)
    (slopes,) = doubles(dydx, beside=(made.x,))
    leave_unless(slopes.ndim == made._values.ndim and slopes.dtype == made.x.dtype and bool(xp.all(xp.isfinite(slopes))))
    slopes = xp.moveaxis(slopes, made.axis, 0)
    leave_unless(slopes.shape == made._values.shape)
    made._set(slopes)
    return made


def _pchip_interpolate(xi: Any, yi: Any, x: Any, der: Any = 0, axis: Any = 0) -> Any:
    leave_unless(type(der) is int and der >= 0)
    return monotone(lambda: None, xi, yi, axis)(x, der)


def _akima(original: Callable[[], Any], x: Any, y: Any, axis: Any = 0, *, method: str = "akima", extrapolate: Any = None) -> Any:
    """Weight the secants at both sides by how the further ones change (Akima 1970)."""
    leave_unless(is_one(method, "akima", "makima"))
    made = Cubic(original, x, y, axis, False if extrapolate is None else extrapolate, 3)
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
    return with_ends(Cubic(original, x, y, axis, extrapolate, 4), ends_of(bc_type))


_NAMED: Final[Mapping[str, tuple[int, float]]] = {"clamped": (1, 0.0), "natural": (2, 0.0)}


def ends_of(bc_type: Any) -> tuple[tuple[int, Any], tuple[int, Any]] | None:
    """Read what holds at each end: the first or the second derivative, and its value; None where there are no knots near them."""
    if is_one(bc_type, "not-a-knot"):
        return None
    ends = (bc_type, bc_type) if type(bc_type) is str else bc_type
    leave_unless(type(ends) in {tuple, list} and len(ends) == 2)
    known: list[Any] = [_NAMED.get(end) if type(end) is str else end for end in ends]
    leave_unless(all(type(end) in {tuple, list} and len(end) == 2 and is_one(end[0], 1, 2) for end in known))
    return known[0], known[1]


def with_ends(made: Cubic, given: tuple[tuple[int, Any], tuple[int, Any]] | None) -> Cubic:
    """Solve for the slopes."""
    h, m = made._steps, made._secants
    step = made.x[1:] - made.x[:-1]
    inner = [step[1:], 2.0 * (step[:-1] + step[1:]), step[:-1]]  # below, on and above the diagonal
    right = 3.0 * (h[1:] * m[:-1] + h[:-1] * m[1:])
    one, zero = xp.ones_like(step[:1]), xp.zeros_like(step[:1])
    ends, sides = [], []
    if given is None:
        wide = [step[:1] + step[1:2], step[-1:] + step[-2:-1]]
        ends = [(step[1:2], wide[0]), (step[-2:-1], wide[1])]
        sides = [((h0 + 2.0 * (h0 + h1)) * h1 * m0 + h0 * h0 * m1) / (h0 + h1)
                 for h0, h1, m0, m1 in ((h[:1], h[1:2], m[:1], m[1:2]), (h[-1:], h[-2:-1], m[-1:], m[-2:-1]))]  # fmt: skip
    for (order, value), at, sign in zip(given or (), (slice(0, 1), slice(-1, None)), (-0.5, 0.5), strict=False):
        if type(value) not in {int, float}:
            value = points_like(value, m)
            leave_unless(value.shape == m.shape[1:])
        ends.append((one, zero) if order == 1 else (2.0 * step[at], step[at]))
        sides.append(xp.zeros_like(m[at]) + value if order == 1 else 3.0 * h[at] * m[at] + sign * value * xp.square(h[at]))
    made._set(
        _tridiagonal(
            xp.concatenate([zero, inner[0], ends[1][1]]),
            xp.concatenate([ends[0][0], inner[1], ends[1][0]]),
            xp.concatenate([ends[0][1], inner[2], zero]),
            xp.concatenate([sides[0], right, sides[1]]),
        )
    )
    return made


class _GivenPolynomial(_Pieces):
    """A piecewise polynomial of coefficients."""

    def __init__(self, original: Callable[[], Any], c: Any, x: Any, extrapolate: Any = None, axis: Any = 0) -> None:
        super().__init__(original)
        self.x, coefficients = doubles(x, c)
        leave_unless(type(axis) is int and axis == 0 and is_one(extrapolate, None, True, False))
        leave_unless(self.x.ndim == 1 and coefficients.size > 0 and coefficients.ndim > 1)
        leave_unless(coefficients.shape[1] == self.x.shape[0] - 1 > 0 and bool(xp.all(self.x[1:] > self.x[:-1])))
        self._coefficients, self.axis, self.extrapolate = list(coefficients), axis, True if extrapolate is None else extrapolate


class _Bernstein(Composed):
    """A piecewise polynomial in Bernstein's basis."""

    def __init__(self, original: Callable[[], Any], c: Any, x: Any, extrapolate: Any = None, axis: Any = 0) -> None:
        super().__init__(original)
        self._pieces = _GivenPolynomial(original, c, x, extrapolate, axis)
        self.c, self.x, self.axis, self.extrapolate = self._pieces.c, self._pieces.x, axis, self._pieces.extrapolate

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        """Evaluate it, or a derivative, by de Casteljau's scheme."""
        points = points_like(x, self.x)
        if type(nu) is not int or nu < 0 or not is_one(extrapolate, None, True, False) or not points.size:
            return self._pass()(x, nu, extrapolate)
        flat = xp.reshape(points, (-1,))
        index = piece(self.x, flat)
        start, length = xp.take(self.x, index), xp.take(self.x, index + 1) - xp.take(self.x, index)
        rows = [rows_of(each, index) for each in self.c]
        share, width = columns((flat - start) / length, rows[0]), columns(length, rows[0])
        for _ in range(min(nu, len(rows))):  # each derivative is of differences
            rows = [(after - before) * float(len(rows) - 1) / width for before, after in itertools.pairwise(rows)] or [rows[0] * 0.0]
        while len(rows) > 1:
            rows = [before + share * (after - before) for before, after in itertools.pairwise(rows)]
        extends = self.extrapolate if extrapolate is None else extrapolate
        lost = xp.isnan(flat) if extends else ~((flat >= self.x[0]) & (flat <= self.x[-1]))
        return xp.where(columns(lost, rows[0]), math.nan, rows[0]).reshape((*points.shape, *self.c.shape[2:]))


def _piecewise(item: Any, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
    """Compose the call of an object of SciPy's that has coefficients of pieces."""
    leave_unless(type(nu) is int and nu >= 0 and is_one(extrapolate, None, True, False))
    extends = item.extrapolate if extrapolate is None else extrapolate
    leave_unless(type(extends) is bool and item.c.dtype == np.float64 and item.axis == 0)
    (points,) = floats(x)
    leave_unless(points.size)
    leave_unless(item.x[1] > item.x[0])
    breaks, *each = [xp.asarray(np.asarray(one), dtype=points.dtype, device=points.device) for one in (item.x, *item.c)]
    return _polynomial(breaks, each, points, nu, extends)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "Akima1DInterpolator": _akima,
    "BPoly": _Bernstein,
    "CubicHermiteSpline": _hermite,
    "CubicSpline": cubic_spline,
    "PPoly": _GivenPolynomial,
    "PchipInterpolator": monotone,
    "pchip_interpolate": _pchip_interpolate,
}
"""Functions and classes of scipy.interpolate."""
METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    f"scipy.interpolate.{kind}.__call__": _piecewise
    for kind in ("Akima1DInterpolator", "CubicHermiteSpline", "CubicSpline", "PPoly", "PchipInterpolator")
}
"""Calls of objects of scipy.interpolate that SciPy made."""
