"""The Generator, and its default."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import numpy as np

from .._array import Array
from .._array.parameters import document
from ..backends.ops import random as ops
from .counts import Counts
from .positive import Positive
from .random_state import RandomState
from .real_line import RealLine
from .source import COMMON, on_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._typing import ArrayLike, DeviceLike, DTypeLike, Shape

__all__ = ["Generator", "default_rng"]

_documented: Final = document(
    {
        **COMMON,
        "a": "array_like or int: What to choose from; an int stands for the integers below it.",
        "axis": "int, optional: The axis along which elements are chosen or reordered.",
        "check_valid": "{'warn', 'raise', 'ignore'}, optional: What to do if `cov` is not positive semidefinite.",
        "colors": "array_like of int: How many there are of each kind.",
        "cov": "array_like of float: The covariance matrix.",
        "endpoint": "bool, optional: Whether `high` is among the integers.",
        "high": "array_like of int, optional: One above the largest; by default `low`, and 0 is the lowest.",
        "low": "array_like of int: The lowest integer.",
        "mean": "array_like of float: The mean, one number per dimension.",
        "method": "str, optional: NumPy's name for an algorithm; the stream depends on it, the distribution does not.",
        "nsample": "int: How many are taken.",
        "p": "array_like of float, optional: The probabilities; by default all are equal.",
        "replace": "bool, optional: Whether an element can be chosen again.",
        "shape": "array_like of float: A shape parameter, 0 or more.",
        "shuffle": "bool, optional: Whether the order is random as well, where elements are chosen without replacement.",
        "tol": "float, optional: The tolerance of that check.",
        "x": "array_like: The elements.",
    }
)


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
        self._generator = np.random.Generator(bit_generator)

    def __reduce__(self) -> tuple[Callable[..., Generator], tuple[np.random.BitGenerator]]:
        return type(self), (self.bit_generator,)

    @property
    def bit_generator(self) -> np.random.BitGenerator:
        """
        The source of random bits, on the host.

        Returns
        -------
        BitGenerator
            NumPy's own: ``numpy.random.Generator(rng.bit_generator)`` continues the same stream.

        Examples
        --------
        >>> import trnarray as xp
        >>> type(xp.random.default_rng(0).bit_generator).__name__
        'PCG64'
        """
        bit_generator: np.random.BitGenerator = self._generator.bit_generator
        return bit_generator

    def spawn(self, n_children: int) -> list[Self]:
        """
        Make generators of independent streams.

        Parameters
        ----------
        n_children : int
            How many.

        Returns
        -------
        list of Generator
            The generators.

        Examples
        --------
        >>> import trnarray as xp
        >>> [str(child) for child in xp.random.default_rng(0).spawn(2)]
        ['Generator(PCG64)', 'Generator(PCG64)']
        """
        return [type(self)(child.bit_generator) for child in self._generator.spawn(n_children)]

    @_documented
    def random(self, size: Shape | None = None, dtype: DTypeLike = None, out: Array | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw numbers from 0 to 1, without 1: low-precision ones are rounded towards 0.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.random.default_rng(0).random((2, 3), dtype=xp.bfloat16)
        >>> x.shape, bool(xp.all((x >= 0) & (x < 1)))
        ((2, 3), True)
        """
        return self._draw(ops.random, device, size=size, dtype=dtype, out=out)

    @_documented
    def standard_normal(
        self, size: Shape | None = None, dtype: DTypeLike = None, out: Array | None = None, *, device: DeviceLike = None
    ) -> Array:
        """
        Draw from the normal distribution of mean 0 and standard deviation 1.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.random.default_rng(0).standard_normal(10_000, dtype=xp.float32)
        >>> x.dtype, bool(abs(xp.std(x) - 1) < 0.1)
        (dtype('float32'), True)
        """
        return self._draw(ops.standard_normal, device, size=size, dtype=dtype, out=out)

    @_documented
    def standard_exponential(
        self,
        size: Shape | None = None,
        dtype: DTypeLike = None,
        method: Literal["zig", "inv"] = "zig",
        out: Array | None = None,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """
        Draw from the exponential distribution of mean 1.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> bool(abs(xp.mean(xp.random.default_rng(0).standard_exponential(10_000)) - 1) < 0.2)
        True
        """
        return self._draw(ops.standard_exponential, device, size=size, dtype=dtype, out=out, method=method)

    @_documented
    def standard_gamma(
        self,
        shape: ArrayLike,
        size: Shape | None = None,
        dtype: DTypeLike = None,
        out: Array | None = None,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """
        Draw from a gamma distribution, of mean `shape` and scale 1.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> bool(abs(xp.mean(xp.random.default_rng(0).standard_gamma(3.0, 10_000)) - 3) < 0.3)
        True
        """
        return self._draw(ops.standard_gamma, device, shape, size=size, dtype=dtype, out=out)

    @_documented
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
        """
        Draw integers of an interval, each with the same probability.

        Returns
        -------
        Array
            The draws.

        Examples
        --------
        >>> import trnarray as xp
        >>> dice = xp.random.default_rng(0).integers(1, 6, 100, endpoint=True)
        >>> bool(xp.all((dice >= 1) & (dice <= 6)))
        True
        """
        return self._draw(ops.integers, device, low, high, size=size, dtype=dtype, endpoint=endpoint)

    @_documented
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
        """
        Draw vectors from a normal distribution.

        Returns
        -------
        Array
            The draws, vectors along the last axis.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.random.default_rng(0).multivariate_normal([0.0, 1.0], xp.eye(2), size=(4, 3)).shape
        (4, 3, 2)
        """
        return self._draw(ops.multivariate_normal, device, mean, cov, size=size, check_valid=check_valid, tol=tol, method=method)

    @_documented
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

        Returns
        -------
        Array
            The draws, vectors along the last axis.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.random.default_rng(0).multivariate_hypergeometric([5, 3, 2], 4, 3).sum(axis=1)
        Array([4, 4, 4], dtype=int64, device='cpu')
        """
        return self._draw(ops.multivariate_hypergeometric, device, colors, nsample, size=size, method=method)

    @_documented
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
        """
        Choose elements, or slices along an axis.

        Returns
        -------
        Array
            What was chosen.

        Examples
        --------
        >>> import trnarray as xp
        >>> rng = xp.random.default_rng(0)
        >>> xp.sort(rng.choice(xp.asarray([1.5, 2.5, 3.5]), 3, replace=False))
        Array([1.5, 2.5, 3.5], dtype=float64, device='cpu')
        >>> rng.choice(3, 4, p=[0.0, 1.0, 0.0])
        Array([1, 1, 1, 1], dtype=int64, device='cpu')
        """
        return self._draw(ops.choice, device, a, p, size=size, replace=replace, axis=axis, shuffle=shuffle)

    @_documented
    def permutation(self, x: ArrayLike, axis: int = 0, *, device: DeviceLike = None) -> Array:
        """
        Give the slices along an axis in random order; an int stands for the integers below it.

        Returns
        -------
        Array
            A copy.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.sort(xp.random.default_rng(0).permutation(4))
        Array([0, 1, 2, 3], dtype=int64, device='cpu')
        """
        return self._draw(ops.permutation, device, x, axis=axis)

    @_documented
    def permuted(self, x: ArrayLike, *, axis: int | None = None, out: Array | None = None, device: DeviceLike = None) -> Array:
        """
        Give the elements in random order: along an axis each slice in its own, or all of them.

        Returns
        -------
        Array
            A copy, or `out`, which may be `x` itself.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.random.default_rng(0).permuted(xp.asarray([[1, 2, 3], [4, 5, 6]]), axis=1)
        >>> xp.sort(x, axis=1)
        Array([[1, 2, 3],
               [4, 5, 6]], dtype=int64, device='cpu')
        """
        return self._draw(ops.permuted, device, x, axis=axis, out=out)

    @_documented
    def shuffle(self, x: Any, axis: int = 0) -> None:
        """
        Reorder the slices along an axis at random, in place.

        Raises
        ------
        ValueError
            If the Array is read-only.
        TypeError
            If there is no order, as in a 0-d Array.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.arange(6)
        >>> xp.random.default_rng(0).shuffle(x[:3])  # a view: its base sees it
        >>> xp.sort(x[:3]), x[3:]
        (Array([0, 1, 2], dtype=int64, device='cpu'), Array([3, 4, 5], dtype=int64, device='cpu'))
        """
        self._shuffle(x, axis=axis)


def default_rng(seed: Any = None) -> Generator:
    """
    Make a Generator with the default bit generator, PCG64.

    Parameters
    ----------
    seed : int, array_like of int, SeedSequence, BitGenerator, Generator or RandomState, optional
        What to start from; None takes entropy of the operating system. A bit generator, and that of a generator, ours or
        NumPy's, is shared; a `Generator` is returned as it is.

    Returns
    -------
    Generator
        The generator.

    Raises
    ------
    ValueError
        If an integer is negative.
    TypeError
        If it is none of these.

    Examples
    --------
    >>> import trnarray as xp
    >>> rng = xp.random.default_rng(12345)
    >>> rng.random(3).shape
    (3,)
    """
    if isinstance(seed, Generator):
        return seed
    source = seed._generator if isinstance(seed, RandomState) else on_host(seed)
    return Generator(np.random.default_rng(source).bit_generator)
