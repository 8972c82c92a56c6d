"""The Generator, and its default."""

from __future__ import annotations

import operator
import reprlib
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from .._array import Array
from ..backends.device import CPU, parse_device
from ..backends.ops import random as ops
from ..backends.settings import get_config, get_default_device
from .bit_generators import CounterBitGenerator, Philox4x32
from .counts import Counts
from .positive import Positive
from .random_state import RandomState
from .real_line import RealLine
from .source import on_host
from .stochastic_rounding import StochasticRounding

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._typing import ArrayLike, DeviceLike, DTypeLike, Shape

__all__ = ["Generator", "default_rng"]



class Generator(RealLine, Positive, Counts, StochasticRounding):
    """
    Draws random Arrays, as `numpy.random.Generator` draws ndarrays.

    Draws without a shape are detached 0-d Arrays, also where NumPy gives Python's own float or int. Any number of threads
    may draw; each number is given to one of them. Pickles and deep copies continue the stream on their own.

    Parameters
    ----------
    bit_generator : BitGenerator
        The source of random bits: `Philox4x32` and its like give the same numbers on every device, where those of NumPy, as
        `numpy.random.PCG64`, draw on the host.
    device : Device or str, optional
        Where draws run that neither their operands nor their own ``device=`` send elsewhere; the default device unless given.

    Examples
    --------
    >>> import numpy as np, trnarray as xp
    >>> rng = xp.random.Generator(xp.random.PCG64(7))
    >>> rng
    Generator(PCG64) at 0x...
    >>> bool(xp.all(rng.random(3) == np.random.default_rng(7).random(3)))  # on the cpu
    True
    >>> xp.random.Generator(xp.random.Philox4x32(7), device="sim:trn2").normal(size=2).device.kind
    'sim'
    """

    __slots__ = ()

    def __init__(self, bit_generator: np.random.BitGenerator | CounterBitGenerator, *, device: DeviceLike = None) -> None:
        if isinstance(bit_generator, CounterBitGenerator):
            self._hold(bit_generator, shared=False)
        elif hasattr(bit_generator, "capsule"):
            self._hold(np.random.Generator(bit_generator), shared=True)
        else:
            given = reprlib.repr(bit_generator)
            raise TypeError(f"a Generator takes a bit generator, such as PCG64(), but got {given}; default_rng takes seeds")
        self._device = None if device is None else parse_device(device)

    def __reduce__(self) -> tuple[Callable[..., Generator], tuple[Any, ...]]:
        return _made, (type(self), self.bit_generator, None if self._device is None else str(self._device))

    def __str__(self) -> str:
        held = self._held
        return f"{type(self).__name__}({type(held).__name__})" if isinstance(held, CounterBitGenerator) else super().__str__()

    @property
    def bit_generator(self) -> np.random.BitGenerator | CounterBitGenerator:
        """The source of random bits, on the host. See `numpy.random.Generator.bit_generator`."""
        if isinstance(self._held, CounterBitGenerator):
            return self._held
        bit_generator: np.random.BitGenerator = self._generator.bit_generator
        self._shared = True
        return bit_generator

    def spawn(self, n_children: int) -> list[Self]:
        """Make generators of independent streams. See `numpy.random.Generator.spawn`."""
        if isinstance(self._held, CounterBitGenerator):
            return [_made(type(self), child, self._device) for child in self._held.spawn(n_children)]
        return [_made(type(self), child.bit_generator, self._device) for child in self._generator.spawn(n_children)]

    def bytes(self, length: int) -> bytes:
        """Draw bytes. See `numpy.random.Generator.bytes`."""
        if isinstance(self._held, CounterBitGenerator):
            words: Any = self._held.random_raw(-(-operator.index(length) // 4))
            return bytes(words.astype("<u4").tobytes()[:length])
        return super().bytes(length)

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
        return self._draw(ops.choice, device, a, p, size=size, replace=bool(replace), axis=axis, shuffle=shuffle)

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


_G = TypeVar("_G", bound=Generator)


def _made(cls: type[_G], bit_generator: Any, device: DeviceLike) -> _G:
    """Make a generator, of a class that need not know of devices."""
    made = cls(bit_generator)
    made._device = None if device is None else parse_device(device)
    return made


def default_rng(seed: Any = None, *, device: DeviceLike = None) -> Generator:
    """
    Make a Generator with the default bit generator of the device.

    On the cpu that is PCG64, with NumPy's stream. On a Neuron device, given or the default one, it is `Philox4x32`, and on every device
    under ``trnarray.config(random="counter")``, so that one program has one stream everywhere.

    See `numpy.random.default_rng`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.random.default_rng(0, device="sim:trn2").integers(6, size=5)
    Array([0, 3, 3, 5, 5], dtype=int32, device='sim:trn2')
    >>> with xp.config(random="counter"):
    ...     xp.random.default_rng(0).integers(6, size=5)
    Array([0, 3, 3, 5, 5], dtype=int64, device='cpu')
    """
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, CounterBitGenerator):
        return Generator(seed, device=device)
    target = get_default_device() if device is None else parse_device(device)
    plain = not isinstance(seed, RandomState) and not any(hasattr(seed, name) for name in ("capsule", "bit_generator", "_bit_generator"))
    if plain and (target is not CPU or get_config().random == "counter"):
        return Generator(Philox4x32(seed), device=device)
    source = seed._generator if isinstance(seed, RandomState) else on_host(seed)
    generator = Generator(np.random.default_rng(source).bit_generator)
    generator._device = None if device is None else target
    generator._shared = any(hasattr(source, name) for name in ("capsule", "_bit_generator"))  # one of the caller's
    return generator
