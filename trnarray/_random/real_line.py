"""Distributions on the real line, or on an interval of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..backends.ops import random as ops
from .source import Source

if TYPE_CHECKING:
    from .._array import Array
    from .._typing import ArrayLike, DeviceLike, Shape

__all__ = ["RealLine"]



class RealLine(Source):
    """Continuous distributions of numbers of either sign, by location and scale."""

    __slots__ = ()

    def gumbel(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from a Gumbel distribution: that of the largest of many. See `numpy.random.Generator.gumbel`."""
        return self._draw(ops.gumbel, device, loc, scale, size=size)

    def laplace(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from a Laplace distribution: exponential to both sides. See `numpy.random.Generator.laplace`."""
        return self._draw(ops.laplace, device, loc, scale, size=size)

    def logistic(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from a logistic distribution. See `numpy.random.Generator.logistic`."""
        return self._draw(ops.logistic, device, loc, scale, size=size)

    def normal(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a normal distribution, of mean `loc` and standard deviation `scale`.

        See `numpy.random.Generator.normal`.
        """
        return self._draw(ops.normal, device, loc, scale, size=size)

    def standard_cauchy(self, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from the Cauchy distribution around 0, which has no mean.

        See `numpy.random.Generator.standard_cauchy`.
        """
        return self._draw(ops.standard_cauchy, device, size=size)

    def standard_t(self, df: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from Student's t distribution. See `numpy.random.Generator.standard_t`."""
        return self._draw(ops.standard_t, device, df, size=size)

    def triangular(
        self, left: ArrayLike, mode: ArrayLike, right: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None
    ) -> Array:
        """
        Draw from a triangular distribution: the density rises to the mode and falls from there.

        See `numpy.random.Generator.triangular`.
        """
        return self._draw(ops.triangular, device, left, mode, right, size=size)

    def uniform(self, low: ArrayLike = 0.0, high: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from the uniform distribution on an interval, without its upper end.

        See `numpy.random.Generator.uniform`.
        """
        return self._draw(ops.uniform, device, low, high, size=size)

    def vonmises(self, mu: ArrayLike, kappa: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw angles from a von Mises distribution: the normal distribution of the circle.

        See `numpy.random.Generator.vonmises`.
        """
        return self._draw(ops.vonmises, device, mu, kappa, size=size)
