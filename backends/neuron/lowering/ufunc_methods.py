"""Methods of ufuncs: reductions, of slices too, accumulations and outer products, as those Ops that have the same meaning."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...op import Op
from ...ops import elementwise as elementwise_ops
from ...shape import checked_axis
from ..value import Value
from . import Lowerings, NotNativeError
from .concatenation import position
from .cumulative import accumulation
from .indexing.operands import on_host
from .joining import concatenate
from .op_calls import call
from .reductions import folding

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

_UFUNCS: Final = (
    *(np.add, np.multiply, np.maximum, np.minimum, np.logical_or, np.logical_and),
    *(np.bitwise_or, np.bitwise_and, np.bitwise_xor, np.logical_xor, np.fmax, np.fmin),
)
_MOST: Final = 64
"""Slices that are reduced one after the other."""


def _accumulated(ufunc: np.ufunc) -> Callable[..., Any]:
    accumulate = accumulation(ufunc.__name__, widen=ufunc in (np.add, np.multiply))

    def run(builder: Builder, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        value = builder.array(array)
        if not value.ndim:
            raise TypeError("cannot accumulate on a scalar: give an array of one axis or more")
        if ufunc.__name__.startswith("bitwise") and value.dtype.kind not in "biu":
            raise TypeError(f"{value.dtype} has no bits that are combined; convert the array to integers first")
        return accumulate(builder, value, axis, dtype, out[0] if isinstance(out, tuple) else out)

    return run


def _segmented(ufunc: np.ufunc, reduce: Callable[..., Any]) -> Callable[..., Any]:
    """Reduce slices, one after the other, from each place to the next one; where that is no slice, take the element there."""

    def run(builder: Builder, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        value = builder.array(array)
        starts = on_host(builder, indices) if isinstance(indices, Value) else np.asarray(indices)
        axis = checked_axis(axis, value.ndim)
        length = value.shape[axis]
        if out is not None or starts.ndim != 1 or starts.dtype.kind not in "iu" or not 0 < starts.size <= _MOST:
            raise NotNativeError(f"slices are reduced one after the other, to new memory, and no more than {_MOST} of them")
        beyond = starts[(starts < 0) | (starts >= length)]
        if beyond.size:
            raise IndexError(f"index {beyond[0]} out-of-bounds in {ufunc.__name__}.reduceat [0, {length})")
        parts = []
        for start, end in pairwise([*starts.tolist(), length]):
            piece = value.view(value.shadow[position(axis, slice(start, max(end, start + 1)))])
            parts.append(reduce(builder, piece, (axis,), dtype, keepdims=True, initial=None))
        return concatenate(builder, parts, axis)

    return run


def _is_binary(host: Any) -> bool:
    return isinstance(host, np.ufunc) and host.nin == 2 and host.signature is None


def _outer(name: str) -> Callable[..., Any]:
    def run(builder: Builder, left: Any, right: Any, **parameters: Any) -> Any:
        a, b = builder.arrays([left, right])
        spread = a.view(a.shadow[(..., *(np.newaxis,) * b.ndim)])
        return call(builder, name, spread, b, **parameters)

    return run


_REDUCED: Final = {ufunc: folding(ufunc.__name__, widen=ufunc in (np.add, np.multiply)) for ufunc in _UFUNCS}
LOWERINGS: Final[Lowerings] = {
    **{f"{ufunc.__name__}.reduce": reduce for ufunc, reduce in _REDUCED.items()},
    **{f"{ufunc.__name__}.reduceat": _segmented(ufunc, reduce) for ufunc, reduce in _REDUCED.items()},
    **{f"{ufunc.__name__}.accumulate": _accumulated(ufunc) for ufunc in _UFUNCS},
    **{f"{op.name}.outer": _outer(op.name) for op in vars(elementwise_ops).values() if isinstance(op, Op) and _is_binary(op.host)},
}
