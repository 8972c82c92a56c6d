"""Methods of ufuncs: reductions, of slices too, accumulations and outer products, as those Ops that have the same meaning."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import DType
from ...op import Op, get_op
from ...ops import elementwise as elementwise_ops
from ...rules import UfuncLoop
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import position
from .cumulative import accumulation
from .joining import concatenate
from .reductions import folding

__all__: list[str] = []

_UFUNCS: Final = (
    *(np.add, np.multiply, np.maximum, np.minimum, np.logical_or, np.logical_and),
    *(np.bitwise_or, np.bitwise_and, np.bitwise_xor, np.logical_xor, np.fmax, np.fmin),
)
_MOST: Final = 64
"""Slices that are reduced one after the other."""


def _segmented(reduce: Callable[..., Any]) -> Callable[..., Any]:
    """Reduce slices, one after the other, from each index to the next one; where that is no slice, take the element there."""

    def run(builder: Builder, value: Value, starts: npt.NDArray[Any], *, axis: int, dtype: DType | None) -> Any:
        if starts.ndim != 1 or starts.dtype.kind not in "iu" or not 0 < starts.size <= _MOST:
            raise NotNativeError(f"slices are reduced one after the other, and no more than {_MOST} of them")
        parts = []
        for start, end in pairwise([*starts.tolist(), value.shape[axis]]):
            piece = value.view(value.shadow[position(axis, slice(start, max(end, start + 1)))])
            parts.append(reduce(builder, piece, (axis,), dtype, keepdims=True, initial=None))
        return concatenate(builder, parts, axis)

    return run


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
    **{f"{ufunc.__name__}.reduceat": _segmented(reduce) for ufunc, reduce in _REDUCED.items()},
    **{f"{ufunc.__name__}.accumulate": accumulation(ufunc.__name__, widen=ufunc in (np.add, np.multiply)) for ufunc in _UFUNCS},
    **{f"{op.name}.outer": _outer(op.name) for op in vars(elementwise_ops).values() if isinstance(op, Op) and _is_binary(op.host)},
}
