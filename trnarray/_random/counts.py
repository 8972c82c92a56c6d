"""Distributions of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..backends.ops import random as ops
from .source import Source

if TYPE_CHECKING:
    from .._array import Array
    from .._typing import ArrayLike, DeviceLike, Shape

__all__ = ["Counts"]



class Counts(Source):
    """Discrete distributions."""

    __slots__ = ()

    def binomial(self, n: ArrayLike, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from a binomial distribution: successes in `n` trials. See `numpy.random.Generator.binomial`."""
        return self._draw(ops.binomial, device, n, p, size=size)

    def geometric(self, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a geometric distribution: trials up to the first success.

        See `numpy.random.Generator.geometric`.
        """
        return self._draw(ops.geometric, device, p, size=size)

    def hypergeometric(
        self, ngood: ArrayLike, nbad: ArrayLike, nsample: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None
    ) -> Array:
        """
        Draw from a hypergeometric distribution: how many of a sample without replacement are good.

        See `numpy.random.Generator.hypergeometric`.
        """
        return self._draw(ops.hypergeometric, device, ngood, nbad, nsample, size=size)

    def logseries(self, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a logarithmic series distribution, in which `k` has a probability proportional to ``p ** k / k``.

        See `numpy.random.Generator.logseries`.
        """
        return self._draw(ops.logseries, device, p, size=size)

    def negative_binomial(self, n: ArrayLike, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a negative binomial distribution: failures before the `n`-th success.

        See `numpy.random.Generator.negative_binomial`.
        """
        return self._draw(ops.negative_binomial, device, n, p, size=size)

    def poisson(self, lam: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from a Poisson distribution. See `numpy.random.Generator.poisson`."""
        return self._draw(ops.poisson, device, lam, size=size)

    def zipf(self, a: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a Zipf distribution, in which `k` has a probability proportional to ``k ** -a``.

        See `numpy.random.Generator.zipf`.
        """
        return self._draw(ops.zipf, device, a, size=size)

    def dirichlet(self, alpha: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw vectors from a Dirichlet distribution: shares that sum to 1. See `numpy.random.Generator.dirichlet`."""
        return self._draw(ops.dirichlet, device, alpha, size=size)

    def multinomial(self, n: ArrayLike, pvals: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw vectors from a multinomial distribution: how often each outcome comes in `n` trials.

        See `numpy.random.Generator.multinomial`.
        """
        return self._draw(ops.multinomial, device, n, pvals, size=size)
