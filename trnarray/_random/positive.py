"""Distributions of positive numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..backends.ops import random as ops
from .source import Source

if TYPE_CHECKING:
    from .._array import Array
    from .._typing import ArrayLike, DeviceLike, Shape

__all__ = ["Positive"]



class Positive(Source):
    """Continuous distributions of numbers that are 0 or more."""

    __slots__ = ()

    def beta(self, a: ArrayLike, b: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a beta distribution, on the interval from 0 to 1.

        The mean is ``a / (a + b)``.

        See `numpy.random.Generator.beta`.
        """
        return self._draw(ops.beta, device, a, b, size=size)

    def chisquare(self, df: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a chi-square distribution: sums of `df` squares of standard normal draws.

        See `numpy.random.Generator.chisquare`.
        """
        return self._draw(ops.chisquare, device, df, size=size)

    def exponential(self, scale: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from an exponential distribution, of mean `scale`. See `numpy.random.Generator.exponential`."""
        return self._draw(ops.exponential, device, scale, size=size)

    def f(self, dfnum: ArrayLike, dfden: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from an F distribution: ratios of means of squares. See `numpy.random.Generator.f`."""
        return self._draw(ops.f, device, dfnum, dfden, size=size)

    def gamma(self, shape: ArrayLike, scale: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from a gamma distribution, of mean ``shape * scale``. See `numpy.random.Generator.gamma`."""
        return self._draw(ops.gamma, device, shape, scale, size=size)

    def lognormal(self, mean: ArrayLike = 0.0, sigma: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw numbers whose logarithms are normally distributed. See `numpy.random.Generator.lognormal`."""
        return self._draw(ops.lognormal, device, mean, sigma, size=size)

    def noncentral_chisquare(self, df: ArrayLike, nonc: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a noncentral chi-square distribution: sums of squares of normal draws that are not centred.

        See `numpy.random.Generator.noncentral_chisquare`.
        """
        return self._draw(ops.noncentral_chisquare, device, df, nonc, size=size)

    def noncentral_f(
        self, dfnum: ArrayLike, dfden: ArrayLike, nonc: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None
    ) -> Array:
        """Draw from a noncentral F distribution. See `numpy.random.Generator.noncentral_f`."""
        return self._draw(ops.noncentral_f, device, dfnum, dfden, nonc, size=size)

    def pareto(self, a: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a Pareto distribution of the second kind, whose density falls as ``(1 + x) ** -(a + 1)``.

        See `numpy.random.Generator.pareto`.
        """
        return self._draw(ops.pareto, device, a, size=size)

    def power(self, a: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw numbers from 0 to 1 whose density rises as ``x ** (a - 1)``. See `numpy.random.Generator.power`."""
        return self._draw(ops.power, device, a, size=size)

    def rayleigh(self, scale: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a Rayleigh distribution: lengths of vectors in the plane with normal coordinates.

        See `numpy.random.Generator.rayleigh`.
        """
        return self._draw(ops.rayleigh, device, scale, size=size)

    def wald(self, mean: ArrayLike, scale: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from a Wald, or inverse Gaussian, distribution. See `numpy.random.Generator.wald`."""
        return self._draw(ops.wald, device, mean, scale, size=size)

    def weibull(self, a: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a Weibull distribution: the ``a``-th roots of exponential draws.

        See `numpy.random.Generator.weibull`.
        """
        return self._draw(ops.weibull, device, a, size=size)
