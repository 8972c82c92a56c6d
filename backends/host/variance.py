"""Variance and standard deviation, undefined (NaN) without degrees of freedom."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["std", "var"]


def var(
    x: npt.NDArray[Any],
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: float = 0.0,
    keepdims: bool = False,
    **kwargs: Any,
) -> Any:
    """
    Compute the variance.

    NumPy's, except that it is NaN where there are no more elements than `correction` (NumPy: infinite).
    """
    return _spread(np.var, x, axis, correction, keepdims, kwargs)


def std(
    x: npt.NDArray[Any],
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: float = 0.0,
    keepdims: bool = False,
    **kwargs: Any,
) -> Any:
    """
    Compute the standard deviation.

    NumPy's, except that it is NaN where there are no more elements than `correction` (NumPy: infinite).
    """
    return _spread(np.std, x, axis, correction, keepdims, kwargs)


def _spread(
    reduction: Callable[..., Any], x: npt.NDArray[Any], axis: Any, correction: float, keepdims: bool, kwargs: dict[str, Any]
) -> Any:
    result = reduction(x, axis=axis, correction=correction, keepdims=keepdims, **kwargs)
    if correction > 0:
        axes = range(x.ndim) if axis is None else normalize_axis_tuple(axis, x.ndim)
        if prod(x.shape[i] for i in axes) <= correction:
            return np.multiply(result, np.nan, out=kwargs.get("out"))
    return result
