"""The registration of Arrays with dask.array, whose chunks they can be.

Most of dask.array reaches Arrays by NumPy's protocols. A few functions look up by the type of a chunk how to compute; for
types that they do not know they make ndarrays, or refuse.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._array import Array

__all__ = ["register"]


def register() -> None:
    """Enter Arrays in the tables."""
    from dask.array.dispatch import empty_lookup, numel_lookup, percentile_lookup, to_numpy_dispatch

    from .._array import Array
    from ..creation_functions import empty

    empty_lookup.register(Array, empty)
    numel_lookup.register(Array, _count)
    percentile_lookup.register(Array, _percentile)
    to_numpy_dispatch.register(Array, _to_numpy)


def _count(chunk: Array, *, axis: Any = None, keepdims: bool = False, dtype: Any = "float64", **_: object) -> Array:
    """Count the elements that a reduction over the axes combines, in the form of its result."""
    from ..creation_functions import full

    axes = range(chunk.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    count = prod(chunk.shape[i] for i in axes)
    shape = tuple(1 if i in axes else size for i, size in enumerate(chunk.shape) if keepdims or i not in axes)
    return full(shape, count, dtype=dtype, device=chunk.device)


def _percentile(chunk: Array, q: Any, method: str = "linear") -> tuple[Array | None, int]:
    """Give the percentiles of a chunk, and how many elements it has."""
    from ..data_type_functions import isdtype
    from ..quantile_functions import percentile

    if not chunk.shape[0]:
        return None, 0
    return percentile(chunk, q, method=method if isdtype(chunk.dtype, "numeric") else "nearest"), chunk.shape[0]


def _to_numpy(chunk: Array, **_: object) -> Any:
    """Give a chunk as an ndarray, as `dask.array.Array.to_backend` is asked to."""
    import numpy as np

    return np.from_dlpack(chunk, device="cpu")
