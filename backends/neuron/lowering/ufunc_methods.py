"""Methods of ufuncs: reductions, of slices too, accumulations and outer products, as those Ops that have the same meaning."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import DType
from ...op import Op, get_op
from ...ops import elementwise as elementwise_ops
from ...rules import UfuncLoop
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import constant, join, position
from .cumulative import accumulation
from .joining import concatenate
from .neutral_elements import IDENTITY, identity
from .reductions import folding
from .sparse.segment_sums import levels, repeating
from .sparse.structure import taken

__all__: list[str] = []

_UFUNCS: Final = (
    *(np.add, np.multiply, np.maximum, np.minimum, np.logical_or, np.logical_and),
    *(np.bitwise_or, np.bitwise_and, np.bitwise_xor, np.logical_xor, np.fmax, np.fmin),
)
_FEW: Final = 64
"""Slices that are reduced one after the other; the elements of more are gathered into rows."""
_MOST: Final = 1 << 28
"""Elements that are gathered at most: slices may overlap."""


def _segmented(name: str, reduce: Callable[..., Any]) -> Callable[..., Any]:
    """Reduce slices from each index to the next one; where that is no slice, take the element there."""

    def run(builder: Builder, value: Value, starts: npt.NDArray[Any], *, axis: int, dtype: DType | None) -> Any:
        if starts.ndim != 1 or starts.dtype.kind not in "iu" or not starts.size:
            raise NotNativeError("the host checks indices of slices, and reduces none")
        counts = np.maximum(np.diff(starts.astype(np.int64), append=value.shape[axis]), 1)
        if starts.size > _FEW:
            return _gathered(builder, name, reduce, value, starts, counts, axis, dtype)
        parts = []
        for start, count in zip(starts.tolist(), counts.tolist(), strict=True):
            piece = value.view(value.shadow[position(axis, slice(start, start + count))])
            parts.append(reduce(builder, piece, (axis,), dtype, keepdims=True, initial=None))
        return concatenate(builder, parts, axis)

    return run


def _gathered(
    builder: Builder, name: str, reduce: Callable[..., Any], value: Value, starts: npt.NDArray[Any], counts: npt.NDArray[np.int64],
    axis: int, dtype: DType | None,
) -> Any:  # fmt: skip
    """Gather slices into rows of few lengths, padded by what the ufunc leaves as it is, and reduce these."""
    table = value.view(np.moveaxis(value.shadow, axis, 0))
    rest, total = table.shape[1:], int(counts.sum())
    if total * max(1, math.prod(rest)) > _MOST:
        raise NotNativeError(f"slices of more than {_MOST} elements are reduced on the host")
    order: npt.NDArray[np.int64] | None = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(total)
    for level in levels(counts):
        sources = level.sources if name in IDENTITY else repeating(level, table.shape[0] if order is None else total)
        if order is not None:
            sources, order = np.append(order, table.shape[0])[sources], None
        padding = identity(name, table.dtype) if name in IDENTITY else 0
        table = join(builder, [(table.shape, table.read()), ((1, *rest), constant(padding, (1, *rest), table.dtype))], 0, table.dtype)
        elements = taken(builder, table, builder.from_host(sources.astype(np.int32), copy=True))
        first, parts = 0, []
        for count, width in level.blocks:
            rows = elements.view(elements.shadow[first : first + count * width].reshape(count, width, *rest))
            parts.append(reduce(builder, rows, (1,), dtype, keepdims=False, initial=None))
            first += count * width
        table = concatenate(builder, parts, 0)
    return table.view(np.moveaxis(table.shadow, 0, axis))


def _is_binary(host: Any) -> bool:
    return isinstance(host, np.ufunc) and host.nin == 2 and host.signature is None


def _outer(name: str) -> Callable[..., Any]:
    def run(builder: Builder, a: Value, b: Value, *, loop: UfuncLoop) -> Any:
        lowering = get_op(name).neuron
        if lowering is None:
            raise NotNativeError("it has no kernel yet")
        return lowering(builder, a.view(a.shadow[(..., *(np.newaxis,) * b.ndim)]), b, loop=loop)

    return run


_REDUCED: Final = {ufunc: folding(ufunc.__name__, widen=ufunc in (np.add, np.multiply)) for ufunc in _UFUNCS}
LOWERINGS: Final[Lowerings] = {
    **{f"{ufunc.__name__}.reduce": reduce for ufunc, reduce in _REDUCED.items()},
    **{f"{ufunc.__name__}.reduceat": _segmented(ufunc.__name__, reduce) for ufunc, reduce in _REDUCED.items()},
    **{f"{ufunc.__name__}.accumulate": accumulation(ufunc.__name__, widen=ufunc in (np.add, np.multiply)) for ufunc in _UFUNCS},
    **{f"{op.name}.outer": _outer(op.name) for op in vars(elementwise_ops).values() if isinstance(op, Op) and _is_binary(op.host)},
}
