"""Densities of scipy.stats.gaussian_kde: sums of normal densities around the points of a data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objectives import fetched
from .objects import Composed
from .operands import doubles, is_one, leave_unless, points_like, xp

__all__ = ["COMPOSITIONS"]

_MOST: Final = 1 << 26
"""Elements of the differences between points and data."""
_AXES: Final = 8


class _KernelDensity(Composed):
    """A density of points of up to eight axes, with a bandwidth by a rule or a number."""

    def __init__(self, original: Callable[[], Any], dataset: Any, bw_method: Any = None, weights: Any = None) -> None:
        super().__init__(original)
        leave_unless(is_one(bw_method, None, "scott", "silverman") or type(bw_method) in {int, float})
        x, *given = doubles(dataset, *([] if weights is None else [weights]))
        self.dataset = xp.reshape(x, (1, -1)) if x.ndim == 1 else x
        leave_unless(self.dataset.ndim == 2 and self.dataset.shape[0] <= _AXES and self.dataset.shape[1] > self.dataset.shape[0])
        self.d, self.n = self.dataset.shape
        self.weights, square = xp.full_like(self.dataset[0], 1.0 / self.n), 1.0 / self.n
        if given:
            leave_unless(given[0].shape == (self.n,) and bool(xp.all(given[0] >= 0)))
            self.weights = given[0] / xp.sum(given[0])
            (square,) = fetched(xp.sum(self.weights * self.weights))
            leave_unless(square < 1.0)
        self.neff = 1.0 / square
        scott = self.neff ** (-1.0 / (self.d + 4))
        silverman = (self.neff * (self.d + 2.0) / 4.0) ** (-1.0 / (self.d + 4))
        self.factor = float(bw_method) if type(bw_method) in {int, float} else silverman if bw_method == "silverman" else scott
        self._middle = xp.sum(self.dataset * self.weights, axis=1, keepdims=True)
        above = self.dataset - self._middle
        covariance = (above * self.weights) @ above.T / (1.0 - square)
        self.covariance = covariance * self.factor**2
        self._lower = self._factored(self.covariance)
        self._white = self._whitened(self.dataset - self._middle, self._lower)

    def _factored(self, covariance: Any) -> list[list[Any]]:
        """Factor the covariances by rows, unless the data lie in a subspace, as a number that is fetched tells: SciPy refuses these."""
        lower: list[list[Any]] = []
        for i in range(self.d):
            row: list[Any] = []
            for j in range(i):
                row.append((covariance[i, j] - sum((a * b for a, b in zip(row, lower[j], strict=False)), start=0.0)) / lower[j][j])
            left = covariance[i, i] - sum((a * a for a in row), start=0.0)
            leave_unless(bool(left > 64 * xp.finfo(covariance.dtype).eps * covariance[i, i]))
            lower.append([*row, xp.sqrt(left)])
        return lower

    def _whitened(self, above: Any, lower: list[list[Any]]) -> list[Any]:
        """Multiply by the inverse of a factor, with which covariances become one."""
        found: list[Any] = []
        for i, row in enumerate(lower):
            found.append((above[i] - sum((a * b for a, b in zip(row, found, strict=False)), start=0.0)) / row[i])
        return found

    def _exponents(self, points: Any) -> Any:
        (x,) = doubles(points)
        x = xp.reshape(x, (1, -1)) if x.ndim <= 1 else x
        if x.shape[0] != self.d and x.shape == (1, self.d):
            x = xp.reshape(x, (self.d, 1))
        if x.shape[0] != self.d:
            raise ValueError(f"points have dimension {x.shape[0]}, dataset has dimension {self.d}")
        leave_unless(x.shape[1] * self.n <= _MOST)
        parts = [(p[:, None] - q[None, :]) for p, q in zip(self._whitened(x - self._middle, self._lower), self._white, strict=True)]
        return -(sum((part * part for part in parts), start=0.0) / 2.0)

    def _log_scale(self, lower: list[list[Any]]) -> Any:
        return sum((xp.log(row[-1]) for row in lower), start=0.0) + self.d / 2.0 * math.log(2.0 * math.pi)

    def evaluate(self, points: Any) -> Any:
        """Compute the density at points."""
        return xp.sum(xp.exp(self._exponents(points)) * self.weights, axis=1) * xp.exp(-self._log_scale(self._lower))

    __call__ = evaluate
    pdf = evaluate

    def logpdf(self, x: Any) -> Any:
        """Compute the logarithm of the density at points."""
        return xp.scipy.special.logsumexp(self._exponents(x) + xp.log(self.weights), axis=1) - self._log_scale(self._lower)

    def integrate_box_1d(self, low: Any, high: Any) -> Any:
        """Compute the probability of an interval."""
        if self.d != 1:
            raise ValueError("integrate_box_1d() only handles 1D pdfs")
        ends = [(float(end) - self.dataset[0]) / self._lower[0][0] for end in (low, high)]
        return xp.sum((xp.scipy.special.ndtr(ends[1]) - xp.scipy.special.ndtr(ends[0])) * self.weights)

    def _around(self, apart: Any, covariance: Any) -> Any:
        """Compute normal densities, of the kernels and of what they are multiplied by, at differences."""
        lower = self._factored(self.covariance + covariance)
        shape = apart.shape[1:]
        parts = self._whitened(apart.reshape((self.d, -1)), lower)
        return xp.exp(-(sum((part * part for part in parts), start=0.0) / 2.0) - self._log_scale(lower)).reshape(shape)

    def integrate_gaussian(self, mean: Any, cov: Any) -> Any:
        """Integrate the product with a normal density."""
        center, spread = [points_like(each, self.dataset) for each in (mean, cov)]
        if center.size != self.d or spread.size != self.d**2:
            raise ValueError(f"mean and cov have {center.size} and {spread.size} elements, for {self.d} axes")
        return xp.sum(self._around(self.dataset - center.reshape((-1, 1)), spread.reshape((self.d, self.d))) * self.weights)

    def integrate_kde(self, other: Any) -> Any:
        """Integrate the product with another density."""
        if not isinstance(getattr(other, "dataset", None), xp.Array) or other.d != self.d or other.n * self.n > _MOST:
            return self._pass().integrate_kde(other)
        apart = self.dataset[:, :, None] - other.dataset[:, None, :]
        return xp.sum(self._around(apart, other.covariance) * self.weights[:, None] * other.weights)

    def resample(self, size: Any = None, seed: Any = None) -> Any:
        """Draw from the density, by the streams of `trnarray.random`; a generator of NumPy's is SciPy's."""
        known = seed is None or type(seed) is int or isinstance(seed, xp.random.Generator)
        if self.neff != self.n or not known or not (size is None or type(size) is int):
            return self._pass().resample(size, seed)
        device = self.dataset.device
        generator = seed if isinstance(seed, xp.random.Generator) else xp.random.default_rng(seed, device=device)
        count = self.n if size is None else size
        z = generator.standard_normal((self.d, count), dtype=self.dataset.dtype, device=device)
        chosen = generator.integers(0, self.n, (count,), device=device)
        rows = [sum((a * z[j] for j, a in enumerate(row)), start=0.0) for row in self._lower]
        return xp.take(self.dataset, chosen, axis=1) + xp.stack(rows)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"gaussian_kde": _KernelDensity}
"""Classes of scipy.stats."""
