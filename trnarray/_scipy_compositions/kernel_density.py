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
_AXES: Final = 8


class _KernelDensity(Composed):
    """A density of points of up to eight axes, with a bandwidth by a rule or a number."""

    def __init__(self, original: Callable[[], Any], dataset: Any, bw_method: Any = None, weights: Any = None) -> None:
        super().__init__(original)
        leave_unless(weights is None and (is_one(bw_method, None, "scott", "silverman") or type(bw_method) in {int, float}))
        (x,) = doubles(dataset)
        self.dataset = xp.reshape(x, (1, -1)) if x.ndim == 1 else x
        leave_unless(self.dataset.ndim == 2 and self.dataset.shape[0] <= _AXES and self.dataset.shape[1] > self.dataset.shape[0])
        self.d, self.n = self.dataset.shape
        scott = self.n ** (-1.0 / (self.d + 4))
        silverman = (self.n * (self.d + 2.0) / 4.0) ** (-1.0 / (self.d + 4))
        self.factor = float(bw_method) if type(bw_method) in {int, float} else silverman if bw_method == "silverman" else scott
        above = self.dataset - xp.mean(self.dataset, axis=1, keepdims=True)
        covariance = above @ above.T / (self.n - 1.0)
        self.covariance = covariance * self.factor**2
        self._lower = self._factored(self.covariance)
        self._middle = xp.mean(self.dataset, axis=1, keepdims=True)
        self._white = self._whitened(self.dataset)

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

    def _whitened(self, x: Any) -> list[Any]:
        """Multiply by the inverse of the factor, with which covariances become one."""
        above = x - self._middle
        found: list[Any] = []
        for i, row in enumerate(self._lower):
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
        parts = [(p[:, None] - q[None, :]) for p, q in zip(self._whitened(x), self._white, strict=True)]
        return -(sum((part * part for part in parts), start=0.0) / 2.0)

    def _log_scale(self) -> Any:
        root = sum((xp.log(row[-1]) for row in self._lower), start=0.0)
        return root + (self.d / 2.0 * math.log(2.0 * math.pi) + math.log(self.n))

    def evaluate(self, points: Any) -> Any:
        """Compute the density at points."""
        return xp.sum(xp.exp(self._exponents(points)), axis=1) * xp.exp(-self._log_scale())

    __call__ = evaluate
    pdf = evaluate

    def logpdf(self, x: Any) -> Any:
        """Compute the logarithm of the density at points."""
        return xp.scipy.special.logsumexp(self._exponents(x), axis=1) - self._log_scale()

    def integrate_box_1d(self, low: Any, high: Any) -> Any:
        """Compute the probability of an interval."""
        if self.d != 1:
            raise ValueError("integrate_box_1d() only handles 1D pdfs")
        ends = [(float(end) - self.dataset[0]) / self._lower[0][0] for end in (low, high)]
        return xp.mean(xp.scipy.special.ndtr(ends[1]) - xp.scipy.special.ndtr(ends[0]))

    def resample(self, size: Any = None, seed: Any = None) -> Any:
        """Draw from the density, by the streams of `trnarray.random`; a generator of NumPy's is SciPy's."""
        if not (seed is None or type(seed) is int or isinstance(seed, xp.random.Generator)) or not (size is None or type(size) is int):
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
