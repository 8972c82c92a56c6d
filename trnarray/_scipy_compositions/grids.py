"""
Interpolators of scipy.interpolate on grids.

Splines of a grid are products of B-splines, whose coefficients are those of one axis after the other. Monotone cubics, which are no linear
function of the values, are made along the last axis for all lines of the grid, and then along each other one for all points.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objects import Composed
from .operands import arrays, doubles, is_one, leave_unless, points_like, xp
from .piecewise_polynomials import columns, monotone, piece, rows_of
from .splines import interpolating_spline, tensor_spline

__all__ = ["COMPOSITIONS"]

_DEGREES: Final[Mapping[str, int]] = {"slinear": 1, "cubic": 3, "quintic": 5}
_METHODS: Final = ("linear", "nearest", "pchip", *_DEGREES)


class _Grid(Composed):
    """Values on the points of a grid, between which splines or lines lie, or the nearest of which is taken."""

    def __init__(
        self, original: Callable[[], Any], points: Any, values: Any, method: str = "linear", bounds_error: bool = True,
        fill_value: Any = math.nan, *, solver: Any = None, solver_args: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(original)
        leave_unless(is_one(method, *_METHODS) and solver is solver_args is None and is_one(bounds_error, True, False))
        leave_unless(fill_value is None or type(fill_value) in {int, float})
        leave_unless(type(points) in {tuple, list})
        made = doubles(values, *points)
        self.values, self.grid = made[0], tuple(made[1:])
        self.method, self.bounds_error, self.fill_value = method, bounds_error, fill_value
        lengths = tuple(each.shape[0] if each.ndim == 1 else 0 for each in self.grid)
        leave_unless(min(lengths, default=0) > 1 and self.values.shape[: len(lengths)] == lengths and self.values.size < 1 << 31)
        leave_unless(bool(xp.all(xp.stack([xp.all(each[1:] > each[:-1]) for each in self.grid]))))
        leave_unless(self._takes(method))
        self._splines: dict[str, tuple[list[Any], Any]] = {}
        if method in _DEGREES:
            self._spline(method)

    def _takes(self, method: str) -> bool:
        """Tell whether the axes are long enough; that values are finite is fetched, as SciPy refuses others."""
        if method in {"linear", "nearest"}:
            return True
        return min(each.shape[0] for each in self.grid) > _DEGREES.get(method, 3) and bool(xp.all(xp.isfinite(self.values)))

    def _spline(self, method: str) -> tuple[list[Any], Any]:
        """Give the knots and the coefficients of a spline through the values."""
        if method not in self._splines:
            coefficients, knots = self.values, []
            for axis, grid in enumerate(self.grid):
                t, c = interpolating_spline(grid, xp.moveaxis(coefficients, axis, 0), _DEGREES[method])
                knots.append(t)
                coefficients = xp.moveaxis(c, 0, axis)
            self._splines[method] = knots, coefficients
        return self._splines[method]

    def __call__(self, xi: Any, method: str | None = None, *, nu: Any = None) -> Any:
        """Interpolate at points, whose coordinates lie along the last axis."""
        method = self.method if method is None else method
        count = len(self.grid)
        orders = _orders(nu, count) if method in _DEGREES else None
        if not is_one(method, *_METHODS) or (nu is not None and orders is None) or not self._takes(method):
            return self._pass()(xi, method, nu=nu)
        like = self.grid[0]
        if type(xi) in {tuple, list} and any(type(each) is xp.Array for each in xi):
            parts = xp.broadcast_arrays(*[xp.asarray(each, dtype=like.dtype, device=like.device) for each in xi])
            xi = xp.stack(list(parts), axis=-1)
        at = points_like(xi, like)
        at = at[:, None] if at.ndim == 1 and count == 1 else at[None] if at.ndim == 1 else at
        if at.shape[-1] != count:
            return self._pass()(xi, method, nu=nu)  # raises SciPy's error
        shape, flat = at.shape[:-1], xp.reshape(at, (-1, count))
        coordinates = [flat[:, axis] for axis in range(count)]
        outside = xp.any(xp.stack([(x < grid[0]) | (x > grid[-1]) for x, grid in zip(coordinates, self.grid, strict=True)]), axis=0)
        if self.bounds_error and bool(xp.any(outside)):
            return self._pass()(xi, method)  # raises SciPy's error
        if method == "pchip":
            found = self._by_monotone(coordinates)
        elif orders is not None:
            knots, coefficients = self._spline(method)
            found = tensor_spline(knots, coefficients, (_DEGREES[method],) * count, coordinates, orders)
        else:
            found = self._by_corners(coordinates, method)
        if not self.bounds_error and self.fill_value is not None:
            found = xp.where(columns(outside, found), float(self.fill_value), found)
        lost = xp.any(xp.isnan(flat), axis=1)
        return xp.where(columns(lost, found), math.nan, found).reshape((*shape, *self.values.shape[count:]))

    def _by_corners(self, coordinates: list[Any], method: str) -> Any:
        """Weight the values at the corners of the cells, or take the nearest."""
        count = len(self.grid)
        pieces = [piece(grid, x) for x, grid in zip(coordinates, self.grid, strict=True)]
        shares = [(x - xp.take(grid, i)) / (xp.take(grid, i + 1) - xp.take(grid, i))
                  for x, grid, i in zip(coordinates, self.grid, pieces, strict=True)]  # fmt: skip
        lengths = self.values.shape[:count]
        strides = [math.prod(lengths[axis + 1 :]) for axis in range(count)]
        rows = self.values.reshape((math.prod(lengths), *self.values.shape[count:]))
        if method == "nearest":
            nearest = [i + xp.astype(share > 0.5, i.dtype) for i, share in zip(pieces, shares, strict=True)]
            return rows_of(rows, sum((i * stride for i, stride in zip(nearest, strides, strict=True)), start=0))
        found: Any = 0.0
        for corner in itertools.product((0, 1), repeat=count):
            index = sum(((i + bit) * stride for i, bit, stride in zip(pieces, corner, strides, strict=True)), start=0)
            weight: Any = math.prod(share if bit else 1.0 - share for share, bit in zip(shares, corner, strict=True))
            term = rows_of(rows, index)
            found = found + term * columns(weight, term)
        return found

    def _by_monotone(self, coordinates: list[Any]) -> Any:
        """Fold one axis after the other, the last first."""
        last = len(self.grid) - 1
        found = monotone(lambda: None, self.grid[last], xp.moveaxis(self.values, last, 0))(coordinates[last])  # points come first
        count = found.shape[0]
        own = xp.arange(count, dtype=xp.int32, device=found.device)
        for axis in reversed(range(last)):
            grid, x = self.grid[axis], coordinates[axis]
            index = piece(grid, x)
            above = x - xp.take(grid, index)
            total: Any = 0.0
            for each in monotone(lambda: None, grid, xp.moveaxis(found, axis + 1, 0))._coefficients:  # of pieces, for each point
                at = rows_of(each.reshape((-1, *each.shape[2:])), index * count + own)
                total = total * columns(above, at) + at
            found = total
        return found


def _orders(nu: Any, count: int) -> tuple[int, ...] | None:
    """Read the orders of derivatives along the axes; None for what SciPy reads."""
    if nu is None:
        return (0,) * count
    known = type(nu) in {tuple, list} and len(nu) == count and all(type(each) is int and each >= 0 for each in nu)
    return tuple(nu) if known else None


def _interpn(
    points: Any, values: Any, xi: Any, method: str = "linear", bounds_error: bool = True, fill_value: Any = math.nan
) -> Any:  # fmt: skip
    leave_unless(type(xi) is xp.Array and is_one(method, "splinef2d", *_METHODS))
    if method == "splinef2d":
        leave_unless(len(points) == values.ndim == 2 and (bounds_error or fill_value is not None))
        method = "cubic"
    grid = _Grid(lambda: None, points, values, method, False, fill_value)
    if bounds_error:
        flat = xp.reshape(arrays(xi)[0], (-1, len(grid.grid)))
        leave_unless(not any(bool(xp.any((flat[:, k] < g[0]) | (flat[:, k] > g[-1]))) for k, g in enumerate(grid.grid)))
    return grid(xi)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"RegularGridInterpolator": _Grid, "interpn": _interpn}
"""Functions and classes of scipy.interpolate."""
