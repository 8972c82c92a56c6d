"""
Interpolation of scattered data of scipy.interpolate: by radial basis functions, and by the nearest.

Their equations are ill-conditioned, so that they are made and solved in float64 whatever the data; values at points are rounded once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objects import Composed
from .operands import LeftToScipyError, doubles, is_one, leave_unless, points_like, xp

__all__ = ["COMPOSITIONS"]

_MOST: Final = 1 << 24
"""Distances between points and data that one call makes."""


def _thin_plate(squares: Any) -> Any:
    return 0.5 * xp.scipy.special.xlogy(squares, squares)


_KERNELS: Final[Mapping[str, tuple[Callable[[Any], Any], int]]] = {
    "cubic": (lambda squares: squares * xp.sqrt(squares), 1),
    "gaussian": (lambda squares: xp.exp(-squares), -1),
    "inverse_multiquadric": (lambda squares: 1.0 / xp.sqrt(squares + 1.0), -1),
    "inverse_quadratic": (lambda squares: 1.0 / (squares + 1.0), -1),
    "linear": (lambda squares: -xp.sqrt(squares), 0),
    "multiquadric": (lambda squares: -xp.sqrt(squares + 1.0), 0),
    "quintic": (lambda squares: -squares * squares * xp.sqrt(squares), 2),
    "thin_plate_spline": (_thin_plate, 1),
}
"""Functions of squared distances, and the least degree of the polynomial beside them."""
_WITHOUT_SCALE: Final = frozenset({"cubic", "linear", "quintic", "thin_plate_spline"})


class _Radial(Composed):
    """A sum of functions of the distances to the data, and a polynomial."""

    def __init__(
        self, original: Callable[[], Any], y: Any, d: Any, neighbors: Any = None, smoothing: Any = 0.0,
        kernel: str = "thin_plate_spline", epsilon: Any = None, degree: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(original)
        leave_unless((neighbors is None or (type(neighbors) is int and neighbors > 0)) and type(kernel) is str and kernel in _KERNELS)
        leave_unless(type(smoothing) in {int, float} and smoothing >= 0)
        leave_unless(type(epsilon) in {int, float} or (epsilon is None and kernel in _WITHOUT_SCALE))
        places, values = doubles(y, d)
        leave_unless(places.ndim == 2 and places.size and values.ndim > 0 and values.shape[0] == places.shape[0] and values.size)
        least = _KERNELS[kernel][1]
        degree = max(least, 0) if degree is None else degree
        leave_unless(type(degree) is int and degree >= max(least, -1) and places.shape[0] ** 2 <= _MOST)
        self._dtype, self._shape = places.dtype, values.shape[1:]
        self.kernel, self.epsilon, self.smoothing = kernel, 1.0 if epsilon is None else float(epsilon), smoothing
        powers = range(degree + 1)
        self._powers = [each for each in itertools.product(powers, repeat=places.shape[1]) if sum(each) <= degree]
        self.neighbors = neighbors if neighbors is None else min(neighbors, places.shape[0])
        leave_unless((self.neighbors or places.shape[0]) >= len(self._powers))
        self.y = places
        self._places = places.astype(xp.float64)
        self._values = xp.reshape(values.astype(xp.float64), (values.shape[0], -1))
        if neighbors is None:
            self._weights = self._solved(self._places, self._values)

    def _solved(self, places: Any, values: Any) -> Any:
        """Solve for the weights of all data, or of each stack of neighbours."""
        n, more, stacks = places.shape[-2], len(self._powers), places.shape[:-2]
        matrix = self._radial(places, places) + xp.eye(n, dtype=xp.float64, device=values.device) * float(self.smoothing)
        if more:
            beside = self._monomials(places, places)
            none = xp.zeros((*stacks, more, more), dtype=xp.float64, device=values.device)
            matrix = xp.concatenate([xp.concatenate([matrix, beside], axis=-1), xp.concatenate([beside.mT, none], axis=-1)], axis=-2)
            values = xp.concatenate([values, xp.zeros((*stacks, more, values.shape[-1]), dtype=xp.float64, device=values.device)], axis=-2)
        return xp.linalg.solve(matrix, values)

    def _radial(self, points: Any, places: Any) -> Any:
        steps = (points[..., :, None, :] - places[..., None, :, :]) * self.epsilon
        return _KERNELS[self.kernel][0](xp.sum(steps * steps, axis=-1))

    def _monomials(self, points: Any, places: Any) -> Any:
        low, high = xp.min(places, axis=-2, keepdims=True), xp.max(places, axis=-2, keepdims=True)
        half = (high - low) / 2.0
        scaled = (points - (low + high) / 2.0) / xp.where(half == 0, 1.0, half)
        one = xp.ones_like(scaled[..., 0])
        return xp.stack([math.prod((scaled[..., axis] ** power for axis, power in enumerate(each) if power), start=one)
                         for each in self._powers], axis=-1)  # fmt: skip

    def __call__(self, x: Any) -> Any:
        """Evaluate the interpolant at points."""
        points = points_like(x, self.y)
        if points.ndim != 2 or points.shape[1] != self.y.shape[1] or not points.size or points.shape[0] * self.y.shape[0] > _MOST:
            return self._pass()(x)
        points, places = points.astype(xp.float64), self._places
        if self.neighbors is None:
            weights = self._weights
        else:
            steps = points[:, None, :] - places[None, :, :]
            nearest = xp.argsort(xp.sum(steps * steps, axis=-1), axis=1)[:, : self.neighbors]
            flat = nearest.reshape((-1,))
            places = xp.take(places, flat, axis=0).reshape((*nearest.shape, places.shape[1]))
            values = xp.take(self._values, flat, axis=0).reshape((*nearest.shape, self._values.shape[1]))
            weights, points = self._solved(places, values), points[:, None, :]
        basis = self._radial(points, places)
        if self._powers:
            basis = xp.concatenate([basis, self._monomials(points, places)], axis=-1)
        return (basis @ weights).reshape((x.shape[0], *self._shape)).astype(self._dtype)


_OLDER: Final[Mapping[str, Callable[[Any], Any]]] = {
    "cubic": lambda r: r * r * r,
    "gaussian": lambda r: xp.exp(-r * r),
    "inverse_multiquadric": lambda r: 1.0 / xp.sqrt(r * r + 1.0),
    "linear": lambda r: r,
    "multiquadric": lambda r: xp.sqrt(r * r + 1.0),
    "quintic": lambda r: r * r * r * r * r,
    "thin_plate": lambda r: xp.scipy.special.xlogy(r * r, r),
}
"""Functions of distances, by the names of the older class."""
_SCALED: Final = frozenset({"gaussian", "inverse_multiquadric", "multiquadric"})
_MAPPED: Final = {"inverse": "inverse_multiquadric", "inverse multiquadric": "inverse_multiquadric", "thin-plate": "thin_plate"}


class _Older(Composed):
    """A sum of functions of the distances to the data alone."""

    def __init__(self, original: Callable[[], Any], *args: Any, function: Any = "multiquadric", epsilon: Any = None, smooth: Any = 0.0,
                 norm: Any = "euclidean", mode: Any = "1-D") -> None:  # fmt: skip
        super().__init__(original)
        leave_unless(len(args) > 1 and type(function) is str and is_one(norm, "euclidean") and is_one(mode, "1-D"))
        function = _MAPPED.get(function.lower(), function.lower())
        leave_unless(function in _OLDER and type(smooth) in {int, float} and (epsilon is None or type(epsilon) in {int, float}))
        *places, values = [each.reshape((-1,)) for each in doubles(*args)]
        n = values.shape[0]
        leave_unless(0 < n and n * n <= _MOST and all(each.shape == (n,) for each in places))
        self._dtype, self.function, self.smooth = values.dtype, function, smooth
        self._places = xp.stack([each.astype(xp.float64) for each in places], axis=1)
        if epsilon is None:  # about how far apart the data are
            edges = [edge for edge in (xp.max(self._places, axis=0) - xp.min(self._places, axis=0)).tolist() if edge]
            leave_unless(bool(edges))
            epsilon = (math.prod(edges) / n) ** (1.0 / len(edges))
        self.epsilon = epsilon
        matrix = self._radial(self._places) - xp.eye(n, dtype=xp.float64, device=values.device) * float(smooth)
        self._weights = xp.linalg.solve(matrix, values.astype(xp.float64))

    def _radial(self, points: Any) -> Any:
        steps = points[:, None, :] - self._places[None, :, :]
        distances = xp.sqrt(xp.sum(steps * steps, axis=-1))
        return _OLDER[self.function](distances / self.epsilon if self.function in _SCALED else distances)

    def __call__(self, *args: Any) -> Any:
        """Evaluate the interpolant at points, whose coordinates come one by one."""
        points = [points_like(each, self._weights) for each in args]
        known = len(points) == self._places.shape[1] and all(each.shape == points[0].shape for each in points) and points[0].size
        if not known or points[0].size * self._places.shape[0] > _MOST:
            return self._pass()(*args)
        at = xp.stack([each.reshape((-1,)) for each in points], axis=1)
        return (self._radial(at) @ self._weights).reshape(points[0].shape).astype(self._dtype)


class _Nearest(Composed):
    """The value of the nearest of the data."""

    def __init__(self, original: Callable[[], Any], x: Any, y: Any, rescale: Any = False, tree_options: Any = None) -> None:
        super().__init__(original)
        leave_unless(rescale is False and tree_options is None and type(x) is type(y) is xp.Array)
        (self.points,) = doubles(x)
        self.values = y
        leave_unless(self.points.ndim == 2 and self.points.size and y.ndim > 0 and y.shape[0] == self.points.shape[0])
        leave_unless(y.dtype.kind == "f" and bool(xp.all(xp.isfinite(self.points))))

    def __call__(self, *args: Any, **query_options: Any) -> Any:
        """Give the values at points."""
        given = [points_like(each, self.points) for each in args]
        at = given[0] if len(given) == 1 else xp.stack(list(xp.broadcast_arrays(*given)), axis=-1) if given else self.points[:0]
        known = at.ndim > 0 and at.shape[-1] == self.points.shape[1] and at.size and not query_options
        if not known or at.size * self.points.shape[0] > _MOST:
            return self._pass()(*args, **query_options)
        flat = at.reshape((-1, at.shape[-1]))
        steps = flat[:, None, :] - self.points[None, :, :]
        nearest = xp.argmin(xp.sum(steps * steps, axis=-1), axis=1)
        found = xp.take(self.values, nearest, axis=0)
        lost = xp.any(~xp.isfinite(flat), axis=1).reshape((-1, *(1,) * (found.ndim - 1)))
        return xp.where(lost, math.nan, found).reshape((*at.shape[:-1], *found.shape[1:]))


def _griddata(points: Any, values: Any, xi: Any, method: Any = "linear", fill_value: Any = math.nan, rescale: Any = False) -> Any:
    leave_unless(is_one(method, "nearest") and type(points) is xp.Array and points.ndim == 2 and points.shape[1] > 1)
    leave_unless(type(fill_value) is float)
    at = xi if type(xi) is tuple else (xi,)
    leave_unless(all(type(each) is xp.Array for each in at))
    found = _Nearest(_refused, points, values, rescale)
    return found(*at)


def _refused() -> Any:
    raise LeftToScipyError


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "NearestNDInterpolator": _Nearest,
    "RBFInterpolator": _Radial,
    "Rbf": _Older,
    "griddata": _griddata,
}
"""Functions and classes of scipy.interpolate."""
