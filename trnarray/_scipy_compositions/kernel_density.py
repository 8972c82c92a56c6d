"""Densities of scipy.stats.gaussian_kde: sums of normal densities around the points of a data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objects import Composed
from .operands import doubles, is_one, leave_unless, xp

__all__ = ["COMPOSITIONS"]

_MOST: Final = 1 << 26
"""Elements of the differences between points and data."""


class _KernelDensity(Composed):
    """A density of points of one or two axes, with a bandwidth by a rule or a number."""

    def __init__(self, original: Callable[[], Any], dataset: Any, bw_method: Any = None, weights: Any = None) -> None:
        super().__init__(original)
        leave_unless(weights is None and (is_one(bw_method, None, "scott", "silverman") or type(bw_method) in {int, float}))
        (x,) = doubles(dataset)
        self.dataset = xp.reshape(x, (1, -1)) if x.ndim == 1 else x
        leave_unless(self.dataset.ndim == 2 and self.dataset.shape[0] in {1, 2} and self.dataset.shape[1] > self.dataset.shape[0])
        self.d, self.n = self.dataset.shape
        scott = self.n ** (-1.0 / (self.d + 4))
        silverman = (self.n * (self.d + 2.0) / 4.0) ** (-1.0 / (self.d + 4))
        self.factor = float(bw_method) if type(bw_method) in {int, float} else silverman if bw_method == "silverman" else scott
        above = self.dataset - xp.mean(self.dataset, axis=1, keepdims=True)
        covariance = above @ above.T / (self.n - 1.0)
        leave_unless(self._definite(covariance))
        self.covariance = covariance * self.factor**2
        # The inverse of the Cholesky factor, with which covariances become one
        a, b, c = self.covariance[0, 0], self.covariance[0, -1], self.covariance[-1, -1]
        first = xp.sqrt(a)
        self._diagonal = [first] if self.d == 1 else [first, xp.sqrt(c - b * b / a)]
        self._below = None if self.d == 1 else b / first
        self._middle = xp.mean(self.dataset, axis=1, keepdims=True)
        self._white = self._whitened(self.dataset)

    def _definite(self, covariance: Any) -> bool:
        """Tell whether the data lie in no subspace, by one number that is fetched: SciPy refuses those that do."""
        if self.d == 1:
            return bool(covariance[0, 0] > 0)
        squares = covariance[0, 0] * covariance[1, 1]
        return bool(squares - covariance[0, 1] * covariance[0, 1] > 64 * xp.finfo(covariance.dtype).eps * squares)

    def _whitened(self, x: Any) -> list[Any]:
        x = x - self._middle
        first = x[0] / self._diagonal[0]
        return [first] if self.d == 1 else [first, (x[1] - self._below * first) / self._diagonal[1]]

    def _exponents(self, points: Any) -> Any:
        (x,) = doubles(points)
        x = xp.reshape(x, (1, -1)) if x.ndim <= 1 else x
        if x.shape[0] != self.d and x.shape == (1, self.d):
            x = xp.reshape(x, (self.d, 1))
        if x.shape[0] != self.d:
            raise ValueError(f"points have dimension {x.shape[0]}, dataset has dimension {self.d}")
        leave_unless(x.shape[1] * self.n <= _MOST)
        parts = [(p[:, None] - q[None, :]) for p, q in zip(self._whitened(x), self._white, strict=True)]
        total = parts[0] * parts[0] if self.d == 1 else parts[0] * parts[0] + parts[1] * parts[1]
        return -total / 2.0

    def _log_scale(self) -> Any:
        root = xp.log(self._diagonal[0]) + (xp.log(self._diagonal[1]) if self.d == 2 else 0.0)
        return root + (self.d / 2.0 * math.log(2.0 * math.pi) + math.log(self.n))

    def evaluate(self, points: Any) -> Any:
        """Compute the density at points."""
        return xp.sum(xp.exp(self._exponents(points)), axis=1) * xp.exp(-self._log_scale())

    __call__ = evaluate
    pdf = evaluate

    def logpdf(self, x: Any) -> Any:
        """Compute the logarithm of the density at points."""
        return xp.scipy.special.logsumexp(self._exponents(x), axis=1) - self._log_scale()


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"gaussian_kde": _KernelDensity}
"""Classes of scipy.stats."""
