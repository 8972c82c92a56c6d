"""Random equations whose solutions are known exactly, with rows and columns of very different sizes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import trnarray as xp

from ..backends.device import Device

__all__ = ["graded_systems", "unmet"]

Array = NDArray[Any]
_BITS: Final = {"float32": 8, "float64": 22}
"""Of elements of matrices and of solutions: products of both, and sums of them, are exact."""


def graded_systems(rng: np.random.Generator, count: int, order: int, dtype: str) -> tuple[Array, Array, Array]:
    """
    Draw matrices, right-hand sides and solutions.

    Matrices of integers, of which a part is nearly singular, have rows and columns scaled by powers of two.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, x = graded_systems(np.random.default_rng(1), 3, 4, "float32")
    >>> a.shape, b.shape, bool((a.astype(float) @ x == b).all())
    ((3, 4, 4), (3, 4, 1), True)
    """
    most = 1 << _BITS[dtype]
    matrix = rng.integers(-most, most, (count, order, order)).astype(float)
    near = rng.random(count) < 0.5  # the last column is that before it, but for bits that are few in some of them
    few = 2.0 ** rng.integers(3, _BITS[dtype], count)
    if order > 1:
        rest = np.floor(rng.random((count, order)) * few[:, None]) + np.eye(order)[0]
        matrix[near, :, -1] = matrix[near, :, -2] + rest[near]
    solution = rng.integers(-most, most, (count, order, 1)).astype(float)
    sides = matrix @ solution
    rows, columns = (2.0 ** rng.integers(-12, 12, (count, order)) for _ in range(2))
    a = matrix * rows[:, :, None] * columns[:, None, :]
    return a.astype(dtype), (sides * rows[:, :, None]).astype(dtype), (solution / columns[:, :, None]).astype(dtype)


def unmet(device: Device | str, systems: tuple[Array, Array, Array], **ways: Any) -> tuple[Array, Array]:
    """
    Solve, and tell where an error is above the bound that was returned with it, and where a bound was finite.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, x = np.eye(2)[None], np.ones((1, 2, 1)), np.ones((1, 2, 1))
    >>> unmet("cpu", (a, b, x))
    (array([False]), array([ True]))
    """
    a, b, x = systems
    found, info = xp.linalg.solve(*(xp.asarray(one, device=device) for one in (a, b)), return_info=True, **ways)
    solution, bound = (np.asarray(one.to_device("cpu")) for one in (found, info.bound))
    size = np.abs(x).max(axis=-2)
    error = (np.abs(solution.astype(float) - x) / np.where(size, size, 1.0)[:, None]).max((-1, -2))
    return error > bound * (1 + 2.0**-40), np.isfinite(bound)
