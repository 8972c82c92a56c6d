"""What the Scalar Engine's functions compute: in float64, so that the one rounding to float32 is the only error."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "arctan",
    "erf",
    "erf_dx",
    "erfc",
    "gelu",
    "gelu_apprx_sigmoid",
    "gelu_apprx_sigmoid_dx",
    "gelu_apprx_tanh",
    "gelu_dx",
    "mish",
    "prelu",
    "sigmoid",
    "silu",
    "silu_dx",
    "sin",
    "softplus",
]

Array = NDArray[Any]
Float64 = NDArray[np.float64]

_STEPS: Final = 64  # per unit of the table of erf and erfc
_END: Final = 16  # erfc(16) is far below float32's denormals
_DEGREE: Final = 10


@lru_cache(maxsize=2)
def _table(function: Callable[[float], float], sign: int) -> Float64:
    """Taylor coefficients of erf or erfc around each point of a grid; shape (degree + 1, points)."""
    points = np.arange(_END * _STEPS + 1) / _STEPS
    coefficients = np.zeros((_DEGREE + 1, points.size))
    coefficients[0] = [function(point) for point in points]
    # exp(-(p + d)**2) = exp(-p**2) * (c0 + c1 d + ...), integrated term by term
    before, term = np.zeros_like(points), np.ones_like(points)
    slope = sign * 2 / np.sqrt(np.pi) * np.exp(-(points**2))
    for degree in range(1, _DEGREE + 1):
        coefficients[degree] = slope * term / degree
        before, term = term, -2 * (points * term + before) / degree
    return coefficients


def _expand(x: Float64, function: Callable[[float], float], sign: int) -> Float64:
    """Evaluate erf or erfc of values that are not negative."""
    table, inside = _table(function, sign), np.where(x < _END, x, _END)  # NaN goes to the end
    index = np.rint(inside * _STEPS).astype(np.intp)
    offset = inside - index / _STEPS
    result: Float64 = np.take(table[_DEGREE], index)
    for row in table[_DEGREE - 1 :: -1]:
        result = result * offset + np.take(row, index)
    return np.where(np.isnan(x), np.nan, result)


def erf(x: Array) -> Array:
    """Error function."""
    return np.copysign(_expand(np.abs(np.asarray(x, np.float64)), math.erf, 1), x)


def erfc(x: Array) -> Array:
    """Complementary error function, accurate in its tail."""
    tail = _expand(np.abs(np.asarray(x, np.float64)), math.erfc, -1)
    return np.where(np.asarray(x) < 0, 2 - tail, tail)


def erf_dx(x: Array) -> Array:
    """Take the derivative of the error function."""
    return np.asarray(2 / np.sqrt(np.pi) * np.exp(-np.square(np.asarray(x, np.float64))))


def sigmoid(x: Array) -> Array:
    """Logistic function."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(x, np.float64))))


def _times(x: Float64, weight: Float64) -> Float64:
    """``x * weight``, and 0 at minus infinity, where the weight is 0."""
    return np.where(x == -np.inf, 0.0, x * weight)


def _normal(x: Float64) -> Float64:
    return np.asarray(erfc(-x / np.sqrt(2)) / 2)


def gelu(x: Array) -> Array:
    """Gaussian error linear unit: x times the normal distribution function."""
    x = np.asarray(x, np.float64)
    return _times(x, _normal(x))


def gelu_dx(x: Array) -> Array:
    """Take the derivative of `gelu`."""
    x = np.asarray(x, np.float64)
    density = np.exp(-np.square(x) / 2) / np.sqrt(2 * np.pi)
    return _normal(x) + np.where(np.isinf(x), 0.0, x * density)


def gelu_apprx_tanh(x: Array) -> Array:
    """`gelu` by the hyperbolic tangent of a cubic."""
    x = np.asarray(x, np.float64)
    # (1 + tanh(u)) / 2 is sigmoid(2 u), which does not cancel
    return _times(x, sigmoid(2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def gelu_apprx_sigmoid(x: Array) -> Array:
    """`gelu` by the logistic function of 1.702 x."""
    x = np.asarray(x, np.float64)
    return _times(x, sigmoid(1.702 * x))


def _weighted_dx(x: Array, factor: float) -> Array:
    """Take the derivative of ``x * sigmoid(factor * x)``."""
    x = np.asarray(x, np.float64)
    weight, other = sigmoid(factor * x), sigmoid(-factor * x)
    return weight + np.where(np.isinf(x), 0.0, factor * x * weight * other)


def gelu_apprx_sigmoid_dx(x: Array) -> Array:
    """Take the derivative of `gelu_apprx_sigmoid`."""
    return _weighted_dx(x, 1.702)


def silu(x: Array) -> Array:
    """Sigmoid linear unit: x times its logistic function."""
    x = np.asarray(x, np.float64)
    return _times(x, sigmoid(x))


def silu_dx(x: Array) -> Array:
    """Take the derivative of `silu`."""
    return _weighted_dx(x, 1.0)


def softplus(x: Array) -> Array:
    """``log(1 + exp(x))``."""
    return np.logaddexp(0.0, np.asarray(x, np.float64))


def mish(x: Array) -> Array:
    """``x * tanh(softplus(x))``."""
    x = np.asarray(x, np.float64)
    return _times(x, np.tanh(softplus(x)))


def prelu(x: Array, slope: Array | float = 0.0) -> Array:
    """Rectified linear unit with a slope below zero."""
    return np.where(x < 0, x * np.asarray(slope, x.dtype), x)


def sin(x: Array) -> Array:
    """Sine between -pi and pi; beyond, the cubic that touches it there, as the hardware's."""
    x = np.asarray(x, np.float64)
    beyond = x - np.copysign(np.pi, x)
    return np.where(np.abs(x) <= np.float32(np.pi), np.sin(x), beyond**3 / 6 - beyond)


def arctan(x: Array) -> Array:
    """Arc tangent."""
    return np.asarray(np.arctan(np.asarray(x, np.float64)))
