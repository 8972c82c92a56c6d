"""The legacy generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from ..backends.ops import random as ops
from .counts import Counts
from .positive import Positive
from .real_line import RealLine
from .source import on_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._array import Array
    from .._typing import ArrayLike, DeviceLike, DTypeLike, Shape

__all__ = ["RandomState"]



class RandomState(RealLine, Positive, Counts):
    """
    Draws random Arrays, as `numpy.random.RandomState` draws ndarrays; new code takes `default_rng`.

    Parameters
    ----------
    seed : int, array_like of int or BitGenerator, optional
        What to start from; None takes entropy of the operating system. A bit generator is shared.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.random.RandomState(0).rand(2)
    Array([0.5488135 , 0.71518937], dtype=float64, device='cpu')
    """

    __slots__ = ()

    def __init__(self, seed: Any = None) -> None:
        self._hold(np.random.RandomState(on_host(seed)), shared=hasattr(seed, "capsule"))

    @classmethod
    def _around(cls, generator: np.random.RandomState) -> Self:
        """Make one that shares the state of NumPy's."""
        state = cls.__new__(cls)
        state._hold(generator, shared=True)
        return state

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[np.random.RandomState]]:
        self._shared = True  # copies may be of the same
        return type(self)._around, (self._generator,)

    def seed(self, seed: Any = None) -> None:
        """Start again. See `numpy.random.RandomState.seed`."""
        self._generator.seed(on_host(seed))

    def get_state(self, legacy: bool = True) -> Any:
        """Return the state, which is on the host. See `numpy.random.RandomState.get_state`."""
        return self._generator.get_state(legacy)

    def set_state(self, state: Any) -> None:
        """Continue from a state. See `numpy.random.RandomState.set_state`."""
        self._generator.set_state({k: on_host(v) for k, v in state.items()} if isinstance(state, dict) else on_host(state))

    def random_sample(self, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw numbers from 0 to 1, without 1. See `numpy.random.RandomState.random_sample`."""
        return self._draw(ops.random, device, size=size)

    def random(self, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw numbers from 0 to 1, without 1: `random_sample` by another name.

        See `numpy.random.RandomState.random`.
        """
        return self._draw(ops.random, device, size=size)

    def rand(self, *args: int, device: DeviceLike = None) -> Array:
        """
        Draw numbers from 0 to 1, without 1, into the shape that the arguments say.

        See `numpy.random.RandomState.rand`.
        """
        return self._draw(ops.random, device, size=args or None)

    def randn(self, *args: int, device: DeviceLike = None) -> Array:
        """
        Draw from the standard normal distribution, into the shape that the arguments say.

        See `numpy.random.RandomState.randn`.
        """
        return self._draw(ops.standard_normal, device, size=args or None)

    def randint(
        self,
        low: ArrayLike,
        high: ArrayLike | None = None,
        size: Shape | None = None,
        dtype: DTypeLike = None,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """Draw integers from `low`, or 0, to `high` without that one. See `numpy.random.RandomState.randint`."""
        return self._draw(ops.randint, device, low, high, size=size, dtype=dtype)

    def random_integers(
        self, low: ArrayLike, high: ArrayLike | None = None, size: Shape | None = None, *, device: DeviceLike = None
    ) -> Array:
        """
        Draw integers from `low`, or 1, to `high` with that one; deprecated in NumPy.

        See `numpy.random.RandomState.random_integers`.
        """
        return self._draw(ops.random_integers, device, low, high, size=size)

    def tomaxint(self, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw integers from 0 to the largest that there is. See `numpy.random.RandomState.tomaxint`."""
        return self._draw(ops.tomaxint, device, size=size)

    def standard_normal(self, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from the normal distribution of mean 0 and standard deviation 1.

        See `numpy.random.RandomState.standard_normal`.
        """
        return self._draw(ops.standard_normal, device, size=size)

    def standard_exponential(self, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """Draw from the exponential distribution of mean 1. See `numpy.random.RandomState.standard_exponential`."""
        return self._draw(ops.standard_exponential, device, size=size)

    def standard_gamma(self, shape: ArrayLike, size: Shape | None = None, *, device: DeviceLike = None) -> Array:
        """
        Draw from a gamma distribution, of mean `shape` and scale 1.

        See `numpy.random.RandomState.standard_gamma`.
        """
        return self._draw(ops.standard_gamma, device, shape, size=size)

    def multivariate_normal(
        self,
        mean: ArrayLike,
        cov: ArrayLike,
        size: Shape | None = None,
        check_valid: Literal["warn", "raise", "ignore"] = "warn",
        tol: float = 1e-8,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """Draw vectors from a normal distribution. See `numpy.random.RandomState.multivariate_normal`."""
        return self._draw(ops.multivariate_normal, device, mean, cov, size=size, check_valid=check_valid, tol=tol)

    def choice(
        self,
        a: ArrayLike,
        size: Shape | None = None,
        replace: bool = True,
        p: ArrayLike | None = None,
        *,
        device: DeviceLike = None,
    ) -> Array:
        """Choose elements of a vector. See `numpy.random.RandomState.choice`."""
        return self._draw(ops.choice, device, a, p, size=size, replace=replace)

    def permutation(self, x: ArrayLike, *, device: DeviceLike = None) -> Array:
        """
        Give the slices along the first axis in random order; an int stands for the integers below it.

        See `numpy.random.RandomState.permutation`.
        """
        return self._draw(ops.permutation, device, x)

    def shuffle(self, x: Any) -> None:
        """Reorder the slices along the first axis at random, in place. See `numpy.random.RandomState.shuffle`."""
        self._shuffle(x)
