"""Distributions of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .._array.parameters import document
from ..backends.ops import random as ops
from .source import COMMON, Source

if TYPE_CHECKING:
    from .._array import Array
    from .._typing import ArrayLike, DeviceLike, Shape

__all__ = ["Counts"]

_documented: Final = document(
    {
        **COMMON,
        "a": "array_like of float: The exponent, above 1.",
        "alpha": "array_like of float: One concentration per component, all above 0.",
        "lam": "array_like of float: The mean, 0 or more.",
        "n": "array_like of int: How many trials; how many successes, for negative_binomial.",
        "nbad": "array_like of int: How many of the other kind there are.",
        "ngood": "array_like of int: How many of the kind that counts there are.",
        "nsample": "array_like of int: How many are taken.",
        "p": "array_like of float: The probability, from 0 to 1.",
        "pvals": "array_like of float: The probabilities of the outcomes along the last axis, summing to 1.",
    }
)


class Counts(Source):
    """Discrete distributions."""

    __slots__ = ()

    @_documented
    def binomial(self, n: ArrayLike, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a binomial distribution: successes in `n` trials.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> bool(abs(xp.mean(rng.binomial(10, 0.3, 10_000)) - 3) < 0.3)
        True
        """
        return self._draw(ops.binomial, device, n, p, size=size)

    @_documented
    def geometric(self, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a geometric distribution: trials up to the first success.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> bool(abs(xp.mean(rng.geometric(0.25, 10_000)) - 4) < 0.5)
        True
        """
        return self._draw(ops.geometric, device, p, size=size)

    @_documented
    def hypergeometric(
        self, ngood: ArrayLike, nbad: ArrayLike, nsample: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None
    ) -> Array:
        """
        Draw from a hypergeometric distribution: how many of a sample without replacement are good.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> bool(abs(xp.mean(rng.hypergeometric(30, 70, 10, 10_000)) - 3) < 0.3)
        True
        """
        return self._draw(ops.hypergeometric, device, ngood, nbad, nsample, size=size)

    @_documented
    def logseries(self, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a logarithmic series distribution, in which `k` has a probability proportional to ``p ** k / k``.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> bool(xp.all(rng.logseries(0.5, 100) >= 1))
        True
        """
        return self._draw(ops.logseries, device, p, size=size)

    @_documented
    def negative_binomial(self, n: ArrayLike, p: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a negative binomial distribution: failures before the `n`-th success.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> bool(abs(xp.mean(rng.negative_binomial(3, 0.5, 10_000)) - 3) < 0.5)
        True
        """
        return self._draw(ops.negative_binomial, device, n, p, size=size)

    @_documented
    def poisson(self, lam: ArrayLike = 1.0, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a Poisson distribution.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> bool(abs(xp.mean(rng.poisson(5.0, 10_000)) - 5) < 0.5)
        True
        """
        return self._draw(ops.poisson, device, lam, size=size)

    @_documented
    def zipf(self, a: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a Zipf distribution, in which `k` has a probability proportional to ``k ** -a``.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> bool(xp.all(rng.zipf(4.0, 100) >= 1))
        True
        """
        return self._draw(ops.zipf, device, a, size=size)

    @_documented
    def dirichlet(self, alpha: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw vectors from a Dirichlet distribution: shares that sum to 1.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> shares = rng.dirichlet([1.0, 2.0, 3.0], 4)
        >>> shares.shape, bool(xp.allclose(xp.sum(shares, axis=1), 1))
        ((4, 3), True)
        """
        return self._draw(ops.dirichlet, device, alpha, size=size)

    @_documented
    def multinomial(self, n: ArrayLike, pvals: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw vectors from a multinomial distribution: how often each outcome comes in `n` trials.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> rng.multinomial(20, [0.5, 0.3, 0.2], 3).sum(axis=1)
        Array([20, 20, 20], dtype=int64, device='cpu')
        """
        return self._draw(ops.multinomial, device, n, pvals, size=size)
