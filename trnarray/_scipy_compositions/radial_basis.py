"""
Interpolation by radial basis functions of scipy.interpolate.

Their equations are ill-conditioned, so that they are made and solved in float64 whatever the data; values at points are rounded once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objects import Composed
from .operands import doubles, leave_unless, points_like, xp

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
        leave_unless(neighbors is None and type(kernel) is str and kernel in _KERNELS)
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
        leave_unless(places.shape[0] >= len(self._powers))
        self.y = places
        self._places = places.astype(xp.float64)
        low, high = xp.min(self._places, axis=0), xp.max(self._places, axis=0)
        self._middle, half = (low + high) / 2.0, (high - low) / 2.0
        self._half = xp.where(half == 0, 1.0, half)
        self._weights = self._solved(xp.reshape(values.astype(xp.float64), (values.shape[0], -1)))

    def _solved(self, values: Any) -> Any:
        n, more = values.shape[0], len(self._powers)
        matrix = self._radial(self._places) + xp.eye(n, dtype=xp.float64, device=values.device) * float(self.smoothing)
        if more:
            beside = self._monomials(self._places)
            none = xp.zeros((more, more), dtype=xp.float64, device=values.device)
            matrix = xp.concatenate([xp.concatenate([matrix, beside], axis=1), xp.concatenate([beside.T, none], axis=1)])
            values = xp.concatenate([values, xp.zeros((more, values.shape[1]), dtype=xp.float64, device=values.device)])
        return xp.linalg.solve(matrix, values)

    def _radial(self, points: Any) -> Any:
        steps = (points[:, None, :] - self._places[None, :, :]) * self.epsilon
        return _KERNELS[self.kernel][0](xp.sum(steps * steps, axis=-1))

    def _monomials(self, points: Any) -> Any:
        scaled = (points - self._middle) / self._half
        return xp.stack([math.prod((scaled[:, axis] ** power for axis, power in enumerate(each) if power), start=xp.ones_like(scaled[:, 0]))
                         for each in self._powers], axis=1)  # fmt: skip

    def __call__(self, x: Any) -> Any:
        """Evaluate the interpolant at points."""
        points = points_like(x, self.y)
        if points.ndim != 2 or points.shape[1] != self.y.shape[1] or not points.size or points.shape[0] * self.y.shape[0] > _MOST:
            return self._pass()(x)
        points = points.astype(xp.float64)
        basis = self._radial(points)
        if self._powers:
            basis = xp.concatenate([basis, self._monomials(points)], axis=1)
        return (basis @ self._weights).reshape((points.shape[0], *self._shape)).astype(self._dtype)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"RBFInterpolator": _Radial}
"""Classes of scipy.interpolate."""
