"""The Generator, and its default."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from .._array import Array
from ..backends.ops import random as ops
from .counts import Counts
from .positive import Positive
from .random_state import RandomState
from .real_line import RealLine
from .source import on_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._typing import ArrayLike, DeviceLike, DTypeLike, Shape

__all__ = ["Generator", "default_rng"]



class Generator(RealLine, Positive, Counts):
    """
    Draws random Arrays, as `numpy.random.Generator` draws ndarrays.

    Draws without a shape are detached 0-d Arrays, also where NumPy gives Python's own float or int. Any number of threads
    may draw; each number is given to one of them. Pickles and deep copies continue the stream on their own.

    Parameters
    ----------
    bit_generator : BitGenerator
        The source of random bits, as `numpy.random.PCG64`.

    Examples
    --------
    >>> import numpy as np, trnarray as xp
    >>> rng = xp.random.Generator(xp.random.PCG64(7))
    >>> rng
    Generator(PCG64) at 0x...
    >>> bool(xp.all(rng.random(3) == np.random.default_rng(7).random(3)))  # on the cpu; provisional
    True
    """

    __slots__ = ()

    def __init__(self, bit_generator: np.random.BitGenerator) -> None:
        if not hasattr(bit_generator, "capsule"):
            given = reprlib.repr(bit_generator)
            raise TypeError(f"a Generator takes a bit generator, such as PCG64(), but got {given}; default_rng takes seeds")
        self._hold(np.random.Generator(bit_generator), shared=True)

    def __reduce__(self) -> tuple[Callable[..., Generator], tuple[np.random.BitGenerator]]:
        return type(self), (self.bit_generator,)

    @property
    def bit_generator(self) -> np.random.BitGenerator:
        """The source of random bits, on the host. See `numpy.random.Generator.bit_generator`."""
        bit_generator: np.random.BitGenerator = self._generator.bit_generator
        self._shared = True
        return bit_generator

    def spawn(self, n_children: int) -> list[Self]:
        """Make generators of independent streams. See `numpy.random.Generator.spawn`."""
        return [type(self)(child.bit_generator) for child in self._generator.spawn(n_children)]

    def random(self, size: Shape | None = None, dtype: DTypeLike = None, out: Array | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw numbers from 0 to 1, without 1: low-precision ones are rounded towards 0.

        See `numpy.random.Generator.random`.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.random.default_rng(0).random((2, 3), dtype=xp.bfloat16)
        >>> x.shape, bool(xp.all((x >= 0) & (x < 1)))
        ((2, 3), True)
        """
        return self._draw(ops.random, device, size=size, dtype=dtype, out=out)

    def standard_normal(
        self, size: Shape | None = None, dtype: DTypeLike = None, out: Array | None = None, *, device: DeviceLike = None
    ) -> Array:
        """
        Draw from the normal distribution of mean 0 and standard deviation 1.

        See `numpy.random.Generator.standard_normal`.
        """
        return self._draw(ops.standard_normal, device, size=size, dtype=dtype, out=out)

    def standard_exponential(
        self,
        size: Shape | None = None,
        dtype: DTypeLike = None,
        method: Literal["zig", "inv"] = "zig",
        out: Array | None = None,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """Draw from the exponential distribution of mean 1. See `numpy.random.Generator.standard_exponential`."""
        return self._draw(ops.standard_exponential, device, size=size, dtype=dtype, out=out, method=method)

    def standard_gamma(
        self,
        shape: ArrayLike,
        size: Shape | None = None,
        dtype: DTypeLike = None,
        out: Array | None = None,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """Draw from a gamma distribution, of mean `shape` and scale 1. See `numpy.random.Generator.standard_gamma`."""
        return self._draw(ops.standard_gamma, device, shape, size=size, dtype=dtype, out=out)

    def integers(
        self,
        low: ArrayLike,
        high: ArrayLike | None = None,
        size: Shape | None = None,
        dtype: DTypeLike = None,
        endpoint: bool = False,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """Draw integers of an interval, each with the same probability. See `numpy.random.Generator.integers`."""
        return self._draw(ops.integers, device, low, high, size=size, dtype=dtype, endpoint=endpoint)

    def multivariate_normal(
        self,
        mean: ArrayLike,
        cov: ArrayLike,
        size: Shape | None = None,
        check_valid: Literal["warn", "raise", "ignore"] = "warn",
        tol: float = 1e-8,
        *,
        method: Literal["svd", "eigh", "cholesky"] = "svd",
        device: DeviceLike = None,
    ) -> Array:
        """Draw vectors from a normal distribution. See `numpy.random.Generator.multivariate_normal`."""
        return self._draw(ops.multivariate_normal, device, mean, cov, size=size, check_valid=check_valid, tol=tol, method=method)

    def multivariate_hypergeometric(
        self,
        colors: ArrayLike,
        nsample: int,
        size: Shape | None = None,
        method: Literal["marginals", "count"] = "marginals",
        *,
        device: DeviceLike = None,
    ) -> Array:
        """
        Draw how many of each kind are in a sample without replacement.

        See `numpy.random.Generator.multivariate_hypergeometric`.
        """
        return self._draw(ops.multivariate_hypergeometric, device, colors, nsample, size=size, method=method)

    def choice(
        self,
        a: ArrayLike,
        size: Shape | None = None,
        replace: bool = True,
        p: ArrayLike | None = None,
        axis: int = 0,
        shuffle: bool = True,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """Choose elements, or slices along an axis. See `numpy.random.Generator.choice`."""
        return self._draw(ops.choice, device, a, p, size=size, replace=replace, axis=axis, shuffle=shuffle)

    def permutation(self, x: ArrayLike, axis: int = 0, *, device: DeviceLike = None) -> Array:
        """
        Give the slices along an axis in random order; an int stands for the integers below it.

        See `numpy.random.Generator.permutation`.
        """
        return self._draw(ops.permutation, device, x, axis=axis)

    def permuted(self, x: ArrayLike, *, axis: int | None = None, out: Array | None = None, device: DeviceLike = None) -> Array:
        """
        Give the elements in random order: along an axis each slice in its own, or all of them.

        See `numpy.random.Generator.permuted`.
        """
        return self._draw(ops.permuted, device, x, axis=axis, out=out)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Reorder the slices along an axis at random, in place. See `numpy.random.Generator.shuffle`."""
        self._shuffle(x, axis=axis)


def default_rng(seed: Any = None) -> Generator:
    """Make a Generator with the default bit generator, PCG64. See `numpy.random.default_rng`."""
    if isinstance(seed, Generator):
        return seed
    source = seed._generator if isinstance(seed, RandomState) else on_host(seed)
    generator = Generator(np.random.default_rng(source).bit_generator)
    generator._shared = any(hasattr(source, name) for name in ("capsule", "_bit_generator"))  # one of the caller's
    return generator
