"""Methods of ufuncs: reductions, of slices too, accumulations and outer products, as those Ops that have the same meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...op import all_ops, get_op
from ...ops.ufuncs import ufunc_op
from ...rules import Elementwise
from ...shape import checked_axis
from ..value import Value
from . import NotNativeError
from .calls import call
from .cumulative import accumulation
from .joining import concatenate, value_of, values_of
from .pieces import position
from .places import on_host
from .reductions import folding

if TYPE_CHECKING:
    from ..builder import Builder

__all__: list[str] = []

_REDUCTIONS: Final[Mapping[np.ufunc, str]] = {
    np.add: "sum",
    np.multiply: "prod",
    np.maximum: "max",
    np.minimum: "min",
    np.logical_or: "any",
    np.logical_and: "all",
}
_FOLDS: Final = (np.bitwise_or, np.bitwise_and, np.bitwise_xor, np.logical_xor, np.fmax, np.fmin)
"""What else is reduced."""
_MOST: Final = 64
"""Slices that are reduced one after the other."""


def _accumulated(ufunc: np.ufunc) -> Callable[..., Any]:
    accumulate = accumulation(ufunc.__name__, widen=ufunc in (np.add, np.multiply))

    def run(engine: Builder, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        value = value_of(engine, array)
        if not value.ndim:
            raise TypeError("cannot accumulate on a scalar: give an array of one axis or more")
        if ufunc.__name__.startswith("bitwise") and value.dtype.kind not in "biu":
            raise TypeError(f"{value.dtype} has no bits that are combined; convert the array to integers first")
        return accumulate(engine, value, axis, dtype, out[0] if isinstance(out, tuple) else out)

    return run


def _segmented(ufunc: np.ufunc, reduce: Callable[..., Any]) -> Callable[..., Any]:
    """Reduce slices, one after the other, from each place to the next one; where that is no slice, take the element there."""

    def run(engine: Builder, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        value = value_of(engine, array)
        starts = on_host(engine, indices) if isinstance(indices, Value) else np.asarray(indices)
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
            parts.append(reduce(engine, piece, axis, dtype, keepdims=True, initial=None))
        return concatenate(engine, parts, axis)

    return run


def _outer(name: str) -> Callable[..., Any]:
    def run(engine: Builder, left: Any, right: Any, **parameters: Any) -> Any:
        a, b = values_of(engine, [left, right])
        spread = a.view(a.shadow[(..., *(np.newaxis,) * b.ndim)])
        return call(engine, name, spread, b, **parameters)

    return run


def _register() -> None:
    for ufunc, name in _REDUCTIONS.items():
        implementation = get_op(name).implementation("neuron")
        assert implementation is not None
        ufunc_op(ufunc, "reduce").implement("neuron", implementation)
    for ufunc in _FOLDS:
        ufunc_op(ufunc, "reduce").implement("neuron", folding(ufunc.__name__))
    for ufunc in (*_REDUCTIONS, *_FOLDS):
        reduce = ufunc_op(ufunc, "reduce").implementation("neuron")
        assert reduce is not None
        ufunc_op(ufunc, "reduceat").implement("neuron", _segmented(ufunc, reduce))
    for ufunc in (*_REDUCTIONS, *_FOLDS):
        ufunc_op(ufunc, "accumulate").implement("neuron", _accumulated(ufunc))
    for op in list(all_ops()):
        if isinstance(op.rule, Elementwise) and isinstance(op.host, np.ufunc) and op.host.nin == 2 and op.host.signature is None:
            ufunc_op(op.host, "outer").implement("neuron", _outer(op.name))


_register()
