"""Bessel functions in float64, also where SciPy loses digits of large angles, and what their zeros are measured by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import scipy.special
from numpy.typing import NDArray

__all__ = ["ZEROS_FROM", "amplitude", "j0", "j1", "y0", "y1"]

Array = NDArray[Any]
_FAR: Final = 1e3
"""From it on, three terms of the asymptotic expansion are enough."""
ZEROS_FROM: Final = {"special.j0": 1.5, "special.j1": 2.0, "special.y0": 0.5, "special.y1": 1.5}
"""Below the first zero of each function."""


def amplitude(x: Array) -> Array:
    """
    Give what the modulus is about for large arguments.

    Examples
    --------
    >>> float(amplitude(np.float64(200 / np.pi)))
    0.1
    """
    with np.errstate(all="ignore"):
        return np.asarray(np.sqrt(2 / (np.pi * np.abs(x))))


def _function(near: Callable[[Array], Array], order: int, quarters: int, x: Array) -> Array:
    """Take the cosine of an angle less so many quarters of a turn, which NumPy reduces without loss."""
    mu = 4.0 * order**2
    far = np.maximum(np.where(np.isfinite(x), np.abs(x), _FAR), _FAR)
    turned = (mu - 1) / (8 * far) + (mu - 1) * (mu - 25) / (6 * (4 * far) ** 3) - (0.25 + quarters / 2) * np.pi
    modulus = amplitude(far) * np.sqrt(1 + (mu - 1) / (8 * far**2))
    value = modulus * (np.cos(far) * np.cos(turned) - np.sin(far) * np.sin(turned))
    sign = np.sign(x) if order else 1.0
    return np.where(np.isfinite(x) & (np.abs(x) > _FAR), sign * value, near(x))


def j0(x: Array) -> Array:
    """
    Compute the Bessel function of the first kind of order 0.

    Examples
    --------
    >>> f"{j0(np.float64(1e30)):.3e}"
    '-5.589e-16'
    """
    return _function(scipy.special.j0, 0, 0, x)


def j1(x: Array) -> Array:
    """
    Compute the Bessel function of the first kind of order 1.

    Examples
    --------
    >>> f"{j1(np.float64(1e30)):.3e}"
    '5.694e-16'
    """
    return _function(scipy.special.j1, 1, 1, x)


def y0(x: Array) -> Array:
    """
    Compute the Bessel function of the second kind of order 0.

    Examples
    --------
    >>> f"{y0(np.float64(1e30)):.3e}"
    '5.694e-16'
    """
    return np.where(x < 0, np.nan, _function(scipy.special.y0, 0, 1, x))


def y1(x: Array) -> Array:
    """
    Compute the Bessel function of the second kind of order 1.

    Examples
    --------
    >>> f"{y1(np.float64(1e30)):.3e}"
    '5.589e-16'
    """
    return np.where(x < 0, np.nan, _function(scipy.special.y1, 1, 2, x))
